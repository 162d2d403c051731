import Requests
import Synchronization

/// What all blocks of a run know of its secrets, including those that run at the same time.
///
/// It only learns: a secret stays one whatever is undone, so all copies of a run may share it.
final class SharedSecrets: Sendable {
  struct Known: Sendable {
    fileprivate var remembered = RememberedSecrets(fewestMade: RememberedSecrets.fewestInRun)
    fileprivate(set) var search = SecretSearch()

    var all: Set<Secret> { remembered.all }
  }

  private let state = Mutex(Known())

  /// What is known by now; whoever searches many values reads it once.
  var known: Known { state.withLock { $0 } }

  func learn(_ secret: Secret) {
    state.withLock { known in
      switch known.remembered.learn(secret) {
      case .none: break
      // What goes anywhere makes nothing secret that it is read in.
      case .added: if !secret.isOnlyHidden { known.search.insert(secret) }
      case .forgotten: known.search = SecretSearch(known.remembered.all.filter { !$0.isOnlyHidden })
      }
    }
  }
}
