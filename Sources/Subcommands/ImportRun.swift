internal import Diagnostics
internal import Formats
internal import Imports
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import RunStore
package import Sessions

/// Makes scripts of what other tools wrote, without sending anything.
package struct ImportRun: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case hurl, http, curl
  }

  package struct Options: Sendable {
    /// Where the scripts go, a directory, or of a single one a file that ends in .wb; nil: the only one is printed.
    package var output: String?
    /// Whether what is only different counts as refused.
    package var isStrict = false
    /// Whether bodies are kept byte for byte.
    package var isExact = false
    /// A file of environments of an editor, of which each becomes a script; nil: none.
    package var environments: String?
    /// The values of variables, which are written in their place.
    package var values: [String: String] = [:]

    package init() {}
  }

  private let world: World
  private let format: Format?
  private let options: Options
  private let printer: Printer

  /// - Parameter format: what the files are; nil: as each is called.
  package init(world: World, format: Format?, options: Options = Options()) {
    self.world = world
    self.format = format
    self.options = options
    printer = Printer(world, secrets: KnownSecrets())
  }

  /// What to do with a curl line that a shell took apart.
  package static let unquotedLine =
    "a curl line is one word, in quotes: workbench import curl 'curl … URL'; or - reads it"

  /// What a file is by its name, or a word by its beginning; nil: neither says it.
  private static func format(of file: String) -> Format? {
    if file.hasPrefix("curl ") { return .curl }
    return switch ForeignScript(fileName: file) {
    case .hurl?: .hurl
    case .http?: .http
    case nil: nil
    }
  }

  /// The directory that the scripts go to; nil: there is none.
  private var directory: String? { options.output.flatMap { $0.hasSuffix(".wb") ? nil : $0 } }

  /// - Returns: `remarks` if something is different, `usage` if something was refused, `file` if one cannot be read or
  ///   written; of several files, the worst.
  package func run(files: [String]) -> ExitCode {
    if format == .curl, files.contains(where: { $0.contains("://") && !$0.hasPrefix("curl ") }) {
      ErrorPrinter(printer).print(ErrorReport(Self.unquotedLine))
      return .usage
    }
    var known: [(file: String, format: Format)] = []
    for file in files {
      guard let format = format ?? Self.format(of: file) else {
        ErrorPrinter(printer).print(
          ErrorReport(
            "\"\(file)\" does not say what it is by its ending, .hurl or .http",
            notes: ["say it before the files: workbench import hurl|http|curl FILE"]))
        return .usage
      }
      known.append((file, format))
    }
    guard files.count == 1 || directory != nil else {
      ErrorPrinter(printer).print(
        ErrorReport("several files make several scripts", notes: ["say where they go: -o DIR"]))
      return .usage
    }
    if options.environments != nil, !known.allSatisfy({ $0.format == .http }) || directory == nil {
      ErrorPrinter(printer).print(
        ErrorReport("each environment becomes a script of its own", notes: ["import FILE.http --env ENV -o DIR"]))
      return .usage
    }
    let order: [ExitCode] = [.success, .remarks, .usage, .file]
    let codes = known.map { read($0.file, as: $0.format) } + (options.environments.map { [readEnvironments($0)] } ?? [])
    return codes.max { (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0) } ?? .success
  }

  private func read(_ file: String, as format: Format) -> ExitCode {
    let errors = ErrorPrinter(printer)
    do throws(FileError) {
      // A line in quotes is one as it stands.
      let isLine = format == .curl && file.hasPrefix("curl ")
      let source =
        isLine ? SourceText(name: "<line>", text: file) : try ScriptFile(file, in: world, isForeign: true).source
      let imported = read(source, as: format)
      errors.print(imported.diagnostics)
      let faults = Self.faults(of: imported)
      errors.print(faults)
      let lifted = LiftedSecrets(imported, environment: world.environment)
      if lifted.script.statements.isEmpty, imported.isRefused { return .usage }
      let text = heading(lifted.variables.keys.sorted()) + SyntaxPrinter.format(lifted.script)
      if let path = directory.map({ "\($0)/\(Self.name(of: file)).wb" }) ?? options.output {
        guard try write(text, to: path, errors) else { return .file }
        let count = Self.count(lifted.script)
        errors.note("\(path): \(count) \(count == 1 ? "step" : "steps")")
      } else {
        world.output.write(text)
      }
      if imported.rewritesJSON {
        errors.note("JSON is written as JSON, in other bytes; --exact keeps those of the file")
      }
      if imported.isRefused || !faults.isEmpty || options.isStrict && !imported.notes.isEmpty { return .usage }
      return imported.notes.isEmpty ? .success : .remarks
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
  }

  /// What the check finds that no note says, with its place in the file: a reader should have said it. Files that are
  /// not here may be when it runs.
  private static func faults(of imported: ImportedScript) -> [Diagnostic] {
    var program = Program()
    let parsed = ParsedScript(source: imported.source, script: imported.script, remarks: [])
    return program.add(parsed).filter { $0.severity == .error && !$0.message.contains("cannot read") }
  }

  /// The environments of `http-client.env.json`. Of the private file beside it only the names are taken.
  private func readEnvironments(_ file: String) -> ExitCode {
    let errors = ErrorPrinter(printer)
    do throws(FileError) {
      let source = try ScriptFile(file, in: world, isForeign: true).source
      let hidden = file.replacing(".env.json", with: ".private.env.json")
      var names: [String: [String]] = [:]
      if hidden != file, let own = try? ScriptFile(hidden, in: world, isForeign: true).source {
        names = HTTPEnvironments.names(in: own)
      }
      guard let environments = HTTPEnvironments(source, hidden: names) else {
        errors.print(ErrorReport("\(file) is no file of environments", notes: ["{ \"dev\": { \"host\": \"…\" } }"]))
        return .usage
      }
      var code = ExitCode.success
      for (name, imported) in environments.scripts {
        errors.print(imported.diagnostics)
        let lifted = LiftedSecrets(imported, environment: world.environment)
        let path = "\(directory ?? ".")/\(Self.fileName(name)).wb"
        guard try write(SyntaxPrinter.format(lifted.script), to: path, errors) else {
          code = .file
          continue
        }
        errors.note("\(path): workbench run FILE --use \(path)")
        if !imported.notes.isEmpty, code != .file { code = options.isStrict ? .usage : .remarks }
      }
      return code
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
  }

  /// Writes a new script; one that is there with another text stays: it may have been worked on.
  private func write(_ text: String, to path: String, _ errors: ErrorPrinter) throws(FileError) -> Bool {
    guard let found = try? world.readFile(path), found != Array(text.utf8) else {
      try world.makeDirectories(RunSetup.absolute(path, in: world.workingDirectory), "/")
      try world.writeScript(text, to: path)
      return true
    }
    let other = directory == nil ? "file: -o FILE.wb" : "directory: -o DIR"
    errors.print(
      ErrorReport(
        "\(path) already exists, and is not overwritten",
        notes: ["name another \(other), or remove or rename the file first"]))
    return false
  }

  /// A name that is no path.
  private static func fileName(_ name: String) -> String {
    let plain = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "_" })
    return plain.isEmpty ? "environment" : plain
  }

  private func read(_ source: SourceText, as format: Format) -> ImportedScript {
    switch format {
    case .hurl: ForeignScript.hurl.read(source, isExact: options.isExact, values: options.values)
    case .http: ForeignScript.http.read(source, isExact: options.isExact, values: options.values)
    case .curl: CurlFile.read(source, isExact: options.isExact)
    }
  }

  private func heading(_ variables: [String]) -> String {
    variables.isEmpty ? "" : "# Needs in the environment: \(variables.joined(separator: ", "))\n\n"
  }

  private static func count(_ script: ScriptSyntax) -> Int {
    script.statements.count { statement in
      switch statement {
      case .step, .loop: true
      default: false
      }
    }
  }

  private static func name(of file: String) -> String {
    let name = file.split(separator: "/").last ?? "imported"
    if name == "-" { return "imported" }
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}
