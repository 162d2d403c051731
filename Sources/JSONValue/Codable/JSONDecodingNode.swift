internal import Essentials

/// One value while it is being decoded.
struct JSONDecodingNode: Decoder {
  let json: JSON
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // Types that know their JSON better than their `Decodable` does.
    if type == Decimal.self {
      guard let decimal = json.number?.decimal, let value = decimal as? Value else { throw mismatch(type) }
      return value
    }
    if type == URL.self {
      guard let url = json.string.flatMap({ URL(string: $0) }), let value = url as? Value else { throw mismatch(type) }
      return value
    }
    return try type.init(from: self)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = json else { throw mismatch([String: JSON].self) }
    return KeyedDecodingContainer(JSONKeyedDecoding(object: object, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = json else { throw mismatch([JSON].self) }
    return JSONUnkeyedDecoding(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  fileprivate func mismatch(_ type: Any.Type) -> DecodingError {
    if case .null = json {
      return .valueNotFound(type, .init(codingPath: codingPath, debugDescription: "null instead of \(type)"))
    }
    let shown = String("\(json)".prefix(60))
    return .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "\(shown) is not of type \(type)"))
  }
}

extension JSONDecodingNode: SingleValueDecodingContainer {
  func decodeNil() -> Bool { json.isNull }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let value = json.bool else { throw mismatch(type) }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    guard let value = json.string else { throw mismatch(type) }
    return value
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let value = json.double else { throw mismatch(type) }
    return value
  }

  func decode(_ type: Float.Type) throws -> Float {
    guard let value = json.number.flatMap({ Float($0.text) }), value.isFinite else { throw mismatch(type) }
    return value
  }

  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    guard let number = json.number else { throw mismatch(type) }
    guard let value = number.exactly(type) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "\(number) does not fit into \(type)"))
    }
    return value
  }
}

private struct JSONKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let codingPath: [any CodingKey]
  private let keys: [String]
  private let values: [String: JSON]

  init(object: JSONObject, codingPath: [any CodingKey]) {
    self.codingPath = codingPath
    values = Dictionary(object.members.lazy.map { ($0.key, $0.value) }) { $1 }
    keys = values.count == object.count ? object.keys : Array(values.keys)
  }

  var allKeys: [Key] { keys.compactMap { Key(stringValue: $0) } }
  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

  private func node(_ key: any CodingKey) throws -> JSONDecodingNode {
    guard let value = values[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "there is no \"\(key.stringValue)\""))
    }
    return JSONDecodingNode(json: value, codingPath: codingPath + [key])
  }

  func decodeNil(forKey key: Key) throws -> Bool { try node(key).decodeNil() }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try node(key).decode(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try node(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try node(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try node(JSONKey("super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try node(key) }
}

private struct JSONUnkeyedDecoding: UnkeyedDecodingContainer {
  let elements: [JSON]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [JSON], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  /// Advances past the next element only if it was decoded.
  private mutating func next<Value>(_ decode: (JSONDecodingNode) throws -> Value) throws -> Value {
    let path = codingPath + [JSONKey(currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(Value.self, .init(codingPath: path, debugDescription: "the array ends here"))
    }
    let value = try decode(JSONDecodingNode(json: elements[currentIndex], codingPath: path))
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next { try $0.decode(type) } }
  mutating func superDecoder() throws -> any Decoder { try next { $0 } }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next { try $0.container(keyedBy: type) }
  }
}
