package import Requests
internal import Synchronization

/// Standard output where a body goes as it comes, and whoever reads it may stop at any time.
package final class BodyPipe: Sendable {
  /// What became of a piece.
  package enum Outcome: Hashable, Sendable {
    case written
    /// Nobody reads it anymore.
    case unread
    case failed(FileError)
  }

  /// Where nothing is written.
  package static var nowhere: BodyPipe { BodyPipe(write: { _, _ in .written }, whenUnread: { _ in }) }

  private struct State {
    var isUsed = false
    var isUnread = false
    var error: FileError?
  }

  private let state = Mutex(State())
  private let put: @Sendable (_ piece: [UInt8], _ isWanted: () -> Bool) -> Outcome
  private let waitUntilUnread: @Sendable (_ action: @escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - write: writes all of a piece, unless it is no longer wanted.
  ///   - whenUnread: does something as soon as nobody reads it anymore.
  package init(
    write: @escaping @Sendable (_ piece: [UInt8], _ isWanted: () -> Bool) -> Outcome,
    whenUnread: @escaping @Sendable (_ action: @escaping @Sendable () -> Void) -> Void
  ) {
    put = write
    waitUntilUnread = whenUnread
  }

  /// Writes a piece.
  ///
  /// - Returns: whether more can be written.
  package func write(_ piece: [UInt8]) -> Bool {
    state.withLock { $0.isUsed = true }
    return pass(piece)
  }

  /// Writes a body that is complete, as far as somebody reads it.
  package func write(_ body: ResponseBody) throws {
    var isRead = true
    try body.forEachChunk { chunk in if isRead { isRead = write(chunk) } }
  }

  /// Writes what is said of a response before its body.
  package func print(_ text: String) {
    if !isUnread { _ = pass(Array(text.utf8)) }
  }

  private func pass(_ piece: [UInt8]) -> Bool {
    switch put(piece, { !isUnread && !Task.isCancelled }) {
    case .written: return true
    case .unread:
      state.withLock { $0.isUnread = true }
      return false
    case .failed(let error):
      state.withLock { $0.error = error }
      return false
    }
  }

  /// Does something as soon as nobody reads it anymore.
  package func whenUnread(_ action: @escaping @Sendable () -> Void) {
    waitUntilUnread { [self] in
      state.withLock { $0.isUnread = true }
      action()
    }
  }

  /// Whether something was written.
  package var isUsed: Bool { state.withLock { $0.isUsed } }

  /// Nothing that comes from now on is wanted.
  package func close() { state.withLock { $0.isUnread = true } }

  /// Whether nobody reads it anymore.
  package var isUnread: Bool { state.withLock { $0.isUnread } }

  /// Why no more could be written; nil: nothing went wrong, or nobody reads it.
  package var error: FileError? { state.withLock { $0.error } }
}
