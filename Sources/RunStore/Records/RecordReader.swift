internal import Requests

/// Reads what a `RecordWriter` wrote, in this program or another. Whatever the bytes are, it terminates, with an error
/// if they are not such records.
struct RecordReader {
  private let bytes: [UInt8]
  private var index: Int
  private var texts: [Range<Int>] = []
  private var numbers: [Int] = []

  /// - Throws: when they are not what a `RecordWriter` writes.
  init(_ bytes: [UInt8]) throws(StoreError) {
    guard bytes.first == RecordWriter.format else { throw .damaged("a record") }
    self.bytes = bytes
    index = 1
  }

  var isAtEnd: Bool { index == bytes.count }

  /// The next record.
  mutating func next<Content: Record>(as type: Content.Type) throws(StoreError) -> Content {
    var fields = FieldReader(bytes: bytes, fields: try nextFields())
    var content = Content()
    try content.code(with: &fields)
    return content
  }

  /// All fields of the next record, including unknown ones: the places of texts and numbers count them too.
  private mutating func nextFields() throws(StoreError) -> [Field] {
    var fields: [Field] = []
    var open: [Int] = []
    var (nextText, nextNumber) = (0, 0)
    while true {
      let key = try code()
      if key == 0 {
        guard let last = open.popLast() else { return fields }
        fields[last].end = fields.count
        continue
      }
      guard let type = FieldType(rawValue: key & 7) else { throw .damaged("a record") }
      let tag = key >> 3
      switch type {
      case .number, .sameNumber:
        let more = type == .number ? try code() : 0
        fields.append(Field(tag, .number(number(more, at: &nextNumber)), end: fields.count + 1))
      case .text:
        fields.append(Field(tag, .text(try text(length: try code(), at: &nextText)), end: fields.count + 1))
      case .sameText:
        fields.append(Field(tag, .text(try text(length: nil, at: &nextText)), end: fields.count + 1))
      case .texts:
        let count = try count()
        fields.append(Field(tag, .several, end: fields.count + 1 + count))
        for _ in 0..<count {
          let code = try code()
          let text = try text(length: code == 0 ? nil : code - 1, at: &nextText)
          fields.append(Field(0, .text(text), end: fields.count + 1))
        }
      case .numbers:
        let count = try count()
        fields.append(Field(tag, .several, end: fields.count + 1 + count))
        for _ in 0..<count {
          fields.append(Field(0, .number(number(try code(), at: &nextNumber)), end: fields.count + 1))
        }
      case .record:
        open.append(fields.count)
        fields.append(Field(tag, .several, end: 0))
      }
    }
  }

  private mutating func number(_ more: UInt, at place: inout Int) -> Int {
    if place == numbers.count { numbers.append(0) }
    defer { place += 1 }
    numbers[place] &+= Int(bitPattern: more >> 1) ^ -Int(more & 1)
    return numbers[place]
  }

  /// - Parameter length: nil: it is the previous text at this place.
  private mutating func text(length: UInt?, at place: inout Int) throws(StoreError) -> Range<Int> {
    if place == texts.count { texts.append(0..<0) }
    defer { place += 1 }
    if let length {
      guard length <= UInt(bytes.count - index) else { throw .damaged("a record") }
      texts[place] = index..<index + Int(length)
      index += Int(length)
    }
    return texts[place]
  }

  private mutating func count() throws(StoreError) -> Int {
    let count = try code()
    // Each takes at least one byte.
    guard count <= UInt(bytes.count - index) else { throw .damaged("a record") }
    return Int(count)
  }

  private mutating func code() throws(StoreError) -> UInt { try Self.code(in: bytes, at: &index) }

