/// The outcome of one step of a run.
//
// What is seldom is kept elsewhere (`indirect`), so that every other record is copied as one reference.
public enum StepRecord: Hashable, Sendable {
  /// It was sent, and the response is as expected.
  case exchange(Exchange)
  /// One round of a repeated step that is sent again; its last round is an `exchange`, or `failed`.
  case round(Exchange)
  /// It was skipped.
  indirect case skipped(label: String?, reason: String)
  /// It failed, which ends its block; with the response, if one came. The error itself was reported when it happened.
  indirect case failed(label: String?, Exchange?)
  /// What the children of a group did, in order. One that never began has an empty history.
  case group([RunHistory])

  /// The exchange of a step that got a response.
  public var exchange: Exchange? {
    switch self {
    case .exchange(let exchange), .round(let exchange): exchange
    case .failed(_, let exchange): exchange
    case .skipped, .group: nil
    }
  }

  /// Every exchange in it, those of a group child by child.
  public var exchanges: [Exchange] {
    if case .group(let children) = self { return children.flatMap(\.exchanges) }
    return exchange.map { [$0] } ?? []
  }

  /// Whether it, or anything in it, failed.
  public var isFailed: Bool {
    switch self {
    case .failed: true
    case .group(let children): children.contains(where: \.isFailed)
    case .exchange, .round, .skipped: false
    }
  }
}

/// What a run has done: together with its sequence, all that is needed to rebuild the run.
public struct RunHistory: Hashable, Sendable {
  /// In the order of the steps.
  public var records: [StepRecord]
  /// One seed for each time the sequence was asked what comes next: one per record, and one more if it was asked and
  /// nothing has been recorded of the result yet.
  public var moments: [StepSeed]
  /// What the children of a group that has not ended have done.
  public var openGroup: [RunHistory]

  public init(records: [StepRecord] = [], moments: [StepSeed] = [], openGroup: [RunHistory] = []) {
    self.records = records
    self.moments = moments
    self.openGroup = openGroup
  }

  /// Every exchange, those of groups child by child.
  public var exchanges: [Exchange] {
    records.flatMap(\.exchanges) + openGroup.flatMap(\.exchanges)
  }

  /// Every record except those of groups, which are replaced by the records of their children.
  public var steps: [StepRecord] {
    records.flatMap { record in
      if case .group(let children) = record { children.flatMap(\.steps) } else { [record] }
    } + openGroup.flatMap(\.steps)
  }

  /// Whether any step failed.
  public var isFailed: Bool {
    records.contains(where: \.isFailed) || openGroup.contains(where: \.isFailed)
  }
}
