internal import HTTPTypes
internal import Requests

/// The last check before a byte leaves: does this request contain a secret anywhere that is not for its origin?
///
/// Expressions know which secrets they were made from; this finds secrets that arrived another way: echoed by a server
/// into a `Location`, or taken from what an earlier request actually sent.
struct SecretGuard {
  private let secrets: [Secret]

  init(_ secrets: [Secret]) {
    self.secrets = secrets
  }

  /// The first secret that would go where it must not.
  func leak(in request: TransportRequest, at origin: Origin) -> Secret? {
    // Mostly there is one host, and its secrets.
    guard secrets.contains(where: { !$0.isAllowed(at: origin) }) else { return nil }
    let allowed = secrets.filter { $0.isAllowed(at: origin) }
    let foreign = secrets.filter { secret in
      // The same text may be the secret of several profiles.
      !secret.isAllowed(at: origin) && !allowed.contains { $0.hasSameText(as: secret) }
    }
    guard !foreign.isEmpty else { return nil }
    // Anything shorter would be found everywhere.
    let sought = foreign.filter { secret in secret.withExposedText { $0.utf8.count >= Secret.fewestBytes } }
    let search = FormSearch(sought.reduce(into: Set()) { $0.formUnion(SecretForms.all(of: $1)) })
    let texts = Self.texts(of: request).filter { search.isMatched(in: $0) }
    guard !texts.isEmpty else { return nil }
    return sought.sorted { ($0.isMade ? 1 : 0, $0.name) < ($1.isMade ? 1 : 0, $1.name) }.first { secret in
      let search = FormSearch(SecretForms.all(of: secret))
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
