// JSON as a value: nothing that a server sent is lost or reordered. This module knows nothing of HTTP, and no files
// except those it is asked to read.

/// A JSON value (RFC 8259): a recursive sum type that cannot hold anything that is not JSON.
///
/// Objects keep the order of their members and numbers their text. After *Statically-typed JSON payload in Swift*:
/// literals where the shape is written down, `^` where a typed value is inserted.
///
///     let payload: JSON = ["id": ^id, "tags": [^first, "new"], "note": nil]
///
/// Values are equal when they mean the same: the order of members makes no difference, `1.0` equals `1`, and strings
/// are compared by their Unicode scalars, so that a composed and a decomposed `é` are two strings.
public enum JSON: Sendable {
  /// Members in their order.
  case object(JSONObject)
  /// Elements in their order.
  case array([JSON])
  /// A text, without the escapes it was written with.
  case string(String)
  /// A number as it was written.
  case number(JSONNumber)
  /// `true` or `false`.
  case bool(Bool)
  /// `null`, which is a value: a missing member is nil.
  case null
}

extension JSON: Hashable {
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.object(let left), .object(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameScalars(as: right)
    case (.number(let left), .number(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.null, .null): true
    case (.object, _), (.array, _), (.string, _), (.number, _), (.bool, _), (.null, _): false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .object(let object): hasher.combine(object)
    case .array(let elements): hasher.combine(elements)
    case .string(let text): hasher.combine(text)
    case .number(let number): hasher.combine(number)
    case .bool(let value): hasher.combine(value)
    case .null: hasher.combine(0)
    }
  }
}

extension StringProtocol {
  /// Swift's `==` treats canonically equivalent strings as equal; JSON does not (RFC 8259 §8.3). Strings that differ in
  /// Swift also differ here, without a second comparison.
  func hasSameScalars(as other: some StringProtocol) -> Bool {
    self == other && utf8.elementsEqual(other.utf8)
  }
}

extension String {
  /// The same between two strings: keys that differ mostly differ in length.
  @inline(__always)
  func hasSameScalars(as other: String) -> Bool {
    utf8.count == other.utf8.count && self == other && hasSameBytes(as: other)
  }

  @inline(never)
  private func hasSameBytes(as other: String) -> Bool {
    var (left, right) = (self, other)
    return left.withUTF8 { left in right.withUTF8 { left.elementsEqual($0) } }
  }
}

extension JSON: CustomStringConvertible {
  /// Compact JSON text.
  public var description: String {
    String(decoding: JSONPrinter.compact.print(self), as: UTF8.self)
  }
}
