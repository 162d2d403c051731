import Diagnostics
import RequestSyntax
import Requests

extension HurlParser {
  /// nil if something else follows.
  mutating func body() throws(HurlSyntaxError) -> HurlBody? {
    let before = cursor
    let known = comments.count
    skipLines()
    cursor.skipSpaces()
    let start = cursor.position
    guard let content = try content() else {
      cursor = before
      comments.removeSubrange(known...)
      return nil
    }
    let range = cursor.range(from: start)
    try lineEnd(after: "the body")
    return HurlBody(content: content, range: range)
  }

  private mutating func content() throws(HurlSyntaxError) -> HurlBody.Content? {
    guard let first = cursor.peek else { return nil }
    if cursor.isAt("```") {
      let (text, language) = try block()
      return .block(text, language: language)
    }
    if first == UInt8(ascii: "`") { return .line(try backticked()) }
    if let bytes = try encoded() { return .bytes(bytes) }
    if let file = try file() { return .file(file) }
    if first == UInt8(ascii: "<") { return .xml(try xml()) }
    let startsJSON =
      "{[\"-".utf8.contains(first) || first.isDigit
      || cursor.isAt("true") || cursor.isAt("false") || cursor.isAt("null")
    guard startsJSON else { return nil }
    jsonPlaces = []
    let json = try json()
    return .json(json, jsonPlaces)
  }

  /// `base64,…;` and `hex,…;`; nil if neither is here.
  mutating func encoded() throws(HurlSyntaxError) -> [UInt8]? {
    let start = cursor.position
    let isHexadecimal = cursor.isAt("hex,")
    guard cursor.take("base64,") || cursor.take("hex,") else { return nil }
    let text = cursor.take { $0 != UInt8(ascii: ";") }.filter { !$0.isWhitespace }
    guard cursor.take(";") else { throw failure("expected a ; at the end", from: start) }
    if !isHexadecimal {
      guard let bytes = Base64.decode(text) else { throw failure("this is not base64", from: start) }
      return bytes
    }
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else {
      throw failure("these are not hexadecimal digits in pairs", from: start)
    }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  /// `file,path;`; nil if it is not here.
  mutating func file() throws(HurlSyntaxError) -> HurlText? {
    guard cursor.take("file,") else { return nil }
    return try fileName()
  }

  private mutating func fileName() throws(HurlSyntaxError) -> HurlText {
    cursor.skipSpaces()
    let start = cursor.position
    var collector = Collector()
    while let byte = cursor.peek, byte != UInt8(ascii: ";"), !cursor.isAtLineEnd {
      if cursor.isAt("{{") {
        collector.add(try placeholder())
        continue
      }
      if byte == UInt8(ascii: "\\") { cursor.position += 1 }
      if let character = cursor.next() { collector.text.append(character) }
    }
    let range = cursor.range(from: start)
    guard cursor.take(";") else { throw expected("a ; after the name of the file") }
    return collector.finish(range)
  }

  // MARK: XML

  /// Up to the end of the root element. Nothing is nested here: only the depth is counted.
  private mutating func xml() throws(HurlSyntaxError) -> HurlText {
    let start = cursor.position
    var depth = 0
    var collector = Collector()
    func unclosed() -> HurlSyntaxError { failure("this XML is not closed", from: start) }
    while !cursor.isAtEnd {
      let before = cursor.position
      if cursor.isAt("<?") {
        try skip(to: "?>", orThrow: unclosed())
      } else if cursor.isAt("<!--") {
        try skip(to: "-->", orThrow: unclosed())
      } else if cursor.isAt("<![CDATA[") {
        try skip(to: "]]>", orThrow: unclosed())
      } else if cursor.isAt("<!") {
        try skip(to: ">", orThrow: unclosed())
      } else if cursor.isAt("</") {
        try skip(to: ">", orThrow: unclosed())
        depth -= 1
        if depth <= 0 {
          collector.text += cursor.text(from: before)
          return collector.finish(cursor.range(from: start))
        }
      } else if cursor.peek == UInt8(ascii: "<") {
        let isEmpty = try tag(unclosed())
        if !isEmpty { depth += 1 }
        if isEmpty, depth == 0 {
          collector.text += cursor.text(from: before)
          return collector.finish(cursor.range(from: start))
        }
      } else if cursor.isAt("{{") {
        collector.add(try placeholder())
        continue
      } else {
        cursor.position += 1
        while let byte = cursor.peek, byte != UInt8(ascii: "<"), !cursor.isAt("{{") { cursor.position += 1 }
      }
      collector.text += cursor.text(from: before)
    }
    throw unclosed()
  }

  /// An opening tag.
  ///
  /// - Returns: whether it closes itself.
  private mutating func tag(_ error: HurlSyntaxError) throws(HurlSyntaxError) -> Bool {
    var quote: UInt8?
    var last: UInt8 = 0
    while let byte = cursor.peek {
      cursor.position += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return last == UInt8(ascii: "/")
      }
      last = byte
    }
    throw error
  }