  /// Seven bits a byte, the lowest first.
  static func code(in bytes: [UInt8], at index: inout Int) throws(StoreError) -> UInt {
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

extension RecordReader {
  /// A field of a record. Nested fields come after it.
  fileprivate struct Field {
    enum Content {
      case number(Int)
      case text(Range<Int>)
      case several
    }

    let tag: UInt
    let content: Content
    /// Where its nested fields end.
    var end: Int

    init(_ tag: UInt, _ content: Content, end: Int) {
      (self.tag, self.content, self.end) = (tag, content, end)
    }
  }

  /// Finds the fields of a record by their tags.
  fileprivate struct FieldReader: RecordCoder {
    typealias Failure = StoreError

    private let bytes: [UInt8]
    private let fields: [Field]
    private let range: Range<Int>

    init(bytes: [UInt8], fields: [Field]) {
      self.init(bytes: bytes, fields: fields, range: fields.indices)
    }

    private init(bytes: [UInt8], fields: [Field], range: Range<Int>) {
      (self.bytes, self.fields, self.range) = (bytes, fields, range)
    }

    func number(_ tag: UInt, _ number: inout Int) throws(StoreError) {
      if let index = place(of: tag) { number = try self.number(at: index) }
    }

    func number(_ tag: UInt, _ number: inout Int?) throws(StoreError) {
      if let index = place(of: tag) { number = try self.number(at: index) }
    }

    func numbers(_ tag: UInt, _ numbers: inout [Int]) throws(StoreError) {
      guard let index = place(of: tag) else { return }
      var found: [Int] = []
      for index in try several(at: index) { found.append(try number(at: index)) }
      numbers = found
    }

    func value<Value: RawRepresentable<Int>>(_ tag: UInt, _ value: inout Value) throws(StoreError) {
      guard let index = place(of: tag) else { return }
      guard let known = Value(rawValue: try number(at: index)) else { throw .damaged("a record") }
      value = known
    }

    func text(_ tag: UInt, _ text: inout String, _ kind: TextKind) throws(StoreError) {
      if let index = place(of: tag) { text = try self.text(at: index) }
    }

    func text(_ tag: UInt, _ text: inout String?, _ kind: TextKind) throws(StoreError) {
      if let index = place(of: tag) { text = try self.text(at: index) }
    }

    func bytes(_ tag: UInt, _ bytes: inout [UInt8]?) throws(StoreError) {
      if let index = place(of: tag) { bytes = try part(at: index) }
    }

    func body(_ tag: UInt, _ body: inout ResponseBody) throws(StoreError) -> Int? {
      if let index = place(of: tag) { body = ResponseBody(try part(at: index)) }
      return nil
    }

    func fields(_ tag: UInt, _ fields: inout [RecordedRequest.Field]) throws(StoreError) {
      guard let index = place(of: tag) else { return }
      let texts = Array(try several(at: index))
      guard texts.count.isMultiple(of: 2) else { throw .damaged("a record") }
      var found: [RecordedRequest.Field] = []
      for name in stride(from: 0, to: texts.count, by: 2) {
        found.append(.init(name: try text(at: texts[name]), value: try text(at: texts[name + 1])))
      }
      fields = found
    }

    func record<Inner: Record>(_ tag: UInt, _ record: inout Inner) throws(StoreError) {
      if let index = place(of: tag) { record = try self.record(at: index) }
    }

    func record<Inner: Record>(_ tag: UInt, _ record: inout Inner?) throws(StoreError) {
      if let index = place(of: tag) { record = try self.record(at: index) }
    }

    func records<Inner: Record>(_ tag: UInt, _ records: inout [Inner]) throws(StoreError) {
      var index = range.lowerBound
      while index < range.upperBound {
        if fields[index].tag == tag { records.append(try record(at: index)) }
        index = fields[index].end
      }
    }

    private func place(of tag: UInt) -> Int? {
      var index = range.lowerBound
      while index < range.upperBound {
        if fields[index].tag == tag { return index }
        index = fields[index].end
      }
      return nil
    }

    private func number(at index: Int) throws(StoreError) -> Int {
      guard case .number(let number) = fields[index].content else { throw .damaged("a record") }
      return number
    }

    private func part(at index: Int) throws(StoreError) -> [UInt8] {
      guard case .text(let range) = fields[index].content else { throw .damaged("a record") }
      return Array(bytes[range])
    }

    private func text(at index: Int) throws(StoreError) -> String {
      guard case .text(let range) = fields[index].content else { throw .damaged("a record") }
      return String(decoding: bytes[range], as: UTF8.self)
    }

    private func several(at index: Int) throws(StoreError) -> Range<Int> {
      guard case .several = fields[index].content else { throw .damaged("a record") }
      return index + 1..<fields[index].end
    }

    private func record<Inner: Record>(at index: Int) throws(StoreError) -> Inner {
      var inner = FieldReader(bytes: bytes, fields: fields, range: try several(at: index))
      var record = Inner()
      try record.code(with: &inner)
      return record
    }
  }
}
