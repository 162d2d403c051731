internal import HTTPTypes
internal import Requests

/// What follows from a response that points elsewhere (RFC 9110 §15.4). Pure, and the only place that decides it.
enum RedirectPolicy {
  enum Decision: Hashable {
    /// The response is final: it is not a redirect.
    case stop
    /// Continue there, perhaps with another method; without the body if the method changed.
    case follow(url: String, method: HTTPRequest.Method, keepsBody: Bool)
    /// The response is final, although it is a redirect.
    case refuse(RedirectRefusal)
  }

  /// - Parameters:
  ///   - hops: the redirects followed so far.
  ///   - originOf: the origin of a URL by the transport's parser; nil if it is not a URL that can be requested.
  static func decide(
    _ response: Response, to request: TransportRequest, at origin: Origin, hops: Int, limit: Int,
    origin originOf: (String) -> Origin?
  ) -> Decision {
    guard limit > 0, [301, 302, 303, 307, 308].contains(response.status.code),
      let location = response.headers[.location]
    else { return .stop }
    guard !location.isEmpty else { return .refuse(.unusable(location: location)) }
    guard hops < limit else { return .refuse(.limit(limit)) }

    let url = URLReference.resolve(location, against: request.url)
    guard let target = originOf(url) else { return .refuse(.unusable(location: location)) }
    if origin.scheme == .https, target.scheme == .http { return .refuse(.insecure(target)) }

    let method = method(after: response.status.code, of: request.method)
    let keepsBody = method == request.method && request.body != nil
    if keepsBody, target != origin { return .refuse(.bodyElsewhere(target)) }
    return .follow(url: url, method: method, keepsBody: keepsBody)
  }

  private static func method(after status: Int, of method: HTTPRequest.Method) -> HTTPRequest.Method {
    switch status {
    case 303: method == .head ? .head : .get
    // What clients have always done, and RFC 9110 §15.4.2 allows.
    case 301, 302: method == .post ? .get : method
    default: method
    }
  }
}
