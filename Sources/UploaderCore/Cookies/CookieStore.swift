internal import HTTPTypes
internal import Requests
internal import Synchronization

/// The cookies of a session, kept by profile: what one was given, no other sends.
public final class CookieStore: Sendable {
  private let jars = Mutex<[String: CookieJar]>([:])

  public init() {}

  /// A profile's cookies, in the order in which they were first set.
  public func cookies(of profile: String) -> [Cookie] {
    jars.withLock { $0[profile]?.all ?? [] }
  }

  /// The profiles that have any.
  public var profiles: [String] {
    jars.withLock { $0.filter { !$0.value.all.isEmpty }.keys.sorted() }
  }

  /// Forgets a profile's cookies, or with nil those of all.
  public func clear(_ profile: String? = nil) {
    jars.withLock { jars in
      if let profile { jars[profile] = nil } else { jars = [:] }
    }
  }

  /// The request with the profile's cookies for that place; a `Cookie` of its own wins.
  func attach(to prepared: PreparedRequest, now: Duration) -> TransportRequest {
    var request = prepared.request
    guard request.network.keepsCookies, !request.headers.contains(.cookie) else { return request }
    let place = CookiePlace(of: prepared)
    let cookies = jars.withLock { $0[prepared.profile]?.cookies(for: place, now: now) ?? [] }
    if !cookies.isEmpty { request.headers[.cookie] = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ") }
    return request
  }

  /// Keeps what the answer to the request sets.
  func receive(
    _ response: Response, to prepared: PreparedRequest, now: Duration, isPublicSuffix: (String) -> Bool
  ) {
    let headers = response.headers[values: .setCookie]
    guard prepared.request.network.keepsCookies, !headers.isEmpty else { return }
    let place = CookiePlace(of: prepared)
    jars.withLock { jars in
      for header in headers {
        jars[prepared.profile, default: CookieJar()]
          .receive(header, from: place, now: now, isPublicSuffix: isPublicSuffix)
      }
    }
  }
}

extension CookiePlace {
  fileprivate init(of prepared: PreparedRequest) {
    let url = prepared.request.url
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    let path = rest.prefix { $0 != "?" && $0 != "#" }.drop { $0 != "/" }
    self.init(
      host: prepared.origin.host, path: path.isEmpty ? "/" : String(path), isSecure: prepared.origin.scheme == .https)
  }
}
