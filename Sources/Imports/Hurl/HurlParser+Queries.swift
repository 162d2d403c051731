import Diagnostics
import RequestSyntax

extension HurlParser {
  /// The queries, and whether each has an argument.
  private static let queries: [String: Bool] = [
    "status": false, "version": false, "url": false, "header": true, "cookie": true, "body": false, "xpath": true,
    "jsonpath": true, "regex": true, "variable": true, "duration": false, "bytes": false, "rawbytes": false,
    "sha256": false, "md5": false, "certificate": true, "ip": false, "redirects": false,
  ]

  /// The filters, and how many arguments each has.
  private static let filterArguments: [String: Int] = [
    "base64Decode": 0, "base64Encode": 0, "base64UrlSafeDecode": 0, "base64UrlSafeEncode": 0, "charsetDecode": 1,
    "count": 0, "dateFormat": 1, "daysAfterNow": 0, "daysBeforeNow": 0, "decode": 1, "first": 0, "format": 1,
    "htmlEscape": 0, "htmlUnescape": 0, "jsonpath": 1, "last": 0, "location": 0, "nth": 1, "regex": 1, "replace": 2,
    "replaceRegex": 2, "split": 1, "toDate": 1, "toFloat": 0, "toHex": 0, "toInt": 0, "toString": 0, "urlDecode": 0,
    "urlEncode": 0, "urlQueryParam": 1, "utf8Decode": 0, "utf8Encode": 0, "xpath": 1,
  ]

  /// Each is a level of the expression that they become.
  private static let mostFilters = 200

  private static let wordsWithValue: Set<String> = ["startsWith", "endsWith", "contains", "includes", "matches"]
  private static let wordsAlone: Set<String> = [
    "exists", "isBoolean", "isCollection", "isDate", "isEmpty", "isFloat", "isInteger", "isIpv4", "isIpv6", "isIsoDate",
    "isList", "isNumber", "isObject", "isString", "isUuid",
  ]

  mutating func captures() throws(HurlSyntaxError) -> [HurlCapture] {
    var captures: [HurlCapture] = []
    while true {
      let before = cursor
      let known = comments.count
      skipLines()
      cursor.skipSpaces()
      let start = cursor.position
      guard let name = try? keyString(), !name.pieces.isEmpty, case () = cursor.skipSpaces(), cursor.take(":") else {
        cursor = before
        comments.removeSubrange(known...)
        return captures
      }
      cursor.skipSpaces()
      let query = try query()
      let filters = try filters()
      cursor.skipSpaces()
      let isRedacted = cursor.take("redact")
      let range = cursor.range(from: start)
      try lineEnd(after: "the capture")
      captures.append(
        HurlCapture(name: name, query: query, filters: filters, isRedacted: isRedacted, range: range))
    }
  }

  mutating func asserts() throws(HurlSyntaxError) -> [HurlAssert] {
    var asserts: [HurlAssert] = []
    while true {
      let before = cursor
      let known = comments.count
      skipLines()
      cursor.skipSpaces()
      let start = cursor.position
      guard let word = peekWord(), Self.queries[word] != nil else {
        cursor = before
        comments.removeSubrange(known...)
        return asserts
      }
      let query = try query()
      let filters = try filters()
      let subject = SourceRange(start, filters.last?.range.upperBound ?? query.range.upperBound)
      cursor.skipSpaces()
      let isNegated = peekWord() == "not"
      if isNegated { _ = takeWord(3) }
      cursor.skipSpaces()
      let predicate = try predicate()
      cursor.skipSpaces()
      let value = Self.wordsAlone.contains(predicate.text) ? nil : try value()
      let range = cursor.range(from: start)
      try lineEnd(after: "the assert")
      asserts.append(
        HurlAssert(
          query: query, filters: filters, isNegated: isNegated, predicate: predicate, value: value, range: range,
          subjectRange: subject))
    }
  }

