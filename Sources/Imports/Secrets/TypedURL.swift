internal import Requests

/// The secrets of the URLs in a text: passwords before the host, and items of the query or the fragment whose names say
/// that they are secret (RFC 3986 §3).
enum TypedURL {
  /// Those of every URL in it.
  static func secrets(in text: String) -> [TypedPlace] {
    let bytes = Array(text.utf8)
    var found: [TypedPlace] = []
    var index = 0
    while index + 3 <= bytes.count {
      guard bytes[index] == UInt8(ascii: ":"), bytes[index...].starts(with: "://".utf8) else {
        index += 1
        continue
      }
      let start = index + 3
      let end = bytes[start...].firstIndex(where: endsURL) ?? bytes.count
      found += secrets(in: bytes[start..<end])
      index = end
    }
    return found
  }

  /// The secrets of a target that stands alone, whether it has a host or not.
  static func secrets(inTarget text: ArraySlice<UInt8>) -> [TypedPlace] {
    guard let scheme = text.firstRange(of: "://".utf8) else { return items(of: text) }
    return secrets(in: text[scheme.upperBound...])
  }

  /// - Parameter url: what follows `://`.
  private static func secrets(in url: ArraySlice<UInt8>) -> [TypedPlace] {
    var authority = url.prefix { !"/?#".utf8.contains($0) }
    // An unencoded password ends the host too soon: what is in place of the port is not a number.
    if !authority.contains(UInt8(ascii: "@")), let colon = authority.lastIndex(of: UInt8(ascii: ":")),
      !authority[(colon + 1)...].allSatisfy({ (0x30...0x39).contains($0) }) || authority.endIndex == colon + 1,
      let at = url.firstIndex(of: UInt8(ascii: "@"))
    {
      authority = url[...at]
    }
    var found = items(of: url)
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      let user = authority[..<at]
      // A user name alone may be a token.
      let start = user.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? user.startIndex
      if start < at, !isReference(url[start...]) { found.append(TypedPlace(name: "password", range: start..<at)) }
    }
    return found
  }

  private static func items(of url: ArraySlice<UInt8>) -> [TypedPlace] {
    guard let query = url.firstIndex(where: { "?#".utf8.contains($0) }) else { return [] }
    return url[(query + 1)...].split { "&;?#".utf8.contains($0) }.compactMap { item in
      guard let equals = item.firstIndex(of: UInt8(ascii: "=")), equals + 1 < item.endIndex else { return nil }
      let name = String(
        decoding: PercentEncoding.decode(String(decoding: item[..<equals], as: UTF8.self)), as: UTF8.self)
      guard SensitiveName.contains(name), !isReference(item[(equals + 1)...]) else { return nil }
      return TypedPlace(name: name, range: equals + 1..<item.endIndex)
    }
  }

  private static func isReference(_ value: ArraySlice<UInt8>) -> Bool {
    value.first.map { "{$".utf8.contains($0) } ?? true
  }

  private static func endsURL(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"'<>`\\".utf8.contains(byte) }
}
