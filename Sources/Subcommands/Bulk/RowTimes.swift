internal import Histogram

/// How long rows took. It takes the same space however many there were, and every time to three digits.
struct RowTimes: Sendable {
  /// In microseconds, up to an hour.
  private var histogram = Histogram<UInt64>(
    highestTrackableValue: 3_600_000_000, numberOfSignificantValueDigits: .three)

  mutating func note(_ time: Duration) {
    let microseconds = max(0, time / .microseconds(1))
    _ = histogram.record(UInt64(min(microseconds, 3_600_000_000)))
  }

  var isEmpty: Bool { histogram.totalCount == 0 }

  /// - Parameter part: from 0 to 100.
  func percentile(_ part: Double) -> Duration { .microseconds(Int64(histogram.valueAtPercentile(part))) }
}
