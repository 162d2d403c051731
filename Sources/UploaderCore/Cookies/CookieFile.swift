package import Requests

/// Cookies in a file as curl and browsers' exporters write it: seven fields with tabs between them, or `Set-Cookie` lines.
///
/// Source: <https://curl.se/docs/http-cookies.html>
package struct CookieFile {
  /// The lines that have one.
  private let lines: [Line]

  private enum Line {
    case stored(Cookie)
    /// Of whichever host it is asked for, as for curl.
    case header(String)
  }

  /// How many it has.
  package var count: Int { lines.count }

  /// What is no cookie is passed over; nil: there is none.
  package init?(_ text: String) {
    lines = text.split(whereSeparator: \.isNewline).compactMap { line in
      if let cookie = Self.cookie(line) { return .stored(cookie) }
      guard let header = line.prefixMatch(of: /set-cookie:/.ignoresCase()) else { return nil }
      return .header(String(line[header.range.upperBound...]))
    }
    if lines.isEmpty { return nil }
  }

  /// What is sent to that URL, `a=1; b=2`, with how many there are; nil: nothing.
  ///
  /// - Parameters:
  ///   - url: absolute, and of that origin.
  ///   - now: since 1970.
  package func header(for origin: Origin, _ url: String, now: Duration) -> (text: String, count: Int)? {
    let place = CookiePlace(origin: origin, url: url)
    var jar = CookieJar()
    for line in lines {
      switch line {
      case .stored(let cookie): jar.insert(cookie.of(port: origin.port), now: now)
      case .header(let header): jar.receive(header, from: place, now: now) { _ in false }
      }
    }
    let cookies = jar.cookies(for: place, now: now)
    guard !cookies.isEmpty else { return nil }
    return (cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; "), cookies.count)
  }

  /// `.example.com	TRUE	/	FALSE	0	name	value`
  private static func cookie(_ line: Substring) -> Cookie? {
    let hidden = "#HttpOnly_"
    let isHTTPOnly = line.hasPrefix(hidden)
    let line = isHTTPOnly ? line.dropFirst(hidden.count) : line
    guard line.first != "#" else { return nil }
    var fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    // Of an empty value there may be no tab.
    if fields.count == 6 { fields.append("") }
    guard fields.count == 7, let expires = Int(fields[4]), !fields[5].isEmpty else { return nil }
    return Cookie(
      name: fields[5], value: fields[6], domain: fields[0].trimmingPrefix(".").lowercased(),
      isHostOnly: fields[1].uppercased() != "TRUE", port: 0, path: fields[2],
      isSecure: fields[3].uppercased() == "TRUE", isHTTPOnly: isHTTPOnly,
      expires: expires > 0 ? .seconds(expires) : nil)
  }
}

extension Cookie {
  /// The same for a port, of which a file says nothing.
  fileprivate func of(port: Int) -> Cookie {
    Cookie(
      name: name, value: value, domain: domain, isHostOnly: isHostOnly, port: port, path: path, isSecure: isSecure,
      isHTTPOnly: isHTTPOnly, expires: expires)
  }
}
