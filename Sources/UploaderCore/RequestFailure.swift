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
  /// The answer's status is not 2xx; the response with its body tells more.
  case status(HTTPResponse.Status, Response)
  /// The answer came, and `parse` could make nothing of it.
  case unreadable(any Error, Response)
  /// There is no answer: nothing was sent, or nothing came back. The error says which, and what is known of the effect.
  case unanswered(UploadError)

  /// What was answered, if something was.
  public var response: Response? {
    switch self {
    case .status(_, let response), .unreadable(_, let response): response
    case .unanswered: nil
    }
  }

  /// What a run of one request ended with, as its sender sees it.
  init(_ error: UploadError, answer: Exchange?) {
    switch error.fact {
    case .expectations(_, let exchange), .unsaved(_, let exchange):
      self = .status(exchange.response.status, exchange.response)
    case .sequence(let cause):
      self = answer.map { .unreadable(cause, $0.response) } ?? .unanswered(error)
    case .profile, .transport, .secretRefused, .framing, .cancelled, .group, .journal:
      self = .unanswered(error)
    }
  }
}

extension RequestFailure: CustomStringConvertible {
  /// One sentence without the body, which may be long, and without anything that was sent.
  public var description: String {
    switch self {
    case .status(let status, _): "the server answered \(status)"
    case .unreadable(let error, let response): "the answer, \(response.status), could not be read: \(error)"
    case .unanswered(let error): "no answer: \(error)"
    }
  }
}
