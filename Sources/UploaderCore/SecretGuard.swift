internal import HTTPTypes
internal import Requests

/// The last check before a byte leaves: does this request contain a secret anywhere that is not for its origin?
///
/// Expressions know which secrets they were made from; this finds secrets that arrived another way: echoed by a server
/// into a `Location`, or taken from what an earlier request actually sent.
struct SecretGuard {
  private let secrets: [Secret]
  private let searches: GuardSearches

  /// - Parameter searches: what was looked for before: a search takes longer to make than to use.
  init(_ secrets: [Secret], searches: GuardSearches = GuardSearches()) {
    self.secrets = secrets
    self.searches = searches
  }

  /// The first secret that would go where it must not.
  func leak(in request: TransportRequest, at origin: Origin) -> Secret? {
    // Mostly there is one host, and its secrets.
    guard secrets.contains(where: { !$0.isAllowed(at: origin) }) else { return nil }
    // The same text may be the secret of several profiles. Anything shorter would be found everywhere.
    let allowed = Set(
      secrets.filter { !$0.isOnlyHidden && $0.isAllowed(at: origin) }.map { $0.withExposedText { $0 } })
    let foreign = secrets.filter { secret in
      !secret.isAllowed(at: origin)
        && secret.withExposedText { $0.utf8.count >= Secret.fewestBytes && !allowed.contains($0) }
    }
    guard !foreign.isEmpty else { return nil }
    let search = searches.search(for: Set(foreign))
    let texts = Self.texts(of: request).filter { search.isMatched(in: $0) }
    guard !texts.isEmpty else { return nil }
    return foreign.sorted { ($0.isMade ? 1 : 0, $0.name) < ($1.isMade ? 1 : 0, $1.name) }.first { secret in
      let search = FormSearch([secret])
      return texts.contains { search.isMatched(in: $0) }
    }
  }

  private static func texts(of request: TransportRequest) -> [[UInt8]] {
    var texts = [Array(request.url.utf8)]
    texts += request.headers.map { Array("\($0.name.rawName): \($0.value)".utf8) }
    for case .bytes(let bytes) in request.body ?? [] { texts.append(bytes) }
    return texts
  }
}
