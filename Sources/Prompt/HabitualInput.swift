internal import Diagnostics
internal import Formats
internal import Presentation
internal import RequestSyntax
internal import Requests

/// What people type out of habit: what it means here, or what to type instead.
enum HabitualInput: Hashable {
  /// A line for another tool.
  case foreign(ForeignInput)
  /// A command to run instead.
  case command(String)
  case hint(ErrorReport)

  /// - Parameter input: trimmed; nil if it is not a habit, but a statement or a mistake.
  init?(_ input: String) {
    let first = input.prefix { !$0.isWhitespace }
    let rest = input.dropFirst(first.count).drop(while: \.isWhitespace)
    guard !first.isEmpty else { return nil }
    if let piped = Self.piped(input) {
      self = piped
    } else if let status = Self.status(input) {
      self = status
    } else if let command = Self.command(String(first), String(rest)) {
      self = command
    } else if rest.isEmpty, first.prefixMatch(of: /[A-Za-z_]\w*=https?:\/\//) != nil, let field = Self.field(first) {
      self = field
    } else if let foreign = ForeignInput(input) {
      self = .foreign(foreign)
    } else if let bare = Self.bare(input, first, rest) {
      self = bare
    } else {
      return nil
    }
  }

  // MARK: Without a method

  /// Something that is not a request: a body, a value, a field.
  private static func bare(_ input: String, _ first: Substring, _ rest: Substring) -> HabitualInput? {
    if let named = named(input) { return named }
    let beginsValue = first.hasPrefix("$") ? first.count > 1 : ["true", "false", "null", "not", "if"].contains(first)
    if beginsValue, !input.contains("\n") { return .command(":print \(input)") }
    switch input.first {
    case "{", "[":
      let body = input.first == "{" ? "{ … }" : "[ … ]"
      return .hint(ErrorReport("a body needs a request before it", notes: ["POST /path json \(body)"]))
    case "`": return .hint(noShell)
    case "\"", "(": return .command(":print \(input)")
    case "!":
      if input == "!!" { return .command(":repeat") }
      let history = "!! is the line before, ^R finds an earlier one"
      return .hint(ErrorReport("there is no shell here", notes: [history, shellNote]))
    case let character?
    where character.isASCII && character.isNumber && !first.contains(where: { $0 == ":" || $0 == "/" }):
      return first.isAddress ? .hint(scheme(first)) : .command(":print \(input)")
    default: break
    }
    // `file("a.json").json`
    let name = input.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
    if input.dropFirst(name.count).first == "(", name.first?.isLowercase ?? false { return .command(":print \(input)") }
    return field(first) ?? host(first) ?? misspelledTool(first, rest)
  }

  /// `HTTP 200` of a .hurl file.
  private static func status(_ input: String) -> HabitualInput? {
    let line = input.prefix { !$0.isNewline }
    guard let status = line.wholeMatch(of: /HTTP(?:\/[0-9.]+)?\s+([0-9]{3}|\*)\s*/)?.output.1 else { return nil }
    return .hint(
      ErrorReport(
        "this is what a .hurl file expects of the request above it",
        notes: ["after the request: GET /path expect \(status == "*" ? "any status" : status)"]))
  }

  /// `$r = GET /me`, `$n = 3`
  private static func named(_ input: String) -> HabitualInput? {
    guard let found = input.wholeMatch(of: /\$([A-Za-z_][\w\-]*)\s*=(?!=)\s*(.*)/)?.output else { return nil }
    func shown(_ line: String) -> String { TypedSecrets.masked(line).replacing(TypedSecrets.mask, with: "…") }
    let words = found.2.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    if words.count > 1, Keywords.isMethod(String(words[0])) {
      return .hint(
        ErrorReport("a response is named by a label", notes: [shown("\(found.1): \(words[0]) \(words[1])")]))
    }
    return .hint(
      ErrorReport(
        "let gives a name its value", notes: [shown("let \(found.1) = \(found.2.isEmpty ? "…" : found.2)")]))
  }

  static let shellNote = "^Z leaves for one, and fg comes back"

  /// `Accept:text/plain`, `name=value`, `page==2`: what belongs to a request.
  private static func field(_ first: Substring) -> HabitualInput? {
    let name = first.prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    guard let start = name.first, start.isLetter, name.count < first.count else { return nil }
    let separator = first.dropFirst(name.count)
    let value = separator.drop { ":=".contains($0) }
    if separator.hasPrefix("=$(") || separator.hasPrefix("=`") {
      return .hint(
        ErrorReport(
          "there is no shell here",
          notes: ["type the line alone; then let \(name.lowercased()) = $_.body.member names what it brought"]))
    }
    guard separator.hasPrefix("=") || separator.hasPrefix(":="), !separator.hasPrefix("=>") else {
      guard separator.hasPrefix(":"), separator.count > 1, value.first?.isNumber != true, !name.contains(".") else {
        return nil
      }
      return .hint(
        ErrorReport(
          "a header belongs to a request, or to all of a profile",
          notes: ["GET /path \(first)", "profile api { base https://… header \(name): … }"]))
    }
    if separator.hasPrefix("==") {
      return .hint(ErrorReport("a query belongs to a request", notes: ["GET /path \(first)"]))
    }
    if let reference = ReferenceText.reference(value) {
      let kept = StatementSyntax.binding(LetSyntax(String(name), .reference(reference)))
      return .hint(ErrorReport("let gives a name its value", notes: [SyntaxPrinter.print(kept)]))
    }
    let kept: StatementSyntax =
      SensitiveName.contains(String(name))
      ? .secret(SecretSyntax(name.lowercased(), .call("ask", .text(String(name))), for: ["api"]))
      : .binding(LetSyntax(String(name), .text(String(value))))
    return .hint(
      ErrorReport(
        "a value belongs to a request, or has a name",
        notes: ["POST /path \(first)", SyntaxPrinter.print(kept)]))
  }

  /// `crul -s https://…`
  private static func misspelledTool(_ first: Substring, _ rest: Substring) -> HabitualInput? {
    let next = rest.prefix { !$0.isWhitespace }
    guard next.hasPrefix("-") || next.contains("/"), Keywords.isUnheardOf(String(first)),
      let meant = SpellingSuggestion.nearest(to: String(first), among: ["curl", "http", "https"])
    else { return nil }
    return .hint(ErrorReport("there is no command \"\(first)\"", notes: ["did you mean \(meant)?"]))
  }

  private static func host(_ first: Substring) -> HabitualInput? {
    let host = first.prefix { $0 != "/" && $0 != ":" && $0 != "?" }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let isHost = labels.count > 1 && labels.allSatisfy { !$0.isEmpty } && labels.last?.first?.isLetter ?? false
    guard isHost || first.isAddress,
      host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") })
    else { return nil }
    return .hint(scheme(first))
  }

  private static func scheme(_ first: Substring) -> ErrorReport {
    ErrorReport("a URL needs its scheme here", notes: ["GET https://\(first)", "GET http://\(first)"])
  }
}

extension Substring {
  fileprivate var isAddress: Bool {
    let parts = prefix { $0 != "/" && $0 != ":" }.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
