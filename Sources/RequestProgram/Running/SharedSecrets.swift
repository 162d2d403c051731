import Requests
import Synchronization

/// What all blocks of a run know of its secrets, including those that run at the same time.
///
/// It only learns: a secret stays one whatever is undone, so all copies of a run may share it. The exception is a word
/// that the server refused as a password.
final class SharedSecrets: Sendable {
  struct Known: Sendable {
    fileprivate var remembered = RememberedSecrets(fewestMade: RememberedSecrets.fewestInRun)
    fileprivate(set) var search = SecretSearch()
    /// The words given to steps that a server took.
    fileprivate var taken: Set<Secret> = []

    var all: Set<Secret> { remembered.all }
  }

  private let state: Mutex<Known>

  /// What is known by now; whoever searches many values reads it once.
  var known: Known { state.withLock { $0 } }

  init(_ known: Known = Known()) { state = Mutex(known) }

  func learn(_ secret: Secret) {
    state.withLock { known in
      guard !known.all.hasOtherOwner(of: secret) else { return }
      switch known.remembered.learn(secret) {
      case .none: break
      // What goes anywhere makes nothing secret that it is read in.
      case .added: if !secret.isOnlyHidden { known.search.insert(secret) }
      case .forgotten: known.makeSearch()
      }
    }
  }

  /// A word that a step was given is only hidden from now on, even if a server took it.
  ///
  /// - Returns: whether it was known; who releases it until nothing refuses a request comes to an end.
  func release(_ word: Secret, as hidden: Secret) -> Bool {
    state.withLock { known in
      known.taken.remove(word)
      guard known.remembered.replace(word, with: hidden) else { return false }
      known.makeSearch()
      return true
    }
  }

  /// What a step was given may go to that origin, too, from now on.
  ///
  /// - Returns: whether it was known.
  func admit(_ secret: Secret, at origin: Origin) -> Bool {
    state.withLock { known in
      let admitted = secret.admitted(at: origin)
      guard known.remembered.replace(secret, with: admitted) else { return false }
      if known.taken.remove(secret) != nil { known.taken.insert(admitted) }
      known.makeSearch()
      return true
    }
  }

  /// What the server thinks of a word that a step was given. Once taken, it stays a secret.
  ///
  /// - Parameter refused: the same as a word that is only hidden.
  func learn(_ word: Secret, as refused: Secret, isRefused: Bool) {
    state.withLock { known in
      if !isRefused {
        known.taken.insert(word)
      } else if !known.taken.contains(word), known.remembered.replace(word, with: refused) {
        known.makeSearch()
      }
    }
  }
}

extension SharedSecrets.Known {
  fileprivate mutating func makeSearch() { search = SecretSearch(all.filter { !$0.isOnlyHidden }) }
}

extension Set<Secret> {
  /// Whether the text was given to the `auth` of a step and belongs to another origin already. That step may send it where
  /// it goes; the others may not, whether it was sent, refused or only foreseen.
  func hasOtherOwner(of secret: Secret) -> Bool {
    secret.isGivenToStep
      && contains { owner in
        !owner.isOnlyHidden && owner.hasSameText(as: secret)
          && !secret.origins.allSatisfy { origin in owner.origins.contains { $0.covers(origin) } }
      }
  }

  /// Adds what later statements will make a secret, in their order.
  mutating func foresee(_ secrets: some Sequence<Secret>) {
    for secret in secrets where !hasOtherOwner(of: secret) { insert(secret) }
  }
}
