/// Whether a shell's command goes on in the next line: it is asked after each, and looks at every byte once.
struct CommandEnd {
  private enum Quote {
    case none, single, double
    /// `$'…'`, in which a backslash keeps a quotation mark.
    case escaped
  }

  private var quote = Quote.none
  private var isEscaped = false
  private var isComment = false
  /// What follows is a text of its own: `<<END`.
  private var isDocument = false
  /// The last bytes outside of quotation marks, without spaces.
  private var last: (UInt8, UInt8) = (0, 0)
  /// The byte before, whatever it is.
  private var previous = UInt8(ascii: "\n")

  /// Whether the last line ends with a backslash.
  var isContinued: Bool { isEscaped }

  var isOpen: Bool {
    if isEscaped || quote != .none { return true }
    if isDocument { return false }
    return last.1 == UInt8(ascii: "|") || last == (UInt8(ascii: "&"), UInt8(ascii: "&"))
  }

  mutating func add(_ text: String) {
    for byte in text.utf8 {
      step(byte)
      previous = byte
    }
  }

  private mutating func step(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
      if quote == .none, byte != UInt8(ascii: "\n") { note(byte) }
      return
    }
    switch (quote, byte) {
    case (_, UInt8(ascii: "\n")): isComment = false
    case (.none, _) where isComment: break
    case (.single, UInt8(ascii: "'")), (.escaped, UInt8(ascii: "'")), (.double, UInt8(ascii: "\"")): quote = .none
    case (.none, UInt8(ascii: "\\")), (.double, UInt8(ascii: "\\")), (.escaped, UInt8(ascii: "\\")): isEscaped = true
    case (.single, _), (.double, _), (.escaped, _): break
    case (.none, UInt8(ascii: "'")):
      quote = previous == UInt8(ascii: "$") ? .escaped : .single
      note(byte)
    case (.none, UInt8(ascii: "\"")):
      quote = .double
      note(byte)
    case (.none, UInt8(ascii: "#")) where previous == 0x20 || previous == 0x09 || previous == 0x0A: isComment = true
    case (.none, 0x20), (.none, 0x09): break
    case (.none, _): note(byte)
    }
  }

  private mutating func note(_ byte: UInt8) {
    last = (last.1, byte)
    if last == (UInt8(ascii: "<"), UInt8(ascii: "<")) { isDocument = true }
  }
}
