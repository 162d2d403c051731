/// Text as a terminal shows it, with nothing in it that the terminal would obey: the only place where that is decided.
public enum VisibleText {
  struct Cell {
    var text: String
    var width: Int
  }

  /// One line of text with control and bidirectional characters replaced by visible ones.
  public static func escape(_ text: String) -> String {
    guard !isPlain(text), isChanged(text) else { return text }
    var scalars = String.UnicodeScalarView()
    let all = text.unicodeScalars
    for index in all.indices {
      scalars.append(isUsualJoiner(at: index, in: all) ? all[index] : replacement(for: all[index]) ?? all[index])
    }
    return String(scalars)
  }

  /// The same, but line ends and tabs are kept: for text of several lines.
  public static func escapeKeepingLines(_ text: String) -> String {
    guard !isPlain(text, keeping: (0x09, 0x0A)), isChanged(text, keeping: "\n\t") else { return text }
    var scalars = String.UnicodeScalarView()
    let all = text.unicodeScalars
    for index in all.indices {
      let scalar = all[index]
      // A carriage return that belongs to a line end is not shown.
      if scalar == "\n", scalars.last == "\u{240D}" { scalars.removeLast() }
      let isKept = scalar == "\n" || scalar == "\t" || isUsualJoiner(at: index, in: all)
      scalars.append(isKept ? scalar : replacement(for: scalar) ?? scalar)
    }
    return String(scalars)
  }

  /// Whether it has printable ASCII only: true for nearly every text.
  private static func isPlain(_ text: String, keeping kept: (UInt8, UInt8) = (0x20, 0x20)) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      // Without a branch, so that many are looked at together.
      var others: UInt8 = 0
      for byte in bytes { others |= byte &- 0x20 < 0x5F || byte == kept.0 || byte == kept.1 ? 0 : 1 }
      return others == 0
    }
  }

  /// Whether anything in it may be replaced: letters of other scripts are not.
  private static func isChanged(_ text: String, keeping kept: String = "") -> Bool {
    text.unicodeScalars.contains { scalar in
      (replacement(for: scalar) != nil || isJoiner(scalar)) && !kept.unicodeScalars.contains(scalar)
    }
  }

  /// The characters of a line with their widths; a tab is four spaces.
  static func cells(_ text: String) -> [Cell] {
    text.map { character in
      if character == "\t" { return Cell(text: "    ", width: 4) }
      let visible = escape(String(character))
      return Cell(text: visible, width: width(of: visible))
    }
  }

  static func width(_ cells: [Cell]) -> Int {
    cells.reduce(0) { $0 + $1.width }
  }

  /// The visible replacement of a scalar that is not shown as it is: control pictures for C0 and DEL, U+FFFD for
  /// others.
  private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value)
    case 0x7F: "\u{2421}"
    case 0x80...0x9F, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200F,
      0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
      0xE0000...0xE0FFF:
      "\u{FFFD}"
    default: nil
    }
  }

  /// A zero-width joiner or non-joiner.
  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

  /// Whether a joiner is where writing uses one: between emoji, or between letters of scripts whose letters join.
  private static func isUsualJoiner(at index: String.Index, in scalars: String.UnicodeScalarView) -> Bool {
    guard isJoiner(scalars[index]), index > scalars.startIndex else { return false }
    let next = scalars.index(after: index)
    guard next < scalars.endIndex else { return false }
    let (before, after) = (scalars[scalars.index(before: index)], scalars[next])
    if scalars[index] == "\u{200D}", isPartOfEmoji(before), isPartOfEmoji(after) { return true }
    return isJoining(before) && isJoining(after)
  }

  private static func isPartOfEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || (scalar.properties.isEmoji && scalar.value > 0x7F)
  }

  /// Arabic, Syriac, the scripts of India and their neighbors, Mongolian.
  private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0600...0x109F, 0x1780...0x18AF, 0xFB50...0xFDFF, 0xFE70...0xFEFE: true
    default: false
    }
  }

  /// The columns that one character takes (UAX #11: wide and full-width ones take two).
  private static func width(of text: String) -> Int {
    var width = 0
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: continue
      default: width = max(width, isWide(scalar) ? 2 : 1)
      }
    }
    return width
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }
}
