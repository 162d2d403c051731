/// What `^` can lift into JSON.
public protocol JSONRepresentable {
  /// The value as JSON.
  var json: JSON { get }
}

prefix operator ^

/// Lifts a typed value into JSON: `["id": ^id, "tags": [^a, "b"]]`.
public prefix func ^ (value: some JSONRepresentable) -> JSON { value.json }

extension JSON: JSONRepresentable {
  public var json: JSON { self }
}

extension JSONNumber: JSONRepresentable {
  public var json: JSON { .number(self) }
}

extension JSONObject: JSONRepresentable {
  public var json: JSON { .object(self) }
}

extension String: JSONRepresentable {
  public var json: JSON { .string(self) }
}

extension Substring: JSONRepresentable {
  public var json: JSON { .string(String(self)) }
}

extension Bool: JSONRepresentable {
  public var json: JSON { .bool(self) }
}

extension BinaryInteger where Self: JSONRepresentable {
  /// The number in decimal digits.
  public var json: JSON { .number(JSONNumber(self)) }
}

extension Int: JSONRepresentable {}
extension Int8: JSONRepresentable {}
extension Int16: JSONRepresentable {}
extension Int32: JSONRepresentable {}
extension Int64: JSONRepresentable {}
extension UInt: JSONRepresentable {}
extension UInt8: JSONRepresentable {}
extension UInt16: JSONRepresentable {}
extension UInt32: JSONRepresentable {}
extension UInt64: JSONRepresentable {}

extension Double: JSONRepresentable {
  /// An infinity and NaN, which JSON does not have, are `null`; with `JSONNumber(_:)` you can handle them yourself.
  public var json: JSON { JSONNumber(self)?.json ?? .null }
}

extension Float: JSONRepresentable {
  /// Its own shortest text, not that of the double it becomes; `null` as for `Double`.
  public var json: JSON { isFinite ? JSONNumber(description)?.json ?? .null : .null }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  /// nil is `null`.
  public var json: JSON { self?.json ?? .null }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  public var json: JSON { .array(map(\.json)) }
}

extension Dictionary: JSONRepresentable where Key == String, Value: JSONRepresentable {
  /// Its members sorted by key, since a dictionary has no order of its own.
  public var json: JSON {
    isEmpty ? [:] : .object(JSONObject(sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
  }
}
