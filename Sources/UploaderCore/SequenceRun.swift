public import Requests

/// A run in progress: its sequence and what has happened so far. A value, so a copy is a step back.
///
/// It is a state machine without a network: `next` asks the sequence what comes next, entering groups one child after
/// another, and `record` notes the outcome. `Uploader.step` is the two with a transfer in between; a debugger calls
/// them itself to look at a step, change it, or substitute a response:
///
/// ```swift
/// while case .request(let description)? = try run.next(at: { _ in .now }) {
///   run.record(.exchange(respond(to: description)))
/// }
/// ```
///
/// A run can be rebuilt from its sequence and its `history`, at any point, inside groups too: `init(_:replaying:)`.
public struct SequenceRun<Sequence: OperationRequestSequence>: Sendable {
  /// Its current state: polled once per step.
  public var sequence: Sequence
  /// The outcomes of the steps so far; of a group once it has ended.
  public private(set) var records: [StepRecord] = []
  /// The step that was asked for and has no record yet.
  public private(set) var pending: PendingStep<Sequence>?
  /// Where this run is in the one it is a child of; empty for a run that is not a child.
  let path: [Int]
  private var moments: [StepSeed] = []
  private var hasFailed = false
  private var isOver = false

  /// A run in which nothing has happened yet.
  public init(_ sequence: Sequence) {
    self.init(sequence, path: [])
  }

  init(_ sequence: Sequence, path: [Int]) {
    self.sequence = sequence
    self.path = path
  }

  // MARK: Looking

  /// Whether any step failed, inside groups too.
  public var isFailed: Bool {
    if case .group(let group)? = pending { return hasFailed || group.isFailed }
    return hasFailed
  }

  /// Whether it was asked for anything.
  var hasBegun: Bool { !moments.isEmpty }

  /// Whether the sequence has reported that it is complete.
  var isComplete: Bool { isOver }

  /// Everything that has happened so far.
  public var history: RunHistory {
    var open: [RunHistory] = []
    if case .group(let group)? = pending { open = group.histories }
    return RunHistory(records: records, moments: moments, openGroup: open)
  }

  /// The run whose step comes next: this one, or the child of a group in progress.
  public var innermost: SequenceRun {
    guard case .group(let group)? = pending, let active = group.active else { return self }
    return group.look(active) { $0.innermost }
  }

  /// The sequence whose step comes next: `innermost`'s.
  public var innermostSequence: Sequence {
    guard case .group(let group)? = pending, let active = group.active else { return sequence }
    return group.look(active) { $0.innermostSequence }
  }

  /// The position of the step that comes next.
  public var position: StepPosition {
    guard case .group(let group)? = pending, let active = group.active else {
      return ownPosition
    }
    return group.look(active) { $0.position }
  }

  /// The position of this run's own next step.
  private var ownPosition: StepPosition {
    StepPosition(path.isEmpty ? [records.count] : path + [records.count])
  }

  /// The groups in progress, outermost first: where the next step is.
  public var openGroups: [GroupRun<Sequence>] {
    guard case .group(let group)? = pending else { return [] }
    return [group] + (group.active.map { group.look($0) { $0.openGroups } } ?? [])
  }

  /// All exchanges, in the order of the steps.
  public var exchanges: [Exchange] {
    let done = records.flatMap(\.exchanges)
    guard case .group(let group)? = pending else { return done }
    return done + group.histories.flatMap(\.exchanges)
  }

  /// The exchange of the last step that got a response.
  public var lastExchange: Exchange? {
    if case .group(let group)? = pending, let last = group.lastExchange { return last }
    return records.last { !$0.exchanges.isEmpty }?.exchanges.last
  }

  // MARK: Continuing

  /// The step that comes next, asked for unless it already was; nil when the run is complete.
  ///
  /// It enters groups, at the first child that is not complete, and closes groups whose children are all complete.
  ///
  /// - Parameters:
  ///   - moment: the current seed; called for every sequence that is asked, with the position of the step it returns.
  ///   - entersGroups: whether to enter groups whose children may run at the same time; if not, such a group is
  ///     returned.
  /// - Throws: what the sequence threw. The step is recorded as failed, and `next` continues after it.
  public mutating func next(
    at moment: (StepPosition) -> StepSeed, entersGroups: Bool = true
  ) throws -> SequenceStep<Sequence>? {
    while true {
      if pending == nil, !(try ask(moment)) { return nil }
      guard case .group(var group)? = pending else { return pending?.step }
      if !entersGroups, group.group.limit > 1, group.active != nil { return .group(group.group) }
      // Taken out meanwhile, so that nothing is copied.
      pending = nil
      defer { if let group = group.ifOpen { pending = .group(group) } }
      if let step = try group.next(at: moment, entersGroups: entersGroups, in: &sequence) { return step }
      close(&group)
    }
  }

