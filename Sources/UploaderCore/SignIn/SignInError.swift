internal import HTTPTypes
public import Requests

/// Why there is no token, or no other credential that comes from elsewhere.
public indirect enum SignInError: Error, Sendable {
  /// Somebody has to sign in, and nobody can be asked here.
  case needed(profile: String)
  /// An endpoint did not respond, or may not get what it would have got.
  case request(UploadError, endpoint: String)
  /// An endpoint refused, in its own words.
  case refused(SignInRefusal)
  /// What an endpoint sent, or what is set, cannot be used: a sentence, and what to do.
  case unusable(String, advice: String? = nil)
  /// A file of tokens or keys.
  case file(FileError)
  /// The run was cancelled while a token or keys were being fetched.
  case cancelled
}

/// An error response of an authorization server (RFC 6749 §5.2).
public struct SignInRefusal: Hashable, Sendable {
  /// `invalid_grant`
  public let error: String
  /// What the server says about it, for people (`error_description`); nil: nothing.
  public let description: String?
  /// The URL of the endpoint.
  public let endpoint: String
  /// The status of its response: 400, 401.
  public let status: Int

  public init(error: String, description: String?, endpoint: String, status: Int) {
    self.error = error
    self.description = description
    self.endpoint = endpoint
    self.status = status
  }
}

extension SignInError {
  /// Whether the same may go well when it is tried again.
  var outcome: UploadError.Outcome {
    switch self {
    // Once somebody has signed in, it goes well.
    case .needed: .transient
    case .unusable, .file, .cancelled: .permanent
    case .refused(let refusal): [429, 500, 502, 503, 504].contains(refusal.status) ? .transient : .permanent
    // The step itself was not sent.
    case .request(let error, _): error.outcome == .permanent ? .permanent : .transient
    }
  }
}

extension SignInError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .needed(let profile): "nobody has signed in to \(profile)"
    case .request(let error, let endpoint): "\(endpoint): \(error)"
    case .refused(let refusal): "\(refusal.endpoint) refused: \(refusal.error)"
    case .unusable(let sentence, _): sentence
    case .file(let error): "\(error)"
    case .cancelled: "cancelled"
    }
  }
}
