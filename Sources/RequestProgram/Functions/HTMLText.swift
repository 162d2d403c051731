/// Characters that HTML writes as entities.
enum HTMLText {
  static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#x27;"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// Named entities that are common, and all numbered ones; anything else stands for itself.
  static func unescape(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var output = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      output += rest[..<start]
      rest = rest[start...]
      if let (character, length) = entity(rest) {
        output += character
        rest = rest.dropFirst(length)
      } else {
        output += "&"
        rest = rest.dropFirst()
      }
    }
    return output + rest
  }

  /// The entity that the text begins with, and how many characters it takes; its semicolon may be missing.
  private static func entity(_ text: Substring) -> (String, Int)? {
    let name = text.dropFirst().prefix(32).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }
    let length = 1 + name.count + (text.dropFirst(1 + name.count).first == ";" ? 1 : 0)
    if name.hasPrefix("#") {
      let isHexadecimal = name.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number) else {
        return nil
      }
      return (String(Character(scalar)), length)
    }
    return named[String(name)].map { ($0, length) }
  }

  private static let named = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®",
    "trade": "™", "euro": "€", "pound": "£", "yen": "¥", "cent": "¢", "sect": "§", "deg": "°", "hellip": "…",
    "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»",
    "times": "×", "middot": "·", "bull": "•", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö",
    "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "ecirc": "ê",
  ]
}
