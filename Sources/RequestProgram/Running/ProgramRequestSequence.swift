public import Diagnostics
public import RequestSyntax
public import Requests

/// A program as a sequence of requests. A value: copying it keeps the state, which is what stepping back needs.
///
/// Each block in progress is one of these: a loop, `parallel`, `run` and `finally` are groups whose children are
/// program sequences too. It is polled like any other sequence, and it can grow: a prompt appends what is typed and
/// continues polling.
public struct ProgramRequestSequence: OperationRequestSequence {
  /// How deep blocks may be nested when they run each other.
  static let depthLimit = 64
  /// How often a step without a time limit is repeated.
  static let roundLimit = 1_000

  /// What the rounds of a loop, of which there may be very many, have in common.
  private var common: CopyOnWrite<Common>
  /// Those that a person removed at the prompt.
  var removedProfiles: [Program.Located<ProfileSyntax>] = []
  /// How many blocks this one is inside.
  let depth: Int
  let bodies: ParsedBodies

  /// The indices of the items of the loops that this block is inside.
  let items: [Int]
  /// Where this block is in its run: the statement and the child of each group around it.
  let path: [Int]

  /// Whether a failed step ends its block; if not, what it would have returned is missing in the steps after it.
  public var goesOnAfterFailure = false
  public var skipsWhatFails = false
  /// In one place, since a sequence is passed on several times for each step.
  private var held: CopyOnWrite<Block>
  /// Top-level `let` and `secret` names.
  var globals: [String: Value] = [:]
  /// Whether somebody may look back at what happened in children that are done.
  public var keepsHistory = true
  /// Whether somebody asks for values when the run has ended.
  public var keepsNamesAtEnd = false
  /// What the sequence that was run knew at its end.
  var scopeAtEnd: CopyOnWrite<Scope>?
  /// At the prompt, all exchanges so far, in order.
  var exchanges: [Exchange] = []
  /// What names stood for in the blocks that they came from.
  var exchangeScopes: [Scope] = []
  /// Whether a step was returned whose record the next poll brings.
  private var isPending = false
  /// When it was last polled.
  var moment: StepSeed

  /// The blocks around this one, if they make secrets of what this one reads.
  let surrounding: SurroundingBlock?
  /// The texts that have to be found again wherever they come from.
  var runSecrets = RunSecrets()

  /// A run of a program's statements, or of one of its sequences.
  ///
  /// - Parameters:
  ///   - settings: values for top-level `let` names and for the parameters of the sequence that is run.
  ///   - sequence: run this one instead of the statements; top-level names are set in any case.
  ///   - moment: the time and randomness of what profiles need, which is evaluated now. With the same step seed, and
  ///     the same history afterwards, it is the same run again.
  /// - Throws: `ProgramError` when a profile, a setting or an argument is not valid.
  public init(
    _ program: Program, environment: ProgramEnvironment, settings: [String: Setting] = [:],
    running sequence: String? = nil, at moment: StepSeed
  ) throws(ProgramError) {
    common = CopyOnWrite(Common(program: program, environment: environment, settings: settings))
    self.moment = moment
    depth = 0
    bodies = ParsedBodies()
    items = []
    path = []
    surrounding = nil
    var statements = program.statements
    if let sequence {
      statements = statements.filter { $0.node.givesName }
      statements.append(try Self.call(of: sequence, in: program))
    }
    held = CopyOnWrite(Block(.file, BlockBody(statements)))
    noteUndeclared()
    try checkSettings(running: sequence)
    let missing = { (profiles: [Program.Located<ProfileSyntax>]) in
      program.missingVariables(
        in: statements, profiles: profiles, environment: environment, given: Set(settings.keys))
    }
    do throws(ProgramError) {
      try declareProfiles()
    } catch {
      // All that is missing is said at once.
      throw error.isMissingVariable ? missing(program.profiles) ?? error : error
    }
    if let error = missing([]) { throw error }
  }

