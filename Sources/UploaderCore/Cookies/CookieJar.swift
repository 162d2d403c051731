internal import Requests

/// The cookies of one profile, with the rules of RFC 6265 §5.3 and §5.4. Pure: the time is passed in.
struct CookieJar: Hashable, Sendable {
  /// With more than this for one domain, the oldest are removed.
  static let domainLimit = 150

  /// In the order in which they were first set.
  private(set) var all: [Cookie] = []

  /// Stores what a response sets.
  ///
  /// - Parameters:
  ///   - header: the value of one `Set-Cookie`.
  ///   - now: since 1970.
  ///   - isPublicSuffix: whether anyone may register a name below it: `com`, `co.uk`.
  mutating func receive(
    _ header: String, from place: CookiePlace, now: Duration, isPublicSuffix: (String) -> Bool
  ) {
    guard let cookie = SetCookie(header)?.cookie(from: place, now: now, isPublicSuffix: isPublicSuffix) else { return }
    // A cookie that came over https is not replaced, removed or shadowed by anything that anyone on the way could have
    // written.
    if !place.isSecure, all.contains(where: { $0.isSecure && $0.sharesHosts(with: cookie) }) { return }
    insert(cookie, now: now)
  }

  /// Stores a cookie, or removes the one that it replaces if its time is over.
  mutating func insert(_ cookie: Cookie, now: Duration) {
    let isOver = cookie.expires.map { $0 <= now } ?? false
    if let index = all.firstIndex(where: cookie.replaces) {
      if isOver { all.remove(at: index) } else { all[index] = cookie }
    } else if !isOver {
      all.append(cookie)
      if all.count(where: { $0.domain == cookie.domain }) > Self.domainLimit {
        // Filling the jar over http pushes out only cookies that came over http (RFC 6265bis §5.7).
        let oldest = all.firstIndex { $0.domain == cookie.domain && !$0.isSecure }
        all.remove(at: oldest ?? all.firstIndex { $0.domain == cookie.domain } ?? 0)
      }
    }
  }

  /// The cookies that are sent there, the longest paths first, then the oldest.
  mutating func cookies(for place: CookiePlace, now: Duration) -> [Cookie] {
    all.removeAll { $0.expires.map { $0 <= now } ?? false }
    let chosen = all.enumerated().filter { $0.element.belongs(to: place) }
    return chosen.sorted {
      let (left, right) = ($0.element.path.utf8.count, $1.element.path.utf8.count)
      return left == right ? $0.offset < $1.offset : left > right
    }.map(\.element)
  }
}
