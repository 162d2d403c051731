public import Diagnostics
import JSONValue
public import RequestSyntax
public import Requests

/// A program as a sequence of requests. A value: copying it keeps the state, which is what a step back needs.
///
/// It is polled like any other sequence, and it can grow: a prompt appends what is typed and polls on.
public struct ProgramRequestSequence: OperationRequestSequence {
  /// How deep sequences may run each other.
  static let depthLimit = 64
  /// How often a step without a time limit is repeated.
  static let roundLimit = 1_000

  public private(set) var program: Program
  let environment: ProgramEnvironment
  /// What `--set` and `:set` say, by name.
  let settings: [String: String]

  var frames: [Frame]
  /// All exchanges so far, in their order.
  public private(set) var exchanges: [Exchange] = []
  /// Whether a request was given whose answer the next poll brings.
  private var isPending = false
  /// Top-level `let` and `secret` names.
  var globals: [String: Value] = [:]
  private var sessionProfiles = SessionProfiles()
  /// What keeps a profile from being used: a secret that is not set yet.
  private var unavailable: [String: ProgramError] = [:]
  /// Those of them that are complete for a step that wants no credential.
  private var lacksCredential: Set<String> = []
  private var environmentSecrets: [String: [OriginPattern]] = [:]
  /// Secrets declared so far, for whoever hides them.
  public private(set) var secrets: Set<Secret> = []

  /// A run of a program's statements, or of one of its sequences.
  ///
  /// - Parameters:
  ///   - settings: values for top-level `let` names and for the parameters of the sequence that is run.
  ///   - sequence: run this one instead of the statements; top-level names are set all the same.
  /// - Throws: `ProgramError` when a profile, a setting or an argument is not valid.
  public init(
    _ program: Program, environment: ProgramEnvironment, settings: [String: String] = [:],
    running sequence: String? = nil
  ) throws(ProgramError) {
    self.program = program
    self.environment = environment
    self.settings = settings
    var statements = program.statements
    if let sequence {
      statements = statements.filter { $0.node.isDeclaration }
      statements.append(try Self.call(of: sequence, in: program))
    }
    frames = [Frame(statements: statements)]
    try checkSettings(running: sequence)
    try declareProfiles()
  }

  /// A sequence of no steps yet, which grows by what is typed.
  public init(promptIn environment: ProgramEnvironment) {
    program = Program(isPrompt: true)
    self.environment = environment
    settings = [:]
    frames = [Frame(statements: [])]
  }

  // MARK: Growing

  /// Checks a text and appends its statements.
  ///
  /// - Parameter directory: where relative paths begin; empty: the working directory.
  /// - Returns: what was found; with an error nothing was appended.
  public mutating func append(_ parsed: ParsedScript, directory: String = "") -> [Diagnostic] {
    var extended = self
    var diagnostics = extended.program.add(parsed, directory: directory)
    if diagnostics.contains(where: { $0.severity == .error }) { return diagnostics }
    extended.frames[0].statements += extended.program.statements.suffix(
      extended.program.statements.count - program.statements.count)
    do throws(ProgramError) {
      if parsed.script.statements.contains(where: { if case .profile = $0 { true } else { false } }) {
        try extended.declareProfiles()
      }
    } catch {
      diagnostics.append(error.diagnostic)
      return diagnostics
    }
    self = extended
    return diagnostics
  }

  /// Gives up what is left of the statements so far, after a step failed. Its exchange, if there is one, is kept.
  ///
  /// - Parameter exchange: what answered the request that was given last; nil if nothing did.
  public mutating func stop(with exchange: Exchange?) {
    if isPending, let exchange { record(exchange) }
    isPending = false
    frames.removeSubrange(1...)
    frames[0].rounds = []
    frames[0].next = frames[0].statements.count
  }

  // MARK: Profiles

  public var profiles: SessionProfiles? { sessionProfiles }

  /// The profile that bare paths take.
  public var currentProfile: String? {
    get { sessionProfiles.current }
    set { sessionProfiles.current = newValue }
  }

