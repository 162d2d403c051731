public import HTTPTypes

/// What happens if the same request arrives twice (RFC 9110 §9.2).
public enum RequestEffect: Hashable, Sendable {
  /// Nothing: it only reads.
  case safe
  /// The same as once.
  case idempotent
  /// Something different: it must happen at most once.
  case once

  /// The effect that the method's definition promises.
  public init(of method: HTTPRequest.Method) {
    switch method {
    case .get, .head, .options, .trace: self = .safe
    case .put, .delete: self = .idempotent
    default: self = .once
    }
  }
}
