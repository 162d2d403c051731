extension JSON {
  /// The JSON that an `Encodable` value encodes itself as. Numbers keep all their digits; members are added as they are
  /// encoded, so keys are in the order in which the type encodes them.
  ///
  /// Throws `EncodingError` for what JSON does not have: an infinity, NaN, a value that encodes nothing.
  public init(encoding value: some Encodable) throws {
    let node = JSONEncodingNode(codingPath: [])
    try node.encode(value)
    self = node.json
  }

  /// A `Decodable` value made from this one. A number that does not fit exactly into an integer type is an error; for
  /// `Double` and `Float` it is rounded. If a key occurs twice, the last value counts.
  public func decode<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecodingNode(json: self, codingPath: []).decode(type)
  }
}

extension JSON: Codable {
  /// With an encoder of another format or library, numbers go through its own types: the smallest of `Int`, `UInt64`,
  /// `Double` that can hold them.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let object):
      var container = encoder.container(keyedBy: JSONKey.self)
      for member in object.members { try container.encode(member.value, forKey: JSONKey(member.key)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .string(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .number(let number):
      var container = encoder.singleValueContainer()
      if let integer = number.int {
        try container.encode(integer)
      } else if let integer = number.exactly(UInt64.self) {
        try container.encode(integer)
      } else if let double = number.double {
        try container.encode(double)
      } else {
        throw EncodingError.invalidValue(
          number, .init(codingPath: encoder.codingPath, debugDescription: "\(number) does not fit into a Double"))
      }
    case .bool(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }

  /// With a decoder of another format or library, order and number text depend on that decoder.
  public init(from decoder: any Decoder) throws {
    if let node = decoder as? JSONDecodingNode {
      self = node.json
    } else if let container = try? decoder.container(keyedBy: JSONKey.self) {
      self = .object(
        JSONObject(try container.allKeys.map { ($0.stringValue, try container.decode(JSON.self, forKey: $0)) }))
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSON] = []
      while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
      self = .array(elements)
    } else {
      self = try Self.scalar(try decoder.singleValueContainer())
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSON {
    if container.decodeNil() { return .null }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int.self) { return ^value }
    if let value = try? container.decode(UInt64.self) { return ^value }
    if let value = try? container.decode(Double.self), let number = JSONNumber(value) { return .number(number) }
    return .string(try container.decode(String.self))
  }
}

/// A key or index on the path to a value that is encoded or decoded.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ key: String) {
    stringValue = key
    intValue = nil
  }

  init(_ index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  init(stringValue: String) { self.init(stringValue) }
  init(intValue: Int) { self.init(intValue) }
}
