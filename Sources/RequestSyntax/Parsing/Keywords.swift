/// The words that start something.
public enum Keywords {
  public static let statements = [
    "finally", "for", "let", "parallel", "profile", "run", "secret", "sequence", "tags", "use",
  ]

  public static let clauses = [
    "auth", "body", "effect", "expect", "form", "graphql", "header", "json", "limit", "multipart", "query", "redirects",
    "repeat",
    "retry", "save", "stream", "text", "timeout", "wait", "when", "with",
  ]

  public static let settings = [
    "auth", "base", "cookies", "header", "http", "limit", "origin", "proxy", "query", "redirects", "resolve", "retry",
    "timeout",
    "tls", "unix-socket",
  ]

  /// The names that `expect` and `until` may use without a `$`.
  public static let members = [
    "address", "body", "bytes", "certificate", "cookies", "header-lines", "headers", "links", "location", "protocol",
    "redirects", "request", "set-cookie", "size", "status", "text", "time", "url",
  ]

  public static let commonMethods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]

  /// The words of the language that a list of them may have.
  public static let all = Set(statements + clauses + settings + members)

  static let clauseSet = WordSet(clauses)
  static let memberSet = WordSet(members)
  static let statementSet = Set(statements)

  /// Whether `expect` and `until` may use the name without a `$`.
  public static func isMember(_ name: String) -> Bool { memberSet.contains(name) }

  /// Whether a name is written like a method: uppercase letters, digits, `-` and `_`.
  public static func isMethod(_ name: String) -> Bool {
    var hasLetter = false
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasLetter = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): break
      default: return false
      }
    }
    return hasLetter
  }
}
