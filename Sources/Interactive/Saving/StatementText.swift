internal import HTTPTypes
internal import JSONValue
internal import Requests

/// A request as a statement of the language, from what was asked for and not from how it was written.
enum StatementText {
  static func text(of description: RequestDescription) -> String {
    let head = description.head
    var lines = [(head.label.map { "\($0): " } ?? "") + "\(head.method.rawValue) \(target(head.target))"]
    lines += body(of: description)
    if !head.query.isEmpty {
      lines += head.query.map {
        "query \(isName($0.name) ? "\($0.name):" : "{ \(literal($0.name)):") \(literal($0.value))\(isName($0.name) ? "" : " }")"
      }
    }
    lines += head.headers.map { "header \($0.name.rawName): \(literal($0.value))" }
    if !head.sendsCredential { lines.append("auth none") }
    if let timeout = head.timeout { lines.append("timeout \(duration(timeout))") }
    if let limit = head.limit { lines.append("limit \(limit)") }
    if let redirects = head.redirects { lines.append(redirects == 0 ? "redirects none" : "redirects \(redirects)") }
    if let profile = head.profile { lines.append("with profile \(profile)") }
    return lines.joined(separator: "\n  ")
  }

  static func target(_ target: RequestTarget) -> String {
    switch target {
    case .path(let path, let profile): word((profile.map { "\($0):" } ?? "") + path)
    case .url(let url): word(url)
    }
  }

  /// In seconds, where it is whole ones.
  private static func duration(_ duration: Duration) -> String {
    duration == .seconds(duration.wholeSeconds) ? "\(duration.wholeSeconds)s" : "\(duration.wholeMilliseconds)ms"
  }

  /// A target: a bare word if nothing in it means anything else there.
  static func word(_ text: String) -> String {
    let isPlain = !text.isEmpty && !text.contains { $0.isWhitespace || "{}\"'$#()".contains($0) }
    return isPlain ? text : literal(text)
  }

  /// The text as a string of the language, in which a brace before `$` begins an expression.
  static func literal(_ text: String) -> String {
    String(decoding: JSONPrinter.compact.print(.string(text)), as: UTF8.self).replacing("{$", with: "\\{$")
  }

  /// A JSON value in the language, in which strings may hold expressions and these may not begin by chance.
  static func expression(_ json: JSON) -> String {
    switch json {
    case .object(let object):
      object.members.isEmpty
        ? "{}"
        : "{ \(object.members.map { "\(isKey($0.key) ? $0.key : literal($0.key)): \(expression($0.value))" }.joined(separator: ", ")) }"
    case .array(let items): "[\(items.map(expression).joined(separator: ", "))]"
    case .string(let text): literal(text)
    case .number(let number): number.text
    case .bool(let bool): bool ? "true" : "false"
    case .null: "null"
    }
  }

  private static func isKey(_ text: String) -> Bool {
    isName(text) && !text.contains("-") && !["true", "false", "null", "not", "if"].contains(text)
  }

  private static func isName(_ text: String) -> Bool {
    text.first.map { $0.isASCII && $0.isLetter || $0 == "_" } ?? false
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") } && text.last != "-"
      && !text.contains("--")
  }

  private static func body(of description: RequestDescription) -> [String] {
    switch description {
    case .inMemory(let description):
      guard let body = description.body else { return [] }
      if body.contentType.map(MediaType.isJSON) ?? false, let json = try? JSON(parsing: body.bytes) {
        return ["json \(expression(json))"]
      }
      if let fields = formFields(body) { return ["form { \(fields) }"] }
      let type = body.contentType.map { " as \(literal($0))" } ?? ""
      guard let text = String(validating: body.bytes, as: UTF8.self) else {
        return ["body (\(literal(Base64.encode(body.bytes))) | base64-decode)\(type)"]
      }
      return ["body \(literal(text))\(type)"]
    case .multipart(let description):
      return ["multipart { \(description.parts.map(part).joined(separator: ", ")) }"]
    case .stream(let description):
      let type = description.contentType.map { " as \(literal($0))" } ?? ""
      return ["body \(file(description.file))\(type)"]
    }
  }

  /// A form that was encoded as the clause `form` does it.
  private static func formFields(_ body: InMemoryRequestDescription.Body) -> String? {
    guard body.contentType == "application/x-www-form-urlencoded", !body.bytes.isEmpty,
      let text = String(validating: body.bytes, as: UTF8.self)
    else { return nil }
    var fields: [String] = []
    for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").percentDecoded
      }
      guard sides.count == 2, sides.map(PercentEncoding.form.encode).joined(separator: "=") == pair else { return nil }
      fields.append("\(isKey(sides[0]) ? sides[0] : literal(sides[0])): \(literal(sides[1]))")
    }
    return fields.joined(separator: ", ")
  }

  private static func part(_ part: MultipartPart) -> String {
    var text = "\(isKey(part.name) ? part.name : literal(part.name)): "
    switch part.content {
    case .bytes(let bytes): text += literal(String(decoding: bytes, as: UTF8.self))
    case .file(let slice): text += file(slice)
    }
    if let type = part.contentType { text += " as \(literal(type))" }
    if let name = part.fileName, case .file(let file) = part.content, name != file.name {
      text += " named \(literal(name))"
    }
    return text
  }

  private static func file(_ file: FileSlice) -> String {
    let call = "file(\(literal(file.path)))"
    return file.offset == 0 && file.count == file.identity.size
      ? call : "(\(call) | slice(\(file.offset), \(file.count)))"
  }
}
