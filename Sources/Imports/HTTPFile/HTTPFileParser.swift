import Diagnostics
import RequestSyntax
import Requests

/// Reads a `.http` file line by line: what is a line of what follows from the lines before it.
struct HTTPFileParser {
  private let source: SourceText
  private var file = HTTPFile()
  private var line = 0
  private var title: String?
  private var name: String?
  private var directives: [NameSyntax] = []
  private var preparations: [HTTPFileText] = []

  init(_ source: SourceText) {
    self.source = source
  }

  static func parse(_ source: SourceText) throws(ImportRefusal) -> HTTPFile {
    var parser = HTTPFileParser(source)
    while parser.line < source.lineCount { try parser.readLine() }
    return parser.file
  }

  private var range: SourceRange { source.lineRange(line) }
  /// Without the mark of the order of bytes that some editors begin a file with.
  private var text: String {
    let text = source[range]
    return line == 0 && text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }

  /// A line that is not part of a request.
  private mutating func readLine() throws(ImportRefusal) {
    let text = text.trimmed
    switch text {
    case "": line += 1
    case _ where text.hasPrefix("###"): separate(text)
    case _ where text.hasPrefix("#") || text.hasPrefix("//"): remark(text)
    case _ where text.hasPrefix("@"):
      guard let equals = text.firstIndex(of: "=") else {
        throw ImportRefusal("expected @name = value", at: range)
      }
      let name = text[..<equals].dropFirst().trimmed
      file.variables.append((name, HTTPFileText(text: text[text.index(after: equals)...].trimmed, range: range)))
      line += 1
    case _ where Self.beginsScript(text, "<"): preparations.append(script())
    case _ where text.hasPrefix("<"):
      preparations.append(HTTPFileText(text: text, range: range))
      line += 1
    case _ where text.hasPrefix("run ") || text.hasPrefix("import "):
      file.refusals.append(
        ImportRefusal("requests of other files are not run from here", hint: "run that file too", at: range))
      line += 1
    default: try readRequest()
    }
  }

  private mutating func separate(_ text: String) {
    let rest = text.drop { $0 == "#" }.trimmed
    title = rest.isEmpty ? nil : rest
    name = nil
    directives = []
    preparations = []
    if !rest.isEmpty { comment(rest) }
    line += 1
  }

  private mutating func comment(_ text: String) {
    file.comments.append(
      CommentSyntax(text: "# \(text)", range: range, standsAlone: true, endsParagraph: false))
  }

  /// A comment, which may say something about the request.
  private mutating func remark(_ text: String) {
    let rest = text.drop { $0 == "#" || $0 == "/" }.trimmed
    if rest.hasPrefix("@") {
      let word = rest.dropFirst().prefix { !$0.isWhitespace && $0 != "=" }
      let value = rest.dropFirst(1 + word.count).trimmed.drop { $0 == "=" }.trimmed
      if word == "name" {
        name = value
      } else {
        directives.append(NameSyntax(text: String(word), range: range))
      }
    } else if !rest.isEmpty {
      comment(rest)
    }
    line += 1
  }

  // A literal in a function is compiled each time that it is reached. A `Regex` does not change.
  private nonisolated(unsafe) static let version = /\s+HTTP\/[0-9.]+$/