  private mutating func skip(to end: StaticString, orThrow error: HurlSyntaxError) throws(HurlSyntaxError) {
    guard let offset = cursor.offset(of: end) else { throw error }
    cursor.position = offset + end.utf8CodeUnitCount
  }

  // MARK: JSON

  private mutating func json() throws(HurlSyntaxError) -> HurlJSON {
    guard depth < Self.depthLimit else { throw expected("JSON that is nested less deeply than \(Self.depthLimit)") }
    depth += 1
    defer { depth -= 1 }
    skipWhitespace()
    let start = cursor.position
    switch cursor.peek {
    case UInt8(ascii: "{"):
      if cursor.isAt("{{") { return .placeholder(try jsonPlaceholder(isInText: false)) }
      return try object()
    case UInt8(ascii: "["):
      cursor.position += 1
      var elements: [HurlJSON] = []
      skipWhitespace()
      if cursor.take("]") { return .array([]) }
      while true {
        elements.append(try json())
        skipWhitespace()
        if cursor.take("]") { return .array(elements) }
        guard cursor.take(",") else { throw expected(", or ] in JSON") }
      }
    case UInt8(ascii: "\""): return .string(try jsonString())
    case .some(let byte) where byte == UInt8(ascii: "-") || byte.isDigit:
      _ = cursor.take { $0.isDigit || $0.isLetter && ($0 | 0x20) == UInt8(ascii: "e") || "+-.".utf8.contains($0) }
      return .number(cursor.text(from: start))
    default:
      if cursor.take("true") { return .bool(true) }
      if cursor.take("false") { return .bool(false) }
      if cursor.take("null") { return .null }
      throw expected("a JSON value")
    }
  }

  private mutating func object() throws(HurlSyntaxError) -> HurlJSON {
    cursor.position += 1
    var members: [(key: HurlText, value: HurlJSON)] = []
    skipWhitespace()
    if cursor.take("}") { return .object([]) }
    while true {
      skipWhitespace()
      guard cursor.peek == UInt8(ascii: "\"") else { throw expected("a key in quotes") }
      let key = try jsonString()
      skipWhitespace()
      guard cursor.take(":") else { throw expected(": after the key") }
      members.append((key, try json()))
      skipWhitespace()
      if cursor.take("}") { return .object(members) }
      guard cursor.take(",") else { throw expected(", or } in JSON") }
    }
  }

  private mutating func jsonString() throws(HurlSyntaxError) -> HurlText {
    let start = cursor.position
    cursor.position += 1
    var collector = Collector()
    var surrogate: UInt32?
    while let byte = cursor.peek, byte != UInt8(ascii: "\"") {
      if cursor.isAt("{{") {
        collector.add(try jsonPlaceholder(isInText: true))
      } else if byte == UInt8(ascii: "\\") {
        try jsonEscape(into: &collector.text, &surrogate)
      } else if byte < 0x20 {
        throw expected("no line end or control character in a JSON string")
      } else if let character = cursor.next() {
        collector.text.append(character)
      }
    }
    guard cursor.take("\"") else { throw failure("this JSON string is not closed", from: start) }
    return collector.finish(cursor.range(from: start))
  }

  private mutating func jsonPlaceholder(isInText: Bool) throws(HurlSyntaxError) -> HurlPlaceholder {
    let placeholder = try placeholder()
    jsonPlaces.append(HurlJSONPlace(placeholder: placeholder, isInText: isInText))
    return placeholder
  }

  private mutating func jsonEscape(into text: inout String, _ surrogate: inout UInt32?) throws(HurlSyntaxError) {
    let start = cursor.position
    cursor.position += 1
    switch cursor.next() {
    case "n": text += "\n"
    case "r": text += "\r"
    case "t": text += "\t"
    case "b": text += "\u{08}"
    case "f": text += "\u{0C}"
    case "\"": text += "\""
    case "\\": text += "\\"
    case "/": text += "/"
    case "u":
      let digits = String((0..<4).compactMap { _ in cursor.next() })
      guard digits.count == 4, let unit = UInt32(digits, radix: 16) else {
        throw failure("this is not the number of a character", from: start)
      }
      if let high = surrogate, (0xDC00...0xDFFF).contains(unit) {
        surrogate = nil
        let value = 0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00)
        text += Unicode.Scalar(value).map { String(Character($0)) } ?? "\u{FFFD}"
      } else if (0xD800...0xDBFF).contains(unit) {
        surrogate = unit
      } else {
        text += Unicode.Scalar(unit).map { String(Character($0)) } ?? "\u{FFFD}"
      }
    default: throw failure("this escape means nothing in JSON", from: start)
    }
  }

  private mutating func skipWhitespace() {
    while let byte = cursor.peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { cursor.position += 1 }
  }
}
