internal import Requests
internal import Synchronization

/// The searches for secrets that may not go to an origin. Mostly the same ones are looked for in request after request,
/// and a run that signs in learns more of them for as long as it takes.
final class GuardSearches: Sendable {
  private struct Known {
    var secrets: Set<Secret>
    var search: FormSearch
  }

  /// Most recent first.
  private let known = Mutex<[Known]>([])

  /// Few origins are used in turns.
  private static let most = 8

  /// Finds all forms of these.
  func search(for secrets: Set<Secret>) -> FormSearch {
    let nearest = known.withLock { known in
      known.first { $0.secrets.count == secrets.count && $0.secrets == secrets }
        ?? known.filter { $0.secrets.isStrictSubset(of: secrets) }.max { $0.secrets.count < $1.secrets.count }
    }
    if let nearest, nearest.secrets.count == secrets.count { return nearest.search }
    var made = nearest ?? Known(secrets: [], search: FormSearch())
    for secret in secrets.subtracting(made.secrets) { made.search.insert(secret) }
    made.secrets = secrets
    let new = made
    known.withLock { known in
      known.insert(new, at: 0)
      if known.count > Self.most { known.removeLast() }
    }
    return new.search
  }
}
