internal import Diagnostics
package import Imports
package import RequestSyntax
internal import Requests

/// A script as curl lines of a POSIX shell. What a later line needs of a response, jq takes out of it.
///
/// No text of a line means anything to the shell or to curl. What they cannot express is left out, and noted.
package struct CurlExport {
  package private(set) var text = ""
  package private(set) var notes: [ImportNote]
  private let names: ShellNames
  /// The variables with the names of files of cookies, by the profile that keeps them.
  private let jars: [String: String]
  private var needsURI = false
  private var needsReserved = false

  /// What a line cannot say.
  private struct Refusal: Error {
    var message: String
  }

  package init(_ script: ScriptSyntax) {
    let reader = ExportReader(script)
    notes = reader.notes
    var names = ShellNames(environment: reader.variables, values: reader.steps.flatMap(\.captures).map(\.variable))
    var jars: [(profile: String, variable: String)] = []
    for profile in reader.steps.compactMap(\.jar) where !jars.contains(where: { $0.profile == profile }) {
      jars.append((profile, names.newName("jar")))
    }
    self.names = names
    self.jars = Dictionary(uniqueKeysWithValues: jars.map { ($0.profile, $0.variable) })
    var lines: [String] = []
    for step in reader.steps where !step.isSkipped {
      do throws(Refusal) {
        lines += try self.lines(step)
      } catch {
        notes.append(ImportNote(.refused, error.message, at: step.range))
      }
    }
    var head = ["#!/bin/sh", "set -eu"]
    if needsURI { head.append(Self.uri) }
    if needsReserved { head.append(Self.reserved) }
    head += reader.variables.map { ": \"${\($0):?}\"" }
    if !jars.isEmpty {
      head += jars.map { "\($0.variable)=$(mktemp)" }
      head.append("trap 'rm -f \(jars.map { "\"$\($0.variable)\"" }.joined(separator: " "))' EXIT")
    }
    text = (head + lines).map { $0 + "\n" }.joined()
    notes.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Some versions of jq leave more characters as they are than RFC 3986 does.
  private static let uri =
    "uri() { printf '%s' \"$1\" | jq -sRr '@uri | "
    + [("!", "21"), ("\\u0027", "27"), ("[(]", "28"), ("[)]", "29"), ("[*]", "2A")]
    .map { "gsub(\"\($0.0)\"; \"%\($0.1)\")" }.joined(separator: " | ") + "'; }"

  /// As with `{+…}`: what is percent-encoded already stays so, and characters that divide a URL do.
  private static let reserved: String = {
    let kept = ":/?#[]@!$&'()*+,;=".utf8.map { PercentEncoding.component.encode([$0]).dropFirst() }
    let codes = kept.joined(separator: "|")
    return "reserved() { printf '%s' \"$1\" | jq -sRr '@uri | gsub(\"%(?<h>\(codes))\"; .h | "
      + "explode | map(if . > 64 then . - 55 else . - 48 end) | [.[0] * 16 + .[1]] | implode) | "
      + "gsub(\"%25(?<h>[0-9A-Fa-f]{2})\"; \"%\" + .h)'; }"
  }()

  private mutating func lines(_ step: ExportedStep) throws(Refusal) -> [String] {
    var options = [step.accepts(400...599) ? "curl -gsS" : "curl -gsS --fail"]
    let usual = step.body == nil ? "GET" : "POST"
    if step.method == "HEAD", step.body == nil {
      options.append("-I")
    } else if step.method != usual {
      options.append("-X \(try word(.init(step.method)))")
    }
    // Without it, curl would remove a part of the path.
    if CurlLine.hasDotSegment(step.url.plainParts) { options.append("--path-as-is") }
    options.append("--url \(try url(step))")
    let jar = sendsCookies(step) ? step.jar.flatMap { jars[$0] } : nil
    for field in step.headers {
      // curl sends a header of its own for those of the jar, unless they come with an option for cookies.
      let isForJar = jar != nil && field.name.lowercased() == "cookie" && field.value.hasPairs
      options.append(isForJar ? "-b \(try word(field.value))" : "-H \(try header(field))")
    }
    // Nothing after the colon removes what curl would add.
    for name in step.omittedHeaders where Self.added.contains(name.lowercased()) {
      options.append("-H \(try word(.init("\(name):")))")
    }
    if let user = step.user { options.append("-u \(try word(user.name + .init(":") + user.password))") }
    if let jar { options.append("-b \"$\(jar)\" -c \"$\(jar)\"") }
    options += try redirects(step)
    if let timeout = step.timeout { options.append("--max-time \(try seconds(timeout, of: "timeout"))") }
    options += try body(step)

    var lines: [String] = []
    if let wait = step.wait { lines.append("sleep \(try seconds(wait, of: "wait"))") }
    let line = options.joined(separator: " \\\n  ")
    let captures = captures(step)
    lines += captures.isEmpty ? [line] : ["response=$(\(line))"] + captures
    if !step.conditions.isEmpty || step.statuses.map({ $0 != [.any] }) ?? false {
      let message =
        step.accepts(400...599)
        ? "the shell script does not check what is expected of a response that may be an error"
        : "the shell script checks only that a request does not fail; other expectations are not checked"
      // Said once, and not at each step.
      if !notes.contains(where: { $0.message == message }) {
        notes.append(ImportNote(.warning, message, at: step.range))
      }
    }
    return lines
  }

  // MARK: Options

  /// What curl adds to a request of its own accord; of Content-Type, the body decides.
  private static let added: Set<String> = ["accept", "user-agent"]

  /// Whether it has cookies: where it leaves them out, or sends the field empty, curl would add those of the jar.
  private func sendsCookies(_ step: ExportedStep) -> Bool {
    func isCookie(_ name: String) -> Bool { name.lowercased() == "cookie" }
    return !step.omittedHeaders.contains(where: isCookie)
      && !step.headers.contains { isCookie($0.name) && $0.value.pieces.isEmpty }
  }

  private func header(_ field: ExportedStep.Field) throws(Refusal) -> String {
    // With a colon and nothing after it, curl would remove the field.
    field.value.pieces.isEmpty
      ? try word(.init("\(field.name);")) : try word(ExportedStep.Text("\(field.name): ") + field.value)
  }

  private mutating func redirects(_ step: ExportedStep) throws(Refusal) -> [String] {
    let most = step.redirects ?? (step.body == nil ? 5 : 0)
    guard most > 0 else { return [] }
    // curl keeps only `-u` and `Authorization` from other hosts.
    if let field = step.headers.first(where: { $0.name.lowercased() != "authorization" && $0.value.hasVariable }) {
      notes.append(
        ImportNote(
          .warning, "redirects are not followed: curl would send \(field.name) to wherever they lead", at: step.range))
      return []
    }
    return ["-L --max-redirs \(most)"]
  }

  private mutating func body(_ step: ExportedStep) throws(Refusal) -> [String] {
    func type(_ type: String?) throws(Refusal) -> [String] {
      // Without this, curl would declare any data to be a form.
      if step.has("content-type") { return [] }
      let type = step.omits("content-type") ? nil : type
      return ["-H \(try word(.init(type.map { "Content-Type: \($0)" } ?? "Content-Type:")))"]
    }
    switch step.body {
    case nil: return []
    case .json(let text)?: return try type("application/json") + ["--data-raw \(try word(text))"]
    case .text(let text, let written)?:
      return try type(written ?? "text/plain; charset=utf-8") + ["--data-raw \(try word(text))"]
    case .form(let fields)?:
      let type = step.omits("content-type") ? ["-H 'Content-Type:'"] : []
      return type + ["--data-raw \(try encodedWord(Self.items(fields, .form), isForm: true))"]
    case .multipart(let parts)?:
      var options: [String] = []
      for part in parts { options.append(try self.part(part)) }
      return options
    case .file(let path, let written)?:
      return try type(written ?? MediaType.guess(fileName: path))
        + ["--data-binary \(try word(.init("@" + Self.file(path))))"]
    }
  }

  private func part(_ part: ExportedStep.Part) throws(Refusal) -> String {
    let name = part.field.name
    if !part.isFile, part.type == nil, part.fileName == nil, CurlPart.isName(name) {
      // Its first character, and what follows a semicolon, have no special meaning here.
      return "--form-string \(try word(ExportedStep.Text("\(name)=") + part.field.value))"
    }
    guard !part.field.value.hasVariable else {
      throw Refusal(message: "this is left out: what a variable has may mean something to curl in the part \"\(name)\"")
    }
    let value = part.field.value.plainParts
    let type = part.type ?? (part.isFile ? MediaType.guess(fileName: part.fileName ?? value) : nil)
    let described = MultipartPart(name: name, content: .bytes([]), contentType: type, fileName: part.fileName)
    let content = part.isFile ? "@\(CurlPart.word(Self.file(value)))" : CurlPart.quoted(value)
    return "-F \(try word(.init(CurlPart(described, isFile: part.isFile, content: content).text)))"
  }

  /// A dash alone is curl's input.
  private static func file(_ path: String) -> String { path == "-" ? "./-" : path }

  private func seconds(_ text: String, of clause: String) throws(Refusal) -> String {
    let units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600)]
    guard let (unit, length) = units.first(where: { text.hasSuffix($0.0) }),
      let number = Double(text.dropLast(unit.count))
    else { throw Refusal(message: "this is left out: its \(clause) is computed") }
    let seconds = number * length
    return seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds))" : "\(seconds)"
  }

  // MARK: What later lines need

  private mutating func captures(_ step: ExportedStep) -> [String] {
    step.captures.compactMap { capture in
      let name = names.name(of: capture.variable)
      if capture.member == "text", capture.path.isEmpty, capture.filters.isEmpty { return "\(name)=\"$response\"" }
      guard capture.member == "body", capture.filters.isEmpty, let filter = JQFilter(capture.path) else {
        let message = "$\(capture.variable) is not taken from the response: set \(name) yourself"
        notes.append(ImportNote(.refused, message, at: step.range))
        return ": \"${\(name):?}\""
      }
      return "\(name)=$(printf '%s' \"$response\" | jq -r \(Self.quoted(filter.text)))"
    }
  }

  // MARK: Words of a shell

  /// The parts of a path and of a query are encoded as the script's are.
  private mutating func url(_ step: ExportedStep) throws(Refusal) -> String {
    guard !step.query.isEmpty else { return try encodedWord(step.url) }
    let separator = step.url.plainParts.contains("?") ? "&" : "?"
    return try encodedWord(step.url + .init(separator) + Self.items(step.query, .component))
  }

  private static func items(_ fields: [ExportedStep.Field], _ encoding: PercentEncoding) -> ExportedStep.Text {
    var text = ExportedStep.Text("")
    for field in fields {
      text = text + .init("\(text.pieces.isEmpty ? "" : "&")\(encoding.encode(field.name))=")
      for piece in field.value.pieces {
        switch piece {
        case .text(let value): text = text + .init(encoding.encode(value))
        case .variable(let name), .encoded(let name, _): text.pieces.append(.encoded(name, keepsReserved: false))
        }
      }
    }
    return text
  }

  /// What a variable has is encoded after the host of a URL, and everywhere in a form.
  private mutating func encodedWord(_ text: ExportedStep.Text, isForm: Bool = false) throws(Refusal) -> String {
    guard text.hasVariable else { return try word(text) }
    var before = ""
    var words: [String] = []
    for piece in text.pieces {
      switch piece {
      case .text(let text):
        before += text
        words.append(try Self.inner(text))
      case .variable(let variable):
        words.append(encoded(variable, after: &before, keepsReserved: true, isForm: isForm))
      case .encoded(let variable, let keepsReserved):
        words.append(encoded(variable, after: &before, keepsReserved: keepsReserved, isForm: isForm))
      }
    }
    return "\"\(words.joined())\""
  }

  private mutating func encoded(
    _ variable: String, after text: inout String, keepsReserved: Bool, isForm: Bool
  ) -> String {
    let isInPath = text.split(separator: "://", maxSplits: 1).last?.contains(where: { "/?".contains($0) }) ?? false
    text += "x"
    let name = names.name(of: variable)
    // In a form, a space is written as `+`.
    if isForm {
      needsURI = true
      return "$(uri \"${\(name)}\" | sed 's/%20/+/g')"
    }
    guard isInPath else { return "${\(name)}" }
    if keepsReserved { needsReserved = true } else { needsURI = true }
    return "$(\(keepsReserved ? "reserved" : "uri") \"${\(name)}\")"
  }

  private func word(_ text: ExportedStep.Text) throws(Refusal) -> String {
    guard text.hasVariable else {
      guard !text.plainParts.utf8.contains(0) else { throw Self.zeroByte }
      return Self.quoted(text.plainParts)
    }
    var words = ""
    for piece in text.pieces {
      switch piece {
      case .text(let text): words += try Self.inner(text)
      case .variable(let name), .encoded(let name, _): words += "${\(names.name(of: name))}"
      }
    }
    return "\"\(words)\""
  }

  private static let zeroByte = Refusal(message: "this is left out: no argument of a program can have a zero byte")

  /// In quotation marks that every POSIX shell knows. Not by characters: a quotation mark followed by a combining mark
  /// is another character, but not to a shell.
  private static func quoted(_ text: String) -> String {
    let pieces = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(pieces.map { String(Substring($0)) }.joined(separator: "'\\''"))'"
  }

  /// For the inside of double quotes.
  private static func inner(_ text: String) throws(Refusal) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard scalar.value != 0 else { throw zeroByte }
      if "\\\"$`".unicodeScalars.contains(scalar) { scalars.append("\\") }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}

extension ExportedStep.Text {
  /// Without what variables have.
  fileprivate var plainParts: String {
    pieces.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }
}

extension ExportedStep {
  /// Whether one of these codes is expected.
  fileprivate func accepts(_ codes: ClosedRange<Int>) -> Bool {
    (statuses ?? []).contains { status in
      switch status {
      case .any: true
      case .code(let code): codes.contains(code)
      case .statusClass(let digit): codes.contains(digit * 100)
      }
    }
  }
}
