internal import LineEditing
internal import RequestSyntax

/// The words of the language, and common ones of HTTP.
extension PromptCompleter {
  static let methods = Keywords.commonMethods.map { Candidate($0, terminator: " ") }
  static let beginnings = methods + Keywords.statements.map { Candidate($0, terminator: " ") }
  static let clauses = Keywords.clauses.sorted().map { Candidate($0, terminator: " ") }

  static let headerNames = [
    "Accept", "Accept-Language", "Authorization", "Cache-Control", "Content-Encoding", "Content-Type", "Cookie", "Date",
    "ETag", "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match", "If-Unmodified-Since", "Link",
    "Origin",
    "Prefer", "Range", "Referer", "User-Agent", "X-Request-Id",
  ].map { Candidate($0, terminator: ": ") }

  /// What may stand behind a pipe.
  static let functions: [(name: String, summary: String)] = [
    ("base64", "encodes"), ("base64-decode", "decodes"), ("chunks", "(8MiB): pieces of a file"),
    ("count", "how many"), ("date", "(\"…\"): a time in that form"), ("first", "the first of many"),
    ("hmac-sha256", "(key): a keyed digest"), ("join", "(\",\"): one text of many"), ("json", "as JSON text"),
    ("last", "the last of many"), ("lower", "in small letters"), ("md5", "a digest"),
    ("parse-csv", "rows of a table"), ("parse-json", "JSON of a text"), ("regex", "('…'): the first group"),
    ("replace", "(a, b): b in place of a"), ("sha256", "a digest"), ("slice", "(offset, length): a piece"),
    ("sort", "in order"), ("split", "(\",\"): many of one text"), ("to-number", "as a number"),
    ("to-string", "as a text"), ("trim", "without blanks around"), ("unique", "each once"),
    ("upper", "in capitals"), ("url-decode", "decodes"), ("url-encode", "encodes"),
    ("without", "(\"name\"): fewer members"),
  ]
}
