internal import JSONValue

extension CurlCommand {
  /// The request as it is typed here.
  var statement: String {
    var lines = ["\(usedMethod) \(target)"]
    if isQuery, !data.isEmpty {
      lines[0] = "\(usedMethod) \(Self.target(of: url + (url.contains("?") ? "&" : "?") + data.joined(separator: "&")))"
    }
    lines += bodyClauses
    let fields = headers.filter { !$0.value.isEmpty }
    if !fields.isEmpty {
      let members = fields.map { "\(Self.literal($0.name)): \(Self.literal($0.value))" }
      lines.append("header { \(members.joined(separator: ", ")) }")
    }
    if let timeout { lines.append("timeout \(timeout)s") }
    return lines.joined(separator: "\n  ")
  }

  private var hasBody: Bool { !isQuery && (!data.isEmpty || dataFile != nil) || !parts.isEmpty }

  private var usedMethod: String { method ?? (isHead ? "HEAD" : hasBody ? "POST" : "GET") }

  private var target: String { Self.target(of: url) }

  private var bodyClauses: [String] {
    if !parts.isEmpty {
      let members = parts.map { part in
        var text = "\(Self.literal(part.name)): "
        text += part.isFile ? "file(\(Self.literal(part.value)))" : Self.literal(part.value)
        if let type = part.type { text += " as \(Self.literal(type))" }
        if let name = part.fileName { text += " named \(Self.literal(name))" }
        return text
      }
      return ["multipart { \(members.joined(separator: ", ")) }"]
    }
    guard hasBody else { return [] }
    let type = header("content-type") ?? (isJSON ? "application/json" : "application/x-www-form-urlencoded")
    var clauses: [String] = []
    if let dataFile {
      clauses.append("body file(\(Self.literal(dataFile))) as \(Self.literal(type))")
    } else {
      let text = data.joined(separator: isJSON ? "" : "&")
      clauses.append("text \(Self.literal(text))")
      if header("content-type") == nil { clauses.append("header Content-Type: \(type)") }
    }
    if isJSON, header("accept") == nil { clauses.append("header Accept: application/json") }
    return clauses
  }

  private func header(_ name: String) -> String? {
    headers.last { $0.name.lowercased() == name }?.value
  }

  /// A URL as a target: a bare word if nothing in it means anything else there.
  private static func target(of url: String) -> String {
    let isPlain = !url.contains { $0.isWhitespace || "{}\"'$#()".contains($0) }
    return isPlain ? url : literal(url)
  }

  /// The text as a string of the language, in which a brace before `$` begins an expression.
  static func literal(_ text: String) -> String {
    String(decoding: JSONPrinter.compact.print(.string(text)), as: UTF8.self).replacing("{$", with: "\\{$")
  }
}
