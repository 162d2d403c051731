public import Requests

/// A run under way: its sequence and what happened so far. A value, so a copy is a step back.
public struct SequenceRun<Sequence: OperationRequestSequence>: Sendable {
  public var sequence: Sequence
  public private(set) var records: [StepRecord] = []

  /// Where this run stands in the one it is part of; empty: it is part of none.
  public let path: StepPath

  public init(_ sequence: Sequence, path: StepPath = StepPath([])) {
    self.sequence = sequence
    self.path = path
  }

  /// The path of the step that comes next.
  public var nextPath: StepPath { StepPath(path.components + [records.count + 1]) }

  /// The exchange of the last step that was sent.
  public var lastExchange: Exchange? {
    for case .exchange(let exchange) in records.reversed() { return exchange }
    return nil
  }

  /// All exchanges, in the order they happened.
  public var exchanges: [Exchange] {
    records.compactMap { record in
      switch record {
      case .exchange(let exchange): exchange
      case .skipped: nil
      }
    }
  }

  mutating func append(_ record: StepRecord) {
    records.append(record)
  }
}

/// What happened in one step.
public enum StepRecord: Hashable, Sendable {
  case exchange(Exchange)
  case skipped(label: String?, reason: String)
}
