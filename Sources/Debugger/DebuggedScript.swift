package import Diagnostics
internal import Imports
package import JSONValue
package import RequestProgram
package import RequestSyntax
package import Requests
package import RunStore
package import Sessions
internal import UploaderCore

/// The script under the debugger, as it is in its file or as it was changed here. A run is made from it and a history.
package struct DebuggedScript: Sendable {
  package private(set) var parsed: ParsedScript
  /// The text of its file.
  package private(set) var original: SourceText
  /// The texts of used files that were changed, by their full paths.
  package private(set) var changedFiles: [String: String] = [:]
  package let directory: String
  /// The sequence to run; nil: the file's own steps.
  package let sequence: String?
  /// The settings as they were given at the beginning.
  package let given: [String: String]
  /// Those of them that are not texts.
  package let givenValues: [String: JSON]
  package var settings: [String: Setting]
  /// The names that values were given for, whether the script has them or not.
  private var givenNames: Set<String> = []
  /// The seed it was begun with: all that profiles take from time and randomness.
  package let moment: StepSeed

  /// - Parameter options: those of the script, with the values that it takes.
  package init(_ file: ScriptFile, _ options: ScriptOptions = ScriptOptions(), moment: StepSeed) {
    parsed = file.parsed
    original = file.source
    given = options.settings
    givenValues = options.readValues
    directory = file.directory
    sequence = options.sequence
    settings = options.typedSettings
    givenNames = options.givenNames
    self.moment = moment
  }

  /// As a run recorded it, with what was changed in it.
  package init(_ recorded: RecordedScript, moment: StepSeed) {
    parsed = recorded.script.parsed
    original = recorded.original ?? recorded.script.source
    changedFiles = recorded.changedFiles
    directory = recorded.script.directory
    sequence = recorded.sequence
    given = recorded.given
    givenValues = recorded.givenValues
    settings = recorded.typedSettings
    self.moment = moment
  }

  package var source: SourceText { parsed.source }

  package var isFile: Bool { ScriptFile(source: source, directory: directory).isFile }

  /// Whether it differs from its file.
  package var isChanged: Bool { source != original }

  /// Whether a file that is used was changed.
  package func isChanged(_ used: SourceText, in world: World) -> Bool {
    changedFiles[RunSetup.absolute(used.name, in: world.workingDirectory)] != nil
  }

  /// The sequence at its beginning.
  ///
  /// - Parameter report: receives the texts of files that are used, and what the check finds.
  package func start(in world: World, report: (RunEvent) -> Void) throws(RunRefusal) -> ProgramRequestSequence {
    try ScriptLoader(world.reading(changedFiles), given: givenNames).steps(
      of: parsed, directory: directory, settings: settings, running: sequence, at: moment,
      report: report)
  }

  /// The same with another text in place of a statement, its own or one of a file that it uses.
  package func replacing(_ range: SourceRange, of source: SourceText, with text: String, in world: World)
    -> DebuggedScript
  {
    var bytes = source.bytes
    bytes.replaceSubrange(range.lowerBound..<range.upperBound, with: Array(text.utf8))
    var changed = self
    if source == self.source {
      changed.parsed = Parser.read(SourceText(name: source.name, bytes: bytes))
    } else {
      let path = RunSetup.absolute(source.name, in: world.workingDirectory)
      changed.changedFiles[path] = String(decoding: bytes, as: UTF8.self)
    }
    return changed
  }

  /// The same, once the changes to this text are in its file.
  package func written(_ source: SourceText, in world: World) -> DebuggedScript {
    var written = self
    if source == self.source {
      written.original = source
    } else {
      written.changedFiles[RunSetup.absolute(source.name, in: world.workingDirectory)] = nil
    }
    return written
  }

  /// The same with the text of its file.
  package func reading(_ file: ScriptFile) -> DebuggedScript {
    var changed = self
    changed.parsed = file.parsed
    changed.original = file.source
    changed.changedFiles = [:]
    return changed
  }
}

extension RunSetup {
  /// A run in the debugger: the script as its file has it, followed by what was changed.
  package init(debugging script: DebuggedScript, in world: World) {
    self.init(
      ScriptFile(source: script.original, directory: script.directory), sequence: script.sequence,
      settings: script.given, values: script.givenValues, keepsGoing: false, in: world)
    kind = Self.debuggedKind
    let given = script.given.mapValues(Setting.text).merging(script.givenValues.mapValues(Setting.read)) { $1 }
    if script.settings != given {
      self.script.changedSettings = script.settings.mapValues(\.recorded)
      self.script.changedValues = script.settings.compactMapValues(\.recordedValue)
    }
    if script.isChanged {
      texts.append(RunText(name: script.source.name, text: script.source[script.source.range]))
    }
    for (path, text) in script.changedFiles.sorted(by: { $0.key < $1.key }) {
      texts.append(RunText(name: path, text: text))
    }
  }

