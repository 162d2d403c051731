internal import UploaderCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Writes records into bytes, one behind the other: it is done for each step, between two requests.
///
/// Steps are much alike. A text that is the same as at this place in the record before is a single zero, and a number is
/// how much more it is than the one before. `RecordReader` reads it in the same order.
struct RecordWriter {
  private enum Kind {
    /// No secret can stand in it.
    case open
    /// No secret stands in it.
    case searched
    /// Markers stand in it.
    case marked
  }

  private(set) var bytes: [UInt8] = []
  private let markers: SecretMarkers?
  /// The texts of the record before, or of this one as far as it is written: where they stand in the bytes.
  private var texts: [(place: Range<Int>, kind: Kind)] = []
  private var numbers: [Int] = []
  private var nextText = 0
  private var nextNumber = 0

  /// - Parameter markers: conceal what may hold a secret; nil: that is done.
  init(_ markers: SecretMarkers? = nil) {
    self.markers = markers
  }

  /// What comes next is another record.
  mutating func begin() { (nextText, nextNumber) = (0, 0) }

  mutating func number(_ number: Int) {
    if nextNumber == numbers.count { numbers.append(0) }
    let more = number &- numbers[nextNumber]
    if more != 0 { numbers[nextNumber] = number }
    nextNumber += 1
    // Small ones take one byte, whichever way they go.
    put(UInt(bitPattern: more << 1 ^ more >> (Int.bitWidth - 1)))
  }

  mutating func flag(_ isSet: Bool) { number(isSet ? 1 : 0) }

  /// A text in which no secret can stand.
  mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { put($0, .open) }
  }

  mutating func text(_ text: String?) {
    flag(text != nil)
    if let text { self.text(text) }
  }

  mutating func part(_ part: [UInt8]) { part.withUnsafeBufferPointer { put($0, .open) } }

  /// A text in which a secret may stand.
  mutating func concealed(_ text: String) {
    var text = text
    text.withUTF8 { conceal($0) }
  }

  mutating func concealed(_ part: [UInt8]) { part.withUnsafeBufferPointer { conceal($0) } }

  mutating func list<Element>(_ elements: [Element], _ write: (inout RecordWriter, Element) throws -> Void) rethrows {
    number(elements.count)
    for element in elements { try write(&self, element) }
  }

  private mutating func conceal(_ text: UnsafeBufferPointer<UInt8>) {
    // What is repeated has been searched.
    if !isRepeated(text, .searched), let concealed = markers?.concealed(text) {
      concealed.withUnsafeBufferPointer { put($0, .marked) }
    } else {
      put(text, .searched)
    }
  }

  private mutating func put(_ text: UnsafeBufferPointer<UInt8>, _ kind: Kind) {
    if isRepeated(text, kind) {
      bytes.append(0)
    } else {
      put(UInt(text.count) + 1)
      if nextText == texts.count { texts.append((0..<0, kind)) }
      texts[nextText] = (bytes.count..<bytes.count + text.count, kind)
      bytes.append(contentsOf: text)
    }
    nextText += 1
  }

  private func isRepeated(_ text: UnsafeBufferPointer<UInt8>, _ kind: Kind) -> Bool {
    guard nextText < texts.count, texts[nextText].place.count == text.count, texts[nextText].kind == kind else {
      return false
    }
    guard let first = text.baseAddress else { return true }
    let start = texts[nextText].place.lowerBound
    return bytes.withUnsafeBufferPointer { $0.baseAddress.map { memcmp($0 + start, first, text.count) == 0 } ?? false }
  }

  /// Seven bits a byte, the lowest first.
  private mutating func put(_ number: UInt) {
    // Most are small.
    if number < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: number)) }
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
