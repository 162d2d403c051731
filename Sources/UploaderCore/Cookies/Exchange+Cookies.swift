internal import HTTPTypes
public import Requests

/// What became of the cookies that an exchange set.
extension ExchangeParts {
  /// Whether a redirect set cookies that a browser would have sent to where it led, and that were not sent.
  public var dropsCookies: Bool {
    let followed = redirects.dropFirst().map(\.request) + [request]
    return zip(redirects, followed).contains { hop, next in
      // With an empty field, none was to be sent.
      guard next.origin == hop.request.origin, next.headers[.cookie] != "" else { return false }
      var jar = CookieJar()
      let place = CookiePlace(origin: hop.request.origin, url: hop.request.url)
      for header in hop.response.headers[values: .setCookie] {
        jar.receive(header, from: place, now: started, isPublicSuffix: { _ in false })
      }
      let names = jar.cookies(for: CookiePlace(origin: next.origin, url: next.url), now: started).map(\.name)
      return !Set(names).isSubset(of: CookiePair.sent(in: next.headers).map(\.name))
    }
  }

  /// The names of the cookies that the response removed.
  public var removedCookieNames: [String] {
    let place = CookiePlace(origin: request.origin, url: request.url)
    let set = response.headers[values: .setCookie].compactMap {
      SetCookie($0)?.cookie(from: place, now: started, isPublicSuffix: { _ in false })
    }
    return set.filter { $0.expires.map { $0 <= started } ?? false }.map(\.name)
  }
}