  /// Makes the profiles anew from what is known now.
  mutating func declareProfiles() throws(ProgramError) {
    try bindNamesOfProfiles()
    environmentSecrets = [:]
    for located in program.profiles {
      let names = located.node.environmentNames
      if names.isEmpty { continue }
      let lowering = ProfileLowering(syntax: located.node, evaluator: evaluator(located.source, globalScope))
      let (base, others) = try lowering.origins()
      let origins = (base.map { [OriginPattern($0.origin)] } ?? []) + others
      for name in names { environmentSecrets[name, default: []] += origins }
    }
    var all: [SessionProfile] = []
    unavailable = [:]
    lacksCredential = []
    for located in program.profiles {
      let lowering = ProfileLowering(syntax: located.node, evaluator: evaluator(located.source, globalScope))
      do throws(ProgramError) {
        all.append(try lowering.profile())
      } catch {
        guard case .notRun = error.fact else { throw error }
        let (base, others) = try lowering.origins()
        let name = located.node.name.text
        unavailable[name] = error
        do throws(ProgramError) {
          all.append(try lowering.profile(withCredential: false))
          lacksCredential.insert(name)
        } catch {
          all.append(SessionProfile(name: name, base: base, otherOrigins: others))
        }
      }
    }
    sessionProfiles = SessionProfiles(all, current: sessionProfiles.current)
    for profile in all { secrets.formUnion(profile.secrets) }
  }

  /// Top-level names that profiles read are evaluated before anything else; what needs an answer has to wait.
  private mutating func bindNamesOfProfiles() throws(ProgramError) {
    let names = Set(program.profiles.flatMap(\.node.referencedNames))
    for statement in program.statements {
      guard case .binding(let node) = statement.node, globals[node.name.text] == nil else { continue }
      guard names.contains(node.name.text) || settings[node.name.text] != nil || node.value.isConstant else { continue }
      do throws(ProgramError) {
        globals[node.name.text] = try value(of: node, statement.source, globalScope)
      } catch {
        guard error.isMissing, case .notRun = error.fact else { throw error }
      }
    }
  }

  /// Keeps a step from being sent without the credential it should have.
  func checkAvailable(_ description: RequestDescription) throws(ProgramError) {
    guard !unavailable.isEmpty else { return }
    let name: String?
    switch description.head.target {
    case .path(_, let profile): name = profile ?? description.head.profile ?? sessionProfiles.current
    case .url(let url):
      let origin = try? Origin(Self.originText(of: url))
      name = description.head.profile ?? origin.flatMap { try? sessionProfiles.profile(for: $0).name }
    }
    guard let name, let error = unavailable[name] else { return }
    if description.head.sendsCredential || !lacksCredential.contains(name) { throw error }
  }

  private static func originText(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    return String(url[..<end])
  }

  // MARK: Polling

  public mutating func nextRequest(previous: Exchange?) throws -> RequestDescription? {
    while let step = try nextStep(previous: previous) {
      if case .request(let description) = step { return description }
    }
    return nil
  }

  public mutating func nextStep(previous: Exchange?) throws -> SequenceStep? {
    if isPending {
      isPending = false
      guard let previous else { return nil }
      record(previous)
      try finishRound()
    }
    return try advance()
  }

  /// Makes what the step's answer means known under its label and number.
  private mutating func record(_ exchange: Exchange) {
    exchanges.append(exchange)
    let top = frames.count - 1
    guard case .step(let step)? = frames[top].current?.node else { return }
    frames[top].rounds.append(exchange)
    if let label = step.label { frames[top].scope.steps[label.text] = .rounds(frames[top].rounds) }
    frames[top].scope.last = exchange
  }

  /// After a round: the same step again, or the next statement.
  private mutating func finishRound() throws(ProgramError) {
    let top = frames.count - 1
    guard let located = frames[top].current, case .step(let step) = located.node else { return }
    if let repetition = step.repetition {
      let isDone = try isDone(repetition, located.source, frames[top].scope, frames[top].rounds)
      if !isDone { return }
    }
    endStep()
  }

