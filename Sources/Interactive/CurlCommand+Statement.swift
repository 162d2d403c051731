internal import JSONValue
internal import Requests

extension CurlCommand {
  /// The request as it is typed here.
  var statement: String {
    var lines = ["\(usedMethod) \(target)"]
    if isQuery, !data.isEmpty {
      lines[0] =
        "\(usedMethod) \(StatementText.word( url + (url.contains("?") ? "&" : "?") + data.joined(separator: "&")))"
    }
    if !left.isEmpty { lines[0] += ShellWords.note(of: left) }
    lines += bodyClauses
    if let auth { lines.append("auth \(auth)") }
    let fields = headers.filter { !$0.value.isEmpty && !isSaidElsewhere($0.name) }
    if !fields.isEmpty {
      let members = fields.map { "\(StatementText.literal($0.name)): \(StatementText.literal($0.value))" }
      lines.append("header { \(members.joined(separator: ", ")) }")
    }
    if let timeout { lines.append("timeout \(timeout)s") }
    if let file = outputFile { lines.append("save body to \(StatementText.literal(file))") }
    return lines.joined(separator: "\n  ")
  }

  private var hasBody: Bool { !isQuery && (!data.isEmpty || dataFile != nil) || !parts.isEmpty || uploadFile != nil }

  private var usedMethod: String {
    method ?? (isHead ? "HEAD" : uploadFile != nil ? "PUT" : hasBody ? "POST" : "GET")
  }

  /// nil for what is not kept.
  private var outputFile: String? {
    guard let output, output != "-", !output.hasPrefix("/dev/") else { return nil }
    return output.isEmpty ? url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) : output
  }

  private var target: String { StatementText.word(url) }

  private var bodyClauses: [String] {
    if !parts.isEmpty {
      let members = parts.map { part in
        var text = "\(StatementText.literal(part.name)): "
        text += part.isFile ? "file(\(StatementText.literal(part.value)))" : StatementText.literal(part.value)
        if let type = part.type { text += " as \(StatementText.literal(type))" }
        if let name = part.fileName { text += " named \(StatementText.literal(name))" }
        return text
      }
      return ["multipart { \(members.joined(separator: ", ")) }"]
    }
    guard hasBody else { return [] }
    if let uploadFile {
      let type = header("content-type").map { " as \(StatementText.literal($0))" } ?? ""
      return ["body file(\(StatementText.literal(uploadFile)))\(type)"]
    }
    let text = data.joined(separator: isJSON ? "" : "&")
    let usual = isJSON || isAsItStands ? "application/json" : "application/x-www-form-urlencoded"
    let type = header("content-type") ?? usual
    var clauses: [String] = []
    if let dataFile {
      clauses.append("body file(\(StatementText.literal(dataFile))) as \(StatementText.literal(type))")
    } else {
      let json = MediaType.isJSON(type) ? try? JSON(parsing: text) : nil
      // JSON is written as JSON where that sends the same bytes.
      if type == "application/json", let json, JSONPrinter.compact.print(json) == Array(text.utf8) {
        clauses.append("json \(StatementText.expression(json))")
      } else {
        clauses.append("body \(StatementText.literal(text)) as \(StatementText.literal(type))")
      }
    }
    if isJSON, header("accept") == nil { clauses.append("header Accept: application/json") }
    return clauses
  }

  /// A field that a clause of its own says: the body's type, a bearer token, a password.
  private func isSaidElsewhere(_ name: String) -> Bool {
    switch name.lowercased() {
    case "content-type": hasBody && parts.isEmpty
    case "authorization": auth != nil
    default: false
    }
  }

  /// `bearer "…"`, `basic "user", "…"`, if that is all the authorization there is.
  private var auth: String? {
    if let user { return "basic \(StatementText.literal(user.name)), \(StatementText.literal(user.password))" }
    guard let value = header("authorization"), value.hasPrefix("Bearer "), value.count > 7 else { return nil }
    return "bearer \(StatementText.literal(String(value.dropFirst(7))))"
  }

  private func header(_ name: String) -> String? {
    headers.last { $0.name.lowercased() == name }?.value
  }
}
