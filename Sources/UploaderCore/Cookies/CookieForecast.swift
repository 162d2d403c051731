internal import HTTPTypes
package import Requests

/// The cookies that profiles will keep when requests are sent again, by the responses that they had.
package struct CookieForecast: Sendable {
  private var jars: [String: CookieJar] = [:]

  package init() {}

  /// The names of the cookies that go along with a request, in order, if its profile keeps cookies.
  ///
  /// - Parameter now: since 1970.
  package mutating func names(sentWith prepared: PreparedRequest, now: Duration) -> [String] {
    guard prepared.request.network.keepsCookies, !prepared.request.omittedHeaders.contains(.cookie),
      prepared.request.headers[.cookie] != ""
    else { return [] }
    let place = CookiePlace(origin: prepared.origin, url: prepared.request.url)
    return jars[prepared.profile]?.cookies(for: place, now: now).map(\.name) ?? []
  }

  /// A request had this response, after redirects.
  package mutating func receive(_ exchange: Exchange, to prepared: PreparedRequest) {
    guard prepared.request.network.keepsCookies else { return }
    let hops = exchange.redirects.map { ($0.request, $0.response) } + [(exchange.request, exchange.response)]
    for (request, response) in hops where request.origin == prepared.origin {
      let place = CookiePlace(origin: request.origin, url: request.url)
      for header in response.headers[values: .setCookie] {
        jars[prepared.profile, default: CookieJar()]
          .receive(header, from: place, now: exchange.started, isPublicSuffix: { _ in false })
      }
    }
  }
}
