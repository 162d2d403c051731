internal import POSIX
internal import Requests
internal import UploaderCore

/// Writes records into bytes, one after another: this happens for each step, between two requests.
///
/// Steps are much alike. A text that equals the one at the same place in the previous record is not written again, and
/// a number is stored as its difference from the previous one. The place of a text is the number of texts before it in
/// its record, whatever their tags are, and likewise for numbers: `RecordReader` counts them too, including those that
/// it skips.
struct RecordWriter: RecordCoder {
  typealias Failure = Never

  /// The first byte; the bytes of earlier programs, read by `PositionalReader`, begin with an even number.
  static let format: UInt8 = 1

  private enum Kind {
    /// It cannot contain a secret, or nobody has searched it.
    case open
    /// It contains no secret.
    case searched
    /// It contains markers.
    case marked
  }

  private(set) var bytes: [UInt8] = [format]
  private let concealment: Concealment
  /// Whether the record that is being written may contain secrets.
  private var conceals = false
  /// The texts of the previous record, or of this one as far as it is written: where they are in the bytes.
  private var texts: [(place: Range<Int>, kind: Kind)] = []
  /// By their places, the last texts in which secrets were replaced: a credential is the same in each request.
  private var marked: [Int: (whole: [UInt8], concealed: [UInt8])] = [:]
  private var numbers: [Int] = []
  private var nextText = 0
  private var nextNumber = 0

  init(_ concealment: Concealment = Concealment()) {
    self.concealment = concealment
  }

  /// Writes a record whose secrets have been removed.
  mutating func write(_ record: some Record) { write(record, conceals: false) }

  /// Writes a record without the secrets that it contains.
  mutating func write(_ record: Unconcealed<some Record>) { write(record.record, conceals: true) }

  private mutating func write(_ record: some Record, conceals: Bool) {
    (self.conceals, nextText, nextNumber) = (conceals, 0, 0)
    var record = record
    record.code(with: &self)
    end()
  }

  // MARK: Fields

  mutating func number(_ tag: UInt, _ number: inout Int) {
    let more = more(number)
    if more == 0 { return key(tag, .sameNumber) }
    key(tag, .number)
    put(more)
  }

  mutating func number(_ tag: UInt, _ number: inout Int?) {
    if var present = number { self.number(tag, &present) }
  }

  mutating func numbers(_ tag: UInt, _ numbers: inout [Int]) {
    if numbers.isEmpty { return }
    key(tag, .numbers)
    put(UInt(numbers.count))
    for number in numbers { put(more(number)) }
  }

  mutating func value<Value: RawRepresentable<Int>>(_ tag: UInt, _ value: inout Value) {
    var number = value.rawValue
    self.number(tag, &number)
  }

  mutating func text(_ tag: UInt, _ text: inout String, _ kind: TextKind) {
    if kind == .told, conceals {
      var told = concealment.text(text)
      return told.withUTF8 { put($0, Kind.open, tag: tag) }
    }
    text.withUTF8 { put($0, kind, tag: tag) }
  }

  mutating func text(_ tag: UInt, _ text: inout String?, _ kind: TextKind) {
    if var present = text { self.text(tag, &present, kind) }
  }

  mutating func bytes(_ tag: UInt, _ bytes: inout [UInt8]?) {
    bytes?.withUnsafeBufferPointer { put($0, .kept, tag: tag) }
  }

  mutating func body(_ tag: UInt, _ body: inout ResponseBody) -> Int? {
    guard !body.isEmpty, let bytes = try? body.bytes() else { return nil }
    let index = nextText
    bytes.withUnsafeBufferPointer { put($0, .kept, tag: tag) }
    return texts[index].kind == .marked && texts[index].place.count != bytes.count ? bytes.count : nil
  }

  mutating func fields(_ tag: UInt, _ fields: inout [RecordedRequest.Field]) {
    key(tag, .texts)
    put(UInt(fields.count) * 2)
    // Nothing is changed in place: the record would be copied.
    for field in fields {
      var (name, value) = (field.name, field.value)
      name.withUTF8 { put($0, .kept, tag: nil) }
      value.withUTF8 { put($0, .kept, tag: nil) }
    }
  }

  mutating func record<Inner: Record>(_ tag: UInt, _ record: inout Inner) {
    key(tag, .record)
    record.code(with: &self)
    end()
  }

  mutating func record<Inner: Record>(_ tag: UInt, _ record: inout Inner?) {
    guard var present = record else { return }
    self.record(tag, &present)
  }

  mutating func records<Inner: Record>(_ tag: UInt, _ records: inout [Inner]) {
    for record in records {
      var record = record
      self.record(tag, &record)
    }
  }

  // MARK: Bytes

  private mutating func key(_ tag: UInt, _ type: FieldType) { put(tag << 3 | type.rawValue) }

  private mutating func end() { bytes.append(0) }

  /// The difference from the previous number; small ones take one byte, whatever their sign.
  private mutating func more(_ number: Int) -> UInt {
    if nextNumber == numbers.count { numbers.append(0) }
    let more = number &- numbers[nextNumber]
    if more != 0 { numbers[nextNumber] = number }
    nextNumber += 1
    return UInt(bitPattern: more << 1 ^ more >> (Int.bitWidth - 1))
  }

  /// - Parameter tag: nil: it is one of several.
  private mutating func put(_ text: UnsafeBufferPointer<UInt8>, _ kind: TextKind, tag: UInt?) {
    guard conceals, kind != .open else { return put(text, Kind.open, tag: tag) }
    if let known = marked[nextText], Self.isSame(known.whole, text) {
      return known.concealed.withUnsafeBufferPointer { put($0, Kind.marked, tag: tag) }
    }
    // A repeated text has already been searched.
    if !isRepeated(text, .searched), let concealed = concealment.markers.concealed(text) {
      marked[nextText] = (Array(text), concealed)
      concealed.withUnsafeBufferPointer { put($0, Kind.marked, tag: tag) }
    } else {
      put(text, Kind.searched, tag: tag)
    }
  }

  private mutating func put(_ text: UnsafeBufferPointer<UInt8>, _ kind: Kind, tag: UInt?) {
    if isRepeated(text, kind) {
      if let tag { key(tag, .sameText) } else { bytes.append(0) }
    } else {
      if let tag {
        key(tag, .text)
        put(UInt(text.count))
      } else {
        put(UInt(text.count) + 1)
      }
      if nextText == texts.count { texts.append((0..<0, kind)) }
      texts[nextText] = (bytes.count..<bytes.count + text.count, kind)
      bytes.append(contentsOf: text)
    }
    nextText += 1
  }

  private static func isSame(_ bytes: [UInt8], _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == text.count, let first = text.baseAddress else { return false }
    return bytes.withUnsafeBufferPointer { $0.baseAddress.map { memcmp($0, first, text.count) == 0 } ?? false }
  }

  private func isRepeated(_ text: UnsafeBufferPointer<UInt8>, _ kind: Kind) -> Bool {
    guard nextText < texts.count, texts[nextText].place.count == text.count, texts[nextText].kind == kind else {
      return false
    }
    guard let first = text.baseAddress else { return true }
    let start = texts[nextText].place.lowerBound
    return bytes.withUnsafeBufferPointer { $0.baseAddress.map { memcmp($0 + start, first, text.count) == 0 } ?? false }
  }

  /// Seven bits per byte, the lowest first.
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
