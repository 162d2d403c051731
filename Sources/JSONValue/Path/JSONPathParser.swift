/// Reads RFC 9535, with one method per production.
struct JSONPathParser {
  static let depthLimit = 128

  let bytes: [UInt8]
  let dialect: JSONPath.Dialect
  var position = 0
  private var depth = 0

  init(_ text: some StringProtocol, dialect: JSONPath.Dialect) {
    bytes = Array(text.utf8)
    self.dialect = dialect
  }

  /// `jsonpath-query = root-identifier segments`
  mutating func path() throws(JSONPathSyntaxError) -> JSONPath {
    guard take("$") else { throw error(.expected(.root)) }
    let path = JSONPath(try segments())
    guard position == bytes.count else { throw error(.trailingText) }
    return path
  }

  /// `logical-expr`, with nothing after it.
  mutating func wholeFilter() throws(JSONPathSyntaxError) -> JSONPath.Filter {
    skipWhitespace()
    let filter = try filter()
    skipWhitespace()
    guard position == bytes.count else { throw error(.expected(.bracketOrOperator)) }
    return filter
  }

  /// `segments = *(S segment)`
  mutating func segments() throws(JSONPathSyntaxError) -> [JSONPath.Segment] {
    var segments: [JSONPath.Segment] = []
    while true {
      let end = position
      skipWhitespace()
      if peek == UInt8(ascii: "[") {
        segments.append(.child(try bracketedSelection()))
      } else if take("..") {
        segments.append(.descendant(try shorthand(allowsBracket: true)))
      } else if take(".") {
        segments.append(.child(try shorthand(allowsBracket: false)))
      } else {
        position = end
        return segments
      }
    }
  }

  /// `wildcard-selector / member-name-shorthand`, and after two dots `bracketed-selection`
  private mutating func shorthand(allowsBracket: Bool) throws(JSONPathSyntaxError) -> [JSONPath.Selector] {
    if take("*") { return [.wildcard] }
    if allowsBracket, peek == UInt8(ascii: "[") { return try bracketedSelection() }
    guard let name = try memberName() else { throw error(.expected(.name)) }
    return [.name(name)]
  }

  /// `member-name-shorthand`; nil if none starts here.
  mutating func memberName() throws(JSONPathSyntaxError) -> String? {
    let start = position
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
        position += 1
      case 0x80...:
        let length = bytes.withUnsafeBufferPointer { UTF8Sequence.length(at: position, in: $0) }
        guard length > 0 else { throw error(.invalidUTF8) }
        position += length
      case UInt8(ascii: "0")...UInt8(ascii: "9") where position > start:
        position += 1
      case UInt8(ascii: "-") where dialect == .reference && position > start && joinsName(position + 1):
        position += 1
      default:
        return position > start ? text(from: start) : nil
      }
    }
    return position > start ? text(from: start) : nil
  }

  /// Whether the character there can be within a name, so that a `-` before it joins.
  private func joinsName(_ index: Int) -> Bool {
    guard index < bytes.count else { return false }
    switch bytes[index] {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      return true
    default: return false
    }
  }

  /// `bracketed-selection = "[" S selector *(S "," S selector) S "]"`
  private mutating func bracketedSelection() throws(JSONPathSyntaxError) -> [JSONPath.Selector] {
    try nested { parser throws(JSONPathSyntaxError) in
      parser.position += 1
      var selectors: [JSONPath.Selector] = []
      repeat {
        parser.skipWhitespace()
        selectors.append(try parser.selector())
        parser.skipWhitespace()
      } while parser.take(",")
      guard parser.take("]") else { throw parser.error(.expected(.commaOrBracket)) }
      return selectors
    }
  }

  private mutating func selector() throws(JSONPathSyntaxError) -> JSONPath.Selector {
    switch peek ?? 0 {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .name(try string())
    case UInt8(ascii: "*"):
      position += 1
      return .wildcard
    case UInt8(ascii: "?"):
      position += 1
      skipWhitespace()
      return .filter(try filter())
    case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return try indexOrSlice()
    default: throw error(.expected(.selector))
    }
  }

  /// `int`, or `[start S] ":" S [end S] [":" [S step]]`
  private mutating func indexOrSlice() throws(JSONPathSyntaxError) -> JSONPath.Selector {
    let start = try integer()
    let end = position
    skipWhitespace()
    guard take(":") else {
      position = end
      guard let start else { throw error(.expected(.selector)) }
      return .index(start)
    }
    skipWhitespace()
    var slice = JSONPath.Slice(start: start)
    slice.end = try integer()
    skipWhitespace()
    if take(":") {
      skipWhitespace()
      slice.step = try integer() ?? 1
    }
    return .slice(slice)
  }

  /// `int = "0" / (["-"] DIGIT1 *DIGIT)`, within I-JSON's range; nil if none starts here.
  private mutating func integer() throws(JSONPathSyntaxError) -> Int? {
    let start = position
    _ = take("-")
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { return nil }
    let digits = bytes[start..<position].drop { $0 == UInt8(ascii: "-") }
    guard let value = Int(text(from: start)), value.magnitude < 1 << 53,
      digits.first != UInt8(ascii: "0") || position - start == 1
    else { throw error(.invalidInteger, at: start) }
    return value
  }
}

extension JSONPathParser {
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ expected: StaticString) -> Bool {
    let length = expected.utf8CodeUnitCount
    guard position + length <= bytes.count else { return false }
    for index in 0..<length where bytes[position + index] != expected.utf8Start[index] { return false }
    position += length
    return true
  }

  /// `S = *B`: space, tab, line feed, carriage return
  mutating func skipWhitespace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }

  func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

  func error(_ fact: JSONPathSyntaxError.Fact, at offset: Int? = nil) -> JSONPathSyntaxError {
    JSONPathSyntaxError(fact, at: offset ?? position, in: bytes)
  }

  /// Refuses anything nested too deeply for a recursive parser.
  mutating func nested<Result>(
    _ body: (inout JSONPathParser) throws(JSONPathSyntaxError) -> Result
  ) throws(JSONPathSyntaxError) -> Result {
    guard depth < Self.depthLimit else { throw error(.nestedTooDeeply(limit: Self.depthLimit)) }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }
}

extension JSONPath {
  /// Parses a whole path in RFC 9535's syntax.
  public init(_ text: some StringProtocol) throws(JSONPathSyntaxError) {
    var parser = JSONPathParser(text, dialect: .standard)
    self = try parser.path()
  }
}

extension JSONPath.Filter {
  /// Parses a condition: the text after the `?` of a filter selector.
  public init(_ text: some StringProtocol, dialect: JSONPath.Dialect = .standard) throws(JSONPathSyntaxError) {
    var parser = JSONPathParser(text, dialect: dialect)
    self = try parser.wholeFilter()
  }
}
