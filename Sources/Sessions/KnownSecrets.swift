package import Requests
internal import Synchronization
internal import UploaderCore

/// The secrets of this session, as far as they are known by now: all code that prints or writes asks here.
package final class KnownSecrets: Sendable {
  private struct State {
    var remembered = RememberedSecrets()
    var redactor = Redactor([])
    /// What is hidden, and is no secret of the session.
    var typed: Set<Secret> = []
    /// What was hidden, until a server refused it.
    var refused: Set<Secret> = []
    var hasWarned = false
  }

  private let state = Mutex(State())

  package init() {}

  /// The text without the secrets.
  @Sendable package func redact(_ text: String) -> String {
    state.withLock { $0.redactor }.redact(text)
  }

  /// The pieces of a text without the secrets.
  @Sendable package func redact(_ pieces: [String]) -> [String] {
    state.withLock { $0.redactor }.redact(pieces)
  }

  /// What this program says of itself without the secrets, but with its own words: where a list of them has a gap, it says
  /// what the secret is. One that was declared is hidden there, too: logs are read by others than those who typed it.
  package func redact(_ text: String, keeping words: Set<String>) -> String {
    func isKept(_ secret: Secret) -> Bool { secret.isOne(of: words) && (secret.isOnlyHidden || secret.isGivenToStep) }
    let others: Set<Secret>? = state.withLock { state in
      // Mostly there is none.
      guard state.remembered.all.contains(where: isKept) || state.typed.contains(where: isKept) else { return nil }
      return state.remembered.all.union(state.typed).filter { !isKept($0) }
    }
    return others.map { Redactor($0).redact(text) } ?? redact(text)
  }

  /// How much of a text that arrives in pieces can be shown before the next one is there.
  package func openEnd(of bytes: [UInt8]) -> Int {
    state.withLock { $0.redactor }.openEnd(of: bytes)
  }

  /// All of them.
  package var all: Set<Secret> { state.withLock { $0.remembered.all } }

  /// All of them, and what was typed and is hidden.
  package var allHidden: Set<Secret> { state.withLock { $0.remembered.all.union($0.typed) } }

  /// Whether nobody was warned before of a short text that was typed.
  package func isFirstWarning() -> Bool {
    state.withLock { state in
      defer { state.hasWarned = true }
      return !state.hasWarned
    }
  }

  /// Hides what somebody typed. It is none of the secrets: whatever is made of what was typed finds it on its own.
  ///
  /// - Returns: those that were not hidden before.
  @discardableResult
  package func hide(_ texts: some Sequence<Secret>) -> Set<Secret> {
    state.withLock { state in
      let known = state.remembered.all.union(state.typed)
      let new = Set(texts.filter { text in !known.contains { $0.hasSameText(as: text) } })
      state.typed.formUnion(new)
      state.refused = state.refused.filter { word in !new.contains { $0.hasSameText(as: word) } }
      state.redactor.learn(new)
      return new
    }
  }

  /// Shows words again that were hidden since somebody tried them as a password, and that the server refused: they are the
  /// key of nothing, and the server's own words for that.
  package func show(_ words: some Collection<Secret>) {
    guard !words.isEmpty else { return }
    state.withLock { state in
      state.typed = state.typed.filter { text in !words.contains { $0.hasSameText(as: text) } }
      state.remembered.forget(textsOf: words)
      state.refused.formUnion(words)
      // What was warned of is not hidden any longer, and the next one is.
      state.hasWarned = false
      state.redactor = Redactor(state.remembered.all.union(state.typed))
    }
  }

  /// Once known, a secret stays known: texts that contain it may still be shown.
  ///
  /// - Returns: those that were not known before; of the short ones, which are warned about, those whose text was not.
  @discardableResult
  package func learn(_ secrets: some Sequence<Secret>) -> Set<Secret> {
    state.withLock { state in
      var new: Set<Secret> = []
      for secret in secrets {
        if state.refused.contains(where: { $0.hasSameText(as: secret) }) {
          // The run still knows it as what was refused.
          if secret.isGivenToStep, secret.isOnlyHidden { continue }
          state.refused = state.refused.filter { !$0.hasSameText(as: secret) }
        }
        let isWarnedAbout = secret.isShort && state.remembered.all.contains { $0.hasSameText(as: secret) }
        switch state.remembered.learn(secret) {
        case .none: continue
        case .added: state.redactor.learn([secret])
        case .forgotten: state.redactor = Redactor(state.remembered.all.union(state.typed))
        }
        if !isWarnedAbout { new.insert(secret) }
      }
      return new
    }
  }
}
