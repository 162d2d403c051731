package import RequestSyntax

/// A request as a raw HTTP message (RFC 9112), as documentation shows it: `GET /x HTTP/1.1`, fields, a body.
package enum RawRequest {
  /// The request that it means; nil if the first line is not a request line.
  package static func script(_ text: String) -> ScriptSyntax? { curl(text)?.script }

  /// Fields that are regenerated whenever something is sent.
  private static let ownFields: Set<String> = [
    "host", "content-length", "connection", "accept-encoding", "transfer-encoding", "user-agent",
  ]

  /// `Name: value`, as editors' files have it after the request line.
  private static func isField(_ line: Substring) -> Bool {
    line.contains(/^[A-Za-z][A-Za-z0-9\-]*: \S/)
  }

  /// The curl line's request that it means; nil if the first line is not a request line.
  private static func curl(_ text: String) -> CurlCommand? {
    let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
    let words = lines.first?.split(separator: " ") ?? []
    let hasVersion = words.count == 3 && words[2].hasPrefix("HTTP/")
    guard hasVersion || words.count == 2 && isField(lines.dropFirst().first ?? ""), words[0].allSatisfy(\.isUppercase)
    else { return nil }
    var request = CurlCommand()
    request.method = String(words[0])
    let fields = lines.dropFirst().prefix { !$0.isEmpty }
    var host = ""
    for field in fields {
      guard let colon = field.firstIndex(of: ":") else { return nil }
      let name = String(field[..<colon])
      let value = String(field[field.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
      if name.lowercased() == "host" { host = value }
      if !ownFields.contains(name.lowercased()) { try? request.take(header: "\(name): \(value)") }
    }
    let target = String(words[1])
    request.url =
      host.isEmpty || target.contains("://") ? target : (RequestAddress(host)?.url ?? "http://\(host)") + target
    let body = lines.dropFirst(fields.count + 1).dropFirst().joined(separator: "\n")
    if !body.allSatisfy(\.isNewline) {
      request.data.append(raw: body)
      request.isAsItStands = true
    }
    return request
  }
}
