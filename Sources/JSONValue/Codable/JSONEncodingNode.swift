internal import Essentials

/// One value while it is being encoded. A class, since `Codable` hands out containers that write to the same place.
final class JSONEncodingNode: Encoder {
  private enum Content {
    case nothing
    case value(JSON)
    case object([(key: String, node: JSONEncodingNode)])
    case array([JSONEncodingNode])
  }

  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private var content = Content.nothing

  init(codingPath: [any CodingKey]) {
    self.codingPath = codingPath
  }

  /// What was encoded. A value that encoded nothing is an empty object, as in Foundation's encoder.
  var json: JSON {
    switch content {
    case .nothing: .object([:])
    case .value(let json): json
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.node.json) }))
    case .array(let elements): .array(elements.map(\.json))
    }
  }

  func encode(_ value: some Encodable) throws {
    // Types that know their JSON better than their `Encodable` does.
    switch value {
    case let json as JSON: set(json)
    case let number as JSONNumber: set(.number(number))
    case let object as JSONObject: set(.object(object))
    case let url as URL: set(.string(url.absoluteString))
    case let decimal as Decimal:
      guard let number = JSONNumber(decimal) else { throw invalid(decimal) }
      set(.number(number))
    default: try value.encode(to: self)
    }
  }

  func set(_ json: JSON) { content = .value(json) }

  func set(_ value: Double) throws {
    guard let number = JSONNumber(value) else { throw invalid(value) }
    set(.number(number))
  }

  private func invalid(_ value: Any) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: "JSON has no number for \(value)"))
  }

  /// The node for a member, which replaces one of the same key.
  func member(_ key: any CodingKey) -> JSONEncodingNode {
    let node = JSONEncodingNode(codingPath: codingPath + [key])
    beginObject()
    guard case .object(var members) = content else { return node }
    content = .nothing
    if let index = members.firstIndex(where: { $0.key.hasSameScalars(as: key.stringValue) }) {
      members[index].node = node
    } else {
      members.append((key.stringValue, node))
    }
    content = .object(members)
    return node
  }

  func beginObject() {
    if case .object = content { return }
    content = .object([])
  }

  func beginArray() {
    if case .array = content { return }
    content = .array([])
  }

  /// The node for one more element.
  func element() -> JSONEncodingNode {
    let node = JSONEncodingNode(codingPath: codingPath + [JSONKey(elementCount)])
    guard case .array(var elements) = content else { return node }
    content = .nothing
    elements.append(node)
    content = .array(elements)
    return node
  }

  var elementCount: Int {
    if case .array(let elements) = content { elements.count } else { 0 }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    beginObject()
    return KeyedEncodingContainer(JSONKeyedEncoding(node: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    beginArray()
    return JSONUnkeyedEncoding(node: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONEncodingNode: SingleValueEncodingContainer {
  func encodeNil() throws { set(.null) }
  func encode(_ value: Bool) throws { set(.bool(value)) }
  func encode(_ value: String) throws { set(.string(value)) }
  func encode(_ value: Double) throws { try set(value) }
  func encode(_ value: Float) throws {
    guard value.isFinite, let number = JSONNumber(value.description) else { throw invalid(value) }
    set(.number(number))
  }
  func encode(_ value: Int) throws { set(^value) }
  func encode(_ value: Int8) throws { set(^value) }
  func encode(_ value: Int16) throws { set(^value) }
  func encode(_ value: Int32) throws { set(^value) }
  func encode(_ value: Int64) throws { set(^value) }
  func encode(_ value: UInt) throws { set(^value) }
  func encode(_ value: UInt8) throws { set(^value) }
  func encode(_ value: UInt16) throws { set(^value) }
  func encode(_ value: UInt32) throws { set(^value) }
  func encode(_ value: UInt64) throws { set(^value) }
}

private struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONEncodingNode
  var codingPath: [any CodingKey] { node.codingPath }

  func encodeNil(forKey key: Key) throws { node.member(key).set(.null) }
  func encode(_ value: some Encodable, forKey key: Key) throws { try node.member(key).encode(value) }
  func superEncoder() -> any Encoder { node.member(JSONKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { node.member(key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    node.member(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    node.member(key).unkeyedContainer()
  }
}

private struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
  let node: JSONEncodingNode
  var codingPath: [any CodingKey] { node.codingPath }
  var count: Int { node.elementCount }

  func encodeNil() throws { node.element().set(.null) }
  func encode(_ value: some Encodable) throws { try node.element().encode(value) }
  func superEncoder() -> any Encoder { node.element() }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.element().unkeyedContainer() }

  func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
    node.element().container(keyedBy: keyType)
  }
}