  private mutating func readRequest() throws(ImportRefusal) {
    let start = range
    let leading = text.prefix { $0.isWhitespace }.utf8.count
    let words = text.trimmed
    let first = words.prefix { !$0.isWhitespace }
    let isMethod = !first.isEmpty && first.allSatisfy { $0.isUppercase || $0 == "-" }
    var address = isMethod ? words.dropFirst(first.count).trimmed : words
    if address.contains("HTTP/"), let version = address.firstMatch(of: Self.version) {
      address = String(address[..<version.range.lowerBound])
    }
    guard isMethod && !address.isEmpty || address.contains("/") || address.hasPrefix("{{") || address.contains(".")
    else {
      throw ImportRefusal("expected a request, such as GET https://…", at: start)
    }
    let methodStart = start.lowerBound + leading
    let method = NameSyntax(
      text: isMethod ? String(first) : "GET", range: SourceRange(methodStart, methodStart + first.utf8.count))
    line += 1
    // The query may go on in lines of its own, a path only where it is indented.
    while line < source.lineCount, let next = text.trimmed.first,
      "?&".contains(next) || next == "/" && text.first != next
    {
      address += text.trimmed
      line += 1
    }
    var request = HTTPFileRequest(
      name: name, title: title, method: method, url: HTTPFileText(text: address, range: start), directives: directives,
      preparations: preparations, range: start)
    readHeaders(into: &request)
    readBody(into: &request)
    var end = start.upperBound
    for index in stride(from: line - 1, through: 0, by: -1) where index < source.lineCount {
      let range = source.lineRange(index)
      if !source[range].trimmed.isEmpty {
        end = max(range.upperBound, start.upperBound)
        break
      }
    }
    request.range = SourceRange(start.lowerBound, end)
    file.requests.append(request)
    name = nil
    title = nil
    directives = []
    preparations = []
  }

  private mutating func readHeaders(into request: inout HTTPFileRequest) {
    while line < source.lineCount {
      let text = text.trimmed
      if text.isEmpty || text.hasPrefix("###") { return }
      if text.hasPrefix("#") || text.hasPrefix("//") {
        remark(text)
        continue
      }
      guard let colon = text.firstIndex(of: ":"), let first = text.first, !"><{".contains(first) else { return }
      let value = text[text.index(after: colon)...].trimmed
      request.headers.append((text[..<colon].trimmed, HTTPFileText(text: value, range: range), range))
      line += 1
    }
  }

  private mutating func readBody(into request: inout HTTPFileRequest) {
    while line < source.lineCount {
      let raw = text
      let text = raw.trimmed
      if text.hasPrefix("###") { break }
      if text.hasPrefix("# @") || text.hasPrefix("// @") {
        line += 1
      } else if Self.beginsScript(text, ">") {
        request.handlers.append(script())
      } else if Self.beginsScript(text, "<") {
        request.preparations.append(script())
      } else if text.hasPrefix(">>") {
        request.output = HTTPFileText(text: text.drop { $0 == ">" || $0 == "!" }.trimmed, range: range)
        line += 1
      } else if text.hasPrefix("> "), text.hasSuffix(".js") || text.hasSuffix(".mjs") {
        request.handlers.append(HTTPFileText(text: text, range: range))
        line += 1
      } else if text.hasPrefix("<> ") {
        // An earlier response, kept by the editor.
        line += 1
      } else if text.hasPrefix("< ") || text.hasPrefix("<@ ") {
        let path = text.drop { $0 == "<" || $0 == "@" }.trimmed
        request.body.append(.file(path, range))
        line += 1
      } else {
        request.body.append(.text(raw, range))
        line += 1
      }
    }
    while case .text(let text, _)? = request.body.last, text.trimmed.isEmpty { request.body.removeLast() }
    while case .text(let text, _)? = request.body.first, text.trimmed.isEmpty { request.body.removeFirst() }
  }

  /// `< {%`, `>{%`
  private static func beginsScript(_ text: String, _ sign: Character) -> Bool {
    text.first == sign && text.dropFirst().drop(while: \.isWhitespace).hasPrefix("{%")
  }

  /// From `{%` to `%}`, consumed.
  private mutating func script() -> HTTPFileText {
    let begin = range.lowerBound
    var lines: [String] = []
    while line < source.lineCount {
      let text = text
      lines.append(text)
      line += 1
      if text.contains("%}") { break }
    }
    let whole = lines.joined(separator: "\n")
    let inner = whole.firstRange(of: "{%").map { whole[$0.upperBound...] } ?? whole[...]
    let body = inner.firstRange(of: "%}").map { inner[..<$0.lowerBound] } ?? inner
    return HTTPFileText(
      text: String(body), range: SourceRange(begin, source.lineRange(max(0, line - 1)).upperBound))
  }
}
