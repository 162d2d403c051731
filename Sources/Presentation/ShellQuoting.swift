internal import Diagnostics
internal import JSONValue

/// Words for a shell.
public enum ShellQuoting {
  /// The text as a single shell word, whatever it contains.
  public static func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", ":", "@", "%", "+", ",": true
      default: false
      }
    }
    if plain, !text.isEmpty { return text }
    if needsEscapes(text) { return cQuoted(text) }
    // Not by characters: a quotation mark followed by a combining mark is another character, but not to a shell.
    let pieces = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(pieces.map { String(Substring($0)) }.joined(separator: "'\\''"))'"
  }

  /// Whether any scalar in it would be lost when copied from a screen; line ends are not.
  public static func needsEscapes(_ text: String) -> Bool {
    text.utf8.contains { $0 == 0x09 || $0 == 0x0D } || VisibleText.escapeKeepingLines(text) != text
  }

  /// As `$'…'`, with everything invisible written by its number.
  private static func cQuoted(_ text: String) -> String {
    var quoted = "$'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case "!": quoted += "\\x21"
      default:
        guard needsEscapes(String(scalar)) else {
          quoted.unicodeScalars.append(scalar)
          continue
        }
        for byte in String(scalar).utf8 { quoted += "\\x\(byte.hex(2))" }
      }
    }
    return quoted + "'"
  }
}
