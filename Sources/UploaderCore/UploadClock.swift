import POSIX
internal import Requests

/// The time, injected, so that waiting can be tested without waiting.
public struct UploadClock: Sendable {
  /// The wall-clock time since 1970.
  public var now: @Sendable () -> Duration
  /// Waits, or throws when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void

  public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    self.now = now
    self.sleep = sleep
  }

  /// The machine's own clock.
  public static let system = UploadClock(
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return .since1970(time)
    },
    sleep: { try await Task.sleep(for: $0) }
  )
}
