/// Something in a response that two readers may understand differently, so that one may see the end of the response
/// where another sees the beginning of the next. The response is kept; its connection is not reused.
public enum FramingWarning: Hashable, Sendable {
  /// A line of the head ends with LF alone (RFC 9112 §2.2).
  case bareLineFeed
  /// A field's value continues on a second line (RFC 9112 §5.2).
  case foldedField
  /// A line of the head is not a field; it is left out.
  case malformedField
  /// There is more than one `Content-Length`, or one that is not a number (RFC 9112 §6.3).
  case contentLengths([String])
  /// `Content-Length` appears together with `Transfer-Encoding` (RFC 9112 §6.1).
  case lengthWithTransferEncoding
  /// `Content-Range` does not describe what was sent (RFC 9110 §14.4).
  case contentRange(String)
}

extension FramingWarning: CustomStringConvertible {
  /// What is odd, without a full stop.
  public var description: String {
    switch self {
    case .bareLineFeed: "a line of the head ends with a bare line feed"
    case .foldedField: "a header field continues on a second line"
    case .malformedField: "a line of the head is not a header field; it is left out"
    case .contentLengths(let values): "its length is given in more than one way: \(values.joined(separator: ", "))"
    case .lengthWithTransferEncoding: "Content-Length appears together with Transfer-Encoding"
    case .contentRange(let value): "Content-Range \"\(value)\" does not match the body"
    }
  }
}
