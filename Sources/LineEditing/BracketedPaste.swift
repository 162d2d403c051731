/// How the terminal marks pasted input: it encloses it in two key sequences (xterm control sequences, "Bracketed Paste
/// Mode").
enum BracketedPaste {
  static let enable = "\u{1B}[?2004h"
  static let disable: StaticString = "\u{1B}[?2004l"
  static let begin = "\u{1B}[200~"
  static let end = "\u{1B}[201~"

  /// The bytes of ``disable``, without allocation: a signal handler writes them.
  static func withDisablingBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    body(UnsafeBufferPointer(start: disable.utf8Start, count: disable.utf8CodeUnitCount))
  }

  /// The text to insert: line endings become line feeds, none at the end, and of other control characters only tabs
  /// remain.
  static func cleaned(_ text: String) -> String {
    var cleaned = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": cleaned.append("\n")
      case "\n": if previous != "\r" { cleaned.append("\n") }
      case "\t": cleaned.append(scalar)
      default: if scalar.properties.generalCategory != .control { cleaned.append(scalar) }
      }
      previous = scalar
    }
    while cleaned.last == "\n" { cleaned.removeLast() }
    return String(cleaned)
  }
}
