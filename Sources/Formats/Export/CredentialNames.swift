internal import JSONValue
internal import Requests

/// The values of headers, queries and bodies whose names say that they are secrets. What leaves this machine goes
/// without them even if nobody declared them.
enum CredentialNames {
  static func contains(_ name: String) -> Bool { SensitiveName.contains(name) }

  /// Whether a body of this type has items like a query.
  static func isForm(_ type: String) -> Bool {
    type.lowercased().hasPrefix("application/x-www-form-urlencoded")
  }

  /// The credentials in a header's value: what follows a scheme, the values of cookies, or all of it.
  static func values(of name: String, _ value: String) -> [Substring] {
    switch name.lowercased() {
    case "authorization", "proxy-authorization": [value.split(separator: " ", maxSplits: 1).last ?? ""]
    case "cookie": value.split(separator: ";").compactMap(cookieValue)
    case "set-cookie": [cookieValue(value.prefix { $0 != ";" })].compactMap(\.self)
    default: contains(name) ? [value[...]] : []
    }
  }

  private static func cookieValue(_ pair: Substring) -> Substring? {
    pair.firstIndex(of: "=").map { pair[pair.index(after: $0)...] }
  }

  /// The items of a query, or of a form that is encoded like one, as they are written.
  static func items(of query: some StringProtocol) -> [(name: String, value: String)] {
    query.split(separator: "&").map { item in
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(pair[0]), pair.count == 2 ? String(pair[1]) : "")
    }
  }

  /// The texts of members with such names, however deep.
  static func values(in json: JSON) -> [String] {
    switch json {
    case .object(let object):
      object.members.flatMap { member in
        contains(member.key) ? texts(in: member.value) : values(in: member.value)
      }
    case .array(let elements): elements.flatMap(values)
    case .string, .number, .bool, .null: []
    }
  }

  private static func texts(in json: JSON) -> [String] {
    switch json {
    case .object(let object): object.members.flatMap { texts(in: $0.value) }
    case .array(let elements): elements.flatMap(texts)
    case .string(let text): [text]
    case .number, .bool, .null: []
    }
  }
}
