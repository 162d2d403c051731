extension String {
  /// The `://` after the scheme of a URL, not one in its path or query.
  package var schemeEnd: Range<Index>? {
    var index = utf8.startIndex
    while index < utf8.endIndex {
      switch utf8[index] {
      case UInt8(ascii: ":"):
        return utf8[index...].starts(with: "://".utf8) ? index..<utf8.index(index, offsetBy: 3) : nil
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
      default: utf8.formIndex(after: &index)
      }
    }
    return nil
  }

  /// Where the path, the query or the fragment of a URL begins; nil if it has no scheme.
  package var originEnd: Index? {
    guard let scheme = schemeEnd else { return nil }
    let ends = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
    return utf8[scheme.upperBound...].firstIndex(where: ends.contains) ?? endIndex
  }

  /// The text with each space as `%20`: whoever writes a space in a URL means one.
  package var withoutSpaces: String {
    guard utf8.contains(UInt8(ascii: " ")) else { return self }
    return split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
  }

  /// Scheme, host and port of a URL, as they are written.
  package var originText: String? { originEnd.map { String(self[..<$0]) } }
}
