internal import Diagnostics
package import Imports
internal import JSONValue
package import RequestSyntax

/// A script as curl lines of a POSIX shell. What a later line needs of a response, jq takes out of it.
package struct CurlExport {
  package private(set) var text = "#!/bin/sh\nset -eu\n"
  package private(set) var notes: [ImportNote]

  package init(_ script: ScriptSyntax) {
    let reader = ExportReader(script)
    notes = reader.notes
    for name in reader.variables { text += ": \"${\(name):?}\"\n" }
    for step in reader.steps { write(step) }
  }

  private mutating func write(_ step: ExportedStep) {
    guard !step.isSkipped else { return }
    var words = ["curl -sS --fail"]
    let usual = step.body == nil ? "GET" : "POST"
    if step.method == "HEAD" { words.append("-I") } else if step.method != usual { words.append("-X \(step.method)") }
    if !step.query.isEmpty, step.body == nil {
      words.append("-G")
      words += step.query.map { "--data-urlencode \(Self.word(ExportedStep.Text("\($0.name)=") + $0.value))" }
    } else {
      words += step.query.map { "--url-query \(Self.word(ExportedStep.Text("\($0.name)=") + $0.value))" }
    }
    words += step.headers.map { "-H \(Self.word(ExportedStep.Text("\($0.name): ") + $0.value))" }
    if let user = step.user { words.append("-u \(Self.word(user.name + ExportedStep.Text(":") + user.password))") }
    if let redirects = step.redirects, redirects > 0 { words.append("-L --max-redirs \(redirects)") }
    if let timeout = step.timeout, timeout.hasSuffix("s"), let seconds = Double(timeout.dropLast()) {
      words.append("--max-time \(seconds)")
    }
    switch step.body {
    case .json(let text)?:
      if !step.has("content-type") { words.append("-H 'Content-Type: application/json'") }
      words.append("--data-raw \(Self.word(text))")
    case .text(let text, let type)?:
      if !step.has("content-type") { words.append("-H \(type.map { "'Content-Type: \($0)'" } ?? "'Content-Type:'")") }
      words.append("--data-raw \(Self.word(text))")
    case .form(let fields)?:
      words += fields.map { "--data-urlencode \(Self.word(ExportedStep.Text("\($0.name)=") + $0.value))" }
    case .multipart(let parts)?:
      words += parts.map { part in
        let type = part.type.map { ";type=\($0)" } ?? ""
        return part.isFile
          ? "-F \(Self.word(ExportedStep.Text("\(part.field.name)=@") + part.field.value + ExportedStep.Text(type)))"
          : "--form-string \(Self.word(ExportedStep.Text("\(part.field.name)=") + part.field.value))"
      }
    case .file(let path, let type)?:
      words.append("-H \(type.map { "'Content-Type: \($0)'" } ?? "'Content-Type:'")")
      words.append("--data-binary \(Self.word(ExportedStep.Text("@\(path)")))")
    case nil: break
    }
    words.append(Self.word(step.url))
    let line = words.joined(separator: " ")
    let captures = step.captures.filter { $0.member == "body" || $0.member == "text" }
    for capture in step.captures where !captures.contains(capture) {
      notes.append(ImportNote(.refused, "$\(capture.variable) is not taken from \(capture.member)", at: step.range))
    }
    if let wait = step.wait, wait.hasSuffix("s"), !wait.hasSuffix("ms") { text += "sleep \(wait.dropLast())\n" }
    guard !captures.isEmpty else {
      text += "\(line)\n"
      return
    }
    text += "response=$(\(line))\n"
    for capture in captures {
      let filter = SyntaxPrinter.print(capture.path)
      let path = filter.isEmpty ? "." : filter.hasPrefix("[") ? ".\(filter)" : filter
      let value = capture.member == "text" ? "$response" : "$(printf '%s' \"$response\" | jq -r '\(path)')"
      text += "\(capture.variable.replacing("-", with: "_"))=\(capture.member == "text" ? "\"\(value)\"" : value)\n"
    }
    if !step.conditions.isEmpty {
      notes.append(
        ImportNote(.warning, "a shell does not judge what is expected, only that it is no error", at: step.range))
    }
  }

  /// One word of a shell.
  private static func word(_ text: ExportedStep.Text) -> String {
    let isPlain = text.pieces.allSatisfy { if case .text = $0 { true } else { false } }
    let whole = text.pieces.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    if isPlain { return "'\(whole.replacing("'", with: "'\\''"))'" }
    return "\""
      + text.pieces.map { piece in
        switch piece {
        case .text(let text):
          text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("$", with: "\\$").replacing(
            "`", with: "\\`")
        case .variable(let name): "${\(name.replacing("-", with: "_"))}"
        }
      }.joined() + "\""
  }
}
