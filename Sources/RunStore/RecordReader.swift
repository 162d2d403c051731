/// Reads what a `RecordWriter` wrote. Whatever the bytes are, it ends, with an error if they are not that.
struct RecordReader {
  private let bytes: [UInt8]
  private var index = 0
  private var texts: [Range<Int>] = []
  private var numbers: [Int] = []
  private var nextText = 0
  private var nextNumber = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { index == bytes.count }

  mutating func begin() { (nextText, nextNumber) = (0, 0) }

  mutating func number() throws(StoreError) -> Int {
    if nextNumber == numbers.count { numbers.append(0) }
    let more = try next()
    numbers[nextNumber] &+= Int(bitPattern: more >> 1) ^ -Int(more & 1)
    defer { nextNumber += 1 }
    return numbers[nextNumber]
  }

  mutating func flag() throws(StoreError) -> Bool { try number() == 1 }

  mutating func text() throws(StoreError) -> String { String(decoding: bytes[try place()], as: UTF8.self) }

  mutating func optionalText() throws(StoreError) -> String? { try flag() ? try text() : nil }

  mutating func part() throws(StoreError) -> [UInt8] { Array(bytes[try place()]) }

  mutating func list<Element>(
    _ read: (inout RecordReader) throws(StoreError) -> Element
  ) throws(StoreError) -> [Element] {
    let count = try number()
    // Each takes a byte at least.
    guard (0...bytes.count - index).contains(count) else { throw .damaged("a record") }
    var elements: [Element] = []
    for _ in 0..<count { elements.append(try read(&self)) }
    return elements
  }

  private mutating func place() throws(StoreError) -> Range<Int> {
    if nextText == texts.count { texts.append(0..<0) }
    defer { nextText += 1 }
    let code = try next()
    if code > 0 {
      let count = code - 1
      guard count <= UInt(bytes.count - index) else { throw .damaged("a record") }
      texts[nextText] = index..<index + Int(count)
      index += Int(count)
    }
    return texts[nextText]
  }

  private mutating func next() throws(StoreError) -> UInt {
    var number: UInt = 0
    var shift = 0
    while shift < UInt.bitWidth, index < bytes.count {
      let byte = bytes[index]
      index += 1
      number |= UInt(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return number }
      shift += 7
    }
    throw .damaged("a record")
  }
}
