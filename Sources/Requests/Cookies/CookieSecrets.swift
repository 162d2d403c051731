internal import HTTPTypes

/// The values of cookies, which are hidden like secrets although nobody declares them.
public enum CookieSecrets {
  /// Those in values of `Set-Cookie`; short words like `en` or `dark` do not count.
  ///
  /// - Parameter origins: where they may be sent.
  public static func found(in headers: some Sequence<String>, for origins: [OriginPattern] = []) -> Set<Secret> {
    Set(headers.compactMap { CookiePair($0)?.secret(for: origins) })
  }

  /// Those that an exchange set, including on the way to its response.
  public static func found(in exchange: Exchange) -> Set<Secret> {
    exchange.redirects.reduce(into: found(in: exchange.response, from: exchange.request.origin)) { secrets, hop in
      secrets.formUnion(found(in: hop.response, from: hop.request.origin))
    }
  }

  /// Those that were sent with a request, for its own origin.
  package static func sent(with request: SentRequest) -> Set<Secret> {
    Set(CookiePair.sent(in: request.headers).compactMap { $0.secret(for: [OriginPattern(request.origin)]) })
  }

  /// Those that a response from this origin set.
  package static func found(in response: Response, from origin: Origin) -> Set<Secret> {
    guard response.headers.contains(.setCookie) else { return [] }
    return found(in: response.headers[values: .setCookie], for: [OriginPattern(origin)])
  }
}
