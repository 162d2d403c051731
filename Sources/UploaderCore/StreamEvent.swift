public import Requests

/// What happens to a response that comes bit by bit.
public enum StreamEvent: Sendable {
  /// Its head is there.
  case began(StreamedResponse)
  /// A piece of its body is there, decoded.
  case piece([UInt8], of: StreamedResponse)
  /// It broke off, and is continued after this identifier when that time has passed.
  case continuing(after: String, in: Duration, of: StreamedResponse)
  /// It has ended, well or not; its step follows.
  case ended(StreamedResponse)
}

/// A response that comes bit by bit, as far as it is known when it begins.
public struct StreamedResponse: Hashable, Sendable {
  /// The step's.
  public let head: RequestHead
  /// The step's, too.
  public let position: StepPosition
  /// What was sent: its header fields are known when the response is complete.
  public let request: SentRequest
  /// Without its body.
  public let response: Response
  /// When the request began: with its URL, what the exchange will be known by.
  public let started: Duration
}
