import Foundation

/// Sanitizer options, which also apply to the programs that tests run.
public enum SanitizerOptions {
  public static let inherited = ["ASAN_OPTIONS", "TSAN_OPTIONS"].reduce(into: [String: String]()) { options, name in
    options[name] = getenv(name).map { String(cString: $0) }
  }
}
