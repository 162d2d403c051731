internal import Requests

/// A URL as HTTPie sends it.
enum HTTPieURL {
  /// What has no place in a URL is percent-encoded, and so is each `%` of a path or query in which one begins no code;
  /// codes have capital letters, and none stands for what needs none; a query without anything is left out (requests'
  /// `requote_uri`, after urllib3's `parse_url`).
  ///
  /// - Parameter url: as it was written; one with variables in it stays as it is.
  static func sent(_ url: String) -> String {
    if ShellVariable.isIn(url) { return url }
    let start = url.firstRange(of: "://").map { scheme in
      url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    }
    let rest = url[(start ?? url.startIndex)...]
    let fragment = rest.firstIndex(of: "#") ?? rest.endIndex
    let mark = rest[..<fragment].firstIndex(of: "?") ?? fragment
    let query = rest[mark..<fragment].dropFirst()
    return url[..<rest.startIndex] + encoded(rest[..<mark], also: "/")
      + (query.isEmpty ? "" : "?" + encoded(query, also: "/?")) + rest[fragment...]
  }

  /// - Parameter reserved: what stays, besides what may be in a segment of a path (RFC 3986, `pchar`).
  private static func encoded(_ part: Substring, also reserved: String) -> String {
    let kept = Set("!$&'()*+,;=:@\(reserved)".utf8)
    let codes = part.matches(of: /%[0-9A-Fa-f]{2}/)
    if codes.count < part.count(where: { $0 == "%" }) {
      return encoded(part.replacing(/%[0-9A-Fa-f]{2}/) { $0.output.uppercased() }, kept)
    }
    return String(part).replacing(/(%[0-9A-Fa-f]{2})|[^%]+/) { match in
      // A code for what would mean something else stays one.
      match.output.1.map { PercentEncoding.component.encode(PercentEncoding.decode($0)) }
        ?? encoded(match.output.0, kept)
    }
  }

  private static func encoded(_ text: Substring, _ kept: Set<UInt8>) -> String {
    text.utf8.map { byte in
      kept.contains(byte) ? String(Unicode.Scalar(byte)) : PercentEncoding.component.encode([byte])
    }.joined()
  }
}
