internal import HTTPTypes
internal import Requests

/// A cookie as it came or went.
struct SentCookie: Hashable {
  let name: String
  let value: String
}

extension Exchange {
  /// The cookies that were kept and sent along, and not written in the step or in its profile.
  func keptCookies(in profiles: SessionProfiles?) -> [SentCookie] {
    let ofProfile = profiles?[self.profile]?.headers ?? HTTPFields()
    return CookiePair.sent(in: firstRequest.headers, besides: self.description.head.headers, ofProfile)
      .map { SentCookie(name: $0.name, value: $0.value) }
  }

  /// Those that it set, also on the way to its response.
  var setCookies: [SentCookie] {
    (self.redirects.map(\.response) + [self.response]).flatMap { $0.headers[values: .setCookie] }.compactMap { header in
      CookiePair(header).map { SentCookie(name: $0.name, value: $0.value) }
    }
  }
}
