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

  private static func threeDigits(_ value: Double) -> String {
    if value >= 99.95 { return String(Int(value.rounded())) }
    if value >= 9.995 { return decimals(value, scale: 10, width: 1) }
    return decimals(value, scale: 100, width: 2)
  }

  /// Rounded to `width` decimals, without trailing zeros.
  private static func decimals(_ value: Double, scale: Double, width: Int) -> String {
    let scaled = Int((value * scale).rounded())
    var fraction = String(scaled % Int(scale))
    fraction = String(repeating: "0", count: width - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    let whole = String(scaled / Int(scale))
    return fraction.isEmpty ? whole : "\(whole).\(fraction)"
  }
}
