public import Diagnostics
internal import Dispatch
internal import POSIX
internal import Synchronization

extension Parser {
  /// Parses a large text a stretch at a time, on another thread, too, while `body` looks at what was parsed before. Only
  /// a few stretches are there at a time: what `body` does not keep is gone.
  ///
  /// - Parameter body: gets the statements in the order of the text, some at a time; returns whether it wants more.
  /// - Returns: whether that was all of the text, and `body` wanted all of it. If not, there may be an error: which, only
  ///   the parse of the whole text tells.
  public static func forEachStretch(of source: SourceText, _ body: (ScriptSyntax) -> Bool) -> Bool {
    let reader = StretchReader(source)
    let helper = SystemThread { reader.help() }
    var isWanted = true
    while isWanted, let script = reader.next() { isWanted = body(script) }
    let isAll = reader.end()
    helper?.join()
    return isAll && isWanted
  }
}

/// Two threads that parse a text together: one takes the stretches in their order, the other is ahead of it and takes
/// apart what was used.
private final class StretchReader: Sendable {
  private enum Entry {
    case parsing
    /// nil: there is an error.
    case parsed(ScriptStretch?)
  }

  private struct State {
    /// Those that somebody has begun to parse, without those that were taken.
    var entries: [Int: Entry] = [:]
    /// The first that nobody has begun to parse.
    var next = 0
    /// The one that is taken next, and where it has to begin.
    var taken = 0
    var position = 0
    /// What was taken last.
    var lent: ScriptStretch?
    /// What was taken before that.
    var used: [ScriptStretch] = []
    var isOver = false
  }

  /// So small that those that are being worked on stay in the processor's cache, with their trees, which are ten times as
  /// large, and so large that handing them over costs nothing.
  private static let distance = 32 << 10
  /// How many are parsed ahead of the one that is taken.
  private static let ahead = 4

  private let source: SourceText
  private let borders: [Int]
  private let state = Mutex(State())
  /// One was parsed.
  private let news = DispatchSemaphore(value: 0)
  /// One was taken.
  private let room = DispatchSemaphore(value: 0)

  init(_ source: SourceText) {
    self.source = source
    borders = Parser.borders(of: source, apart: Self.distance)
  }

  // MARK: The thread that takes them

  /// The next stretch, parsed here if it would have to be waited for; nil after the last one and at an error.
  func next() -> ScriptSyntax? {
    state.withLock { state in
      if let lent = state.lent { state.used.append(lent) }
      state.lent = nil
    }
    while true {
      let (index, entry) = state.withLock { state in (state.taken, state.entries[state.taken]) }
      guard index < borders.count - 1 else { return nil }
      switch entry {
      case .parsed(let stretch): return take(stretch, index)
      case .parsing: if !parse() { news.wait() }
      case nil: _ = parse()
      }
    }
  }

  /// - Returns: nil at an error.
  private func take(_ parsed: ScriptStretch?, _ index: Int) -> ScriptSyntax? {
    let position = state.withLock { $0.position }
    // A border inside a text or a block is none: then the one before went on up to another place.
    let begins = borders[index] == position
    let stretch = begins ? parsed : Parser.parse(source, from: position, to: max(position, borders[index + 1]))
    guard let stretch else { return nil }
    state.withLock { state in
      state.entries[index] = nil
      state.taken += 1
      state.position = stretch.range.upperBound
      state.lent = stretch
    }
    room.signal()
    return stretch.script
  }

  /// No more are wanted.
  ///
  /// - Returns: whether all were taken.
  func end() -> Bool {
    defer { room.signal() }
    return state.withLock { state in
      state.isOver = true
      return state.taken == borders.count - 1 && state.position == source.bytes.count
    }
  }

  // MARK: The thread that helps

  /// Parses ahead, until no more are wanted.
  func help() {
    while true {
      let (used, isOver) = state.withLock { state in
        defer { state.used = [] }
        return (state.used, state.isOver)
      }
      if isOver { return }
      withExtendedLifetime(used) {}
      if parse() { news.signal() } else { room.wait() }
    }
  }

  // MARK: Both

  /// Parses the first one that nobody has begun to parse.
  ///
  /// - Returns: whether there was one that is not too far ahead.
  private func parse() -> Bool {
    let found: Int? = state.withLock { state in
      guard state.next < borders.count - 1, state.next < state.taken + Self.ahead else { return nil }
      state.entries[state.next] = .parsing
      defer { state.next += 1 }
      return state.next
    }
    guard let index = found else { return false }
    let stretch = Parser.parse(source, from: borders[index], to: borders[index + 1])
    state.withLock { $0.entries[index] = .parsed(stretch) }
    return true
  }
}
