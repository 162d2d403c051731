internal import Diagnostics
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import UploaderCore

/// The script under the debugger, as it is in its file or as it was changed here. With it and a history a run is made.
struct DebuggedScript: Sendable {
  /// Why a script can not be run.
  enum Failure: Error {
    case diagnostics([Diagnostic])
    case program(ProgramError)
    case nothingToRun(sequences: [String])

    var exitCode: ExitCode {
      switch self {
      case .program(let error): ExitCode(UploadError(.sequence(error)), beforeFirstStep: true)
      case .diagnostics, .nothingToRun: .usage
      }
    }
  }

  private(set) var parsed: ParsedScript
  let directory: String
  /// The sequence to run; nil: the file's own steps.
  let sequence: String?
  var settings: [String: String]
  /// When it was begun: all that profiles take from time and chance.
  let moment: Moment
  /// Whether it differs from its file.
  private(set) var isChanged = false

  init(_ file: ScriptFile, sequence: String?, settings: [String: String], moment: Moment) {
    parsed = Parser.parse(file.source)
    directory = file.directory
    self.sequence = sequence
    self.settings = settings
    self.moment = moment
  }

  var source: SourceText { parsed.source }

  /// The sequence at its beginning.
  ///
  /// - Parameter errors: is told the texts of files that are used, and prints the warnings of the check.
  func start(in world: World, _ errors: inout ErrorPrinter) throws(Failure) -> ProgramRequestSequence {
    var program = Program(readFile: world.readUsedFile)
    let diagnostics = program.add(parsed, directory: directory)
    for source in [source] + program.usedSources { errors.know(source) }
    if diagnostics.contains(where: { $0.severity == .error }) { throw .diagnostics(diagnostics) }
    errors.print(diagnostics)
    if sequence == nil, !program.hasSteps { throw .nothingToRun(sequences: program.sequenceNames) }
    do throws(ProgramError) {
      return try ProgramRequestSequence(
        program, environment: world.programEnvironment, settings: settings, running: sequence, at: moment)
    } catch {
      throw .program(error)
    }
  }

  /// The same with another text in the place of a statement.
  func replacing(_ range: SourceRange, with text: String) -> DebuggedScript {
    var bytes = source.bytes
    bytes.replaceSubrange(range.lowerBound..<range.upperBound, with: Array(text.utf8))
    var changed = self
    changed.parsed = Parser.parse(SourceText(name: source.name, bytes: bytes))
    changed.isChanged = true
    return changed
  }

  /// The same with the text of its file.
  func reading(_ file: ScriptFile) -> DebuggedScript {
    var changed = self
    changed.parsed = Parser.parse(file.source)
    changed.isChanged = false
    return changed
  }
}

extension ParsedScript {
  /// The step, `let` or `run` that stands at the offset, and how many steps are written beside it.
  func statement(at offset: Int) -> (statement: StatementSyntax, steps: Int)? {
    Self.statement(at: offset, in: script.statements)
  }

  private static func statement(
    at offset: Int, in statements: [StatementSyntax]
  ) -> (statement: StatementSyntax, steps: Int)? {
    for statement in statements
    where statement.range.lowerBound <= offset
      && offset < max(statement.range.upperBound, statement.range.lowerBound + 1)
    {
      let inner: [StatementSyntax]
      switch statement {
      case .sequence(let node): inner = node.body.statements
      case .loop(let node): inner = node.body.statements
      case .parallel(let node), .finally(let node): inner = node.statements
      case .step, .run, .binding, .secret, .use, .profile: inner = []
      }
      if let found = self.statement(at: offset, in: inner) { return found }
      let steps = statements.count { if case .step = $0 { true } else { false } }
      return (statement, steps)
    }
    return nil
  }

  /// The labels of all its steps, in their order.
  var stepLabels: [String] { Self.labels(of: script.statements) }

  private static func labels(of statements: [StatementSyntax]) -> [String] {
    statements.flatMap { statement -> [String] in
      switch statement {
      case .step(let step): step.label.map { [$0.text] } ?? []
      case .sequence(let node): labels(of: node.body.statements)
      case .loop(let node): labels(of: node.body.statements)
      case .parallel(let node), .finally(let node): labels(of: node.statements)
      case .run, .binding, .secret, .use, .profile: []
      }
    }
  }
}
