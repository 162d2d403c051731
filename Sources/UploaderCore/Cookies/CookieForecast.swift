internal import HTTPTypes
package import Requests

/// The cookies that profiles will keep when requests are sent again, by the responses that they had.
package struct CookieForecast: Sendable {
  private let store = CookieStore()

  package init() {}

  /// The request with the cookies that go along.
  ///
  /// - Parameter now: since 1970.
  package func attached(to prepared: PreparedRequest, now: Duration) -> PreparedRequest {
    var prepared = prepared
    store.attach(to: &prepared, now: now)
    return prepared
  }

  /// A request had this response, after redirects.
  package func receive(_ exchange: Exchange, to prepared: PreparedRequest) {
    let hops = exchange.redirects.map { ($0.request, $0.response) } + [(exchange.request, exchange.response)]
    for (request, response) in hops where request.origin == prepared.origin {
      var hop = prepared
      hop.request.url = request.url
      store.receive(response, to: hop, now: exchange.started, isPublicSuffix: { _ in false })
    }
  }
}
