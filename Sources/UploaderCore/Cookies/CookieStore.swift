internal import HTTPTypes
internal import Requests
internal import Synchronization

/// The cookies of a session, kept by profile: a cookie set for one profile is never sent with another.
public final class CookieStore: Sendable {
  private let jars = Mutex<[String: CookieJar]>([:])

  /// An empty store.
  public init() {}

  /// A profile's cookies, in the order in which they were first set.
  public func cookies(of profile: String) -> [Cookie] {
    jars.withLock { $0[profile]?.all ?? [] }
  }

  /// The profiles that have any.
  public var profiles: [String] {
    jars.withLock { $0.filter { !$0.value.all.isEmpty }.keys.sorted() }
  }

  /// Forgets a profile's cookies, or all cookies if it is nil.
  public func clear(_ profile: String? = nil) {
    jars.withLock { jars in
      if let profile { jars[profile] = nil } else { jars = [:] }
    }
  }

  /// Adds the profile's cookies for that place to those of the request's own `Cookie` header, which take precedence
  /// by their names. With an empty header, or one that is left out, no cookie is sent.
  func attach(to prepared: inout PreparedRequest, now: @autoclosure () -> Duration) {
    guard prepared.request.network.keepsCookies, !prepared.request.omittedHeaders.contains(.cookie) else { return }
    let own = prepared.request.headers[.cookie]
    if let own, own.isEmpty { return }
    let place = CookiePlace(of: prepared)
    var cookies = jars.withLock { $0[prepared.profile]?.cookies(for: place, now: now()) ?? [] }
    if own != nil {
      let names = Set(CookiePair.sent(in: prepared.request.headers).map(\.name))
      cookies.removeAll { names.contains($0.name) }
    }
    guard !cookies.isEmpty else { return }
    let pairs = (own.map { [$0] } ?? []) + cookies.map { "\($0.name)=\($0.value)" }
    prepared.request.headers[.cookie] = nil
    // Appended, since a field set by name is split at each `; `: in HTTP/1.1 there is one field (RFC 6265 §5.4).
    prepared.request.headers.append(HTTPField(name: .cookie, value: pairs.joined(separator: "; ")))
  }

  /// Keeps what the response to the request sets.
  func receive(
    _ response: Response, to prepared: PreparedRequest, now: @autoclosure () -> Duration,
    isPublicSuffix: (String) -> Bool
  ) {
    guard prepared.request.network.keepsCookies else { return }
    let headers = response.headers[values: .setCookie]
    guard !headers.isEmpty else { return }
    let (place, now) = (CookiePlace(of: prepared), now())
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
    self.init(origin: prepared.origin, url: prepared.request.url)
  }

  /// - Parameter url: absolute.
  init(origin: Origin, url: String) {
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    let path = rest.prefix { $0 != "?" && $0 != "#" }.drop { $0 != "/" }
    self.init(origin: origin, path: path.isEmpty ? "/" : String(path))
  }
}
