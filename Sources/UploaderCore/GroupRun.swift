public import Requests

/// A step that was asked for and has no record yet.
public enum PendingStep<Sequence: OperationRequestSequence>: Sendable {
  /// It is to be sent.
  case request(RequestDescription)
  /// It is skipped.
  case skipped(label: String?, reason: String)
  /// Its runs are in progress.
  case group(GroupRun<Sequence>)

  /// - Parameter path: the position of the step.
  init?(_ step: SequenceStep<Sequence>?, path: [Int]) {
    switch step {
    case nil: return nil
    case .request(let description)?: self = .request(description)
    case .skipped(let label, let reason)?: self = .skipped(label: label, reason: reason)
    case .group(let group)?: self = .group(GroupRun(group, path: path))
    }
  }

  /// What the sequence returned.
  var step: SequenceStep<Sequence> {
    switch self {
    case .request(let description): .request(description)
    case .skipped(let label, let reason): .skipped(label: label, reason: reason)
    case .group(let group): .group(group.group)
    }
  }
}

/// A group in progress: a run for each of its children.
public struct GroupRun<Sequence: OperationRequestSequence>: Sendable {
  /// As the sequence gave it, without its children, which are in `runs`.
  public private(set) var group: SequenceGroup<Sequence>
  /// In the order of the children.
  public internal(set) var runs: [SequenceRun<Sequence>]
  var isClosed = false
  /// No run before this one has anything left to do.
  private var first = 0
  /// Whether one of them failed.
  private var hasFailed = false

  init(_ group: SequenceGroup<Sequence>, path: [Int]) {
    self.group = group
    runs = group.children.enumerated().map { SequenceRun($1, path: path + [$0]) }
    self.group.children = []
  }

  /// The child whose step comes next when they run one after another; nil when all have ended.
  ///
  /// After a failure no further child begins, unless the sequence continues after failures.
  public var active: Int? {
    var hasFailed = hasFailed
    for index in first..<runs.count {
      let run = runs[index]
      if !run.isComplete, !hasFailed || run.mayBeginAfterFailure { return index }
      hasFailed = hasFailed || run.isFailed
    }
    return nil
  }

  var ifOpen: GroupRun? { isClosed ? nil : self }

  mutating func next(
    at moment: (StepPosition) -> StepSeed, entersGroups: Bool
  ) throws -> SequenceStep<Sequence>? {
    while let index = active {
      if let step = try runs[index].next(at: moment, entersGroups: entersGroups) { return step }
      while first < runs.count, runs[first].isComplete {
        hasFailed = hasFailed || runs[first].isFailed
        first += 1
      }
    }
    return nil
  }

  mutating func replay(_ histories: [RunHistory], keeps: (RequestDescription, StepRecord) -> Bool) -> Bool {
    var stands = histories.count <= runs.count
    for (index, history) in histories.prefix(runs.count).enumerated() {
      stands = runs[index].replay(history, keeps: keeps) && stands
    }
    return stands
  }
}
