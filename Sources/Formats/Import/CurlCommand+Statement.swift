internal import JSONValue
package import RequestSyntax
internal import Requests

extension CurlCommand {
  /// The request, and a comment on what is left out of the line.
  package var script: ScriptSyntax {
    // Of `curl …;` nothing is left out.
    let rest = left.allSatisfy { $0 == ";" || $0.isWhitespace } ? "" : left
    let notes = [unused.joined(separator: ", "), String(rest)].filter { !$0.isEmpty }
    return ScriptSyntax(
      [statement], comments: notes.isEmpty ? [] : [ShellWords.note(of: notes.joined(separator: " ")[...])])
  }

  /// The request as a step.
  package var statement: StatementSyntax { .step(step) }

  var step: StepSyntax {
    var clauses = bodyClauses
    if let auth { clauses.append(ClauseSyntax(.auth(auth))) }
    let fields = headers.filter { !isSaidElsewhere($0.name) && !isOfForm($0.name, $0.value) }
    if !fields.isEmpty {
      let members = Self.members(of: fields)
      if members.count == 1, let only = members.first {
        clauses.append(.header(only.name, only.value))
      } else {
        clauses.append(ClauseSyntax(.header(.object(ObjectSyntax(members.map { .field($0.name, $0.value) })))))
      }
    }
    clauses += omissions
    if let timeout { clauses.append(ClauseSyntax(.timeout(.number(NumberSyntax(timeout, .s))))) }
    if let attempts = attempts.flatMap(Int.init) { clauses.append(ClauseSyntax(.retry(.attempts(attempts, on: [])))) }
    if let redirects { clauses.append(ClauseSyntax(.redirects(redirects == 0 ? nil : redirects))) }
    if let file = outputFile { clauses.append(ClauseSyntax(.save(.text(file)))) }
    return StepSyntax(usedMethod, TargetSyntax(target), clauses)
  }

  /// Each name once, with all of its values.
  private static func members(
    of fields: [(name: String, value: String)]
  ) -> [(name: String, value: ExpressionSyntax)] {
    let values = Dictionary(grouping: fields) { $0.name.lowercased() }
    var seen: Set<String> = []
    return fields.compactMap { field in
      let name = field.name.lowercased()
      guard seen.insert(name).inserted, let all = values[name] else { return nil }
      let texts = all.map { ExpressionSyntax.text($0.value) }
      return (field.name, texts.count == 1 ? texts[0] : .array(ArraySyntax(texts)))
    }
  }

  /// curl appends the boundary to a form's type, and so does a form without the header.
  private func isOfForm(_ name: String, _ value: String) -> Bool {
    !parts.isEmpty && name.lowercased() == "content-type"
      && value.lowercased().trimmed == "multipart/form-data"
  }

  private var hasBody: Bool { !isQuery && !data.isEmpty || !parts.isEmpty || upload != nil }

  /// Headers that are left out; of one that is given too, curl takes the value.
  private var omissions: [ClauseSyntax] {
    var names = omitted
    // An uploaded file has no type for curl.
    if upload != nil, !names.contains("content-type") { names.append("content-type") }
    var known = Set(headers.map { $0.name.lowercased() })
    return names.filter { known.insert($0).inserted && auth(omitting: $0) == nil }.map { name in
      if name == "authorization" { return ClauseSyntax(.auth(.none)) }
      let words = name.split(separator: "-", omittingEmptySubsequences: false).map {
        $0.prefix(1).uppercased() + $0.dropFirst()
      }
      return .omittedHeader(words.joined(separator: "-"))
    }
  }

  /// What is sent in place of a header that is left out.
  private func auth(omitting name: String) -> AuthSyntax? { name == "authorization" ? auth : nil }

  private var usedMethod: String {
    method ?? (isHead ? "HEAD" : upload != nil ? "PUT" : hasBody ? "POST" : "GET")
  }

  /// nil for what is not kept.
  private var outputFile: String? {
    guard let output, output != "-", !output.hasPrefix("/dev/") else { return nil }
    return output.isEmpty ? url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) : output
  }

  var target: String {
    if case .file(let path)? = upload, url.hasSuffix("/"), !url.contains("?") {
      return url + PercentEncoding.component.encode(path.split(separator: "/").last.map(String.init) ?? "")
    }
    guard isQuery, let text = data.text(), !text.isEmpty else { return url }
    let address = url.prefix { $0 != "#" }
    return address + (address.contains("?") ? "&" : "?") + text + url[address.endIndex...]
  }

  private var bodyClauses: [ClauseSyntax] {
    if !parts.isEmpty {
      let members = parts.map { part -> ObjectSyntax.Member in
        let file = ExpressionSyntax.call("file", .text(part.value))
        let value =
          part.isFile ? file : part.isFileText ? file.path([.member("text")]) : ShellBytes.expression(part.value)
        return .field(part.name, value, TypedSyntax(type: part.type, fileName: part.fileName))
      }
      return [ClauseSyntax(.multipart(.object(ObjectSyntax(members))))]
    }
    guard hasBody else { return [] }
    switch upload {
    case .file(let path)?, .input(.file(let path))?: return [.body(file: path, type: header("content-type"))]
    case .input(.text(let text))?:
      return [ClauseSyntax(.body(ShellBytes.expression(text), TypedSyntax(type: header("content-type"))))]
    case nil: break
    }
    let usual = isJSON || isAsItStands ? "application/json" : "application/x-www-form-urlencoded"
    let type = header("content-type") ?? (omitted.contains("content-type") ? nil : usual)
    var clauses: [ClauseSyntax] = []
    let text = data.text(separator: isJSON ? "" : "&")
    // JSON is written as JSON if that sends the same bytes: of repeated members, an object of the language keeps one.
    if type == "application/json", let text, !ShellVariable.isIn(text), !ShellBytes.isIn(text),
      let json = try? JSON(parsing: text),
      JSONPrinter.compact.print(json) == Array(text.utf8), json.repeatedKeys.isEmpty
    {
      clauses.append(ClauseSyntax(.json(ExpressionSyntax(json))))
    } else {
      clauses.append(data.body(separator: isJSON ? "" : "&", type: type))
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
    let value = header("authorization")
    if let user, value == nil {
      return .scheme(isDigest ? .digest : .basic, [.text(user.name), .text(user.password)])
    }
    guard let value, headers.count(where: { $0.name.lowercased() == "authorization" }) == 1, value.hasPrefix("Bearer "),
      value.count > 7
    else { return nil }
    return .scheme(.bearer, [.text(String(value.dropFirst(7)))])
  }

  private func header(_ name: String) -> String? {
    headers.last { $0.name.lowercased() == name }?.value
  }
}
