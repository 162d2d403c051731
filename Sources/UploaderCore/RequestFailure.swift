public import HTTPTypes
public import Requests

/// Why `send` has no output to return.
///
///     do {
///       try await jobs.send(.job(7))
///     } catch .status(.notFound, _) {
///       …
///     }
public enum RequestFailure: Error, Sendable {
  /// The response's status is not 2xx; the response with its body says more.
  case status(HTTPResponse.Status, Response)
  /// A response came, but `parse` could not read it.
  case unreadable(any Error, Response)
  /// There is no response: nothing was sent, or nothing came back. The error says which, and what is known of the
  /// effect.
  case noResponse(UploadError)

  /// The response, if one came.
  public var response: Response? {
    switch self {
    case .status(_, let response), .unreadable(_, let response): response
    case .noResponse: nil
    }
  }

  /// The result of a run of one request, as its sender sees it.
  init(_ error: UploadError, result: Exchange?) {
    switch error.fact {
    case .expectations(_, let exchange), .unsaved(_, let exchange):
      self = .status(exchange.response.status, exchange.response)
    case .sequence(let cause):
      self = result.map { .unreadable(cause, $0.response) } ?? .noResponse(error)
    case .profile, .transport, .secretRefused, .framing, .cancelled, .group, .journal, .signIn:
      self = .noResponse(error)
    }
  }
}

extension RequestFailure: CustomStringConvertible {
  /// One sentence without the body, which may be long, and without anything that was sent.
  public var description: String {
    switch self {
    case .status(let status, _): "the server returned \(status)"
    case .unreadable(let error, let response): "the response, \(response.status), could not be read: \(error)"
    case .noResponse(let error): "no response: \(error)"
    }
  }
}
