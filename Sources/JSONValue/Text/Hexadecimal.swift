extension Sequence<UInt8> {
  /// The bytes as lowercase hexadecimal digits.
  package var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(underestimatedCount * 2)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension FixedWidthInteger {
  /// At least that many lowercase hexadecimal digits.
  package func hex(_ width: Int) -> String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
