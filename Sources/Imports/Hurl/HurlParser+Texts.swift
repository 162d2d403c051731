import Diagnostics
import RequestSyntax

extension HurlParser {
  /// Collects a text piece by piece.
  struct Collector {
    private(set) var pieces: [HurlText.Piece] = []
    var text = ""

    mutating func add(_ placeholder: HurlPlaceholder) {
      flush()
      pieces.append(.placeholder(placeholder))
    }

    mutating func flush() {
      if !text.isEmpty { pieces.append(.text(text)) }
      text = ""
    }

    mutating func finish(_ range: SourceRange) -> HurlText {
      flush()
      return HurlText(pieces: pieces, range: range)
    }
  }

  /// To the end of the line or a comment; of a URL, to the first space.
  mutating func unquoted(isURL: Bool) throws(HurlSyntaxError) -> HurlText {
    let start = cursor.position
    var collector = Collector()
    var end = cursor.position
    var pending = ""
    while !cursor.isAtLineEnd, let byte = cursor.peek, byte != UInt8(ascii: "#") {
      if byte == 0x20 || byte == 0x09 {
        if isURL { break }
        pending.unicodeScalars.append(Unicode.Scalar(byte))
        cursor.position += 1
        continue
      }
      collector.text += pending
      pending = ""
      if cursor.isAt("{{") {
        collector.add(try placeholder())
      } else if byte == UInt8(ascii: "\\") {
        collector.text += try escape()
      } else if let character = cursor.next() {
        collector.text.append(character)
      }
      end = cursor.position
    }
    return collector.finish(SourceRange(start, end))
  }

  /// The name of a field, a variable, an option.
  mutating func keyString() throws(HurlSyntaxError) -> HurlText {
    let start = cursor.position
    var collector = Collector()
    while let byte = cursor.peek {
      if cursor.isAt("{{") {
        collector.add(try placeholder())
      } else if byte == UInt8(ascii: "\\") {
        collector.text += try escape()
      } else if byte.isLetter || byte.isDigit || byte >= 0x80 || "_-.[]@$".utf8.contains(byte) {
        if collector.text.isEmpty, collector.pieces.isEmpty, byte == UInt8(ascii: "[") { break }
        if let character = cursor.next() { collector.text.append(character) }
      } else {
        break
      }
    }
    return collector.finish(cursor.range(from: start))
  }

  /// `"…"`
  mutating func quoted() throws(HurlSyntaxError) -> HurlText {
    let start = cursor.position
    guard cursor.take("\"") else { throw expected("a text in quotes") }
    var collector = Collector()
    while let byte = cursor.peek, byte != UInt8(ascii: "\"") {
      if cursor.isAt("{{") {
        collector.add(try placeholder())
      } else if byte == UInt8(ascii: "\\") {
        collector.text += try escape()
      } else if byte == 0x0A {
        throw failure("this text is not closed", from: start)
      } else if let character = cursor.next() {
        collector.text.append(character)
      }
    }
    guard cursor.take("\"") else { throw failure("this text is not closed", from: start) }
    return collector.finish(cursor.range(from: start))
  }

  /// `` `…` ``
  mutating func backticked() throws(HurlSyntaxError) -> HurlText {
    let start = cursor.position
    guard cursor.take("`") else { throw expected("a text in backticks") }
    var collector = Collector()
    while let byte = cursor.peek, byte != UInt8(ascii: "`") {
      if cursor.isAt("{{") {
        collector.add(try placeholder())
      } else if byte == UInt8(ascii: "\\") {
        collector.text += try escape()
      } else if cursor.isAtLineEnd {
        throw failure("this text is not closed", from: start)
      } else if let character = cursor.next() {
        collector.text.append(character)
      }
    }
    guard cursor.take("`") else { throw failure("this text is not closed", from: start) }
    return collector.finish(cursor.range(from: start))
  }

  /// Between three backticks, after which a language may be named.
  mutating func block() throws(HurlSyntaxError) -> (text: HurlText, language: String) {
    let start = cursor.position
    guard cursor.take("```") else { throw expected("```") }
    var language = ""
    var attributes: [Substring] = []
    let afterTicks = cursor
    let head = cursor.take { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: ",") || $0 == 0x20 }
    if cursor.isAtLineEnd, !cursor.isAtEnd {
      cursor.takeLineEnd()
      let words = head.filter { $0 != " " }.split(separator: ",", omittingEmptySubsequences: false)
      language = words.first.map(String.init) ?? ""
      attributes = Array(words.dropFirst())
    } else {
      cursor = afterTicks
    }
    guard let end = cursor.offset(of: "```") else { throw failure("this block is not closed", from: start) }
    let isLiteral = language == "raw" || attributes.contains("novariable")
    var collector = Collector()
    while cursor.position < end {
      if !isLiteral, cursor.isAt("{{") {
        collector.add(try placeholder())
      } else if attributes.contains("escape"), cursor.peek == UInt8(ascii: "\\") {
        collector.text += try escape()
      } else if cursor.isAt("\r\n") {
        collector.text += "\n"
        cursor.position += 2
      } else if let character = cursor.next() {
        collector.text.append(character)
      }
    }
    cursor.position = end + 3
    return (collector.finish(cursor.range(from: start)), language)
  }

  /// `\n`, `\u{1F600}`, `\#`
  private mutating func escape() throws(HurlSyntaxError) -> String {
    let start = cursor.position
    cursor.position += 1
    switch cursor.next() {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{08}"
    case "f": return "\u{0C}"
    case "u":
      guard cursor.take("{") else { throw failure("expected \\u{…}", from: start) }
      let digits = cursor.take { $0 != UInt8(ascii: "}") && $0 != 0x0A }
      guard cursor.take("}"), let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
        throw failure("this is not the number of a character", from: start)
      }
      return String(Character(scalar))
    case let character? where "\"\\/#`{}:[] ".contains(character): return String(character)
    default: throw failure("this escape means nothing", from: start)
    }
  }

  /// `{{ name filter … }}`
  mutating func placeholder() throws(HurlSyntaxError) -> HurlPlaceholder {
    let start = cursor.position
    guard cursor.take("{{") else { throw expected("{{") }
    cursor.skipSpaces()
    let name = cursor.take { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    guard !name.isEmpty else { throw expected("the name of a variable") }
    var source = HurlPlaceholder.Source.variable(name)
    if name == "newUuid" || name == "newDate" { source = .function(name, nil) }
    if name == "getEnv" {
      cursor.skipSpaces()
      source = .function(name, try quoted())
    }
    let filters = try filters()
    cursor.skipSpaces()
    guard cursor.take("}}") else { throw expected("}} after the name") }
    return HurlPlaceholder(source: source, filters: filters, range: cursor.range(from: start))
  }

  /// `/…/`
  mutating func regex() throws(HurlSyntaxError) -> String {
    let start = cursor.position
    guard cursor.take("/") else { throw expected("a regular expression") }
    var pattern = ""
    while let byte = cursor.peek, byte != UInt8(ascii: "/"), byte != 0x0A {
      // Only the slash needs an escape; anything else is the expression's own.
      if cursor.isAt("\\/") {
        cursor.position += 1
      } else if byte == UInt8(ascii: "\\"), let character = cursor.next() {
        pattern.append(character)
      }
      if let character = cursor.next() { pattern.append(character) }
    }
    guard cursor.take("/") else { throw failure("this regular expression is not closed", from: start) }
    return pattern
  }
}
