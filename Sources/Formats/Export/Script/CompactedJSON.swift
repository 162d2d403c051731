internal import JSONValue

/// A JSON text without the spaces between its values: what it says, and how that is written.
struct CompactedJSON: Equatable {
  private let bytes: [UInt8]

  init(_ text: some Sequence<UInt8>) {
    var bytes: [UInt8] = []
    var (isInString, isEscaped) = (false, false)
    for byte in text {
      if !isInString, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { continue }
      bytes.append(byte)
      if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
    }
    self.bytes = bytes
  }

  /// The value of a text that `json` writes the same way but for spaces; nil: it is not JSON, or is written in another way,
  /// such as with `\u0027` for `'`, and is kept as it was sent.
  static func value(of text: [UInt8]) -> JSON? {
    guard let json = try? JSON(parsing: text), CompactedJSON(text).bytes == JSONPrinter.compact.print(json) else {
      return nil
    }
    return json
  }
}
