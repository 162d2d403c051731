/// A request as other tools take it, put into our words: a body without a clause, a curl option, a file to read or write.
struct RequestHabit {
  let text: String

  /// - Parameters:
  ///   - target: a URL, a path, or a reference.
  ///   - rest: what stands behind it.
  init(method: String, target: Substring, rest: Substring) {
    let url = RequestAddress.isLocal(target) ? "http://\(target)" : String(target)
    let start = "\(method) \(url)"
    switch rest.first {
    case "{", "[": text = "\(start) json \(rest)"
    case "@":
      let path = rest.dropFirst().prefix { !$0.isWhitespace }
      text = "\(start) body file(\(StatementText.literal(Self.unquoted(path))))\(rest.dropFirst(path.count + 1))"
    case "<", ">":
      let path = Self.unquoted(rest.dropFirst().drop(while: \.isWhitespace))
      let name = StatementText.literal(path)
      text = rest.first == "<" ? "\(start)\n  body file(\(name))" : "\(start)\n  save body to \(name)"
    case let first? where first.isUppercase && rest.prefix { !$0.isWhitespace }.isFieldName:
      // `Accept: text/plain`, as it stands in a request.
      text = "\(start) header \(rest)"
    case "-" where url.contains("://"): text = "curl -X \(method) \(url) \(rest)"
    default: text = rest.isEmpty ? start : "\(start) \(rest)"
    }
  }

  /// Whether what stands behind a URL without a method is to be sent as a body.
  static func hasBody(_ rest: Substring) -> Bool {
    guard let first = rest.first else { return false }
    let words = rest.split(whereSeparator: \.isWhitespace)
    if "{[@<".contains(first) || ["json", "form", "multipart", "body", "text", "graphql"].contains(words[0]) {
      return true
    }
    return words.prefix { !$0.hasPrefix("#") }.contains { HTTPieLine.isBody(String($0)) }
  }

  private static func unquoted(_ text: Substring) -> String {
    let trimmed = text.reversed().drop(while: \.isWhitespace).reversed()
    return String(trimmed).filter { $0 != "\"" && $0 != "'" }
  }
}

extension Habit {
  /// A request whose method is in small letters, or whose rest is another tool's.
  static func request(_ first: Substring, _ rest: Substring) -> Habit? {
    let method = first.uppercased()
    guard ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].contains(method), !rest.isEmpty else {
      return nil
    }
    let target = rest.prefix { !$0.isWhitespace }
    // Blanks may be within it.
    if target.first == "(" || target.first == "\"" { return first == method ? nil : .statement("\(method) \(rest)") }
    let text = RequestHabit(
      method: method, target: target, rest: rest.dropFirst(target.count).drop(while: { $0 == " " || $0 == "\t" })
    ).text
    let isUsual =
      first == method
      && text.split(whereSeparator: \.isWhitespace) == "\(first) \(rest)".split(whereSeparator: \.isWhitespace)
    return isUsual ? nil : .statement(text)
  }
}

extension Substring {
  /// `Content-Type:` with nothing behind the colon.
  fileprivate var isFieldName: Bool {
    last == ":" && count > 1 && dropLast().allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
  }
}
