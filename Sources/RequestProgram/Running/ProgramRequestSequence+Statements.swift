import Diagnostics
import JSONValue
import RequestSyntax
import Requests

extension ProgramRequestSequence {
  /// Runs statements up to the next step.
  mutating func advance() throws(ProgramError) -> SequenceStep<Self>? {
    while block.nextFinally == nil {
      guard let located = block.current else {
        block.end()
        break
      }
      do throws(ProgramError) {
        if let step = try perform(located.node, located.source) { return step }
      } catch {
        guard skipsWhatFails else { throw error }
        if let step = skip(located.node) { return step }
      }
    }
    while let located = block.current {
      if case .finally(let node) = located.node { return .group(finally(node, located.source)) }
      block.end()
    }
    block.complete()
    return nil
  }

  /// Executes a statement, up to the step that it is.
  private mutating func perform(
    _ statement: StatementSyntax, _ source: Program.Source
  ) throws(ProgramError) -> SequenceStep<Self>? {
    if statement.maySend { foreseeSecrets() }
    switch statement {
    case .step(let step): return try next(step, source)
    case .run(let run): return try begin(run, source)
    case .loop(let loop): return .group(try begin(loop, source))
    case .parallel(let node): return .group(parallel(node, source))
    case .binding(let node): try bind(node, source)
    case .secret(let node): try bind(node, source)
    case .sequence, .profile, .finally, .use, .tags: break
    }
    block.next += 1
    return nil
  }

  private mutating func next(
    _ step: StepSyntax, _ source: Program.Source
  ) throws(ProgramError) -> SequenceStep<Self> {
    let isFirst = block.rounds.isEmpty
    // Before its first round a repeated step has not run, so what it reads from itself is missing. Others who had the
    // label keep it until there is a response.
    var known = scope
    if isFirst, step.repetition != nil, let label = step.label?.text {
      known.steps[label] = .beginning(hides: known.steps[label] != nil)
    }
    if !isFirst { known.last = block.lastBeforeRounds }
    let evaluator = evaluator(source, known)
    if isFirst, let condition = step.condition, !(try evaluator.truth(condition)) {
      return skip(step.label, condition, source)
    }
    var delay = Duration.zero
    if isFirst, let pause = step.wait {
      delay = try evaluator.duration(pause)
    } else if !isFirst, let interval = step.repetition?.interval {
      delay = try evaluator.duration(interval)
    }
    var description = try evaluator.request(
      step, named: step.name(numbered: number), profiles: sessionProfiles, delay: delay)
    try checkAvailable(description)
    description.head.number = number
    description.head.items = items
    description.head.expectations = step.clauses.count(where: \.isExpectation)
    makeKnown(&description.head)
    if let repetition = step.repetition {
      description.head.round = block.rounds.count + 1
      // What cannot be evaluated is an error of the first round.
      if repetition.condition.namesStatus, environment.language >= LanguageVersion.second {
        description.head.patience = try? patience(repetition, evaluator)
      }
    }
    return .request(description)
  }

  /// A step that waits for a status waits for a server that does not listen yet, too.
  private func patience(_ repetition: RepeatSyntax, _ evaluator: Evaluator) throws(ProgramError) -> Patience {
    let interval =
      try repetition.interval.map { interval throws(ProgramError) in try evaluator.duration(interval) } ?? .zero
    let rounds = try repetition.rounds.map { rounds throws(ProgramError) in try evaluator.count(rounds) }
    let limit = try repetition.limit.map { limit throws(ProgramError) in try evaluator.duration(limit) }
    var passed = Duration.zero
    if let first = block.rounds.first, let last = block.rounds.last {
      passed = last.started.adding(last.timings.total).subtracting(first.started)
    }
    return Patience(
      interval: max(interval, .milliseconds(100)), attempts: rounds.map { max(1, $0 - block.rounds.count) },
      limit: limit.map { $0.subtracting(passed) })
  }

  /// The number by which the next step is known; nil where steps have only labels.
  var number: Int? {
    if program.isPrompt, isTopLevel { return exchanges.count + 1 }
    return block.isNumbered ? block.scope.numbered.count + 1 : nil
  }

  private mutating func skip(
    _ label: NameSyntax?, _ condition: ExpressionSyntax, _ source: Program.Source
  ) -> SequenceStep<Self> {
    if let label { block.scope.steps[label.text] = .skipped }
    return .skipped(label: label?.text, reason: "when \(source.text[condition.range])")
  }

  /// What cannot be made, since the steps that it needs were skipped, is skipped, too.
  private mutating func skip(_ statement: StatementSyntax) -> SequenceStep<Self>? {
    block.miss(statement)
    guard statement.maySend else {
      block.next += 1
      return nil
    }
    return .skipped(label: statement.label, reason: "it needs what was skipped")
  }

  // MARK: Groups

  private mutating func begin(
    _ run: RunSyntax, _ source: Program.Source
  ) throws(ProgramError) -> SequenceStep<Self> {
    let evaluator = evaluator(source)
    for clause in run.clauses {
      if case .when(let condition) = clause.kind, !(try evaluator.truth(condition)) {
        return skip(run.label, condition, source)
      }
    }
    guard let sequence = program.sequences[run.name.text] else {
      throw evaluator.failure(.unknownName(run.name.text, known: program.sequenceNames), run.name.range)
    }
    if depth >= Self.depthLimit { throw evaluator.failure(.depthExceeded, run.range) }
    var inner = Block(.sequence, BlockBody(sequence.node.body, in: sequence.source))
    inner.scope.bindings = try arguments(run, sequence, evaluator, defaultsIn: known(to: Scope()))
    return .group(
      SequenceGroup(
        .run, label: run.label?.text, title: "run \(run.name.text)", children: [child(inner, at: 0)],
        place: place(run.range, source)))
  }