  private func peekWord() -> String? {
    var copy = cursor
    let word = copy.take { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    return word.isEmpty ? nil : word
  }

  private mutating func takeWord(_ length: Int) -> NameSyntax {
    let start = cursor.position
    cursor.position += length
    return NameSyntax(text: cursor.text(from: start), range: cursor.range(from: start))
  }

  private mutating func query() throws(HurlSyntaxError) -> HurlQuery {
    let start = cursor.position
    guard let name = peekWord(), let hasArgument = Self.queries[name] else {
      throw expected("a query such as status, header or jsonpath")
    }
    let node = takeWord(name.utf8.count)
    var argument: HurlArgument?
    if hasArgument {
      let space = cursor.position
      cursor.skipSpaces()
      guard cursor.position > space else { throw expected("a space after \(name)") }
      argument = name == "regex" && cursor.peek == UInt8(ascii: "/") ? .regex(try regex()) : .text(try quoted())
    }
    return HurlQuery(name: node, argument: argument, range: cursor.range(from: start))
  }

  mutating func filters() throws(HurlSyntaxError) -> [HurlFilter] {
    var filters: [HurlFilter] = []
    while true {
      let before = cursor
      cursor.skipSpaces()
      let start = cursor.position
      guard let name = peekWord(), let count = Self.filterArguments[name] else {
        cursor = before
        return filters
      }
      guard filters.count < Self.mostFilters else {
        throw failure("there are more than \(Self.mostFilters) filters after one query", from: start)
      }
      var filter = HurlFilter(name: takeWord(name.utf8.count), range: before.range(from: start))
      for _ in 0..<count {
        cursor.skipSpaces()
        filter.arguments.append(try argument(of: name))
      }
      filter.range = cursor.range(from: start)
      filters.append(filter)
    }
  }

  private mutating func argument(of filter: String) throws(HurlSyntaxError) -> HurlArgument {
    switch cursor.peek {
    case UInt8(ascii: "/") where filter == "regex" || filter == "replaceRegex": return .regex(try regex())
    case UInt8(ascii: "{") where cursor.isAt("{{"): return .placeholder(try placeholder())
    case .some(let byte) where filter == "nth" && (byte.isDigit || byte == UInt8(ascii: "-")):
      let start = cursor.position
      cursor.position += 1
      _ = cursor.take { $0.isDigit }
      return .number(cursor.text(from: start))
    default: return .text(try quoted())
    }
  }

  private mutating func predicate() throws(HurlSyntaxError) -> NameSyntax {
    for (symbol, length) in [("==", 2), ("!=", 2), (">=", 2), ("<=", 2), (">", 1), ("<", 1)] {
      var copy = cursor
      copy.position = min(cursor.position + length, cursor.source.bytes.count)
      if copy.text(from: cursor.position) == symbol { return takeWord(length) }
    }
    guard let name = peekWord(), Self.wordsWithValue.contains(name) || Self.wordsAlone.contains(name) else {
      throw expected("a predicate such as ==, contains or exists")
    }
    return takeWord(name.utf8.count)
  }

  private mutating func value() throws(HurlSyntaxError) -> HurlValue {
    let start = cursor.position
    let content = try valueContent()
    return HurlValue(content: content, range: cursor.range(from: start))
  }

  private mutating func valueContent() throws(HurlSyntaxError) -> HurlValue.Content {
    if cursor.isAt("```") {
      let (text, language) = try block()
      return .block(text, language: language)
    }
    if cursor.isAt("{{") { return .placeholder(try placeholder()) }
    if let bytes = try encoded() { return .bytes(bytes) }
    if let file = try file() { return .file(file) }
    switch cursor.peek {
    case UInt8(ascii: "\""): return .text(try quoted())
    case UInt8(ascii: "`"): return .text(try backticked())
    case UInt8(ascii: "/"): return .regex(try regex())
    case .some(let byte) where byte.isDigit || byte == UInt8(ascii: "-"):
      let start = cursor.position
      cursor.position += 1
      _ = cursor.take { $0.isDigit || "eE.+-".utf8.contains($0) }
      return .number(cursor.text(from: start))
    default:
      if cursor.take("true") { return .bool(true) }
      if cursor.take("false") { return .bool(false) }
      if cursor.take("null") { return .null }
      throw expected("a value")
    }
  }
}
