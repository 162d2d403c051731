/// What a sequence says comes next.
public enum SequenceStep<Sequence: OperationRequestSequence>: Sendable {
  /// This is to be sent.
  case request(RequestDescription)
  /// The step of this name is left out.
  case skipped(label: String?, reason: String)
  /// Sequences of their own, all of which come before what follows.
  case group(SequenceGroup<Sequence>)
}

/// Sequences that are one step of another: the iterations of a loop, the branches of what goes on at once, a
/// sequence that is run by its name, what is cleaned up at the end.
///
/// When a child fails, no other that has not begun begins, unless it goes on after failures; those under way come to
/// their end.
public struct SequenceGroup<Sequence: OperationRequestSequence>: Sendable {
  /// What makes it one.
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

  /// What makes it a group.
  public var kind: Kind
  /// The step's name, which a `run` may have.
  public var label: String?
  /// How people call it: `run upload-snapshot`, `for $part`.
  public var title: String
  /// How many children may go on at once, at least 1.
  public var limit: Int
  /// In the order they begin.
  public var children: [Sequence]
  /// Where it was written, if it was.
  public var place: TextPlace?

  /// A group of these children, one after another unless more may go on at once.
  public init(
    _ kind: Kind, label: String? = nil, title: String, limit: Int = 1, children: [Sequence], place: TextPlace? = nil
  ) {
    self.kind = kind
    self.label = label
    self.title = title
    self.limit = max(1, limit)
    self.children = children
    self.place = place
  }
}
