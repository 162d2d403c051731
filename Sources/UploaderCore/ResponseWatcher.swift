public import HTTPTypes
public import Requests

/// Looks at a response while it comes. It is called on the thread where the response arrives, which waits for it.
public protocol ResponseWatcher: AnyObject, Sendable {
  /// The head is there.
  ///
  /// - Parameters:
  ///   - kind: what the body is as a stream, as `Response.streamKind` says.
  ///   - head: the response without its body. It is made only if somebody looks at it: mostly nobody does.
  /// - Returns: what to do with the body.
  func begin(_ status: HTTPResponse.Status, as kind: StreamKind?, _ head: () -> Response) -> BodyTreatment

  /// A piece of the body is there, decoded.
  ///
  /// - Returns: whether more is wanted. If not, the transfer ends.
  func receive(_ piece: [UInt8]) -> Bool

  /// What ends the transfer when its task is cancelled; nil, the default: the transport watches the task itself.
  var cancellation: RunCancellation? { get }
}

extension ResponseWatcher {
  public var cancellation: RunCancellation? { nil }
}

/// What becomes of the body of a response.
public enum BodyTreatment: Hashable, Sendable {
  /// It is kept, and nobody looks at it before it is complete.
  case kept
  /// It is kept, and the watcher gets each piece.
  case watched
  /// If it is not longer than this, in bytes, it is kept; else the watcher gets it, and nothing of it is kept.
  case passedOn(beyond: Int)
}

/// How the body of a response ended.
public enum ResponseEnding: Hashable, Sendable {
  /// The server said that it is complete.
  case complete
  /// The watcher wanted no more.
  case enough
  /// It was looked at for as long as the request says.
  case timeUp
  /// It broke off or was cancelled; nothing more is known than what came. Only for what a watcher looks at.
  case broken(TransportError)
}
