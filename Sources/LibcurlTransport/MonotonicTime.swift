internal import POSIX
internal import Requests

/// A time of the clock that goes on while the machine sleeps.
///
/// It is what `ContinuousClock.Instant` is, whose layout the compiler does not know: to copy one that may be missing takes
/// longer than to read the clock, and a transfer has six.
struct MonotonicTime: Comparable {
  private let sinceStart: Duration

  static var now: MonotonicTime {
    var time = timespec()
    clock_gettime(clock, &time)
    return MonotonicTime(sinceStart: .since1970(time))
  }

  #if canImport(Darwin)
    private static var clock: clockid_t { CLOCK_MONOTONIC_RAW }
  #else
    private static var clock: clockid_t { CLOCK_BOOTTIME }
  #endif

  static func < (one: MonotonicTime, other: MonotonicTime) -> Bool { one.sinceStart < other.sinceStart }

  /// - Parameter duration: at most what can be added to any time of a clock.
  static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    MonotonicTime(sinceStart: time.sinceStart + duration)
  }

  static func - (end: MonotonicTime, start: MonotonicTime) -> Duration { end.sinceStart - start.sinceStart }
}
