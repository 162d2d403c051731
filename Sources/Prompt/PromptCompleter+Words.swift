internal import LineEditing
internal import RequestProgram

/// The functions of the language, and common words of HTTP.
extension PromptCompleter {
  static let headerNames = [
    "Accept", "Accept-Language", "Authorization", "Cache-Control", "Content-Encoding", "Content-Type", "Cookie", "Date",
    "ETag", "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match", "If-Unmodified-Since", "Link",
    "Origin",
    "Prefer", "Range", "Referer", "User-Agent", "X-Request-Id",
  ].map { Candidate($0, terminator: ": ") }

  /// What may come after a pipe.
  static let functions = Function.all.filter { !$0.isCalled }.sorted { $0.name < $1.name }.map {
    Candidate(
      $0.name, preview: $0.arguments.isEmpty ? $0.summary : "\($0.arguments): \($0.summary)",
      terminator: $0.arity.lowerBound > 0 ? "(" : "")
  }
}