  private mutating func endStep() {
    let top = frames.count - 1
    frames[top].scope.numbered.append(frames[top].rounds.last)
    frames[top].rounds = []
    frames[top].next += 1
  }

  /// Runs statements up to the next request.
  private mutating func advance() throws(ProgramError) -> SequenceStep? {
    while true {
      let top = frames.count - 1
      guard let located = frames[top].current else {
        if top == 0 { return nil }
        endFrame()
        continue
      }
      switch located.node {
      case .step(let step):
        return try next(step, located.source)
      case .run(let run):
        if let skipped = try begin(run, located.source) { return skipped }
      case .binding(let node):
        try bind(node, located.source)
        frames[frames.count - 1].next += 1
      case .secret(let node):
        try bind(node, located.source)
        frames[frames.count - 1].next += 1
      case .sequence, .profile:
        frames[top].next += 1
      case .loop, .parallel, .finally, .use:
        throw ProgramError(.notSupported("this statement"), in: located.source.text, at: located.node.range)
      }
    }
  }

  private mutating func next(_ step: StepSyntax, _ source: Program.Source) throws(ProgramError) -> SequenceStep {
    let top = frames.count - 1
    // Before its first round a repeated step has not run, so what it says of itself is missing.
    if frames[top].rounds.isEmpty, step.repetition != nil, let label = step.label {
      frames[top].scope.steps[label.text] = .skipped
    }
    let evaluator = evaluator(source, scope(of: top))
    if frames[top].rounds.isEmpty, let condition = step.condition, !(try evaluator.truth(condition)) {
      if let label = step.label { frames[top].scope.steps[label.text] = .skipped }
      endStep()
      return .skipped(label: step.label?.text, reason: "when \(source.text[condition.range])")
    }
    var delay = Duration.zero
    if !frames[top].rounds.isEmpty, let interval = step.repetition?.interval {
      delay = try evaluator.duration(interval)
    }
    var description = try evaluator.request(step, profiles: sessionProfiles, delay: delay)
    description.head.number = program.isPrompt && top == 0 ? nil : frames[top].scope.numbered.count + 1
    description.head.round = step.repetition == nil ? nil : frames[top].rounds.count + 1
    try checkAvailable(description)
    isPending = true
    return .request(description)
  }

  private mutating func begin(_ run: RunSyntax, _ source: Program.Source) throws(ProgramError) -> SequenceStep? {
    let top = frames.count - 1
    let evaluator = evaluator(source, scope(of: top))
    if case .when(let condition)? = run.clauses.first?.kind, !(try evaluator.truth(condition)) {
      if let label = run.label { frames[top].scope.steps[label.text] = .skipped }
      frames[top].next += 1
      return .skipped(label: run.label?.text, reason: "when \(source.text[condition.range])")
    }
    guard let sequence = program.sequences[run.name.text] else {
      throw evaluator.failure(.unknownName(run.name.text, known: program.sequenceNames), run.name.range)
    }
    if frames.count > Self.depthLimit { throw evaluator.failure(.depthExceeded, run.range) }
    var frame = Frame(
      statements: sequence.node.body.statements.map { Program.Located(node: $0, source: sequence.source) },
      label: run.label?.text)
    frame.scope.bindings = try arguments(run, sequence, evaluator, isTopLevel: top == 0)
    frames.append(frame)
    return nil
  }

  /// The block is over; the label of its `run` has its names.
  private mutating func endFrame() {
    let frame = frames.removeLast()
    let top = frames.count - 1
    if let label = frame.label { frames[top].scope.steps[label] = .names(frame.letNames) }
    frames[top].next += 1
  }

  // MARK: Names

