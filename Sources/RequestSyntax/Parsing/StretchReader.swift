public import Diagnostics
internal import Dispatch
internal import POSIX
internal import Synchronization

extension Parser {
  /// Parses a large text a stretch at a time, on two threads, while `body` looks at what was parsed. Only a few stretches
  /// are there at a time: what `body` does not keep is gone.
  ///
  /// - Parameter body: gets the statements in the order of the text, some at a time, on either thread but never on both
  ///   at once; returns whether it wants more.
  /// - Returns: whether that was all of the text, and `body` wanted all of it. If not, there may be an error: which, only
  ///   the parse of the whole text tells.
  public static func forEachStretch(of source: SourceText, _ body: @escaping @Sendable (ScriptSyntax) -> Bool) -> Bool {
    let reader = StretchReader(source, body)
    let helper = SystemThread { reader.work() }
    reader.work()
    helper?.join()
    return reader.isComplete
  }
}

/// Two threads that read a text together. Both parse ahead, and each of them looks at what it has parsed itself when it is
/// the turn of that. So a tree is made, looked at and taken apart by one processor, in whose cache it is: counting
/// references to what is in another's takes several times as long.
private final class StretchReader: Sendable {
  private struct State {
    /// The first stretch that nobody has begun to parse.
    var next = 0
    /// The one that is looked at next, or now, and where it has to begin.
    var turn = 0
    var position = 0
    /// What the thread waits for that is not to go on before its turn.
    var waiting: DispatchSemaphore?
    /// There is an error, or no more are wanted.
    var isOver = false
  }

  private enum Task {
    case parse(Int)
    /// To look at the first of one's own.
    case look
    case wait
    case stop
  }

  private typealias Parsed = (index: Int, stretch: ScriptStretch?)

  /// So small that those that are being worked on stay in the processor's cache, with their trees, which are ten times as
  /// large, and so large that taking turns costs nothing.
  private static let distance = 32 << 10
  /// How many each thread has parsed ahead at most.
  private static let ahead = 3

  private let source: SourceText
  private let borders: [Int]
  private let body: @Sendable (ScriptSyntax) -> Bool
  private let state = Mutex(State())

  init(_ source: SourceText, _ body: @escaping @Sendable (ScriptSyntax) -> Bool) {
    self.source = source
    self.body = body
    borders = Parser.borders(of: source, apart: Self.distance)
  }

  private var count: Int { borders.count - 1 }

  /// Whether all of the text was looked at.
  var isComplete: Bool { state.withLock { $0.turn == count && $0.position == source.bytes.count } }

  /// What each thread does, until there is nothing left to do.
  func work() {
    var own: [Parsed] = []
    let news = DispatchSemaphore(value: 0)
    while true {
      switch task(own, news) {
      case .parse(let index): own.append((index, Parser.parse(source, from: borders[index], to: borders[index + 1])))
      case .look: look(own.removeFirst(), before: own.first?.index)
      case .wait: news.wait()
      case .stop: return
      }
    }
  }

  /// - Parameter news: signaled when the turn of the first of one's own may have come.
  private func task(_ own: [Parsed], _ news: DispatchSemaphore) -> Task {
    state.withLock { state in
      if state.isOver { return .stop }
      if let first = own.first, first.index == state.turn { return .look }
      if state.next < count, own.count < Self.ahead {
        defer { state.next += 1 }
        return .parse(state.next)
      }
      if own.isEmpty { return .stop }
      state.waiting = news
      return .wait
    }
  }

  /// Looks at the stretch whose turn it is.
  ///
  /// - Parameter next: the next of one's own: if it follows at once, nobody else is told.
  private func look(_ parsed: Parsed, before next: Int?) {
    let position = state.withLock { $0.position }
    // A border inside a text or a block is none: then the one before went on up to another place.
    let begins = borders[parsed.index] == position
    let end = max(position, borders[parsed.index + 1])
    let stretch = begins ? parsed.stretch : Parser.parse(source, from: position, to: end)
    let isWanted = stretch.map { body($0.script) } ?? false
    let waiting = state.withLock { state -> DispatchSemaphore? in
      if let stretch, isWanted {
        state.turn += 1
        state.position = stretch.range.upperBound
        if state.turn == next { return nil }
      } else {
        state.isOver = true
      }
      return state.waiting.take()
    }
    waiting?.signal()
  }
}
