internal import Requests

/// Numbers as people read them.
public enum NumberFormat {
  /// `612 B`, `48.2 kB`, `12.3 MB`: powers of ten, three digits.
  public static func bytes(_ count: Int) -> String {
    guard count >= 1000 else { return "\(count) B" }
    var value = Double(count)
    for unit in ["kB", "MB", "GB", "TB"] {
      value /= 1000
      if value < 999.5 || unit == "TB" { return "\(threeDigits(value)) \(unit)" }
    }
    return "\(count) B"
  }

  /// How long ago something happened, in one unit: `12 s ago`, `3 h ago`, `40 d ago`.
  public static func age(_ duration: Duration) -> String {
    let seconds = max(0, duration.wholeSeconds)
    switch seconds {
    case ..<60: return "\(seconds) s ago"
    case ..<3_600: return "\(seconds / 60) min ago"
    case ..<172_800: return "\(seconds / 3_600) h ago"
    default: return "\(seconds / 86_400) d ago"
    }
  }

  /// `84 ms`, `1.31 s`, `2 min 5 s`, `3 h 20 min`, `9 d 23 h`.
  public static func duration(_ duration: Duration) -> String {
    let seconds = duration.inSeconds
    if seconds < 0.000_999_5 { return "\(threeDigits(seconds * 1_000_000)) µs" }
    if seconds < 0.999_5 { return "\(threeDigits(seconds * 1000)) ms" }
    if seconds < 60 { return "\(threeDigits(seconds)) s" }
    let whole = duration.wholeSeconds
    switch whole {
    case ..<7_200: return "\(whole / 60) min \(whole % 60) s"
    case ..<172_800: return "\(whole / 3_600) h \(whole / 60 % 60) min"
    default: return "\(whole / 86_400) d \(whole / 3_600 % 24) h"
    }
  }

  /// `48,213`.
  public static func grouped(_ number: Int) -> String { number.grouped }

  /// Without trailing zeros after the point.
  private static func threeDigits(_ value: Double) -> String {
    if value < 0 { return "-" + threeDigits(-value) }
    if value >= 99.95 { return String(Int(value.rounded())) }
    if value >= 9.995 { return digits(of: Int((value * 10).rounded()), beforePoint: 2) }
    return digits(of: Int((value * 100).rounded()), beforePoint: 1)
  }

  /// - Parameter number: has at most three digits.
  private static func digits(of number: Int, beforePoint whole: Int) -> String {
    String(unsafeUninitializedCapacity: 4) { output in
      var rest = number
      var divisor = 100
      var count = 0
      for place in 0..<3 where place < whole || rest > 0 {
        if place == whole {
          output[count] = UInt8(ascii: ".")
          count += 1
        }
        output[count] = UInt8(ascii: "0") + UInt8(rest / divisor)
        count += 1
        rest %= divisor
        divisor /= 10
      }
      return count
    }
  }
}
