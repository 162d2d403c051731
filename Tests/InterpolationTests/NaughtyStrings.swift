import Foundation
import JSONValue

/// The big list of naughty strings, which is not part of this package.
enum NaughtyStrings {
  /// Those of `../shared/suites` beside the repository, or beside a folder around it, and some that belong to HTTP.
  static let all: [String] = ours + (suite ?? [])

  static let suite: [String]? = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      let file = folder.appending(path: "shared/suites/naughty-strings/blns.json")
      if let bytes = try? Data(contentsOf: file), case .array(let strings)? = try? JSON(parsing: Array(bytes)) {
        return strings.compactMap(\.string)
      }
      folder.deleteLastPathComponent()
    }
    print("SKIPPED: ../shared/suites is not there, so the big list of naughty strings was not sent")
    return nil
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
