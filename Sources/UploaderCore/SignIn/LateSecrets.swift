internal import Requests
internal import Synchronization

/// The secrets that came with credentials while requests were sent: all runs of a session know them.
final class LateSecrets: Sendable {
  private let remembered = Mutex(RememberedSecrets())

  var all: Set<Secret> { remembered.withLock { $0.all } }

  func learn(_ secrets: Set<Secret>) {
    remembered.withLock { remembered in for secret in secrets { _ = remembered.learn(secret) } }
  }
}
