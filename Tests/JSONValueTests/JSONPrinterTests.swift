import JSONValue
import Testing

@Suite struct JSONPrinterTests {
  private let value: JSON = ["a": [1, "x\ny", []], "b": [:], "c": ["d": nil, "e": [true, false]]]

  @Test func `compact has no whitespace`() {
    #expect(
      String(decoding: JSONPrinter.compact.print(value), as: UTF8.self)
        == #"{"a":[1,"x\ny",[]],"b":{},"c":{"d":null,"e":[true,false]}}"#)
  }

  @Test func `pretty has one line per member, and none for an empty container`() {
    #expect(
      String(decoding: JSONPrinter.pretty.print(value), as: UTF8.self) == #"""
        {
          "a": [
            1,
            "x\ny",
            []
          ],
          "b": {},
          "c": {
            "d": null,
            "e": [
              true,
              false
            ]
          }
        }
        """#)
  }

  @Test func `only what must be escaped is`() {
    let text = String(String.UnicodeScalarView((0...0x80).compactMap { Unicode.Scalar($0) })) + "é東𝄞\u{2028}"
    let printed = "\(JSON.string(text))"
    #expect(printed.hasPrefix(#""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010"#))
    #expect(printed.contains(#"\u001f !\"#))
    #expect(printed.hasSuffix("[\\\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\u{7F}\u{80}é東𝄞\u{2028}\""))
  }

  @Test func `characters that a terminal would obey can be made visible, and it is the same JSON`() throws {
    let value: JSON = ["\u{7F}": "\u{9B}31m\u{202E}é\u{200B}\u{FEFF}𝄞\u{1B}"]
    let visible = JSONPrinter.visible("\(value)")
    #expect(visible == #"{"\u007f":"\u009b31m\u202eé\u200b\ufeff𝄞\u001b"}"#)
    #expect(try JSON(parsing: visible) == value)
  }

  @Test func `pieces have roles, and together they are the text`() {
    var pieces: [(String, JSONPrinter.Role)] = []
    JSONPrinter.pretty.print(value) { pieces.append(($0, $1)) }
    #expect(pieces.map(\.0).joined() == String(decoding: JSONPrinter.pretty.print(value), as: UTF8.self))
    #expect(pieces.filter { $0.1 == .key }.map(\.0) == [#""a""#, #""b""#, #""c""#, #""d""#, #""e""#])
    #expect(pieces.filter { $0.1 == .string }.map(\.0) == [#""x\ny""#])
    #expect(pieces.filter { $0.1 == .number }.map(\.0) == ["1"])
    #expect(pieces.filter { $0.1 == .literal }.map(\.0) == ["null", "true", "false"])
    #expect(!pieces.contains { $0.0.isEmpty })
  }

  @Test func `a large text is written in chunks, and an error of the sink ends it`() {
    struct Full: Error {}
    let large = JSON.array(Array(repeating: "some text that is a little longer", count: 20_000))
    var chunks: [[UInt8]] = []
    JSONPrinter.compact.print(large, chunks: { chunks.append($0) })
    #expect(chunks.count > 5)
    #expect(Array(chunks.joined()) == JSONPrinter.compact.print(large))
    var count = 0
    #expect(throws: Full.self) {
      try JSONPrinter.compact.print(
        large,
        chunks: { _ throws(Full) in
          count += 1
          if count == 2 { throw Full() }
        })
    }
    #expect(count == 2)
  }

  @Test func `a value that was not parsed may be deeper than one that can be`() {
    var value: JSON = 1
    for _ in 0..<5000 { value = [value] }
    #expect(JSONPrinter.compact.print(value).count == 10_001)
  }

  /// Eight bytes are looked at together, so each may be at each place.
  @Test func `what must be escaped is found wherever it is`() throws {
    for count in 1...20 {
      for place in 0..<count {
        for byte: UInt8 in [0x00, 0x1F, 0x20, 0x21, 0x22, 0x5B, 0x5C, 0x5D, 0x7F] {
          var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
          bytes[place] = byte
          let text = String(decoding: bytes, as: UTF8.self)
          let printed = JSONPrinter.compact.print(.string(text))
          let escape = byte == 0x22 || byte == 0x5C ? 1 : byte < 0x20 ? 5 : 0
          #expect(printed.count == count + 2 + escape)
          #expect(try JSON(parsing: printed) == .string(text))
        }
      }
    }
  }

  @Test func `a reprinted text keeps everything but its whitespace`() throws {
    let text = "\u{FEFF} { \"b\" : [ 1.0 , 1e400,\t-0 ],\n\"a\": \"\\u00e9\\/é\" , \"b\":{ } }"
    #expect(try JSONPrinter.compact.reprint(text.utf8) == Array(#"{"b":[1.0,1e400,-0],"a":"\u00e9\/é","b":{}}"#.utf8))
    #expect(throws: JSONSyntaxError.self) { try JSONPrinter.compact.reprint("[1,]".utf8) }
  }

  @Test(arguments: [
    ("[1, 23", "[1", false), ("[1, 2,", "[1,2", false), ("[1, \"ab", "[1", false), ("{\"a\": tru", "{\"a\"", false),
    ("{\"a", "{", false), ("[1, 2] ", "[1,2]", true), ("12", "12", true), ("", "", false),
  ])
  func `a text that was cut off is printed as far as it goes`(text: String, printed: String, isWhole: Bool) {
    var output = ""
    #expect(JSONPrinter.compact.reprint(asFarAsItGoes: text.utf8) { piece, _ in output += piece } == isWhole)
    #expect(output == printed)
  }
}
