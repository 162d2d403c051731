import Testing

@testable import JSONValue

/// A mapped file may be written to after it was checked: what is read then may be anything, but never beyond the end. A
/// debug build, as tests are, checks each read and write.
@Suite struct ChangedTextTests {
  private static let text = Array(
    #"{"a": [1, {"b\n\u00e9\ud834\udd1e": "x\\y"}, [], "long enough for a word"], "c": {"d": [true, null, -1.5e3]}}"#
      .utf8)

  private func walk(_ bytes: [UInt8]) throws {
    let paths = try ["$..*", "$.a[1]['b\\né']", "$.c.d[-1]", "$.a[1:3]", "$..[?@.d == 1]", "$..d"].map {
      try JSONPath($0)
    }
    bytes.withUnsafeBufferPointer { buffer in
      for path in paths {
        path.walk(JSONSlice(buffer), { _ in nil }, tracksLocations: true) { slice, trail in
          _ = slice.json
          _ = trail.location
        }
        path.walk(JSONSlice(buffer), { _ in nil }, tracksLocations: false) { slice, _ in _ = slice.text.count }
      }
    }
  }

  @Test func `a text that was cut off is walked to its end`() throws {
    for length in 0...Self.text.count { try walk(Array(Self.text.prefix(length))) }
  }

  @Test(arguments: Array("\"\\{}[]:,u \u{80}".utf8))
  func `a text that was overwritten is walked to its end`(byte: UInt8) throws {
    for index in Self.text.indices {
      var changed = Self.text
      changed[index] = byte
      try walk(changed)
    }
  }

  @Test(arguments: ["\\", "\\u", "\\u12", "\\ud834", "\\ud834\\u", "a\\ud834\\udd", "\\u00e", "\\ux\\u"])
  func `an escape that is no longer one takes no more space than it has`(text: String) {
    let bytes = Array(text.utf8)
    let decoded = bytes.withUnsafeBufferPointer {
      JSONEscape.decode(JSONScanner.StringToken(range: 0..<$0.count, hasEscapes: true), in: $0)
    }
    #expect(decoded.utf8.count <= bytes.count)
  }
}
