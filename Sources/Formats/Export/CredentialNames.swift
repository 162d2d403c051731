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
    // The lengths of those below.
    guard [6, 10, 13, 19].contains(name.utf8.count) else { return contains(name) ? [value[...]] : [] }
    return switch name.lowercased() {
    case let name where haveScheme(name): [value.split(separator: " ", maxSplits: 1).last ?? ""]
    case "cookie": value.split(separator: ";").compactMap(cookieValue)
    case "set-cookie": [cookieValue(value.prefix { $0 != ";" })].compactMap(\.self)
    default: contains(name) ? [value[...]] : []
    }
  }

  /// Whether a scheme precedes the credential in the value of this header.
  static func haveScheme(_ name: String) -> Bool {
    ["authorization", "proxy-authorization"].contains(name.lowercased())
  }

  private static func cookieValue(_ pair: Substring) -> Substring? {
    pair.firstIndex(of: "=").map { pair[pair.index(after: $0)...] }
  }

  /// The items of a URL's query and of its fragment.
  static func items(ofURL url: String) -> [(name: String, value: String)] {
    guard let start = url.utf8.firstIndex(where: { "?#".utf8.contains($0) }) else { return [] }
    let rest = url[start...]
    let fragment = rest.utf8.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
    return items(of: rest[..<fragment].dropFirst()) + items(of: rest[fragment...].dropFirst())
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
    var values: [String] = []
    forEachValue(in: json) { values.append($0) }
    return values
  }

  /// Whether there is any such text.
  static func hasValues(_ json: JSON) -> Bool {
    var isFound = false
    forEachValue(in: json) { _ in isFound = true }
    return isFound
  }

  private static func forEachValue(in json: JSON, isNamed: Bool = false, _ body: (String) -> Void) {
    switch json {
    case .object(let object):
      for member in object.members {
        forEachValue(in: member.value, isNamed: isNamed || contains(member.key), body)
      }
    case .array(let elements): for element in elements { forEachValue(in: element, isNamed: isNamed, body) }
    case .string(let text): if isNamed { body(text) }
    case .number, .bool, .null: break
    }
  }
}
