package import Diagnostics
internal import Imports
package import JSONValue
package import RequestProgram
package import RequestSyntax
package import Requests
internal import UploaderCore

/// The result of checking a text of the language.
package struct Checked<Success: Sendable>: Sendable {
  /// nil if the text is wrong.
  package let value: Success?
  /// The text and those that it uses: places in the diagnostics refer to them.
  package let sources: [SourceText]
  /// What was found: only warnings, if the text is valid.
  package let diagnostics: [Diagnostic]

  fileprivate init(_ value: Success, sources: [SourceText], diagnostics: [Diagnostic]) {
    self.value = diagnostics.contains { $0.severity == .error } ? nil : value
    self.sources = sources
    self.diagnostics = diagnostics
  }

  private init(_ value: Success?, sources: [SourceText], warnings: [Diagnostic]) {
    self.value = value
    self.sources = sources
    diagnostics = warnings
  }

  /// The same as events of a run.
  package func report(_ report: (RunEvent) -> Void) {
    for source in sources { report(.read(source)) }
    report(.checked(diagnostics))
  }

  /// The same of the user's own profiles: what is wrong with them concerns only what is sent with one.
  package var ofOwnProfiles: Checked<Success> {
    guard value == nil else { return self }
    var found = diagnostics.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.severity = .warning
      return diagnostic
    }
    if !found.isEmpty { found[found.count - 1].notes.append("until this is fixed, none of your own profiles is used") }
    return Checked(nil, sources: sources, warnings: found)
  }
}

