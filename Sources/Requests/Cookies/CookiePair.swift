package import HTTPTypes

/// A `Set-Cookie` as it is written: a name, a value, and its attributes (RFC 6265 §5.2). In a `Cookie` there are none.
package struct CookiePair: Hashable {
  package struct Attribute: Hashable {
    package let name: String
    /// nil where there is no `=`.
    package let value: String?
  }

  package let name: String
  package let value: String
  /// In order, unknown ones included; names are lowercase.
  package let attributes: [Attribute]

  /// nil if it is not a cookie.
  package init?(_ header: String) {
    guard !header.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else { return nil }
    let pieces = header.split(separator: ";", omittingEmptySubsequences: false)
    guard let pair = Self.pair(pieces[0]), let value = pair.value, !pair.name.isEmpty else { return nil }
    name = String(pair.name)
    self.value = String(value)
    attributes = pieces.dropFirst().compactMap { piece in
      Self.pair(piece).map { Attribute(name: $0.name.lowercased(), value: $0.value.map(String.init)) }
    }
  }

  /// The cookies in a request's `Cookie` (RFC 6265 §4.2).
  ///
  /// - Parameter written: fields that have some of them, by their names, which are left out.
  package static func sent(in headers: HTTPFields, besides written: HTTPFields...) -> [CookiePair] {
    guard headers.contains(.cookie) else { return [] }
    let known = Set(written.flatMap { sent(in: $0) }.map(\.name))
    return headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { CookiePair(String($0)) }
      .filter { !known.contains($0.name) }
  }

  /// What to hide, if it can be a secret: short words like `en` or `dark` cannot.
  func secret(for origins: [OriginPattern]) -> Secret? {
    var text = value[...]
    if text.count > 1, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
    let isHTTPOnly = attributes.contains { $0.name == "httponly" }
    guard text.utf8.count >= (isHTTPOnly ? 4 : 8) else { return nil }
    return Secret(String(text), name: name, for: origins)
  }

  /// What is on both sides of the first `=`, trimmed.
  private static func pair(_ text: Substring) -> (name: Substring, value: Substring?)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (trim(parts[0]), parts.count == 2 ? trim(parts[1]) : nil)
  }

  private static func trim(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
