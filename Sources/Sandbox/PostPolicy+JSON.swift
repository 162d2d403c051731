import Essentials
import JSONValue

extension PostPolicy {
  /// The policy as the `policy` field contains it.
  var base64: String { Data("\(json)".utf8).base64EncodedString() }

  var json: JSON {
    ["expiration": ^DateText.extended(expiration), "conditions": ^conditions.map(\.json)]
  }

  /// Reads the value of a `policy` field; anything unknown in it is an error, because a condition that is not
  /// understood would not be enforced.
  init(base64: String) throws(S3Error) {
    guard let data = Data(base64Encoded: base64), let text = String(validating: data, as: UTF8.self) else {
      throw .invalidPolicy("Invalid base64 encoding.")
    }
    let json: JSON
    do { json = try JSON(parsing: text) } catch { throw .invalidPolicy("Invalid JSON.") }
    guard case .object(let object) = json else { throw .invalidPolicy("Invalid JSON.") }
    if let unknown = object.keys.first(where: { !["expiration", "conditions"].contains($0) }) {
      throw .invalidPolicy("Unexpected: '\(unknown)'")
    }
    guard let expiration = json["expiration"] else { throw .invalidPolicy("Policy missing expiration.") }
    guard case .string(let moment) = expiration, let date = DateText.parseExtended(moment) else {
      throw .invalidPolicy("Invalid 'expiration' value: '\(expiration)'")
    }
    guard case .array(let list)? = json["conditions"] else { throw .invalidPolicy("Policy missing conditions.") }
    var conditions: [Condition] = []
    for item in list { conditions += try Condition.parse(item) }
    self.init(expiration: date, conditions: conditions)
  }
}

extension PostPolicy.Condition {
  var json: JSON {
    switch self {
    case .equal(let field, let value): .object([field: ^value])
    case .startsWith(let field, let prefix): ["starts-with", "$\(field)", ^prefix]
    case .contentLength(let range): ["content-length-range", ^range.lowerBound, ^range.upperBound]
    }
  }

  /// The conditions in one item: an object may contain several.
  fileprivate static func parse(_ item: JSON) throws(S3Error) -> [Self] {
    switch item {
    case .object(let object):
      var conditions: [Self] = []
      for member in object.members {
        guard case .string(let value) = member.value else { throw .invalidPolicy("Invalid Simple-Condition: \(item)") }
        conditions.append(.equal(field: member.key, value: value))
      }
      return conditions
    case .array(let items):
      guard items.count == 3, case .string(let operation) = items[0] else {
        throw .invalidPolicy("Invalid Condition: \(item)")
      }
      return [try parse(operation.lowercased(), items[1], items[2], item)]
    case .string, .number, .bool, .null:
      throw .invalidPolicy("Invalid Condition: \(item)")
    }
  }

  private static func parse(_ operation: String, _ first: JSON, _ second: JSON, _ item: JSON) throws(S3Error) -> Self {
    if operation == "content-length-range" {
      guard let lower = first.int, let upper = second.int, 0 <= lower, lower <= upper else {
        throw .invalidPolicy("Invalid content-length-range: \(item)")
      }
      return .contentLength(lower...upper)
    }
    guard case .string(let field) = first, field.hasPrefix("$"), case .string(let value) = second else {
      throw .invalidPolicy("Invalid Condition: \(item)")
    }
    let name = String(field.dropFirst())
    switch operation {
    case "eq": return .equal(field: name, value: value)
    case "starts-with": return .startsWith(field: name, prefix: value)
    default: throw .invalidPolicy("Invalid Condition: \(item)")
    }
  }
}
extension PostPolicy.Condition {
  /// The condition in its long form, as S3 quotes a failed one: `["eq", "$key", "a"]`.
  var explicitJSON: JSON {
    switch self {
    case .equal(let field, let value): ["eq", "$\(field)", ^value]
    case .startsWith, .contentLength: json
    }
  }
}
