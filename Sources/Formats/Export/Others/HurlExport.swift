internal import Diagnostics
package import Imports
internal import JSONValue
package import RequestSyntax
internal import Requests

/// A script as a Hurl file, as far as Hurl can say the same.
package struct HurlExport {
  package private(set) var text = ""
  package private(set) var notes: [ImportNote]

  package init(_ script: ScriptSyntax) {
    let reader = ExportReader(script, functions: Self.functions)
    notes = reader.notes
    var steps = reader.steps
    for index in steps.indices { encode(&steps, index) }
    if !reader.variables.isEmpty { text += "# Variables: \(reader.variables.joined(separator: ", "))\n\n" }
    for (index, step) in steps.enumerated() {
      if index > 0 { text += "\n" }
      write(step)
    }
    notes.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// What Hurl calls functions of ours.
  private static let functions = ["uuid": "newUuid"]

  /// Hurl puts what a variable has into a URL as it is: what comes from a response is captured percent-encoded.
  private mutating func encode(_ steps: inout [ExportedStep], _ index: Int) {
    for (place, piece) in steps[index].url.pieces.enumerated() {
      guard case .encoded(let name, let keepsReserved) = piece else { continue }
      let encoded = keepsReserved ? nil : capture(name, encodedIn: &steps)
      steps[index].url.pieces[place] = .variable(encoded ?? name)
      if encoded == nil, !Self.functions.values.contains(name) {
        notes.append(
          ImportNote(
            .warning, "{{\(name)}} comes into this URL as it is: give it percent-encoded", at: steps[index].range))
      }
    }
  }

  /// The same value percent-encoded; nil: no response has it.
  private func capture(_ name: String, encodedIn steps: inout [ExportedStep]) -> String? {
    for (index, step) in steps.enumerated() {
      guard var capture = step.captures.first(where: { $0.variable == name && !$0.isEncoded }) else { continue }
      (capture.variable, capture.isEncoded) = ("\(name)_in_url", true)
      if !step.captures.contains(capture) {
        let taken = Set(steps.flatMap(\.captures).map(\.variable))
        while taken.contains(capture.variable) { capture.variable += "_" }
        steps[index].captures.append(capture)
      }
      return capture.variable
    }
    return nil
  }

  private mutating func line(_ text: String) { self.text += "\(text)\n" }

  private mutating func write(_ step: ExportedStep) {
    line("\(step.method) \(Self.unquoted(step.url))")
    noteOmitted(step)
    for field in step.headers { line(Self.field(field.name, field.value)) }
    if case .json(let text)? = step.body, !step.has("content-type"), text.isBytes {
      line("Content-Type: application/json")
    }
    if !step.has("content-type"), !step.omits("content-type") {
      switch step.body {
      case .text(_, let type?)?, .file(_, let type?)?: line("Content-Type: \(type)")
      // Hurl sends none that nobody gives it.
      case .file(let path, nil)?: line("Content-Type: \(MediaType.guess(fileName: path))")
      default: break
      }
    }
    var options: [String] = []
    if let redirects = step.redirects, redirects > 0 { options += ["location: true", "max-redirs: \(redirects)"] }
    if let timeout = step.timeout { options.append("max-time: \(timeout)") }
    if let wait = step.wait { options.append("delay: \(wait)") }
    if step.isSkipped { options.append("skip: true") }
    section("Options", options)
    section("Query", step.query.map { Self.field($0.name, $0.value) })
    if let user = step.user { section("BasicAuth", ["\(Self.key(user.name)): \(Self.unquoted(user.password))"]) }
    switch step.body {
    case .json(let text)?: if !writeBytes(text, step) { line("```json\n\(Self.template(text))\n```") }
    case .form(let fields)?: section("Form", fields.map { Self.field($0.name, $0.value) })
    case .multipart(let parts)?:
      section(
        "Multipart",
        parts.map { part in
          guard part.isFile else {
            if part.type != nil {
              notes.append(ImportNote(.warning, "the type of \(part.field.name) is not exported", at: step.range))
            }
            if part.fileName != nil {
              notes.append(ImportNote(.warning, "the file name of \(part.field.name) is not exported", at: step.range))
            }
            return Self.field(part.field.name, part.field.value)
          }
          if part.fileName != nil {
            notes.append(ImportNote(.warning, "the file name of \(part.field.name) is not exported", at: step.range))
          }
          return "\(Self.key(ExportedStep.Text(part.field.name))): file,\(Self.path(part.field.value));"
            + (part.type.map { " \($0)" } ?? "")
        })
    case .text(let text, _)?: if !writeBytes(text, step) { line("```\n\(Self.template(text))```") }
    case .file(let path, _)?: line("file,\(Self.path(ExportedStep.Text(path)));")
    case nil: break
    }
    writeResponse(step)
  }

  /// Hurl has no way to leave out what it adds.
  private mutating func noteOmitted(_ step: ExportedStep) {
    for name in step.omittedHeaders {
      let isAdded =
        switch (name.lowercased(), step.body) {
        case ("accept", _), ("user-agent", _): true
        case ("content-type", .json?), ("content-type", .form?), ("content-type", .multipart?): true
        default: false
        }
      if isAdded { notes.append(ImportNote(.warning, "Hurl sends \(name), which is left out here", at: step.range)) }
    }
  }

  /// A body that cannot be between three backticks as it is.
  ///
  /// - Returns: whether it is written.
  private mutating func writeBytes(_ text: ExportedStep.Text, _ step: ExportedStep) -> Bool {
    guard text.isBytes else { return false }
    guard let written = text.written else {
      notes.append(
        ImportNote(.refused, "this body has both variables and characters that Hurl reads as its own", at: step.range))
      return true
    }
    line("base64,\(Base64.encode(Array(written.utf8)));")
    return true
  }

  private mutating func section(_ name: String, _ lines: [String]) {
    guard !lines.isEmpty else { return }
    line("[\(name)]")
    for text in lines { line(text) }
  }

  private mutating func writeResponse(_ step: ExportedStep) {
    var asserts: [String] = []
    switch step.statuses {
    case nil:
      line("HTTP *")
      if !step.conditions.contains(where: \.readsStatus) { asserts += ["status >= 200", "status < 400"] }
    case [.any]?: line("HTTP *")
    case let statuses? where statuses.count == 1:
      if case .code(let code) = statuses[0] { line("HTTP \(code)") } else { fallthrough }
    case let statuses?:
      line("HTTP *")
      if statuses.count == 1, case .statusClass(let digit) = statuses[0] {
        asserts += ["status >= \(digit)00", "status < \(digit + 1)00"]
      } else {
        let choices = statuses.map { $0.description.replacing("x", with: ".") }.joined(separator: "|")
        asserts.append("status toString matches /^(\(choices))$/")
      }
    }
    section(
      "Captures",
      step.captures.compactMap { capture in
        guard let query = Self.subject(capture.value) else {
          let value = ".\(SyntaxPrinter.print(capture.value))"
          notes.append(
            ImportNote(.refused, "\(value) is not exported, so \(capture.variable) has no value", at: step.range))
          return nil
        }
        // Its filter leaves slashes as they are.
        let filters = capture.isEncoded ? " toString urlEncode replace \"/\" \"%2F\"" : ""
        return "\(capture.variable): \(query)\(filters)"
      })
    for condition in step.conditions.flatMap(\.conjuncts) {
      if let assert = Self.assert(condition) {
        asserts.append(assert)
      } else {
        notes.append(ImportNote(.refused, "this expectation is not exported", at: condition.range))
      }
    }
    section("Asserts", asserts)
  }

  // MARK: Queries and predicates

  private static func query(_ member: String, _ path: [SegmentSyntax]) -> String? {
    switch (member, path.first?.kind, path.count) {
    case ("status", _, 0), ("url", _, 0), ("bytes", _, 0): return member
    case ("text", _, 0): return "body"
    case ("body", _, _): return "jsonpath \(quoted("$" + SyntaxPrinter.print(path)))"
    case ("headers", .name(let name)?, 1): return "header \(quoted(name))"
    case ("cookies", .name(let name)?, 1): return "cookie \(quoted(name))"
    case ("headers", .bracket(let selectors, _)?, 1), ("cookies", .bracket(let selectors, _)?, 1):
      guard case .name(let name)? = selectors.first?.kind else { return nil }
      return "\(member == "headers" ? "header" : "cookie") \(quoted(name))"
    case ("time", .name("total")?, 1): return "duration"
    default: return nil
    }
  }

  private static func subject(_ value: ExpressionSyntax) -> String? {
    switch value {
    case .member(let name): return query(name.text, [])
    case .path(let node):
      if case .member(let name) = node.base { return query(name.text, node.segments) }
      return nil
    case .parenthesized(let node): return subject(node.inner)
    case .pipe(let node):
      guard let input = subject(node.input) else { return nil }
      let argument = node.call.arguments.first?.value.plainText
      switch (node.call.name.text, argument) {
      case ("count", nil), ("first", nil), ("last", nil): return "\(input) \(node.call.name.text)"
      case ("unwrap", nil): return input
      case ("xpath", let path?): return input == "body" ? "xpath \(quoted(path))" : "\(input) xpath \(quoted(path))"
      case ("regex", let pattern?): return "\(input) regex \(quoted(pattern))"
      case ("split", let text?): return "\(input) split \(quoted(text))"
      case ("sha256", nil), ("md5", nil): return input == "bytes" ? node.call.name.text : nil
      case ("to-number", nil): return "\(input) toFloat"
      case ("to-int", nil): return "\(input) toInt"
      default: return nil
      }
    default: return nil
    }
  }

  private static func assert(_ condition: ExpressionSyntax) -> String? {
    switch condition {
    case .parenthesized(let node): return assert(node.inner)
    case .unary(let node) where node.operator == .not:
      guard let inner = assert(node.operand), let subject = self.subject(of: node.operand), inner.hasPrefix(subject)
      else {
        return nil
      }
      return subject + " not" + inner.dropFirst(subject.count)
    case .shapeTest(let node):
      guard let subject = subject(node.value), case .named(let name) = node.shape.kind else { return nil }
      let words: [ShapeSyntax.Named: String] = [
        .any: "exists", .bool: "isBoolean", .int: "isInteger", .float: "isFloat", .number: "isNumber",
        .string: "isString", .datetime: "isIsoDate",
      ]
      return words[name].map { "\(subject) \($0)" }
    case .binary(let node):
      guard let subject = subject(node.left), let value = value(node.right, node.operator) else { return nil }
      let words: [BinarySyntax.Operator: String] = [
        .equal: "==", .notEqual: "!=", .less: "<", .lessOrEqual: "<=", .greater: ">", .greaterOrEqual: ">=",
        .contains: "contains", .startsWith: "startsWith", .endsWith: "endsWith", .matches: "matches",
      ]
      return words[node.operator].map { "\(subject) \($0) \(value)" }
    default:
      return subject(condition).map { "\($0) == true" }
    }
  }

  private static func subject(of condition: ExpressionSyntax) -> String? {
    switch condition {
    case .shapeTest(let node): subject(node.value)
    case .binary(let node): subject(node.left)
    case .parenthesized(let node): subject(of: node.inner)
    default: subject(condition)
    }
  }

  private static func value(_ value: ExpressionSyntax, _ operation: BinarySyntax.Operator) -> String? {
    switch value {
    case .string(let string): return string.plainText.map(quoted)
    case .number(let number) where number.unit == nil || number.unit == .ms: return number.text
    case .number(let number) where number.unit == .s: return Int(number.text).map { "\($0 * 1_000)" }
    case .literal(let literal): return literal.kind.rawValue
    case .unary(let node) where node.operator == .negate: return self.value(node.operand, operation).map { "-\($0)" }
    default: return nil
    }
  }

  // MARK: Texts

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func template(_ text: ExportedStep.Text) -> String {
    text.pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .variable(let name), .encoded(let name, _): "{{\(name)}}"
      }
    }.joined()
  }

  private static func field(_ name: String, _ value: ExportedStep.Text) -> String {
    "\(key(ExportedStep.Text(name))): \(unquoted(value))"
  }

  /// Before a colon: what is not of the few characters that Hurl takes there is escaped.
  private static func key(_ text: ExportedStep.Text) -> String {
    text.pieces.map { piece in
      guard case .text(let text) = piece else { return unquoted(ExportedStep.Text(pieces: [piece])) }
      return text.unicodeScalars.map { scalar in
        switch scalar {
        case ":", "#", "\\", "\"": "\\\(scalar)"
        case "[": "\\u{5b}"
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "]", "@", "$": "\(scalar)"
        case _ where scalar.value >= 0x80 && scalar.properties.isAlphabetic: "\(scalar)"
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
      }.joined()
    }.joined()
  }

  /// In `file,…;`, where a space is written, too.
  private static func path(_ text: ExportedStep.Text) -> String {
    unquoted(text).replacing(";", with: "\\;").replacing(" ", with: "\\ ")
  }

  /// With what Hurl would read as its own: a comment, a template, the end of a name, spaces at either end.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    let text = Array(text)
    for (index, character) in text.enumerated() {
      switch character {
      case "\\", "#": escaped += "\\\(character)"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\r\n": escaped += "\\r\\n"
      case "\t": escaped += "\\t"
      case "{" where index + 1 < text.count && text[index + 1] == "{" || index > 0 && text[index - 1] == "{":
        escaped += "\\u{7b}"
      case " " where index == 0 || index == text.count - 1: escaped += "\\u{20}"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// To the end of a line, where a `#` would begin a comment.
  private static func unquoted(_ text: ExportedStep.Text) -> String {
    text.pieces.map { piece in
      switch piece {
      case .text(let text): escaped(text)
      case .variable(let name), .encoded(let name, _): "{{\(name)}}"
      }
    }.joined()
  }
}

extension ExportedStep.Text {
  /// Whether it cannot be between three backticks as it is.
  fileprivate var isBytes: Bool {
    pieces.contains { piece in
      guard case .text(let text) = piece else { return false }
      return text.contains("```") || text.contains("{{") || text.utf8.contains(0x0D)
    }
  }

  /// nil if a variable is in it.
  fileprivate var written: String? {
    var whole = ""
    for piece in pieces {
      guard case .text(let text) = piece else { return nil }
      whole += text
    }
    return whole
  }
}

extension ExportedStep {
  func has(_ header: String) -> Bool { headers.contains { $0.name.lowercased() == header } }

  func omits(_ header: String) -> Bool { omittedHeaders.contains { $0.lowercased() == header } }
}

extension ExpressionSyntax {
  /// What has to be true, one by one.
  fileprivate var conjuncts: [ExpressionSyntax] {
    switch self {
    case .parenthesized(let node): node.inner.conjuncts
    case .binary(let node) where node.operator == .and: node.left.conjuncts + node.right.conjuncts
    default: [self]
    }
  }

  fileprivate var readsStatus: Bool {
    var reads = false
    forEach { if case .member(let name) = $0, name.text == "status" { reads = true } }
    return reads
  }
}
