/// Resolves a reference against the URL that gave it (RFC 3986 §5), on text: nothing is re-encoded.
public enum URLReference {
  /// Whether the text begins with a scheme, so that it needs no base.
  public static func isAbsolute(_ reference: some StringProtocol) -> Bool {
    guard let colon = reference.firstIndex(of: ":"), let first = reference.first, first.isASCII, first.isLetter else {
      return false
    }
    return reference[..<colon].allSatisfy { $0.isASCIIAlphanumeric || "+-.".contains($0) }
  }

  /// The absolute URL of a reference in a response from `base`.
  ///
  /// - Parameter base: an absolute URL with an authority.
  public static func resolve(_ reference: String, against base: String) -> String {
    if isAbsolute(reference) { return reference }
    let base = Parts(base)
    let parts = Parts(reference)
    if parts.authority != nil { return "\(base.scheme):\(reference)" }
    let root = "\(base.scheme)://\(base.authority ?? "")"
    let tail = parts.query + parts.fragment
    if parts.path.isEmpty {
      return root + base.path + (parts.query.isEmpty ? base.query : parts.query) + parts.fragment
    }
    if parts.path.hasPrefix("/") { return root + removeDotSegments(parts.path) + tail }
    let directory = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
    return root + removeDotSegments(directory + parts.path) + tail
  }

  /// What comes before the path of an absolute URL, without a user and a password: `https://example.com:8443`.
  package static func base(of url: String) -> String {
    let parts = Parts(url)
    let host = parts.authority?.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return "\(parts.scheme)://\(host)"
  }

  /// RFC 3986 §5.2.4.
  private static func removeDotSegments(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }

  /// The pieces of a reference; query and fragment include the character that begins them.
  private struct Parts {
    var scheme = ""
    var authority: String?
    var path = ""
    var query = ""
    var fragment = ""

    init(_ text: String) {
      var rest = Substring(text)
      if URLReference.isAbsolute(text), let colon = rest.firstIndex(of: ":") {
        scheme = String(rest[..<colon])
        rest = rest[rest.index(after: colon)...]
      }
      if let hash = rest.firstIndex(of: "#") {
        fragment = String(rest[hash...])
        rest = rest[..<hash]
      }
      if let mark = rest.firstIndex(of: "?") {
        query = String(rest[mark...])
        rest = rest[..<mark]
      }
      if rest.hasPrefix("//") {
        let after = rest.dropFirst(2)
        let slash = after.firstIndex(of: "/") ?? after.endIndex
        authority = String(after[..<slash])
        rest = after[slash...]
      }
      path = String(rest)
    }
  }
}
