internal import CEditLine
internal import POSIX

/// Where the prompt and the line are on a screen of a given width, as libedit draws them.
struct ScreenLayout: Hashable {
  /// The row of the cursor, counted from the prompt's first.
  let cursorRow: Int
  /// The last row that is drawn on.
  let lastRow: Int

  /// - Parameter cursor: how many of the line's scalars are before the cursor.
  init(prompt: String, line: String, cursor: Int, columns: Int) {
    var pen = Pen(columns: max(2, columns))
    for scalar in prompt.unicodeScalars { pen.draw(scalar) }
    var cursorRow: Int?
    for (index, scalar) in line.unicodeScalars.enumerated() {
      if index == cursor { cursorRow = pen.row }
      pen.draw(scalar)
    }
    self.cursorRow = cursorRow ?? pen.row
    lastRow = pen.row
  }

  private struct Pen {
    let columns: Int
    var row = 0
    var column = 0

    mutating func draw(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "\n":
        row += 1
        column = 0
      case "\t":
        repeat { advance(by: 1) } while column % 8 != 0
      default:
        advance(by: Self.width(of: scalar))
      }
    }

    private mutating func advance(by width: Int) {
      if column + width > columns {
        row += 1
        column = 0
      }
      column += width
      if column == columns {
        row += 1
        column = 0
      }
    }

    /// Control characters are drawn as `^X`, unprintable ones as `\U+xxxx`.
    private static func width(of scalar: Unicode.Scalar) -> Int {
      if scalar.value < 0x20 || scalar.value == 0x7F { return 2 }
      let width = Int(wcwidth(wchar_t(bitPattern: scalar.value)))
      if width >= 0 { return width }
      return scalar.value > 0xFFFF ? 8 : 7
    }
  }
}

/// How many cells a text takes; 0 for unprintable characters.
func displayWidth(_ text: String) -> Int {
  text.unicodeScalars.reduce(0) { width, scalar in
    width + (scalar.isASCII ? 1 : max(0, Int(wcwidth(wchar_t(bitPattern: scalar.value)))))
  }
}
