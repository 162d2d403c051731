/// What a sequence says comes next.
public enum SequenceStep<Sequence: OperationRequestSequence>: Sendable {
  /// This is to be sent.
  case request(RequestDescription)
  /// The step of this name is skipped.
  case skipped(label: String?, reason: String)
  /// Sequences of their own, all of which come before what follows.
  indirect case group(SequenceGroup<Sequence>)
}

/// Sequences that form one step of another: the iterations of a loop, the branches of a parallel block, a sequence run
/// by name, the cleanup at the end.
///
/// When a child fails, no further child begins, unless the sequence continues after failures; those already running
/// come to their end.
public struct SequenceGroup<Sequence: OperationRequestSequence>: Sendable {
  /// What forms it.
  public enum Kind: Hashable, Sendable {
    /// One child: the sequence that is run.
    case run
    /// A child for each item.
    case loop
    /// A child for each statement.
    case parallel
    /// One child, run whatever happened before.
    case finally
  }

  /// What forms the group.
  public var kind: Kind
  /// The step's name, which a `run` may have.
  public var label: String?
  /// Its display name: `run upload-snapshot`, `for $part`.
  public var title: String
  /// How many children may run at the same time, at least 1.
  public var limit: Int
  /// How many children there are.
  public let count: Int
  /// Where it was written, if known.
  public var place: TextPlace?
  private let makeChild: @Sendable (_ index: Int) -> Sequence

  /// A group of these children, one after another unless more may run at the same time.
  public init(
    _ kind: Kind, label: String? = nil, title: String, limit: Int = 1, children: [Sequence], place: TextPlace? = nil
  ) {
    self.init(kind, label: label, title: title, limit: limit, count: children.count, place: place) { children[$0] }
  }

  /// A group whose children are made when they begin, of which there may be very many.
  ///
  /// - Parameter child: makes the one with this index; the same one however often it is asked.
  public init(
    _ kind: Kind, label: String? = nil, title: String, limit: Int = 1, count: Int, place: TextPlace? = nil,
    child: @escaping @Sendable (_ index: Int) -> Sequence
  ) {
    self.kind = kind
    self.label = label
    self.title = title
    self.limit = max(1, limit)
    self.count = count
    self.place = place
    makeChild = child
  }

  /// The child with this index, as it is before it begins. They begin in the order of their indices.
  public func child(_ index: Int) -> Sequence { makeChild(index) }
}