  /// A sequence of no steps yet, which grows with what is typed.
  public init(
    promptIn environment: ProgramEnvironment,
    readFile: @escaping @Sendable (_ path: String) throws(FileError) -> [UInt8] = Program.readFile
  ) {
    common = CopyOnWrite(
      Common(program: Program(isPrompt: true, readFile: readFile), environment: environment, settings: [:]))
    moment = StepSeed(time: .zero, seed: 0)
    depth = 0
    bodies = ParsedBodies()
    items = []
    path = []
    surrounding = nil
    held = CopyOnWrite(Block(.file, BlockBody([])))
  }

  /// A child that runs the block, and knows what this one knows.
  ///
  /// - Parameters:
  ///   - index: its index among the children of its group.
  ///   - item: the index of the item that it is for; nil outside of loops.
  func child(_ block: Block, at index: Int, item: Int? = nil) -> ProgramRequestSequence {
    ProgramRequestSequence(childOf: self, block, at: index, item: item)
  }

  private init(childOf parent: ProgramRequestSequence, _ block: Block, at index: Int, item: Int?) {
    common = parent.common
    depth = parent.depth + 1
    bodies = parent.bodies
    items = parent.items + (item.map { [$0] } ?? [])
    path = parent.path + [parent.block.stepIndex, index]
    surrounding = parent.surrounding(childAt: index)
    goesOnAfterFailure = parent.goesOnAfterFailure
    skipsWhatFails = parent.skipsWhatFails
    keepsHistory = parent.keepsHistory
    held = CopyOnWrite(block)
    globals = parent.globals
    moment = parent.moment
    runSecrets = parent.runSecrets
  }

  private struct Common: Sendable {
    var program: Program
    var environment: ProgramEnvironment
    let settings: [String: Setting]
    var sessionProfiles = SessionProfiles()
    var unavailable: [String: ProgramError] = [:]
    var lacksCredential: Set<String> = []
    var environmentSecrets: [String: [OriginPattern]] = [:]
  }

  public internal(set) var program: Program {
    get { common.program }
    _modify { yield &common.program }
  }

  var environment: ProgramEnvironment {
    get { common.environment }
    _modify { yield &common.environment }
  }

  /// The values of `--set` and `:set`, by name.
  var settings: [String: Setting] { common.settings }

  var sessionProfiles: SessionProfiles {
    get { common.sessionProfiles }
    _modify { yield &common.sessionProfiles }
  }

  /// Why a profile cannot be used: a secret that is not set yet.
  var unavailable: [String: ProgramError] {
    get { common.unavailable }
    _modify { yield &common.unavailable }
  }

  /// Those of them that are complete for a step that needs no credential.
  var lacksCredential: Set<String> {
    get { common.lacksCredential }
    _modify { yield &common.lacksCredential }
  }

  var environmentSecrets: [String: [OriginPattern]] {
    get { common.environmentSecrets }
    _modify { yield &common.environmentSecrets }
  }

  var block: Block {
    // Not read in place: without optimization the compiler copies a part of it only after the access has ended.
    get { held.whole }
    _modify { yield &held.whole }
  }

  /// Whether this is the top level, whose names are seen everywhere.
  var isTopLevel: Bool { depth == 0 }

  // MARK: Growing

  /// Checks a text and appends its statements.
  ///
  /// - Parameters:
  ///   - directory: where relative paths start; empty: the working directory.
  ///   - mayRunCommands: whether it is the user's own, typed or in their profiles.
  ///   - isWhole: whether it is a script that is run, which does not begin without the variables that it reads.
  ///   - moment: the time and randomness of what profiles need, which is evaluated now.
  /// - Returns: the diagnostics; if there is an error, nothing was appended.
  public mutating func append(
    _ parsed: ParsedScript, directory: String = "", mayRunCommands: Bool = false, isWhole: Bool = false,
    at moment: StepSeed
  ) -> [Diagnostic] {
    var extended = self
    extended.moment = moment
    var diagnostics = extended.program.add(parsed, directory: directory, mayRunCommands: mayRunCommands)
    if diagnostics.contains(where: { $0.severity == .error }) { return diagnostics }
    extended.noteUndeclared()
    let added = Array(extended.program.statements.dropFirst(program.statements.count))
    if isWhole,
      let error = extended.program.missingVariables(in: added, environment: environment, given: [])
    {
      return diagnostics + [error.diagnostic]
    }
    extended.block.body.append(added)
    do throws(ProgramError) {
      if parsed.script.statements.contains(where: \.bringsProfiles) {
        try extended.declareProfiles()
      }
    } catch {
      diagnostics.append(error.diagnostic)
      return diagnostics
    }
    self = extended
    return diagnostics
  }

