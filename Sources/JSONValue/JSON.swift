// JSON as a value: nothing of what a server sent is lost or reordered. This module knows no HTTP.

/// A JSON value (RFC 8259): a recursive sum that can not hold what is not JSON.
///
/// Objects keep the order of their members and numbers their text. After *Statically-typed JSON payload in
/// Swift*: literals where the shape is written down, `^` where a typed value is put in.
///
///     let payload: JSON = ["id": ^id, "tags": [^first, "new"], "note": nil]
public enum JSON: Hashable, Sendable {
  case object(JSONObject)
  case array([JSON])
  case string(String)
  case number(JSONNumber)
  case bool(Bool)
  case null
}

extension JSON {
  /// The value of the member with that key; nil if there is none or this is no object.
  public subscript(key: String) -> JSON? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  /// The element at that index; nil if there is none or this is no array.
  public subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The text, if this is a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The truth value, if this is one.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number as an integer, if it is one and fits; nothing is rounded.
  public var int: Int? {
    if case .number(let number) = self { number.int } else { nil }
  }

  /// Whether this is `null`.
  public var isNull: Bool { self == .null }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// A literal is never infinite nor no number, so it always has a text.
  public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSON.number) ?? .null }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(JSONObject(members.map { JSONObject.Member(key: $0.0, value: $0.1) }))
  }
}

extension JSON: CustomStringConvertible {
  /// Compact JSON text.
  public var description: String {
    String(decoding: JSONPrinter.compact.print(self), as: UTF8.self)
  }
}
