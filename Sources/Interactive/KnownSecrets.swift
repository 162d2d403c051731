internal import Requests
internal import Synchronization
internal import UploaderCore

/// The secrets of this session, as far as they are known by now: whoever prints or writes asks here.
public final class KnownSecrets: Sendable {
  private struct State {
    var secrets: Set<Secret> = []
    var redactor = Redactor([])
  }

  private let state = Mutex(State())

  public init() {}

  /// The text without the secrets.
  @Sendable public func redact(_ text: String) -> String {
    state.withLock { $0.redactor }.redact(text)
  }

  /// All of them.
  var all: Set<Secret> { state.withLock { $0.secrets } }

  /// A secret stays known once it was: what it was in may still be shown.
  func learn(_ secrets: some Sequence<Secret>) {
    state.withLock { state in
      let known = state.secrets.union(secrets)
      guard known.count > state.secrets.count else { return }
      state.secrets = known
      state.redactor = Redactor(known)
    }
  }
}
