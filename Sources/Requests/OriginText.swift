extension String {
  /// The `://` after the scheme of a URL, not one in its path or query.
  package var schemeEnd: Range<Index>? {
    var text = self
    let end = text.withUTF8 { bytes -> Int? in
      let end = bytes.firstIndex { byte in
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
      }
      return end.flatMap { bytes[$0...].starts(with: "://".utf8) ? $0 : nil }
    }
    return end.map { end in
      let index = utf8.index(utf8.startIndex, offsetBy: end)
      return index..<utf8.index(index, offsetBy: 3)
    }
  }

  /// Where the path, the query or the fragment of a URL begins; nil if it has no scheme.
  package var originEnd: Index? {
    guard let scheme = schemeEnd else { return nil }
    let ends = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
    return utf8[scheme.upperBound...].firstIndex(where: ends.contains) ?? endIndex
  }

  /// The text with each space as `%20`: whoever writes a space in a URL means one.
  package var withoutSpaces: String {
    var text = self
    guard text.withUTF8({ $0.contains(UInt8(ascii: " ")) }) else { return self }
    return split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
  }

  /// Scheme, host and port of a URL, as they are written.
  package var originText: String? { originEnd.map { String(self[..<$0]) } }
}
