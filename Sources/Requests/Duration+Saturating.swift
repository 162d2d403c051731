package import POSIX

/// Times come from outside: from files, the clock, servers, scripts. Converting one or adding two never traps: anything
/// beyond a bound becomes that bound.
extension Duration {
  /// Whole seconds, towards zero.
  package var wholeSeconds: Int { whole(1_000_000_000_000_000_000) }
  /// Whole milliseconds, towards zero.
  package var wholeMilliseconds: Int { whole(1_000_000_000_000_000) }
  /// Whole microseconds, towards zero.
  package var wholeMicroseconds: Int { whole(1_000_000_000_000) }
  /// Whole nanoseconds, towards zero: 292 years in either direction.
  package var wholeNanoseconds: Int { whole(1_000_000_000) }

  /// In seconds, rounded as doubles are.
  package var inSeconds: Double {
    let nanoseconds = wholeNanoseconds
    // The conversion of a wide number costs a hundred times as much.
    return nanoseconds.magnitude < 1 << 53 ? Double(nanoseconds) / 1e9 : Double(attoseconds) / 1e18
  }

  /// The time of a `timespec`, whatever it holds.
  package static func since1970(seconds: Int, nanoseconds: Int) -> Duration {
    let (whole, isLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = whole.addingReportingOverflow(nanoseconds)
    // The library's own conversions are calls.
    if !isLong, !isBeyond { return Duration(attoseconds: Int128(sum) * 1_000_000_000) }
    return Duration.seconds(seconds).adding(.nanoseconds(nanoseconds))
  }

  /// The time the system reports, whatever it is.
  @inline(__always) package static func since1970(_ time: timespec) -> Duration {
    // Two words. Which module defines their names depends on what else is being compiled.
    withUnsafeBytes(of: time) { bytes in
      since1970(
        seconds: bytes.loadUnaligned(as: Int.self),
        nanoseconds: bytes.loadUnaligned(fromByteOffset: MemoryLayout<Int>.size, as: Int.self))
    }
  }

  /// The sum.
  package func adding(_ other: Duration) -> Duration {
    let (sum, isBeyond) = attoseconds.addingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: isBeyond ? (attoseconds < 0 ? .min : .max) : sum)
  }

  /// The difference.
  package func subtracting(_ other: Duration) -> Duration {
    let (difference, isBeyond) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: isBeyond ? (attoseconds < 0 ? .min : .max) : difference)
  }

  /// The duration times the factor.
  package func multiplied(by factor: Int) -> Duration {
    let (product, isBeyond) = attoseconds.multipliedReportingOverflow(by: Int128(factor))
    return Duration(attoseconds: isBeyond ? ((attoseconds < 0) != (factor < 0) ? .min : .max) : product)
  }

  private func whole(_ unit: Int64) -> Int {
    // Most are short, and dividing longer ones takes ten times as long.
    if let short = Int64(exactly: attoseconds) { return Int(short / unit) }
    return Int(clamping: attoseconds / Int128(unit))
  }
}