/// Checks and begins scripts: all code that runs, extends or only examines a script does it here.
package struct ScriptLoader: Sendable {
  private let world: World
  /// Names that values were given for, whether the script has them or not.
  private let given: Set<String>

  package init(_ world: World, given: Set<String> = []) {
    self.world = world
    self.given = given
  }

  /// What the check of a script finds, without sending a request.
  ///
  /// - Parameters:
  ///   - isOwn: whether it is the user's own profiles, which may run programs.
  ///   - looksForFiles: whether it remarks on files that steps will read and that are not there yet.
  package func check(
    _ parsed: ParsedScript, directory: String, isOwn: Bool = false, looksForFiles: Bool = false
  ) -> Checked<Program> {
    var program = Program(readFile: world.readUsedFile)
    if looksForFiles { program.hasFile = hasFile }
    var diagnostics = parsed.remarks
    for file in world.environments {
      diagnostics += program.add(environment: Parser.parse(file.source), directory: file.directory)
    }
    // What is missing in a wrong environment would only be reported again.
    if !diagnostics.contains(where: { $0.severity == .error }) {
      diagnostics += program.add(parsed, directory: directory, mayRunCommands: isOwn)
      diagnostics += TextForFile(world: world, directory: directory).warnings(in: parsed)
    }
    let sources = world.environments.map(\.source) + [parsed.source] + program.usedSources
    return Checked(program, sources: sources, diagnostics: diagnostics.map { noting($0, in: parsed) })
  }

  /// Whether the check of a script would find nothing. Only of large ones it is tried to tell that without keeping all of
  /// what they say; of others it is false.
  ///
  /// - Parameter isOwn: whether it is the user's own profiles, which may run programs.
  package func isSpotless(_ script: ScriptFile, isOwn: Bool = false) -> Bool {
    let source = script.source
    guard source.bytes.count > Self.large, ForeignScript(fileName: source.name) == nil else { return false }
    var program = Program(readFile: world.readUsedFile)
    program.hasFile = hasFile
    for file in world.environments {
      guard program.add(environment: Parser.parse(file.source), directory: file.directory).isEmpty else { return false }
    }
    let files = TextForFile(world: world, directory: script.directory).warnings(in: source)
    return program.isSpotless(source, directory: script.directory, mayRunCommands: isOwn) { script in
      files?(script).isEmpty ?? true
    }
  }

  private var hasFile: @Sendable (String) -> Bool {
    { [open = world.programEnvironment.openFile] path in
      do throws(FileError) {
        _ = try open(path)
        return true
      } catch {
        if case .unreadable(_, let reason) = error { return !reason.isAbsence }
        return true
      }
    }
  }

  /// From how many bytes on.
  private static let large = 512 << 10

  /// An error at a name that a value was given for, but that the script does not declare: how it takes the value.
  private func noting(_ diagnostic: Diagnostic, in parsed: ParsedScript) -> Diagnostic {
    guard diagnostic.severity == .error, diagnostic.source.name == parsed.source.name else { return diagnostic }
    let text = diagnostic.source[diagnostic.range]
    guard let name = given.first(where: { text == "$\($0)" }),
      !parsed.script.statements.contains(where: { $0.declares(name) })
    else { return diagnostic }
    var diagnostic = diagnostic
    diagnostic.notes.append(
      "a value was given for it, and the script takes it with a declaration of its own: let \(name) = …")
    return diagnostic
  }

  /// A text without what the environments replace, for code that continues with it at the prompt, where every
  /// declaration replaces an earlier one.
  package func withoutReplaced(_ parsed: ParsedScript) -> ParsedScript {
    var replaced = ReplacedDeclarations()
    for file in world.environments { replaced.add(Parser.parse(file.source)) }
    return replaced.removed(from: parsed)
  }

  /// The names of a script that can be set from outside; none if it is wrong, which whoever runs it reports.
  ///
  /// - Parameter sequence: the sequence that is run; nil: the script's own steps.
  func settableNames(of script: ScriptFile, running sequence: String?) -> Set<String> {
    check(script.parsed, directory: script.directory).value?.settableNames(running: sequence) ?? []
  }

  /// A script that gives each of these names its value, for code that continues with what it declares. What is not a
  /// name is left out.
  package static func declarations(of values: [String: JSON], named name: String) -> ParsedScript {
    declarations(of: values.mapValues { ExpressionSyntax($0) }, named: name)
  }

  /// The same of what was given from outside: a setting is of the kind of what it replaces.
  ///
  /// - Parameter sequence: what has been declared until now.
  package static func declarations(
    of given: GivenValues, in sequence: ProgramRequestSequence
  ) throws(ProgramError) -> ParsedScript {
    var values = given.vars.mapValues { ExpressionSyntax($0) }
    for (name, text) in given.settings { values[name] = try sequence.declaration(of: name, setTo: text) }
    return declarations(of: values, named: "<values>")
  }

  private static func declarations(of values: [String: ExpressionSyntax], named name: String) -> ParsedScript {
    let names = values.keys.filter { NameSyntax.isName($0) && $0 != "env" && $0 != "_" }.sorted()
    let statements = names.compactMap { name in values[name].map { StatementSyntax.binding(LetSyntax(name, $0)) } }
    return Parser.parse(SourceText(name: name, text: SyntaxPrinter.print(ScriptSyntax(statements))))
  }

  /// The steps of a script.
  ///
  /// - Parameters:
  ///   - directory: where its relative paths begin; empty: the working directory.
  ///   - settings: values for top-level `let`s, or for the sequence's parameters.
  ///   - sequence: the sequence to run; nil: the script's own steps.
  ///   - snapshots: makes the snapshots fit; nil: a step that they do not fit fails.
  ///   - report: notified of what the check found.
  package func steps(
    of parsed: ParsedScript, directory: String, settings: [String: Setting], running sequence: String?,
    at moment: StepSeed, snapshots: SnapshotUpdates? = nil, report: (RunEvent) -> Void
  ) throws(RunRefusal) -> ProgramRequestSequence {
    let program = try program(of: check(parsed, directory: directory), parsed, running: sequence, report: report)
    return try steps(of: program, settings: settings, running: sequence, at: moment, snapshots: snapshots)
  }

  /// A program that can be run, once or many times.
  func program(
    of checked: Checked<Program>, _ parsed: ParsedScript, running sequence: String?, report: (RunEvent) -> Void
  ) throws(RunRefusal) -> Program {
    checked.report(report)
    guard let program = checked.value else { throw .wrong }
    // Other tools are content with an empty file.
    if sequence == nil, !program.hasSteps, ForeignScript(fileName: parsed.source.name) == nil {
      throw .nothingToRun(script: parsed.source.name, sequences: program.sequenceNames)
    }
    return program
  }

  /// The steps of a program that was checked.
  func steps(
    of program: Program, settings: [String: Setting], running sequence: String?, at moment: StepSeed,
    snapshots: SnapshotUpdates? = nil
  ) throws(RunRefusal) -> ProgramRequestSequence {
    var environment = world.programEnvironment
    environment.snapshots = snapshots
    do {
      return try ProgramRequestSequence(
        program, environment: environment, settings: settings, running: sequence, at: moment)
    } catch {
      throw .program(error)
    }
  }

  /// The sequence extended by what was typed or read.
  ///
  /// - Parameters:
  ///   - mayRunCommands: whether the user wrote it; a script runs no programs.
  ///   - isWhole: whether it is a script that is run, which does not begin without the variables that it reads.
  package func appending(
    _ parsed: ParsedScript, to start: ProgramRequestSequence, directory: String, mayRunCommands: Bool,
    isWhole: Bool = false
  ) -> Checked<ProgramRequestSequence> {
    var sequence = start
    let diagnostics =
      parsed.remarks
      + sequence.append(
        parsed, directory: directory, mayRunCommands: mayRunCommands, isWhole: isWhole, at: world.moment)
      + TextForFile(world: world, directory: directory).warnings(in: parsed)
    return Checked(
      sequence, sources: [parsed.source] + sequence.program.usedSources, diagnostics: diagnostics)
  }

  /// The declarations in the user's own profiles, with the directory where their relative paths begin; nil: there are
  /// none. Anything else written there is ignored.
  package var ownDeclarations: (parsed: ParsedScript, directory: String)? {
    guard let path = world.ownProfiles, let file = try? ScriptFile(path, in: world) else { return nil }
    var parsed = Parser.parse(file.source)
    parsed.script.statements.removeAll { !$0.isDeclaration }
    return (parsed, file.directory)
  }

  /// The user's own profiles; none if anything is wrong with them.
  package var ownProfiles: SessionProfiles {
    let sequence = ProgramRequestSequence(promptIn: world.programEnvironment, readFile: world.readUsedFile)
    guard let own = ownDeclarations else { return SessionProfiles() }
    let checked = appending(own.parsed, to: sequence, directory: own.directory, mayRunCommands: true)
    return checked.value?.profiles ?? SessionProfiles()
  }
}

extension SessionProfiles {
  /// The profile that a URL or a path goes with; nil: there is none.
  package func profile(of target: String, in world: World) -> SessionProfile? {
    if target.hasPrefix("/") { return current.flatMap { self[$0] } }
    if let (name, _) = TargetSyntax.profileAndPath(target) { return self[name] }
    return (try? world.transport.origin(of: target)).flatMap { try? self.profile(for: $0) }.flatMap { self[$0.name] }
  }
}

extension StatementSyntax {
  fileprivate func declares(_ name: String) -> Bool {
    switch self {
    case .binding(let node): node.name.text == name
    case .secret(let node): node.name.text == name
    default: false
    }
  }
}
