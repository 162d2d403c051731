extension StringProtocol {
  /// The `://` after the scheme of a URL, not one in its path or query.
  package var schemeEnd: Range<Index>? {
    guard let colon = utf8.firstIndex(where: { ":/?#".utf8.contains($0) }), utf8[colon...].starts(with: "://".utf8)
    else { return nil }
    return colon..<utf8.index(colon, offsetBy: 3)
  }

  /// Where the path, the query or the fragment of a URL begins; nil if it has no scheme.
  package var originEnd: Index? {
    guard let scheme = schemeEnd else { return nil }
    return self[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? endIndex
  }

  /// Scheme, host and port of a URL, as they are written.
  package var originText: String? { originEnd.map { String(self[..<$0]) } }
}