  // MARK: Polling

  /// The next request of a program without groups; those need a run.
  public mutating func nextRequest(previous: Exchange?) throws -> RequestDescription? {
    var record = previous.map { isRepeated(after: $0) ? StepRecord.round($0) : .exchange($0) }
    while true {
      switch try nextStep(after: record, at: moment) {
      case .request(let description)?: return description
      case .skipped(let label, let reason)?: record = .skipped(label: label, reason: reason)
      case .group?, nil: return nil
      }
    }
  }

  public mutating func nextStep(
    after previous: StepRecord?, at moment: StepSeed
  ) throws -> SequenceStep<ProgramRequestSequence>? {
    self.moment = moment
    if isPending, let previous { take(previous) }
    isPending = false
    do throws(ProgramError) {
      let step = try advance()
      isPending = step != nil
      return step
    } catch {
      fail()
      throw error
    }
  }

  /// Makes the outcome of the step known, and continues after it.
  private mutating func take(_ record: StepRecord) {
    switch record {
    case .exchange(let exchange):
      know(exchange)
      endStep()
    case .round(let exchange):
      know(exchange)
    case .skipped(let label, _):
      // A debugger may leave out what the sequence did not.
      if let label, block.scope.steps[label] == nil { block.scope.steps[label] = .skipped }
      if case .step? = block.current?.node { endStep() } else { block.next += 1 }
    case .failed(_, let exchange):
      if let exchange { know(exchange) }
      fail()
    case .group(let children):
      if block.nextFinally != nil || (children.contains(where: \.isFailed) && !goesOnAfterFailure) {
        block.end()
      } else {
        block.next += 1
      }
    }
  }

  /// The sequence as it is once the response to the step in progress is known, while that has not been decided: a
  /// debugger stops there.
  public func knowing(_ exchange: Exchange) -> ProgramRequestSequence {
    guard isPending, case .step? = block.current?.node else { return self }
    var sequence = self
    sequence.know(exchange)
    if block.isNumbered { sequence.block.scope.numbered.append(exchange) }
    return sequence
  }

  /// The exchange is known by the label and the number of its step.
  private mutating func know(_ exchange: Exchange) {
    if program.isPrompt {
      if block.rounds.isEmpty { block.lastBeforeRounds = isTopLevel ? exchanges.last : block.scope.last }
      exchanges.append(exchange)
      exchangeScopes.append(isTopLevel ? Scope() : block.scope)
    }
    guard case .step(let step)? = block.current?.node else { return }
    // What will be declared a secret is one from now on, wherever else it appears in the response.
    learn(secrets(in: exchange))
    runSecrets.judge(exchange)
    block.rounds.append(exchange)
    if let label = step.label {
      block.scope.steps[label.text] = .rounds(block.rounds)
      // At the prompt, a loop before it may have given the name its responses.
      if program.isPrompt, isTopLevel { block.scope.bindings[label.text] = nil }
    }
    block.scope.last = exchange
  }

  /// The statement in progress has failed.
  private mutating func fail() {
    guard goesOnAfterFailure, block.nextFinally == nil, let statement = block.current?.node else { return block.end() }
    block.miss(statement)
    if case .step = statement { endStep() } else { block.next += 1 }
  }

  private mutating func endStep() {
    if block.isNumbered { block.scope.numbered.append(block.rounds.last) }
    block.rounds = []
    block.next += 1
  }
}

extension StatementSyntax {
  /// Whether it declares a name and sends nothing.
  fileprivate var givesName: Bool {
    switch self {
    case .binding, .secret: true
    case .step, .run, .sequence, .loop, .parallel, .finally, .use, .tags, .profile: false
    }
  }

  fileprivate var bringsProfiles: Bool {
    switch self {
    case .profile, .use: true
    case .step, .run, .sequence, .loop, .parallel, .finally, .tags, .binding, .secret: false
    }
  }
}
