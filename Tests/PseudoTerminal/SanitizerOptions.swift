import Foundation

/// What a sanitizer is told, which holds for the programs that tests run, too.
public enum SanitizerOptions {
  public static let inherited = ["ASAN_OPTIONS", "TSAN_OPTIONS"].reduce(into: [String: String]()) { options, name in
    options[name] = getenv(name).map { String(cString: $0) }
  }
}
