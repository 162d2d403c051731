import Diagnostics
import RequestSyntax

/// Reads Hurl's grammar, with one method per production.
struct HurlParser {
  static let depthLimit = 200

  var cursor: TextCursor
  var comments: [CommentSyntax] = []
  /// How deep the JSON is that is being read.
  var depth = 0
  /// The placeholders in it so far.
  var jsonPlaces: [HurlJSONPlace] = []

  init(_ source: SourceText) {
    cursor = TextCursor(source)
  }

  /// `file = { lt } { entry }`
  static func parse(_ source: SourceText) throws(HurlSyntaxError) -> HurlFile {
    if let fault = invalidByte(in: source.bytes) {
      throw HurlSyntaxError(message: "this is not text in UTF-8", range: SourceRange(fault, fault + 1))
    }
    var parser = HurlParser(source)
    var file = HurlFile()
    parser.skipLines()
    while !parser.cursor.isAtEnd {
      file.entries.append(try parser.entry())
      parser.skipLines()
    }
    file.comments = parser.comments
    return file
  }

  private static func invalidByte(in bytes: [UInt8]) -> Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var start = 0
    for (offset, byte) in bytes.enumerated() where byte == 0x0A || offset == bytes.count - 1 {
      if String(validating: bytes[start...offset], as: UTF8.self) == nil { return start }
      start = offset + 1
    }
    return 0
  }

  // MARK: Lines

  /// Empty lines and comments.
  mutating func skipLines() {
    while !cursor.isAtEnd {
      let start = cursor.position
      cursor.skipSpaces()
      if cursor.peek == UInt8(ascii: "#") { takeComment(standsAlone: true) }
      guard cursor.isAtLineEnd else {
        cursor.position = start
        return
      }
      cursor.takeLineEnd()
    }
  }

  private mutating func takeComment(standsAlone: Bool) {
    let start = cursor.position
    while !cursor.isAtLineEnd { cursor.position += 1 }
    let text = cursor.text(from: start)
    comments.append(
      CommentSyntax(
        text: String(text.reversed().drop { $0.isWhitespace }.reversed()), range: cursor.range(from: start),
        standsAlone: standsAlone, endsParagraph: false))
  }

  /// Spaces, perhaps a comment, and the end of the line.
  mutating func lineEnd(after what: String) throws(HurlSyntaxError) {
    cursor.skipSpaces()
    if cursor.peek == UInt8(ascii: "#") { takeComment(standsAlone: false) }
    guard cursor.isAtLineEnd else { throw expected("the end of the line after \(what)") }
    cursor.takeLineEnd()
  }

  func expected(_ what: String) -> HurlSyntaxError {
    HurlSyntaxError(
      message: "expected \(what)",
      range: SourceRange(cursor.position, min(cursor.position + 1, cursor.source.bytes.count)))
  }

  func failure(_ message: String, from start: Int) -> HurlSyntaxError {
    HurlSyntaxError(message: message, range: SourceRange(start, max(cursor.position, start + 1)))
  }

  // MARK: Entries

  /// `entry = request [ response ]`
  private mutating func entry() throws(HurlSyntaxError) -> HurlEntry {
    cursor.skipSpaces()
    let start = cursor.position
    let text = cursor.take { (0x41...0x5A).contains($0) }
    let method = NameSyntax(text: text, range: cursor.range(from: start))
    let space = cursor.position
    cursor.skipSpaces()
    guard !text.isEmpty, cursor.position > space else {
      cursor.position = start
      throw expected("a method such as GET")
    }
    let url = try unquoted(isURL: true)
    guard !url.pieces.isEmpty else { throw expected("a URL") }
    try lineEnd(after: "the URL")
    var entry = HurlEntry(method: method, url: url, range: method.range, requestRange: method.range)
    entry.headers = try pairs()
    while let section = try section() {
      if entry.sections.contains(where: { $0.kind == section.kind }) {
        throw HurlSyntaxError(message: "this section is here twice", range: section.range)
      }
      entry.sections.append(section)
    }
    entry.body = try body()
    entry.requestRange = trimmed(from: start)
    entry.response = try response()
    entry.range = trimmed(from: start)
    return entry
  }

  /// Up to the cursor, without the empty lines before it.
  private func trimmed(from start: Int) -> SourceRange {
    var end = cursor.position
    while end > start, [0x0A, 0x0D, 0x20, 0x09].contains(cursor.source.bytes[end - 1]) { end -= 1 }
    return SourceRange(start, end)
  }

  /// `{ lt } version status`
  private mutating func response() throws(HurlSyntaxError) -> HurlResponse? {
    let before = cursor
    let known = comments.count
    skipLines()
    cursor.skipSpaces()
    let start = cursor.position
    guard cursor.take("HTTP") else {
      cursor = before
      comments.removeSubrange(known...)
      return nil
    }
    var version: NameSyntax?
    if cursor.peek == UInt8(ascii: "/") {
      cursor.position += 1
      _ = cursor.take { $0.isDigit || $0 == UInt8(ascii: ".") }
      let name = NameSyntax(text: cursor.text(from: start), range: cursor.range(from: start))
      guard ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"].contains(name.text) else {
        throw failure("expected HTTP/1.0, HTTP/1.1, HTTP/2, HTTP/3 or HTTP", from: start)
      }
      version = name
    }
    let space = cursor.position
    cursor.skipSpaces()
    guard cursor.position > space else { throw expected("a space before the status") }
    let statusStart = cursor.position
    var status: Int?
    if !cursor.take("*") {
      let digits = cursor.take { $0.isDigit }
      guard let code = Int(digits), digits.utf8.count <= 5 else { throw expected("a status such as 200, or *") }
      status = code
    }
    var response = HurlResponse(version: version, status: status, statusRange: cursor.range(from: statusStart))
    try lineEnd(after: "the status")
    response.headers = try pairs()
    var seen: Set<String> = []
    while let name = sectionName() {
      guard name.text == "Captures" || name.text == "Asserts" else {
        throw HurlSyntaxError(message: "a response has no section [\(name.text)]", range: name.range)
      }
      guard seen.insert(name.text).inserted else {
        throw HurlSyntaxError(message: "this section is here twice", range: name.range)
      }
      try lineEnd(after: "the section")
      if name.text == "Captures" { response.captures = try captures() } else { response.asserts = try asserts() }
    }
    response.body = try body()
    return response
  }

  // MARK: Fields and sections

  /// `{ key-string ":" value-string }`
  private mutating func pairs() throws(HurlSyntaxError) -> [HurlPair] {
    var pairs: [HurlPair] = []
    while true {
      let before = cursor
      let known = comments.count
      skipLines()
      guard let pair = try pair() else {
        cursor = before
        comments.removeSubrange(known...)
        return pairs
      }
      pairs.append(pair)
    }
  }

  /// nil if this line is something else.
  private mutating func pair() throws(HurlSyntaxError) -> HurlPair? {
    cursor.skipSpaces()
    let start = cursor.position
    let before = cursor
    guard let key = try? keyString(), !key.pieces.isEmpty else {
      cursor = before
      return nil
    }
    cursor.skipSpaces()
    guard cursor.take(":") else {
      cursor = before
      return nil
    }
    cursor.skipSpaces()
    let value = try unquoted(isURL: false)
    let range = cursor.range(from: start)
    try lineEnd(after: "the value")
    return HurlPair(key: key, value: value, range: range)
  }

  /// `[Name]`, consumed; nil if no name of a section is here.
  mutating func sectionName() -> NameSyntax? {
    let before = cursor
    let known = comments.count
    skipLines()
    cursor.skipSpaces()
    let start = cursor.position
    if cursor.take("[") {
      let name = cursor.take { $0.isLetter }
      if Self.sections[name] != nil || name == "Captures" || name == "Asserts", cursor.take("]") {
        return NameSyntax(text: name, range: cursor.range(from: start))
      }
    }
    cursor = before
    comments.removeSubrange(known...)
    return nil
  }

  private static let sections: [String: HurlSection.Kind] = [
    "Query": .query, "QueryStringParams": .query, "Form": .form, "FormParams": .form, "Multipart": .multipart,
    "MultipartFormData": .multipart, "Cookies": .cookies, "BasicAuth": .basicAuth, "Options": .options,
  ]

  private mutating func section() throws(HurlSyntaxError) -> HurlSection? {
    let before = cursor
    guard let name = sectionName() else {
      try refuseUnknownSection()
      return nil
    }
    guard let kind = Self.sections[name.text] else {
      cursor = before
      throw HurlSyntaxError(message: "a request has no section [\(name.text)]", range: name.range)
    }
    try lineEnd(after: "the section")
    let pairs = try pairs()
    if kind == .basicAuth, pairs.count != 1 {
      throw HurlSyntaxError(message: "[BasicAuth] has one line: user: password", range: name.range)
    }
    return HurlSection(kind: kind, pairs: pairs, range: name.range)
  }

  /// `[Word]` on a line of its own that is no section, and no JSON either.
  private mutating func refuseUnknownSection() throws(HurlSyntaxError) {
    let before = cursor
    let known = comments.count
    defer {
      cursor = before
      comments.removeSubrange(known...)
    }
    skipLines()
    cursor.skipSpaces()
    let start = cursor.position
    guard cursor.take("[") else { return }
    let name = cursor.take { $0.isLetter }
    guard !name.isEmpty, !["true", "false", "null"].contains(name), cursor.take("]") else { return }
    throw HurlSyntaxError(message: "there is no section [\(name)]", range: cursor.range(from: start))
  }
}
