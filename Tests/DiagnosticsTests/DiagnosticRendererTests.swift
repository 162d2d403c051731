import Diagnostics
import Testing

struct DiagnosticRendererTests {
  private func render(
    _ text: String, _ lower: Int, _ upper: Int, label: String? = nil, notes: [String] = [], width: Int = 100
  ) -> String {
    let source = SourceText(name: "a.wb", text: text)
    let diagnostic = Diagnostic("it is wrong", in: source, at: SourceRange(lower, upper), label: label, notes: notes)
    return DiagnosticRenderer(width: width).render(diagnostic)
  }

  @Test func `a range is underlined with its label, and notes follow`() {
    let text = String(repeating: "\n", count: 20) + "    POST $alocate.body"
    #expect(
      render(text, 29, 37, label: "did you mean $allocate?", notes: ["step 1 returned 201"]) == """
        error: it is wrong
          --> a.wb:21:10
           |
        21 |     POST $alocate.body
           |          ^^^^^^^^ did you mean $allocate?
           = step 1 returned 201

        """)
  }

  @Test(arguments: [
    ("\tx", 1, "    x", 4), ("日本x", 6, "日本x", 4), ("e\u{301}x", 3, "e\u{301}x", 1), ("😀x", 4, "😀x", 2),
    ("\u{1B}[31mx", 5, "␛[31mx", 5), ("ab", 2, "ab", 2), ("", 0, "", 0), ("ab\r\ncd", 2, "ab", 2), ("ab", 99, "ab", 2),
  ])
  func `carets are below their character whatever is before it`(text: String, offset: Int, line: String, column: Int) {
    let lines = render(text, offset, offset + 1).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[3] == (line.isEmpty ? "1 |" : "1 | \(line)"))
    #expect(lines[4] == "  | " + String(repeating: " ", count: column) + "^")
  }

  @Test func `a long line is cut around the carets`() {
    let text = String(repeating: "a", count: 5_000_000) + "BAD" + String(repeating: "z", count: 5_000_000)
    let lines = render(text, 5_000_000, 5_000_003, width: 40).split(separator: "\n")
    #expect(lines[1].hasSuffix(":1:5000001"))
    #expect(lines[3].count <= 4 + 40)
    let caret = lines[4].firstIndex(of: "^")?.utf16Offset(in: lines[4]) ?? 0
    #expect(Array(lines[3])[caret..<caret + 3] == ["B", "A", "D"])
    #expect(lines[3].hasPrefix("1 | …") && lines[3].hasSuffix("…"))
  }

  @Test(arguments: [24, 80, 99, 200]) func `on a terminal the line and its carets fit`(columns: Int) {
    let text = "POST http://a.test/" + String(repeating: "x", count: 60) + "BAD" + String(repeating: "z", count: 60)
    let source = SourceText(name: "a.wb", text: text)
    let renderer = DiagnosticRenderer(columns: columns)
    let lines = renderer.render(Diagnostic("it is wrong", in: source, at: SourceRange(79, 82))).split(separator: "\n")
    #expect(lines[3].count <= columns && lines[3].count > min(columns, 104) - 8, "\(lines[3])")
    let caret = lines[4].firstIndex(of: "^")?.utf16Offset(in: lines[4]) ?? 0
    #expect(Array(lines[3])[caret..<caret + 3] == ["B", "A", "D"])
  }

  @Test func `on a terminal a label that does not fit after its carets has its own line`() {
    let source = SourceText(name: "a.wb", text: "GET http://a.test/x y")
    let diagnostic = Diagnostic(
      "it is wrong", in: source, at: SourceRange(20, 21), label: "write something else", notes: ["more"])
    let wide = DiagnosticRenderer(columns: 80).render(diagnostic)
    #expect(wide.hasSuffix("  |                     ^ write something else\n  = more\n"), "\(wide)")
    let narrow = DiagnosticRenderer(columns: 40).render(diagnostic)
    #expect(narrow.hasSuffix("  |                     ^\n  = write something else\n  = more\n"), "\(narrow)")
  }

  @Test func `any offsets into any bytes can be rendered`() {
    let bytes: [UInt8] = [0xFF, 0x0A, 0xC3, 0x28, 0x09, 0xE2, 0x82, 0x0A, 0xF0, 0x9F]
    let source = SourceText(name: "x", bytes: bytes)
    for lower in -1...12 {
      for upper in lower...13 {
        let diagnostic = Diagnostic("no", in: source, at: SourceRange(lower, upper))
        #expect(DiagnosticRenderer(width: 20).render(diagnostic).hasPrefix("error: no\n"))
      }
    }
  }

  @Test func `a marked range is shown whole if the line has room for it`() {
    let text = "  auth " + String(repeating: "x", count: 80)
    let lines = render(text, 2, text.utf8.count).split(separator: "\n")
    #expect(lines[3] == "1 | \(text)")
    #expect(lines[4] == "  |   " + String(repeating: "^", count: 85))
  }

  @Test func `a name of megabytes is cut wherever it is shown`() {
    let name = String(repeating: "n", count: 10_000_000)
    let source = SourceText(name: name, text: name)
    let diagnostic = Diagnostic("no \(name)", in: source, at: source.range, label: name, notes: [name])
    let rendered = DiagnosticRenderer().render(diagnostic)
    #expect(rendered.utf8.count < 5_000)
    #expect(rendered.hasPrefix("error: no nnn"))
  }

  @Test func `errors at the end of a long line, with and without wide characters, have the right column`() {
    let source = SourceText(name: "x", text: String(repeating: "a", count: 10_000_000))
    #expect(source.location(of: 9_999_999).column == 10_000_000)
    let wide = SourceText(name: "x", text: String(repeating: "日", count: 100_000) + "\r")
    #expect(wide.location(of: 300_000).column == 100_001)
  }

  @Test func `server text in a message cannot reach the terminal as a control sequence`() {
    let source = SourceText(name: "x", text: "a")
    let rendered = DiagnosticRenderer().render(Diagnostic("\u{1B}]0;t\u{7}", in: source, at: SourceRange(0, 1)))
    #expect(!rendered.unicodeScalars.contains { $0.value == 0x1B || $0.value == 7 })
  }
}

struct SpellingSuggestionTests {
  @Test(arguments: [
    ("alocate", "allocate"), ("url", "upload_url"), ("exepct", "expect"), ("Status", "status"), ("zzz", nil),
    ("a", nil), ("CURL_PASSWORD", nil), ("LOCL_PASWORD", "LOCAL_PASSWORD"),
  ])
  func `the nearest name is suggested, if one is near enough`(name: String, expected: String?) {
    let names = ["allocate", "upload_url", "expect", "status", "fields", "LOCAL_PASSWORD"]
    #expect(SpellingSuggestion.nearest(to: name, among: names) == expected)
  }
}
