public import Foundation

extension Canary {
  /// Where a secret is in the bytes, in any form: as is, percent-encoded (once or more), escaped as in JSON, in hex, or
  /// in base64 in both alphabets at all three alignments. `Scripts/canary-search` looks for the same forms.
  public static func place(of secret: String, in bytes: Data) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let range = text.range(of: pattern(secret), options: .regularExpression) else { return nil }
    let start = text.index(range.lowerBound, offsetBy: -60, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(range.upperBound, offsetBy: 40, limitedBy: text.endIndex) ?? text.endIndex
    return "…\(text[start..<end])…"
  }

  private static func pattern(_ secret: String) -> String {
    let bytes = Array(secret.utf8)
    let hex = bytes.map { eitherCase(String(format: "%02x", $0)) }
    var forms = [
      zip(bytes, hex).map(spelled).joined(), hex.joined(separator: "[ :]?"),
    ]
    for shift in 0..<3 {
      let encoded = Array((Data(count: shift) + Data(bytes)).base64EncodedString())
      let core = String(encoded[(shift * 8 + 5) / 6..<(shift + bytes.count) * 8 / 6])
      let url = core.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      forms += [core, url].map(NSRegularExpression.escapedPattern)
    }
    return forms.joined(separator: "|")
  }

  private static func spelled(_ byte: UInt8, _ digits: String) -> String {
    let plain = NSRegularExpression.escapedPattern(for: String(UnicodeScalar(byte)))
    let slash = byte == UInt8(ascii: "/") ? #"|\\+/"# : ""
    return "(?:\(plain)|%(?:25)*\(digits)|\\\\+u00\(digits)\(slash))"
  }

  private static func eitherCase(_ digits: String) -> String {
    digits.map { $0.isLetter ? "[\($0)\($0.uppercased())]" : String($0) }.joined()
  }
}
