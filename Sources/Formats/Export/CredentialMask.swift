internal import JSONValue
internal import Requests
internal import RunStore

/// Texts of messages without the values whose names say that they are credentials.
enum CredentialMask {
  static let text = "••••"

  /// A header's value with `••••` in place of each credential.
  static func value(of name: String, _ value: String) -> String {
    let values = CredentialNames.values(of: name, value).filter { !$0.isEmpty }
    if values.isEmpty { return url(value) }
    var result = ""
    var rest = value[...]
    for credential in values {
      result += rest[..<credential.startIndex] + text
      rest = value[credential.endIndex...]
    }
    return result + rest
  }

  /// A URL, or any text with one in it, without the values of credentials in its query and without a user's password.
  static func url(_ text: String) -> String {
    var text = PresignedText.url(text, without: CredentialNames.contains)
    guard text.utf8.contains(UInt8(ascii: "@")), let scheme = text.firstRange(of: "://") else { return text }
    let authority = text[scheme.upperBound...].prefix { !"/?# ".contains($0) }
    if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
      text.replaceSubrange(text.index(after: colon)..<at, with: PresignedText.mark)
    }
    return text
  }

  static func items(_ text: String) -> String {
    CredentialNames.items(of: text).map { name, value in
      value.isEmpty ? name : "\(name)=\(CredentialNames.contains(name) ? PresignedText.mark : value)"
    }.joined(separator: "&")
  }

  /// JSON without the members that are credentials; it keeps its layout if none is.
  static func json(_ text: String) -> String {
    guard SensitiveName.mayOccur(inJSON: text), let first = text.first(where: { !$0.isWhitespace }),
      "{[".contains(first),
      let json = try? JSON(parsing: text), CredentialNames.hasValues(json)
    else { return text }
    return String(decoding: JSONPrinter.compact.print(value(json)), as: UTF8.self)
  }

  /// The same for a value.
  static func value(_ json: JSON) -> JSON { json.hidingCredentials(text) }

  /// A body, by its type.
  static func body(_ body: String, type: String) -> String {
    CredentialNames.isForm(type) ? items(body) : json(body)
  }
}
