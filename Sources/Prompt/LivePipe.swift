internal import Dispatch
internal import Formats
internal import POSIX
internal import Presentation
internal import Synchronization

/// A program that reads a response while it comes, `GET /events | head -3`: when it has read enough, the response ends.
///
/// A class because the transfer, the program and the prompt share it.
final class LivePipe: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    var hasBegun = false
    /// Whether nothing comes anymore.
    var isComplete = false
    /// Whether the program ended first.
    var isUnread = false
    var failure: WayOut.Failure?
  }

  private let wayOut: WayOut
  private let command: String
  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)
  private let over = DispatchSemaphore(value: 0)
  private let whenUnread: @Sendable () -> Void

  /// - Parameter whenUnread: ends the response.
  init(_ wayOut: WayOut, _ command: String, whenUnread: @escaping @Sendable () -> Void) {
    self.wayOut = wayOut
    self.command = command
    self.whenUnread = whenUnread
  }

  /// Whether the program was started.
  var hasBegun: Bool { state.withLock(\.hasBegun) }
  /// Whether it wanted no more.
  var isUnread: Bool { state.withLock(\.isUnread) }

  /// Takes what came of a response; nil: that was all of it.
  @Sendable func take(_ piece: [UInt8]?) {
    let begins = state.withLock { state in
      defer { state.hasBegun = true }
      if let piece { state.pieces.append(piece) } else { state.isComplete = true }
      return !state.hasBegun
    }
    news.signal()
    if begins, !SystemThread.detach({ self.run() }) { over.signal() }
  }

  /// Waits for the program's end.
  func finish() -> WayOut.Failure? {
    take(nil)
    over.wait()
    return state.withLock(\.failure)
  }

  private func run() {
    let failure = wayOut.send(through: command, ended: end) { write in
      while true {
        self.news.wait()
        let (pieces, isLast) = self.state.withLock { state in
          defer { state.pieces = [] }
          return (state.pieces, state.isComplete || state.isUnread)
        }
        for piece in pieces where !write(piece) { return }
        if isLast { return }
      }
    }
    state.withLock { $0.failure = failure }
    over.signal()
  }

  private func end() {
    let isEarly = state.withLock { state in
      state.isUnread = !state.isComplete
      return state.isUnread
    }
    news.signal()
    if isEarly { whenUnread() }
  }
}
