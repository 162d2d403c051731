internal import JSONValue

/// Names whose values let whoever has them act in somebody's name, as headers, items of queries and members of bodies
/// call them. What travels goes without those values though nobody declared them as secrets.
enum CredentialNames {
  private static let names: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "api_key", "apikey",
    "x-goog-api-key", "x-auth-token", "x-access-token", "x-csrf-token", "x-xsrf-token", "token", "access_token",
    "refresh_token", "id_token", "auth_token", "client_secret", "client_assertion", "secret", "password", "passwd",
    "private_key", "sessionid", "session_id",
  ]

  static func contains(_ name: String) -> Bool {
    let name = name.lowercased()
    return names.contains(name) || PresignedText.isSignature(name)
  }

  /// The credentials in a header's value: what stands behind a scheme, the values of cookies, or all of it.
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

  /// The items of a query, or of a form that is written as one, as they are written.
  static func items(of query: some StringProtocol) -> [(name: String, value: String)] {
    query.split(separator: "&").map { item in
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(pair[0]), pair.count == 2 ? String(pair[1]) : "")
    }
  }

  /// The texts that members of such names have, however deep.
  static func values(in json: JSON) -> [String] {
    switch json {
    case .object(let object):
      object.members.flatMap { member -> [String] in
        guard contains(member.key), case .string(let text) = member.value else { return values(in: member.value) }
        return [text]
      }
    case .array(let elements): elements.flatMap(values)
    case .string, .number, .bool, .null: []
    }
  }
}