  /// Whether it is a run of the same script, whatever its text was.
  package func isOfSameScript(as other: RunSetup) -> Bool {
    let (mine, theirs) = (script, other.script)
    return mine.file == theirs.file && mine.sequence == theirs.sequence && (mine.file != nil || name == other.name)
  }

  /// Whether it is a run of the same script, as it was before anything was changed in the debugger.
  package func isBegun(as other: RunSetup) -> Bool {
    texts.first?.text == other.texts.first?.text && isOfSameScript(as: other) && hasSettings(of: other)
  }

  /// A secret is not kept, so any other is as good.
  private func hasSettings(of other: RunSetup) -> Bool {
    let (mine, theirs) = (script.settings, other.script.settings)
    return mine.count == theirs.count && script.environments == other.script.environments
      && mine.allSatisfy { name, value in theirs[name].map { $0 == value || value.utf8.contains(1) } ?? false }
  }
}

extension Setting {
  /// The value as it is kept. One that was made from a secret is not, and has to be given again.
  fileprivate var recorded: String {
    switch self {
    case .text(let text): return text
    case .read(let json): return json.settingText
    case .value(let value):
      guard case .text(let text, let secrets) = value.leaving(by: .record), secrets.isEmpty else {
        return RecordedScript.missingSetting
      }
      return text
    }
  }

  /// The value as it is kept, if it is JSON; nil for a text, whose kind is up to what it is for, and for a secret.
  fileprivate var recordedValue: JSON? {
    if case .read(let json) = self, json.string == nil { return json }
    guard case .value(let value) = self, let (json, secrets) = value.json(leavingBy: .record), secrets.isEmpty,
      value.literal(leavingBy: .record) != nil
    else { return nil }
    return json
  }
}

extension ParsedScript {
  /// The step, `let` or `run` at the offset, and how many steps are written beside it.
  package func statement(at offset: Int) -> (statement: StatementSyntax, steps: Int)? {
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
      case .step, .run, .binding, .secret, .use, .tags, .profile: inner = []
      }
      if let found = self.statement(at: offset, in: inner) { return found }
      let steps = statements.count { if case .step = $0 { true } else { false } }
      return (statement, steps)
    }
    return nil
  }

  /// The names that a step there can use: what the script declares, and the parameters and the loops that it is in.
  package func names(at offset: Int) -> [String] { Self.names(at: offset, in: script.statements) }

  private static func names(at offset: Int, in statements: [StatementSyntax]) -> [String] {
    statements.flatMap { statement -> [String] in
      let isInside = statement.range.lowerBound <= offset && offset < statement.range.upperBound
      switch statement {
      case .binding(let node): return [node.name.text]
      case .secret(let node): return [node.name.text]
      case .sequence(let node) where isInside:
        return node.parameters.map(\.name.text) + names(at: offset, in: node.body.statements)
      case .loop(let node) where isInside: return [node.name.text] + names(at: offset, in: node.body.statements)
      case .parallel(let node), .finally(let node): return isInside ? names(at: offset, in: node.statements) : []
      case .sequence, .loop, .step, .run, .use, .tags, .profile: return []
      }
    }
  }

  /// The step that is exactly there: what another tool's file became may have several statements of one place.
  package func step(at range: Range<Int>) -> StepSyntax? { Self.step(at: range, in: script.statements) }

  private static func step(at range: Range<Int>, in statements: [StatementSyntax]) -> StepSyntax? {
    statements.lazy.compactMap { statement in
      switch statement {
      case .step(let step):
        step.range.lowerBound == range.lowerBound && step.range.upperBound == range.upperBound ? step : nil
      case .sequence(let node): self.step(at: range, in: node.body.statements)
      case .loop(let node): self.step(at: range, in: node.body.statements)
      case .parallel(let node), .finally(let node): self.step(at: range, in: node.statements)
      case .run, .binding, .secret, .use, .tags, .profile: nil
      }
    }.first
  }

  /// How many steps are at its top level.
  package var stepCount: Int { script.statements.count { if case .step = $0 { true } else { false } } }

  /// Whether all its steps are at its top level, so that each is sent once.
  package var isLinear: Bool {
    script.statements.allSatisfy { statement in
      switch statement {
      case .step, .binding, .secret, .use, .tags, .profile: true
      case .sequence, .loop, .parallel, .finally, .run: false
      }
    }
  }

  /// The labels of all its steps, in order.
  package var stepLabels: [String] { Self.labels(of: script.statements) }

  private static func labels(of statements: [StatementSyntax]) -> [String] {
    statements.flatMap { statement -> [String] in
      switch statement {
      case .step(let step): step.label.map { [$0.text] } ?? []
      case .sequence(let node): labels(of: node.body.statements)
      case .loop(let node): labels(of: node.body.statements)
      case .parallel(let node), .finally(let node): labels(of: node.statements)
      case .run, .binding, .secret, .use, .tags, .profile: []
      }
    }
  }
}
