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
  /// The outcomes of the steps so far; of a group once it has ended.
  public private(set) var records: [StepRecord] = []
  /// The step that was asked for and has no record yet, if it is not a group.
  private var pending: PendingStep?
  /// The group that was asked for and has no record yet: its runs are in progress.
  private var openGroup: CopyOnWrite<GroupRun<Sequence>>?
  /// Where this run is in the one it is a child of; empty for a run that is not a child.
  let path: [Int]
  private var moments: [StepSeed] = []
  private var hasFailed = false
  private var isOver = false
  /// Its current state: polled once per step. It comes last, so that where the rest is does not depend on its type, which
  /// would have to be looked up.
  public var sequence: Sequence

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
    hasFailed || openGroup?.whole.isFailed ?? false
  }

  /// Whether it was asked for anything.
  var hasBegun: Bool { !moments.isEmpty }

  /// Whether the sequence has reported that it is complete.
  var isComplete: Bool { isOver }

  /// Everything that has happened so far.
  public var history: RunHistory {
    RunHistory(records: records, moments: moments, openGroup: openGroup?.whole.histories ?? [])
  }

  /// The run whose step comes next: this one, or the child of a group in progress.
  public var innermost: SequenceRun {
    lookInside { $0.innermost } ?? self
  }

  /// The sequence whose step comes next: `innermost`'s.
  public var innermostSequence: Sequence {
    guard let group = openGroup, let active = group.whole.active else { return sequence }
    return group.whole.look(active) { $0.innermostSequence }
  }

  /// The position of the step that comes next.
  public var position: StepPosition {
    lookInside { $0.position } ?? ownPosition
  }

  /// The position of this run's own next step.
  private var ownPosition: StepPosition {
    StepPosition(path.isEmpty ? [records.count] : path + [records.count])
  }

  /// The groups in progress, outermost first: where the next step is.
  public var openGroups: [GroupRun<Sequence>] {
    guard let group = openGroup?.whole else { return [] }
    return [group] + (lookInside { $0.openGroups } ?? [])
  }

  /// All exchanges, in the order of the steps.
  public var exchanges: [Exchange] {
    records.flatMap(\.exchanges) + (openGroup?.whole.histories.flatMap(\.exchanges) ?? [])
  }

  /// The exchange of the last step that got a response.
  public var lastExchange: Exchange? {
    openGroup?.whole.lastExchange ?? records.last { !$0.exchanges.isEmpty }?.exchanges.last
  }

  /// What the child says whose step comes next; nil: no group is in progress, or all of its children have ended.
  private func lookInside<Result>(_ body: (SequenceRun) -> Result) -> Result? {
    guard let openGroup, let active = openGroup.whole.active else { return nil }
    return openGroup.whole.look(active, body)
  }

  /// The group that `next` returns if it does not enter it.
  private var groupToEnter: SequenceGroup<Sequence>? {
    guard let group = openGroup?.whole else { return nil }
    if group.group.limit == 1, let active = group.active { return group.look(active) { $0.groupToEnter } }
    return group.group
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
    switch try proceed(at: moment, entersGroups: entersGroups) {
    case nil: nil
    case .request(let description): .request(description)
    case .skipped(let label, let reason): .skipped(label: label, reason: reason)
    case .group: groupToEnter.map { .group($0) }
    }
  }

  /// As `next`, and what it returns does not depend on the sequence: looking up its type costs each request more than a
  /// group costs a run.
  mutating func proceed(at moment: (StepPosition) -> StepSeed, entersGroups: Bool) throws -> PendingStep? {
    while true {
      if openGroup == nil {
        if let pending { return pending }
        guard try ask(moment) else { return nil }
        continue
      }
      if !entersGroups, openGroup?.whole.mayRunTogether ?? false { return .group }
      if let step = try openGroup?.whole.next(at: moment, entersGroups: entersGroups, in: &sequence) { return step }
      close()
    }
  }

  /// Notes the outcome of the step that `next` returned last.
  public mutating func record(_ record: StepRecord) {
    if let active = openGroup?.whole.active {
      openGroup?.whole.change(active) { $0.record(record) }
    } else {
      (pending, openGroup) = (nil, nil)
      append(record)
    }
  }

  /// Changes the request that comes next, as a debugger does before it is sent.
  public mutating func replacePending(_ description: RequestDescription) {
    if let active = openGroup?.whole.active {
      openGroup?.whole.change(active) { $0.replacePending(description) }
    } else if case .request? = pending {
      pending = .request(description)
    }
  }

  /// Changes the sequence, and those of the groups in progress.
  public mutating func changeSequences(_ change: @escaping @Sendable (inout Sequence) -> Void) {
    change(&sequence)
    openGroup?.whole.changeSequences(of: sequence, change)
  }

  /// Hands over the group that `next` did not enter, and the sequence that returned it, to code that runs its children in
  /// parallel.
  mutating func withGroup(_ body: (inout GroupRun<Sequence>, inout Sequence) -> Void) {
    // Taken out meanwhile, so that nothing is copied.
    guard var group = openGroup.take() else { return }
    defer { openGroup = group }
    if group.whole.group.limit == 1, let active = group.whole.active {
      group.whole.change(active) { $0.withGroup(body) }
    } else {
      body(&group.whole, &sequence)
    }
  }

  /// - Returns: whether there is a step.
  private mutating func ask(_ moment: (StepPosition) -> StepSeed) throws -> Bool {
    let moment = moment(ownPosition)
    // Asked again at its end, since it may have grown.
    if moments.count > records.count { moments.removeLast() }
    moments.append(moment)
    do {
      let step = try sequence.nextStep(after: records.last, at: moment)
      isOver = step == nil
      switch step {
      case nil: break
      case .request(let description)?: pending = .request(description)
      case .skipped(let label, let reason)?: pending = .skipped(label: label, reason: reason)
      case .group(let group)?:
        openGroup = CopyOnWrite(GroupRun(group, path: ownPosition.indices, of: sequence))
      }
    } catch {
      append(.failed(label: nil, nil))
      throw error
    }
    return !isOver
  }

  private mutating func close() {
    guard let group = openGroup.take()?.whole else { return }
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

  /// - Returns: whether the step that cannot be made was skipped.
  private mutating func skipsWhatFails(at moment: StepSeed) -> Bool {
    sequence.skipsWhatFails = true
    defer { sequence.skipsWhatFails = false }
    do { return try ask { _ in moment } } catch { return false }
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
        guard case .skipped? = record, skipsWhatFails(at: moment) else { return false }
      }
      let isLast = index == history.records.count
      if openGroup != nil {
        let children: [RunHistory]
        switch record {
        case .group(let histories)?: children = histories
        case nil where isLast: children = history.openGroup
        case .exchange?, .round?, .skipped?, .failed?, nil: return false
        }
        let stands = openGroup?.whole.replay(children, keeps: keeps, in: &sequence) ?? false
        if record != nil, stands, openGroup?.whole.active == nil {
          close()
        } else if !stands || record != nil {
          return false
        }
        continue
      }
      switch (pending, record) {
      case (_, nil): return true
      case (.request(let description)?, let record?):
        if case .group = record { return false }
        guard keeps(description, record) else { return false }
        self.record(record)
      case (.skipped?, .skipped(let label, let reason)?): self.record(.skipped(label: label, reason: reason))
      case (.skipped?, _), (.group?, _), (nil, _): return false
      }
    }
    return true
  }
}
