import ConformanceSuites
import JSONValue

/// The big list of naughty strings, which is not part of this package.
enum NaughtyStrings {
  /// Those of the list, and some that belong to HTTP.
  static let all: [String] = ours + (suite ?? [])

  static let suite: [String]? = {
    let file = "blns.json"
    let list = ConformanceSuite("naughty-strings", file: file, purpose: "the big list of naughty strings is not sent")
    guard let bytes = list.bytes(file), case .array(let strings)? = try? JSON(parsing: bytes) else { return nil }
    return strings.compactMap(\.string)
  }()

  private static let ours = [
    "a\r\nX-Injected: 1", "a\nX-Injected: 1", "a\rX-Injected: 1", "\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n\r\n",
    "a", "a\u{0}b", "\u{0}", ".", "..", "...", "/", "//", "a/b", "../..", "%2e%2e", "%2E", "%00", "%0d%0a", "%", "%zz",
    "+",
    "a+b", "a b", " a", "a ", "\t", "a\t", "?", "#", "a#b?c=d&e=f", "&", "=", ";", "a;b", "\"", "\\", "\\\"", "'",
    "\"; filename=\"evil", "name\"\r\nContent-Type: text/evil", "%22", "--boundary--", "\r\n--b\r\n", "{", "}", "{$s}",
    "{+$s}", "$1", "@file", "é", "e\u{301}", "日本語", "\u{FEFF}", "\u{7F}", "\u{85}", "\u{2028}",
    String(repeating: "x", count: 4_000),
  ]
}