  private mutating func begin(
    _ loop: LoopSyntax, _ source: Program.Source
  ) throws(ProgramError) -> SequenceGroup<Self> {
    let evaluator = evaluator(source)
    let values = try evaluator.evaluateNamed(loop.items)
    guard let elements = values.elements else {
      throw evaluator.failure(.wrongKind(wanted: "an array", actual: values.kind), loop.items.range)
    }
    let body = BlockBody(loop.body, in: source)
    let outer = OuterScope(scope)
    // Of a loop in a loop, what is referred to in the rounds of the outer one is not looked for.
    let kept = keepsHistory || !items.isEmpty || keepsNamesAtEnd ? nil : program.names(usedOutside: loop)
    block.roundValues = CopyOnWrite(
      RoundValues(of: Set(loop.body.statements.flatMap(\.declaredNames)), keeping: kept, count: elements.count))
    let name = loop.name.text
    let parent = self
    return SequenceGroup(
      .loop, title: "for $\(name)", limit: loop.limit ?? 1, count: elements.count, place: place(loop.range, source)
    ) { index in
      var scope = Scope(outer: outer)
      scope.bindings[name] = elements[index]
      return parent.child(Block(.iteration, body, scope: scope), at: index, item: index)
    }
  }

  /// Each statement is a separate branch.
  private func parallel(_ node: BlockSyntax, _ source: Program.Source) -> SequenceGroup<Self> {
    let outer = OuterScope(scope)
    let children = node.statements.enumerated().map { index, statement in
      child(
        Block(.branch, BlockBody([Program.Located(node: statement, source: source)]), scope: Scope(outer: outer)),
        at: index)
    }
    return SequenceGroup(
      .parallel, title: "parallel", limit: children.count, children: children, place: place(node.range, source))
  }

  private func finally(_ node: BlockSyntax, _ source: Program.Source) -> SequenceGroup<Self> {
    let inner = Block(.finally, BlockBody(node, in: source), scope: Scope(outer: OuterScope(scope)))
    return SequenceGroup(.finally, title: "finally", children: [child(inner, at: 0)], place: place(node.range, source))
  }

  private func place(_ range: SourceRange, _ source: Program.Source) -> TextPlace {
    TextPlace(source: source.text.name, range: range.lowerBound..<range.upperBound)
  }

  /// Makes known what the children of the group in progress have found.
  public mutating func endGroup(_ children: [ProgramRequestSequence]) {
    switch block.current?.node {
    case .run(let run)?:
      if keepsNamesAtEnd, isTopLevel { scopeAtEnd = children.first.map { CopyOnWrite($0.block.scope) } }
      if let label = run.label, let child = children.first {
        block.scope.steps[label.text] = .names(child.block.letNames)
      }
    case .loop?:
      for child in children { forget(child) }
      guard let values = block.roundValues?.whole else { break }
      block.roundValues = nil
      runSecrets.join(values.secrets)
      for name in values.names { bind(name, .array(values[name]), isLet: values.isLet(name)) }
    case .parallel?:
      for child in children { merge(child.block) }
    case .step?, .binding?, .secret?, .sequence?, .finally?, .use?, .tags?, .profile?, nil: break
    }
    for child in children {
      runSecrets.join(child.runSecrets.made(inside: runSecrets))
      if program.isPrompt {
        exchanges += child.exchanges
        exchangeScopes += child.exchangeScopes
      }
    }
  }

  /// Takes over what is referred to after the loop.
  public mutating func forget(_ round: ProgramRequestSequence) {
    guard let index = round.items.last else { return }
    let made = round.runSecrets.made(inside: runSecrets)
    block.roundValues?.whole.take(round.block, made, of: index)
  }

  private mutating func merge(_ branch: Block) {
    for (label, result) in branch.scope.steps { block.scope.steps[label] = result }
    for (name, value) in branch.scope.bindings {
      bind(name, value, isLet: branch.letNames[name] != nil)
    }
  }

  /// A name that a block inside this one has bound.
  private mutating func bind(_ name: String, _ value: Value, isLet: Bool) {
    if isLet, isTopLevel { globals[name] = value } else { block.scope.bindings[name] = value }
    if isLet { block.letNames[name] = value }
  }
}

extension StepSyntax {
  var repetition: RepeatSyntax? {
    for case .repetition(let repetition) in clauses.map(\.kind) { return repetition }
    return nil
  }

  var wait: ExpressionSyntax? {
    for case .wait(let duration) in clauses.map(\.kind) { return duration }
    return nil
  }

  var stream: StreamSyntax? {
    for case .stream(let stream) in clauses.map(\.kind) { return stream }
    return nil
  }

  var condition: ExpressionSyntax? {
    for case .when(let condition) in clauses.map(\.kind) { return condition }
    return nil
  }
}

extension StatementSyntax {
  /// The label of what sends something.
  fileprivate var label: String? {
    switch self {
    case .step(let step): step.label?.text
    case .run(let run): run.label?.text
    case .binding, .secret, .sequence, .loop, .parallel, .finally, .use, .tags, .profile: nil
    }
  }
}
