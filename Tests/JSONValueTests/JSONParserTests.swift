import JSONValue
import Testing

@Suite struct JSONParserTests {
  private func error(_ bytes: some Sequence<UInt8>) -> JSONSyntaxError? {
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: bytes) }
  }

  @Test(
    arguments: [
      ("", .expected(.value), 0), ("  ", .expected(.value), 2), ("tru", .expected(.value), 0),
      ("nulL", .expected(.value), 0), ("[1,]", .expected(.value), 3), ("[", .expected(.valueOrArrayEnd), 1),
      ("[,", .expected(.valueOrArrayEnd), 1), ("[1 2]", .expected(.commaOrArrayEnd), 3),
      ("[1}", .expected(.commaOrArrayEnd), 2), ("{", .expected(.keyOrObjectEnd), 1),
      ("{a:1}", .expected(.keyOrObjectEnd), 1), ("{\"a\":1,}", .expected(.key), 7),
      ("{\"a\" 1}", .expected(.colon), 5), ("{\"a\":}", .expected(.value), 5),
      ("{\"a\":1 \"b\"", .expected(.commaOrObjectEnd), 7), ("1 2", .trailingData, 2), ("[]]", .trailingData, 2),
      ("-", .expected(.digit), 1), ("-a", .expected(.digit), 1), ("01", .trailingData, 1), ("1.", .expected(.digit), 2),
      ("1.e1", .expected(.digit), 2), ("1e", .expected(.digit), 2), ("1e+", .expected(.digit), 3),
      ("+1", .expected(.value), 0), (".5", .expected(.value), 0), ("\"abc", .expected(.stringEnd), 4),
      ("\"abcdefghijkl", .expected(.stringEnd), 13), ("\"\\", .expected(.stringEnd), 2), ("\"\\x\"", .invalidEscape, 1),
      ("\"\\u12g4\"", .invalidEscape, 1), ("\"\\u+123\"", .invalidEscape, 1), ("\"\\u123", .invalidEscape, 1),
      ("\"ab\\ud800\"", .loneSurrogate, 3), ("\"\\ud800\\u0041\"", .loneSurrogate, 1),
      ("\"\\udc00\"", .loneSurrogate, 1), ("\"a\u{01}\"", .controlCharacter, 2), ("\"a\n\"", .controlCharacter, 2),
      ("\u{A0}1", .expected(.value), 0), ("'a'", .expected(.value), 0), ("[1]//", .trailingData, 3),
      ("{\"a\":1,/**/\"b\":2}", .expected(.key), 7),
    ] as [(String, JSONSyntaxError.Fact, Int)])
  func `invalid JSON is refused where it goes wrong`(text: String, fact: JSONSyntaxError.Fact, offset: Int) {
    let error = error(text.utf8)
    #expect(error?.fact == fact)
    #expect(error?.offset == offset)
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xC2], [0xC3, 0x28], [0xE0, 0x80, 0xAF], [0xE2, 0x28, 0xA1], [0xE2, 0x82],
      [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x28, 0x8C, 0xBC], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused at the first of them`(bytes: [UInt8]) {
    // At every distance from the end, since eight bytes are examined together.
    for padding in 0..<10 {
      let text = [0x22, 0x61, 0xC3, 0xA9] + bytes + Array(repeating: 0x62, count: padding) + [0x22]
      #expect(error(text)?.fact == .invalidUTF8)
      #expect(error(text)?.offset == 4)
    }
    #expect(error([0x22, 0x61] + bytes)?.fact == .invalidUTF8)
  }

  @Test func `a place is a line and a column of characters`() {
    let error = error("{\n  \"é𝄞\": [1,\r\n2], \"東\": x}".utf8)
    #expect(error?.line == 3)
    #expect(error?.column == 10)
    #expect(error.map { "\($0)" } == "expected a value at line 3, column 10")
  }

  @Test func `depth is limited, and deeper input overflows nothing`() throws {
    let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    _ = try JSON(parsing: nested(512))
    #expect(error(nested(513).utf8)?.fact == .nestedTooDeeply(limit: 512))
    #expect(error(nested(513).utf8)?.offset == 512)
    #expect(error(String(repeating: "[{\"a\":", count: 1_000_000).utf8)?.fact == .nestedTooDeeply(limit: 512))
    #expect(throws: JSONSyntaxError.self) { try JSONParser(depthLimit: 0).parse("[]".utf8) }
    #expect(try JSONParser(depthLimit: 0).parse("1".utf8) == 1)
    #expect(try JSONParser(depthLimit: 20_000).parse(nested(20_000).utf8).array?.count == 1)
  }

  @Test func `a byte order mark at the start is skipped, elsewhere it is not whitespace`() throws {
    #expect(try JSON(parsing: "\u{FEFF} {}") == [:])
    #expect(error("\u{FEFF}\u{FEFF}1".utf8)?.offset == 3)
    #expect(error("1\u{FEFF}".utf8)?.fact == .trailingData)
  }

  @Test(arguments: [
    (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{08}\u{0C}\n\r\t"), (#""\u0000""#, "\0"), (#""\u00e9\u00E9""#, "éé"),
    (#""\ud834\udD1E""#, "𝄞"), (#""\uffff""#, "\u{FFFF}"),
    (#""a long one with \u6771 within it""#, "a long one with 東 within it"),
    (#""\\u0041""#, "\\u0041"), (#""𝄞é東 \\""#, "𝄞é東 \\"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
  ])
  func `strings are what they stand for`(json: String, text: String) throws {
    #expect(try JSON(parsing: json) == .string(text))
    #expect(try JSON(parsing: "[\(json)]")[0].flatMap(\.string).map { Array($0.utf8) } == Array(text.utf8))
    #expect(try JSON(parsing: "{\(json):1}").object?.keys.first == text)
  }

  @Test func `any sequence of bytes is accepted`() throws {
    #expect(try JSON(parsing: [0x5B, 0x31, 0x5D]) == [1])
    #expect(try JSON(parsing: [0x20, 0x31, 0x5D][1..<2]) == 1)
    #expect(try JSON(parsing: AnySequence("[1]".utf8)) == [1])
    #expect(try JSON(parsing: "[[2]]".dropFirst().dropLast()) == [2])
  }

  @Test func `large arrays and objects are complete`() throws {
    let array = JSON.array((0..<200_000).map { ^$0 })
    #expect(try JSON(parsing: JSONPrinter.compact.print(array)) == array)
    let object = JSON.object(JSONObject((0..<100_000).map { ("key \($0)", [^$0]) }))
    #expect(try JSON(parsing: JSONPrinter.compact.print(object)) == object)
  }
}
