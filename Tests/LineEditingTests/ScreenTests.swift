import Testing

@testable import LineEditing

@Suite("What is written to the screen")
struct ScreenTests {
  @Test(
    "colors in a prompt take no space, and none is lost",
    arguments: [
      ("plain> ", "plain> ", "plain> "),
      ("\u{1B}[1;32mgreen\u{1B}[0m> ", "\u{1}\u{1B}[1;32m\u{1}green\u{1}\u{1B}[0m\u{1}> ", "green> "),
      ("a\u{1B}[1m\u{1B}[31mb> \u{1B}[0m", "a\u{1}\u{1B}[1m\u{1B}[31m\u{1}b> \u{1}\u{1B}[0m\u{1} ", "ab> "),
      ("no\u{7}\n\u{1B}[2J\u{1}> ", "no[2J> ", "no[2J> "),
    ])
  func prompt(text: String, encoded: String, plain: String) {
    #expect(EditorPrompt(text).encoded == encoded)
    #expect(EditorPrompt(text).plainText == plain)
  }

  @Test(
    "the cursor's row is known",
    arguments: [
      ("> ", "", 0, 0, 0),
      ("> ", "abc", 3, 0, 0),
      ("> ", "12345678", 8, 1, 1),
      ("> ", "12345678", 7, 0, 1),
      ("> ", "one\ntwo\nthree", 5, 1, 2),
      ("> ", "1234567日", 7, 0, 1),
      ("> ", "日本語日本語", 6, 1, 1),
      ("> ", "a\tb", 3, 0, 0),
      ("> ", "1234567\u{1}x", 8, 1, 1),
    ])
  func layout(prompt: String, line: String, cursor: Int, row: Int, last: Int) {
    withUTF8Locale {
      let layout = ScreenLayout(prompt: prompt, line: line, cursor: cursor, columns: 10)
      #expect(layout.lastRow == last)
      #expect(layout.cursorRow == row)
    }
  }

  @Test(
    "pasted text keeps its lines and loses anything that could control the terminal",
    arguments: [
      ("a\r\nb\rc\n", "a\nb\nc"),
      ("\tx\u{1B}[31m\u{7}", "\tx[31m"),
      ("\n\n", ""),
      ("größe 日本語", "größe 日本語"),
    ])
  func paste(text: String, cleaned: String) {
    #expect(BracketedPaste.cleaned(text) == cleaned)
  }

  @Test(
    "up and down keep the column in a text of several lines",
    arguments: [
      ("abc", 1, nil, nil),
      ("abc\nd\nefgh", 2, nil, 5),
      ("abc\nd\nefgh", 5, 1, 7),
      ("abc\nd\nefgh", 9, 5, nil),
      ("\n", 0, nil, 1),
      ("\n", 1, 0, nil),
    ] as [(String, Int, Int?, Int?)])
  func lines(text: String, cursor: Int, above: Int?, below: Int?) {
    let position = LinePosition(in: text, at: cursor)
    #expect(position.above == above)
    #expect(position.below == below)
  }
}
