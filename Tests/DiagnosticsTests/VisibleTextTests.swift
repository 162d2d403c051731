import Diagnostics
import Testing

@Suite struct VisibleTextTests {
  @Test(arguments: [
    "a\u{200B}b", "a\u{2060}b", "a\u{FEFF}b", "a\u{202E}b", "a\u{2066}b", "a\u{00AD}b", "a\u{200D}b", "a\u{200C}b",
    "a\u{E0041}b", "a\u{3164}b", "a\u{180E}b", "a\u{206A}b", "a\u{061C}b", "a\u{034F}b",
  ])
  func `characters without width or that reverse the text are made visible`(text: String) {
    #expect(VisibleText.escape(text) == "a\u{FFFD}b")
    #expect(VisibleText.escapeKeepingLines("\(text)\n") == "a\u{FFFD}b\n")
  }

  @Test(arguments: [
    "👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}\u{200D}🔥", "می\u{200C}خواهم", "क्\u{200D}ष", "e\u{301}", "日本", "👍🏽",
  ])
  func `characters that writing needs are kept`(text: String) {
    #expect(VisibleText.escape(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(VisibleText.escapeKeepingLines(text).unicodeScalars.elementsEqual(text.unicodeScalars))
  }
}
