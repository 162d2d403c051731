internal import JSONValue

/// Writes a record as JSON straight into bytes: it is done for each step, between two requests.
struct RecordWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func object(_ body: (inout RecordWriter) -> Void) { block("{", "}", body) }

  mutating func array(_ body: (inout RecordWriter) -> Void) { block("[", "]", body) }

  /// A member's name; its value is written next. It has nothing that would have to be escaped.
  mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func member(_ name: StaticString, _ text: String) {
    self.name(name)
    string(text)
  }

  mutating func member(_ name: StaticString, _ number: Int) {
    self.name(name)
    self.number(number)
  }

  mutating func string(_ text: String) {
    separate()
    var text = text
    let isPlain = text.withUTF8 { text in
      for byte in text where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: text)
      bytes.append(UInt8(ascii: "\""))
      return true
    }
    if !isPlain { bytes.append(contentsOf: JSONPrinter.compact.print(.string(text))) }
    needsComma = true
  }

  mutating func number(_ number: Int) {
    separate()
    guard number >= 0 else {
      bytes.append(contentsOf: String(number).utf8)
      return needsComma = true
    }
    let start = bytes.count
    var rest = number
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
    needsComma = true
  }

  mutating func fields(_ fields: [RecordedRequest.Field]) {
    array { list in
      for field in fields {
        list.array {
          $0.string(field.name)
          $0.string(field.value)
        }
      }
    }
  }

  private mutating func block(
    _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ body: (inout RecordWriter) -> Void
  ) {
    separate()
    bytes.append(UInt8(ascii: opening))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: closing))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}
