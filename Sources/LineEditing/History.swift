internal import Synchronization

/// Earlier entries, newest first, across sessions.
///
/// The file is read when an entry is first needed, and is only ever appended to, so that concurrent sessions lose
/// nothing. Entries are whole statements.
public final class History: Sendable {
  private let state: Mutex<State>
  private let file: HistoryFile?
  private let redact: @Sendable (String) -> String?

  /// - Parameters:
  ///   - path: where entries are stored; nil keeps them in memory only.
  ///   - redact: returns an entry without its secrets, or nil if it must not be stored at all.
  public init(path: String?, redact: @escaping @Sendable (String) -> String? = { $0 }) {
    file = path.map(HistoryFile.init(path:))
    state = Mutex(State())
    self.redact = redact
  }

  /// Reads everything that was stored in advance: a first search in a long history is then no slower than later ones.
  public func prepare() {
    _ = entry(age: .max)
  }

  /// Adds an entry, unless it is empty, begins with a space, or repeats the newest.
  ///
  /// In this session it is recalled as it was typed.
  ///
  /// - Parameter written: what is written to the file instead.
  /// - Throws: ``HistoryError`` if it cannot be written; it is still available in this session.
  public func append(_ entry: String, writing written: String? = nil) throws(HistoryError) {
    guard let first = entry.first, first != " ", first != "\t", let kept = redact(written ?? entry), !kept.isEmpty
    else { return }
    let isNew = state.withLock { state in
      state.load(from: file)
      guard state.entry(age: 0) != entry else { return false }
      state.session.append(entry)
      state.written.append(kept)
      return true
    }
    if isNew { try file?.append(kept) }
  }

  /// Hides in the file what this session wrote there before it was known to be secret: whoever types a password in the
  /// wrong place types it again in the right one.
  ///
  /// - Throws: ``HistoryError`` if that cannot be written.
  public func hideAgain() throws(HistoryError) {
    let changed = state.withLock { state in
      state.written.indices.compactMap { index -> (before: String, after: String)? in
        let (before, after) = (state.written[index], redact(state.written[index]) ?? "")
        state.written[index] = after
        return after == before ? nil : (before, after)
      }
    }
    for (before, after) in changed { try file?.replace(before, with: after) }
  }

  /// The entry `age` places back, 0 being the newest; nil beyond the oldest.
  public func entry(age: Int) -> String? {
    state.withLock { state in
      state.load(from: file)
      return state.entry(age: age)
    }
  }

  /// The first entry that matches, starting with the one at `age`.
  public func search(
    for pattern: Pattern, from age: Int, towards direction: Direction
  ) -> (age: Int, entry: String)? {
    state.withLock { state in
      state.load(from: file)
      return state.search(for: pattern, from: age, towards: direction)
    }
  }

  /// What is searched for.
  public enum Pattern: Sendable, Hashable {
    case prefix(String)
    case substring(String)
  }

  /// The direction of a search.
  public enum Direction: Sendable, Hashable {
    case older
    case newer
  }
}

extension History {
  private struct State: Sendable {
    /// Entries of this session, oldest first.
    var session: [String] = []
    /// What was written to the file in their place.
    var written: [String] = []
    /// Those of earlier sessions, once they were needed.
    private var earlier: HistoryTail?

    mutating func load(from file: HistoryFile?) {
      if earlier == nil { earlier = HistoryTail(bytes: file?.tail() ?? []) }
    }

    mutating func entry(age: Int) -> String? {
      if age < 0 { return nil }
      if age < session.count { return session[session.count - 1 - age] }
      return earlier?.entry(age: age - session.count)
    }

    mutating func search(
      for pattern: Pattern, from start: Int, towards direction: Direction
    ) -> (age: Int, entry: String)? {
      let encoded = Array(HistoryFile.encoded(pattern.text).utf8)
      var age = start
      while age >= 0 {
        if age < session.count {
          let entry = session[session.count - 1 - age]
          if pattern.matches(entry) { return (age, entry) }
        } else {
          switch earlier?.candidate(age: age - session.count, for: pattern, encodedAs: encoded) {
          case .entry(let entry)?: if pattern.matches(entry) { return (age, entry) }
          case .mismatch?: break
          case .beyondOldest?, nil: return nil
          }
        }
        age += direction == .older ? 1 : -1
      }
      return nil
    }
  }
}

extension History.Pattern {
  func matches(_ entry: String) -> Bool {
    switch self {
    case .prefix(let text): entry.utf8.starts(with: text.utf8)
    case .substring(let text): text.isEmpty || entry.contains(text)
    }
  }

  var text: String {
    switch self {
    case .prefix(let text), .substring(let text): text
    }
  }
}
