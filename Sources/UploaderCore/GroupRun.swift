public import Requests

/// What comes next in a run.
enum PendingStep: Sendable {
  /// It is to be sent.
  case request(RequestDescription)
  /// It is skipped. What is seldom is kept elsewhere, so that every other step is copied as one reference.
  indirect case skipped(label: String?, reason: String)
  /// A group in progress, whose children may run at the same time.
  case group
}

/// A group in progress: a run for each of its children that has begun.
///
/// There may be very many of them, so a child is made when it begins, and of a loop that nobody looks back at it is given
/// up when it is done.
public struct GroupRun<Sequence: OperationRequestSequence>: Sendable {
  private enum Child: Sendable {
    case waiting
    case begun(CopyOnWrite<SequenceRun<Sequence>>)
    case forgotten

    var run: CopyOnWrite<SequenceRun<Sequence>>? {
      if case .begun(let run) = self { run } else { nil }
    }
  }

  /// As the sequence gave it.
  public let group: SequenceGroup<Sequence>
  private let path: [Int]
  private var children: [Child]
  /// What happens to the sequences of children that have not begun.
  private var changes: [@Sendable (inout Sequence) -> Void] = []
  /// Whether children begin although another one failed.
  private var goesOnAfterFailure: Bool
  /// No child before this one has anything left to do.
  private var first = 0
  /// Whether one of those before `first` failed.
  private var hasFailed = false
  /// The last exchange of those that were given up, and whose it was.
  private var last: (child: Int, records: [StepRecord]) = (-1, [])

  init(_ group: SequenceGroup<Sequence>, path: [Int], of sequence: Sequence) {
    self.group = group
    self.path = path
    goesOnAfterFailure = sequence.goesOnAfterFailure
    children = Array(repeating: .waiting, count: group.count)
  }

  // MARK: Looking

  /// Of the child with this index, whether it has begun or not.
  func look<Result>(_ index: Int, _ body: (SequenceRun<Sequence>) -> Result) -> Result {
    if case .begun(let run) = children[index] { body(run.whole) } else { body(made(index)) }
  }

  private func made(_ index: Int) -> SequenceRun<Sequence> {
    var child = group.child(index)
    for change in changes { change(&child) }
    return SequenceRun(child, path: path + [index])
  }

  /// The sequences of those that were not given up, in order, as far as they have begun.
  var sequences: [Sequence] { children.compactMap { $0.run?.whole.sequence } }

  var isFailed: Bool { hasFailed || children[first...].contains { $0.run?.whole.isFailed ?? false } }

  /// What the children have done; of those that were given up, the last exchange.
  var histories: [RunHistory] {
    var histories = children.map { $0.run?.whole.history ?? RunHistory() }
    if histories.indices.contains(last.child) { histories[last.child].records = last.records }
    return histories
  }

  var lastExchange: Exchange? {
    for index in children.indices.reversed() {
      if index == last.child { return last.records.last?.exchange }
      if let exchange = children[index].run?.whole.lastExchange { return exchange }
    }
    return nil
  }

  /// The child whose step comes next when they run one after another; nil when all have ended.
  ///
  /// After a failure no further child begins, unless the sequence continues after failures.
  public var active: Int? {
    var hasFailed = hasFailed
    for index in first..<children.count {
      switch children[index] {
      case .forgotten: continue
      case .waiting: if !hasFailed || goesOnAfterFailure { return index }
      case .begun(let run):
        if !run.whole.isComplete, !hasFailed || run.whole.hasBegun || goesOnAfterFailure { return index }
        hasFailed = hasFailed || run.whole.isFailed
      }
    }
    return nil
  }

  /// Whether children are left, and may run at the same time.
  var mayRunTogether: Bool { group.limit > 1 && active != nil }

  /// Those that have something left to do, in order.
  var unfinished: [Int] {
    children.indices.filter { index in
      switch children[index] {
      case .waiting: true
      case .begun(let run): !run.whole.isComplete
      case .forgotten: false
      }
    }
  }

  /// Whether it runs although another child failed.
  func mayRunAfterFailure(_ index: Int) -> Bool {
    goesOnAfterFailure || children[index].run?.whole.hasBegun ?? false
  }

  // MARK: Continuing

  /// Changes a child in its place; it is made if it has not begun.
  mutating func change<Result>(
    _ index: Int, _ body: (inout SequenceRun<Sequence>) throws -> Result
  ) rethrows -> Result {
    var run = if case .begun(let run) = children[index] { run } else { CopyOnWrite(made(index)) }
    // Taken out meanwhile, so that nothing is copied.
    children[index] = .waiting
    defer { children[index] = .begun(run) }
    return try body(&run.whole)
  }

  /// For somebody who returns it with `put`.
  mutating func take(_ index: Int) -> SequenceRun<Sequence> {
    let run = look(index) { $0 }
    children[index] = .waiting
    return run
  }

  mutating func put(_ run: SequenceRun<Sequence>, at index: Int) { children[index] = .begun(CopyOnWrite(run)) }

  /// Gives up the child if it is done and nobody looks back at it. What failed is kept, for whoever explains it.
  ///
  /// - Parameter sequence: it returned the group.
  mutating func forget(_ index: Int, in sequence: inout Sequence) {
    guard group.kind == .loop, !sequence.keepsHistory, let run = children[index].run, run.whole.isComplete,
      !run.whole.isFailed
    else { return }
    if last.child < index, let exchange = run.whole.lastExchange { last = (index, [.exchange(exchange)]) }
    sequence.forget(run.whole.sequence)
    children[index] = .forgotten
  }

  mutating func next(
    at moment: (StepPosition) -> StepSeed, entersGroups: Bool, in sequence: inout Sequence
  ) throws -> PendingStep? {
    while let index = active {
      if let step = try change(index, { try $0.proceed(at: moment, entersGroups: entersGroups) }) { return step }
      forget(index, in: &sequence)
      skipOver()
    }
    return nil
  }

  private mutating func skipOver() {
    while first < children.count {
      switch children[first] {
      case .waiting: return
      case .begun(let run):
        guard run.whole.isComplete else { return }
        hasFailed = hasFailed || run.whole.isFailed
      case .forgotten: break
      }
      first += 1
    }
  }

  /// - Parameter sequence: it returned the group, and is changed already.
  mutating func changeSequences(of sequence: Sequence, _ change: @escaping @Sendable (inout Sequence) -> Void) {
    goesOnAfterFailure = sequence.goesOnAfterFailure
    changes.append(change)
    for index in children.indices {
      if case .begun = children[index] { self.change(index) { $0.changeSequences(change) } }
    }
  }

  mutating func replay(
    _ histories: [RunHistory], keeps: (RequestDescription, StepRecord) -> Bool, in sequence: inout Sequence
  ) -> Bool {
    var stands = histories.count <= children.count
    for (index, history) in histories.prefix(children.count).enumerated() where history != RunHistory() {
      stands = change(index) { $0.replay(history, keeps: keeps) } && stands
      forget(index, in: &sequence)
    }
    return stands
  }
}
