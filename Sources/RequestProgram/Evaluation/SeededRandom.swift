import Crypto
import Diagnostics
import JSONValue
import Requests

/// The random values of a step seed: a call at one place in a script gets the same one whenever it is evaluated again
/// with the same seed.
struct SeededRandom {
  private let digest: [UInt8]

  init(_ moment: StepSeed, at range: SourceRange, in source: SourceText) {
    var hash = SHA256()
    withUnsafeBytes(of: moment.seed.bigEndian) { hash.update(bufferPointer: $0) }
    hash.update(data: Array("\(range.lowerBound) \(source.name)".utf8))
    digest = Array(hash.finalize())
  }

  /// A version 4 UUID (RFC 9562 §5.4).
  var uuid: String {
    var bytes = Array(digest.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = ""
    for (index, digit) in bytes.hex.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }

  /// Uniform over the range: the bias of 128 bits is negligible.
  func number(in range: ClosedRange<Int>) -> Int {
    let bits = digest.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    let width = UInt128(Int128(range.upperBound) - Int128(range.lowerBound)) + 1
    return Int(Int128(range.lowerBound) + Int128(bits % width))
  }
}
