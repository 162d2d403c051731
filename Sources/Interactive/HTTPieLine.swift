internal import Presentation

/// A line as HTTPie takes it, `http -f POST example.org/x name=a Accept:text/plain`, as a request of ours.
///
/// Request items are the same in both; options and short URLs are not.
struct HTTPieLine {
  enum LineError: Error, Hashable {
    case words(ShellWords.ParseError)
    case option(String)
    case missingURL
    case missingValue(String)
  }

  let result: Result<String, LineError>

  /// - Parameter line: begins with `http` or `https`; nil if a URL does.
  init?(_ line: String) {
    guard let command = line.split(whereSeparator: \.isWhitespace).first, !command.contains(":") else { return nil }
    do {
      var words = try ShellWords.split(line)[...]
      words.removeFirst()
      result = .success(try Self.statement(words, scheme: command.hasSuffix("s") ? "https" : "http"))
    } catch let error as ShellWords.ParseError {
      result = .failure(.words(error))
    } catch let error as LineError {
      result = .failure(error)
    } catch {
      return nil
    }
  }

  private static let ignored: Set<String> = [
    "-v", "--verbose", "-b", "--body", "-h", "--headers", "-j", "--json", "-F", "--follow", "--check-status",
    "--ignore-stdin", "-I", "--pretty=all", "--all", "-p", "--stream", "-S",
  ]

  private static func statement(_ words: ArraySlice<String>, scheme: String) throws -> String {
    var words = words
    var body: String?
    var clauses: [String] = []
    var rest: [String] = []
    while let word = words.popFirst() {
      switch word {
      case "-f", "--form": body = "form"
      case "--multipart": body = "multipart"
      case "-a", "--auth":
        guard let value = words.popFirst() else { throw LineError.missingValue(word) }
        let sides = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let password = StatementText.literal(sides.count > 1 ? sides[1] : "")
        clauses.append("auth basic \(StatementText.literal(sides[0])), \(password)")
      case "--timeout":
        guard let value = words.popFirst() else { throw LineError.missingValue(word) }
        clauses.append("timeout \(value)s")
      default:
        if ignored.contains(word) { continue }
        if word.hasPrefix("-") { throw LineError.option(word) }
        rest.append(word)
      }
    }
    var method: String?
    if let first = rest.first, first.allSatisfy({ $0.isLetter }), rest.count > 1 || first == first.uppercased() {
      method = rest.removeFirst().uppercased()
    }
    guard !rest.isEmpty else { throw LineError.missingURL }
    let url = full(rest.removeFirst(), scheme: scheme)
    let items = rest.map(Self.item)
    let hasBody = rest.contains { isBody($0) }
    let parts =
      ["\(method ?? (hasBody ? "POST" : "GET")) \(StatementText.word(url))"] + (body.map { [$0] } ?? []) + items
    return ([parts.joined(separator: " ")] + clauses).joined(separator: "\n  ")
  }

  /// `:5000/x` is localhost, and a scheme is added where none is.
  private static func full(_ url: String, scheme: String) -> String {
    if url.contains("://") { return url }
    if url.hasPrefix("://") { return scheme + url }
    guard url.hasPrefix(":") else { return "\(scheme)://\(url)" }
    let rest = url.dropFirst()
    return "\(scheme)://localhost\(rest.first?.isNumber ?? false ? ":" : "")\(rest)"
  }

  private static let separators = [":=", "==", "=", "@", ":"]

  private static func parts(_ item: String) -> (key: String, separator: String, value: String)? {
    let found = separators.compactMap { separator in item.firstRange(of: separator).map { ($0, separator) } }
    // The first in the text, and of two at one place the longer.
    let first = found.min { ($0.0.lowerBound, -$0.1.count) < ($1.0.lowerBound, -$1.1.count) }
    return first.map { (String(item[..<$0.0.lowerBound]), $0.1, String(item[$0.0.upperBound...])) }
  }

  private static func isBody(_ item: String) -> Bool {
    parts(item).map { [":=", "=", "@"].contains($0.separator) } ?? false
  }

  private static func item(_ text: String) -> String {
    guard let (key, separator, value) = parts(text), separator != ":=" else { return text }
    let isPlain =
      !value.isEmpty && value.allSatisfy { $0.isLetter || $0.isNumber || "-_.:/+%".contains($0) }
    return "\(key)\(separator)\(isPlain ? value : StatementText.literal(value))"
  }
}

extension HTTPieLine.LineError {
  var report: ErrorReport {
    switch self {
    case .words(let error): ErrorReport(CurlCommand.ParseError.words(error).report.message)
    case .option(let option):
      ErrorReport("\(option) is not understood here", notes: ["leave it out; :help lists what there is"])
    case .missingURL: ErrorReport("this line has no URL", notes: ["http POST example.org/items name=x"])
    case .missingValue(let option): ErrorReport("\(option) needs a value")
    }
  }
}
