internal import RequestSyntax

/// Bytes of a shell's word that are no text, `$'\x89PNG'`, while its line is read as if it were text. What is made of the
/// line has the bytes in their place, where it can hold any.
package enum ShellBytes {
  /// The one that stands for the byte 0. No text that people write has these.
  private static let first: UInt32 = 0x10FE00

  /// Whether the text has a byte that is no text.
  package static func isIn(_ text: String) -> Bool {
    // Most texts have nothing of that plane.
    text.utf8.contains(0xF4) && text.unicodeScalars.contains { byte($0) != nil }
  }

  /// The bytes as text, with marks in the place of those that are none.
  package static func text(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    var (parser, input, position) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0)
    while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let encoded):
        text.append(Unicode.UTF8.decode(encoded))
        position += encoded.count
      case .error(let length):
        text.append(contentsOf: bytes[position..<position + length].map(mark))
        position += length
      case .emptyInput: return String(text)
      }
    }
  }

  /// What `text(of:)` was made from.
  static func bytes(of text: String) -> [UInt8] {
    if !isIn(text) { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { byte($0).map { [$0] } ?? Array(String($0).utf8) }
  }

  /// The text as a value: bytes where it has any.
  static func expression(_ text: String) -> ExpressionSyntax {
    // Those of a variable are not known here.
    isIn(text) && !ShellVariable.isIn(text) ? ExpressionSyntax(bytes: bytes(of: text)) : .text(text)
  }

  private static func mark(_ byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(first + UInt32(byte)) ?? "\u{FFFD}"
  }

  private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    scalar.value < first ? nil : UInt8(exactly: scalar.value - first)
  }
}
