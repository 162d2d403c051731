internal import JSONValue
package import RequestSyntax
internal import Requests

extension CurlCommand {
  /// The request, and a comment on what is left out of the line.
  package var script: ScriptSyntax {
    ScriptSyntax([statement], comments: left.isEmpty ? [] : [ShellWords.note(of: left)])
  }

  /// The request as a step.
  package var statement: StatementSyntax {
    var clauses = bodyClauses
    if let auth { clauses.append(ClauseSyntax(.auth(auth))) }
    let fields = headers.filter { !$0.value.isEmpty && !isSaidElsewhere($0.name) }
    if !fields.isEmpty {
      let object = ObjectSyntax(fields.map { .field($0.name, .text($0.value)) })
      clauses.append(ClauseSyntax(.header(.object(object))))
    }
    if let timeout { clauses.append(ClauseSyntax(.timeout(.number(NumberSyntax(timeout, .s))))) }
    if let file = outputFile { clauses.append(ClauseSyntax(.save(.text(file)))) }
    return .step(StepSyntax(usedMethod, TargetSyntax(target), clauses))
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

  private var target: String {
    isQuery && !data.isEmpty ? url + (url.contains("?") ? "&" : "?") + data.joined(separator: "&") : url
  }

  private var bodyClauses: [ClauseSyntax] {
    if !parts.isEmpty {
      let members = parts.map { part -> ObjectSyntax.Member in
        let value = part.isFile ? ExpressionSyntax.call("file", .text(part.value)) : .text(part.value)
        return .field(part.name, value, TypedSyntax(type: part.type, fileName: part.fileName))
      }
      return [ClauseSyntax(.multipart(.object(ObjectSyntax(members))))]
    }
    guard hasBody else { return [] }
    if let uploadFile { return [.body(file: uploadFile, type: header("content-type"))] }
    let text = data.joined(separator: isJSON ? "" : "&")
    let usual = isJSON || isAsItStands ? "application/json" : "application/x-www-form-urlencoded"
    let type = header("content-type") ?? usual
    var clauses: [ClauseSyntax] = []
    if let dataFile {
      clauses.append(.body(file: dataFile, type: type))
    } else {
      let json = MediaType.isJSON(type) ? try? JSON(parsing: text) : nil
      // JSON is written as JSON if that sends the same bytes.
      if type == "application/json", let json, JSONPrinter.compact.print(json) == Array(text.utf8) {
        clauses.append(ClauseSyntax(.json(ExpressionSyntax(json))))
      } else {
        clauses.append(ClauseSyntax(.body(.text(text), TypedSyntax(type: type))))
      }
    }
    if isJSON, header("accept") == nil { clauses.append(.header("Accept", .value("application/json"))) }
    return clauses
  }

  /// A field that has a clause of its own: the body's type, a bearer token, a password.
  private func isSaidElsewhere(_ name: String) -> Bool {
    switch name.lowercased() {
    case "content-type": hasBody && parts.isEmpty
    case "authorization": auth != nil
    default: false
    }
  }

  /// A token, or a user and a password, if that is all the authorization there is.
  private var auth: AuthSyntax? {
    if let user { return .scheme(.basic, [.text(user.name), .text(user.password)]) }
    guard let value = header("authorization"), value.hasPrefix("Bearer "), value.count > 7 else { return nil }
    return .scheme(.bearer, [.text(String(value.dropFirst(7)))])
  }

  private func header(_ name: String) -> String? {
    headers.last { $0.name.lowercased() == name }?.value
  }
}
