internal import Diagnostics
internal import Formats
package import JSONValue
internal import Presentation
internal import Requests
package import Sessions

/// What a JSONPath finds in a JSON text, printed as it is there.
package struct SelectRun: Sendable {
  private let world: World
  private let open: @Sendable (String) throws(JSONDocument.FileError) -> JSONDocument

  /// - Parameter open: makes a document of the file with that name; by default it is mapped, not read.
  package init(
    world: World,
    open: @escaping @Sendable (String) throws(JSONDocument.FileError) -> JSONDocument = {
      path throws(JSONDocument.FileError) in try JSONDocument(path: path)
    }
  ) {
    self.world = world
    self.open = open
  }

  /// Prints what the path finds: the value for a path of names and indices, else an array.
  ///
  /// - Parameters:
  ///   - file: `-` is standard input.
  ///   - lines: each value on its own line instead.
  /// - Returns: `failed` if nothing was found, `usage` for a wrong path or wrong JSON, `file` for an unreadable file.
  package func run(path text: String, file: String, lines: Bool = false) -> ExitCode {
    let path: JSONPath
    do { path = try JSONPath(text) } catch {
      report(error.sentence, at: error.offset, in: SourceText(name: "<path>", text: text))
      return .usage
    }
    let document: JSONDocument
    do { document = try read(file) } catch {
      switch error {
      case .file(let error):
        errors.print(ErrorReport("\(error)"))
        return .file
      case .syntax(let error, let source):
        report(
          "this is not JSON: \(error.sentence)", at: error.offset, in: source,
          notes: ["byte \(error.offset)"])
        return .usage
      }
    }
    let count = document.print(
      path, as: lines || path.isSingular ? .lines : .array, printer: lines ? .compact : .pretty
    ) { chunk in
      let text = String(decoding: chunk, as: UTF8.self)
      world.output.write(world.output.isTerminal ? JSONPrinter.visible(text) : text)
    }
    return count > 0 ? .success : .failed
  }

  private var errors: ErrorPrinter { ErrorPrinter(Printer(world, secrets: KnownSecrets())) }

  private enum ReadError: Error {
    case file(FileError)
    case syntax(JSONSyntaxError, SourceText)
  }

  private func read(_ file: String) throws(ReadError) -> JSONDocument {
    var mapped: JSONDocument?
    var syntax: JSONSyntaxError?
    if file != "-" {
      do { mapped = try open(file) } catch {
        // A file that cannot be opened is reported by the code that reads files.
        if case .syntax(let error) = error { syntax = error }
      }
    }
    if let mapped { return mapped }
    let bytes: [UInt8]
    do { bytes = try world.readDocument(file) } catch { throw .file(error) }
    let source = { SourceText(name: file == "-" ? "<stdin>" : file, bytes: bytes) }
    if let syntax { throw .syntax(syntax, source()) }
    do { return try JSONDocument(bytes) } catch { throw .syntax(error, source()) }
  }

  private func report(_ message: String, at offset: Int, in source: SourceText, notes: [String] = []) {
    errors.print([Diagnostic(message, in: source, at: SourceRange(at: offset), notes: notes)])
  }
}