  /// Notes the outcome of the step that `next` returned last.
  public mutating func record(_ record: StepRecord) {
    guard case .group(var group)? = pending, let active = group.active else {
      pending = nil
      return append(record)
    }
    pending = nil
    group.change(active) { $0.record(record) }
    pending = .group(group)
  }

  /// Changes the request that comes next, as a debugger does before it is sent.
  public mutating func replacePending(_ description: RequestDescription) {
    switch pending {
    case .request?: pending = .request(description)
    case .group(var group)?:
      guard let active = group.active else { return }
      pending = nil
      group.change(active) { $0.replacePending(description) }
      pending = .group(group)
    case .skipped?, nil: return
    }
  }

  /// Changes the sequence, and those of the groups in progress.
  public mutating func changeSequences(_ change: @escaping @Sendable (inout Sequence) -> Void) {
    change(&sequence)
    guard case .group(var group)? = pending else { return }
    pending = nil
    group.changeSequences(of: sequence, change)
    pending = .group(group)
  }

  /// Hands over the group that `next` did not enter, and the sequence that returned it, to code that runs its children in
  /// parallel.
  mutating func withGroup(_ body: (inout GroupRun<Sequence>, inout Sequence) -> Void) {
    guard case .group(var group)? = pending else { return }
    pending = nil
    if group.group.limit == 1, let active = group.active {
      group.change(active) { $0.withGroup(body) }
    } else {
      body(&group, &sequence)
    }
    pending = .group(group)
  }

  /// - Returns: whether there is a step.
  private mutating func ask(_ moment: (StepPosition) -> StepSeed) throws -> Bool {
    let position = ownPosition
    let moment = moment(position)
    // Asked again at its end, since it may have grown.
    if moments.count > records.count { moments.removeLast() }
    moments.append(moment)
    do {
      let step = try sequence.nextStep(after: records.last, at: moment)
      pending = PendingStep(step, path: position.indices, of: sequence)
    } catch {
      append(.failed(label: nil, nil))
      throw error
    }
    isOver = pending == nil
    return !isOver
  }

  private mutating func close(_ group: inout GroupRun<Sequence>) {
    group.isClosed = true
    sequence.endGroup(group.sequences)
    append(.group(group.histories))
  }

  private mutating func append(_ record: StepRecord) {
    hasFailed = hasFailed || record.isFailed
    records.append(record)
  }
}

// MARK: - Rebuilding

extension SequenceRun {
  /// Rebuilds a run that did this: nothing is sent; the sequence is asked with the same seeds and given the records.
  ///
  /// The run ends up where the history ends, inside a group if that is where it ends. Where the sequence now returns
  /// something other than it did (because it was edited, say), the rest of the history is discarded, and the run stops
  /// there.
  ///
  /// - Parameter keeps: asked about every request whether its record is still valid; by default it is.
  public init(
    _ sequence: Sequence, replaying history: RunHistory,
    keeps: (RequestDescription, StepRecord) -> Bool = { _, _ in true }
  ) {
    self.init(sequence, path: [])
    _ = replay(history, keeps: keeps)
  }

  /// - Returns: whether all of the history is still valid.
  mutating func replay(_ history: RunHistory, keeps: (RequestDescription, StepRecord) -> Bool) -> Bool {
    for (index, moment) in history.moments.enumerated() {
      let record = history.records.indices.contains(index) ? history.records[index] : nil
      let before = self
      do {
        guard try ask({ _ in moment }) else { return record == nil }
      } catch {
        if case .failed? = record { continue }
        self = before
        return false
      }
      let isLast = index == history.records.count
      switch (pending, record) {
      case (.group(var group)?, _):
        let children: [RunHistory]
        switch record {
        case .group(let histories)?: children = histories
        case nil where isLast: children = history.openGroup
        case .exchange?, .round?, .skipped?, .failed?, nil: return false
        }
        let stands = group.replay(children, keeps: keeps, in: &sequence)
        if record != nil, stands, group.active == nil {
          pending = nil
          close(&group)
        } else {
          pending = .group(group)
          if !stands || record != nil { return false }
        }
      case (_, nil): return true
      case (.request(let description)?, let record?):
        if case .group = record { return false }
        guard keeps(description, record) else { return false }
        self.record(record)
      case (.skipped?, .skipped(let label, let reason)?): self.record(.skipped(label: label, reason: reason))
      case (.skipped?, _), (nil, _): return false
      }
    }
    return true
  }
}
