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

extension String: JSONRepresentable {
  public var json: JSON { .string(self) }
}

extension Bool: JSONRepresentable {
  public var json: JSON { .bool(self) }
}

extension Int: JSONRepresentable {
  public var json: JSON { .number(JSONNumber(self)) }
}

extension JSONNumber: JSONRepresentable {
  public var json: JSON { .number(self) }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  /// Nothing is `null`.
  public var json: JSON { self?.json ?? .null }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  public var json: JSON { .array(map(\.json)) }
}