  private mutating func bind(_ node: LetSyntax, _ source: Program.Source) throws(ProgramError) {
    let top = frames.count - 1
    if top == 0 {
      // A name that a profile reads has its value already, unless the prompt gives it another.
      let isSet = globals[node.name.text] != nil && (!program.isPrompt || settings[node.name.text] != nil)
      if !isSet { globals[node.name.text] = try value(of: node, source, scope(of: 0)) }
      if program.isPrompt, program.profiles.contains(where: { $0.node.referencedNames.contains(node.name.text) }) {
        try declareProfiles()
      }
    } else {
      let value = try value(of: node, source, scope(of: top))
      frames[top].scope.bindings[node.name.text] = value
      frames[top].letNames[node.name.text] = value
    }
  }

  private func value(of node: LetSyntax, _ source: Program.Source, _ scope: Scope) throws(ProgramError) -> Value {
    if frames.count == 1, let text = settings[node.name.text] {
      return Value(.string(text), provenance: .setting(node.name.text))
    }
    return try evaluator(source, scope).evaluate(node.value)
  }

  private mutating func bind(_ node: SecretSyntax, _ source: Program.Source) throws(ProgramError) {
    let top = frames.count - 1
    let evaluator = evaluator(source, scope(of: top))
    let (text, value) = try evaluator.text(node.value)
    let origins = node.profiles.flatMap { sessionProfiles[$0.text]?.origins ?? [] }
    let secret = try evaluator.secret(text, name: node.name.text, for: origins, node.value.range)
    var bound = Value(.string(text), secrets: value.secrets, provenance: .secret(node.name.text))
    bound.secrets.insert(secret)
    secrets.insert(secret)
    if top == 0 {
      globals[node.name.text] = bound
      try declareProfiles()
    } else {
      frames[top].scope.bindings[node.name.text] = bound
    }
  }

  // MARK: Evaluating

  func evaluator(_ source: Program.Source, _ scope: Scope, exchange: Exchange? = nil) -> Evaluator {
    Evaluator(
      source: source.text, directory: source.directory, environment: environment, scope: scope, exchange: exchange)
  }

  /// What names stand for in a block, the top level's included.
  func scope(of index: Int) -> Scope {
    var scope = frames[index].scope
    scope.globals = globals
    scope.environmentSecrets = environmentSecrets
    if program.isPrompt, index == 0 {
      scope.numbered = exchanges
      scope.last = exchanges.last
    }
    if !secrets.isEmpty {
      scope.profileSecrets = Dictionary(sessionProfiles.all.map { ($0.name, Set($0.secrets)) }) { $1 }
    }
    return scope
  }

  var globalScope: Scope {
    var scope = Scope()
    scope.globals = globals
    scope.environmentSecrets = environmentSecrets
    scope.steps = Dictionary(program.globalNames.map { ($0, Scope.StepResult.skipped) }) { $1 }.filter {
      globals[$0.key] == nil
    }
    for (label, result) in frames.first?.scope.steps ?? [:] { scope.steps[label] = result }
    return scope
  }

  /// The value of an expression as a text, as the prompt shows it: JSON indented, anything else as it is called.
  public func shown(_ expression: ExpressionSyntax, in source: SourceText, directory: String = "") throws(ProgramError)
    -> String
  {
    let value = try evaluator(.init(text: source, directory: directory), scope(of: 0)).evaluate(expression)
    if let json = value.json { return String(decoding: JSONPrinter.pretty.print(json), as: UTF8.self) }
    return value.shown(limit: 1_000)
  }
}

extension StatementSyntax {
  /// Whether it declares a name and sends nothing.
  fileprivate var isDeclaration: Bool {
    switch self {
    case .binding, .secret: true
    default: false
    }
  }
}

extension ExpressionSyntax {
  /// Whether the value is the same whenever it is looked at: nothing in it is read or called.
  fileprivate var isConstant: Bool {
    var isConstant = true
    forEach { node in
      switch node {
      case .reference, .call, .pipe, .member: isConstant = false
      default: break
      }
    }
    return isConstant
  }
}

extension StepSyntax {
  var repetition: RepeatSyntax? {
    for case .repetition(let repetition) in clauses.map(\.kind) { return repetition }
    return nil
  }

  var condition: ExpressionSyntax? {
    for case .when(let condition) in clauses.map(\.kind) { return condition }
    return nil
  }
}
