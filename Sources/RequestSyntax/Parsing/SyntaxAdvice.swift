import Diagnostics
import JSONValue

/// What to write instead of the text at a place: for habits from other languages and tools, and for omissions.
struct SyntaxAdvice {
  /// The line up to the place, without leading spaces.
  private let before: Substring
  /// The line from the place on.
  private let rest: Substring
  /// Whether it was typed, and is not in a file.
  private let isTyped: Bool
  private let file: String
  /// The text before the place, over the ends of lines.
  private let earlier: String

  init(_ range: SourceRange, in source: SourceText) {
    let line = source.lineRange(source.lineIndex(at: range.lowerBound))
    let start = min(max(range.lowerBound, line.lowerBound), line.upperBound)
    file = source.name
    isTyped = source.isTyped
    // A line may be megabytes long.
    let head = source[SourceRange(max(line.lowerBound, start - 400), start)]
    before = head.drop { $0 == " " || $0 == "\t" }
    earlier = source[SourceRange(max(0, start - 2_000), start)]
    rest = source[SourceRange(start, min(line.upperBound, start + 400))][...]
  }

  /// For a word that starts no statement.
  func statement(_ word: String) -> String? {
    let upper = word.uppercased()
    if let invisible = Self.invisibleCharacter(in: word) { return "remove the invisible character \(invisible)" }
    if word != upper, Keywords.commonMethods.contains(upper) { return "methods are written in uppercase: \(upper)" }
    if Keywords.clauses.contains(word) { return "a clause needs a request above it" }
    if word == "curl", !isTyped, !file.hasSuffix(".wb") {
      return "for a file of curl lines: workbench import curl \(file)"
    }
    let next = rest.dropFirst(word.count).drop { $0 == " " }
    let name = word.drop { $0 == "$" }
    let isNamed = next.hasPrefix("=") && !next.hasPrefix("==") && !name.isEmpty
    if isNamed, let labelled = Self.labelled(name, next.dropFirst()) { return labelled }
    if let colon = missingColon(after: word, next) { return colon }
    if !isNamed, let hint = Self.statementHabits[word] { return hint }
    if Keywords.settings.contains(word) { return "a setting belongs in a profile: profile name { \(word) … }" }
    if isNamed { return "to name a value: let \(name) = …" }
    if word.count > 2, Set(word).count == 1, "-=*_~".contains(word.prefix(1)) {
      return "remove the line; an empty line separates"
    }
    switch word.first {
    case "{" where file.hasSuffix(".json"), "[" where file.hasSuffix(".json"):
      return "this is JSON, not a script: --vars \(file) gives its values to one; hurl, http and curl can be imported"
    case "{", "[": return "a body is a clause of the request above: json \(word.prefix(1))…"
    case ":": return "commands are for the prompt"
    case "$": return word.hasSuffix(":") ? "a label has no $: \(word.dropFirst())" : "to name a value: let name = …"
    case "/" where !word.hasPrefix("//") && !word.hasPrefix("/*"):
      return "a request begins with its method: GET \(word)"
    case "/", "-", "*", ";", "#": return "a comment begins with #"
    default: break
    }
    if word.contains("://") { return "a request begins with its method: GET \(word)" }
    if let colon = word.firstIndex(of: ":"), Keywords.isMethod(String(word[word.index(after: colon)...])) {
      return "a space follows a label: \(word[...colon]) \(word[word.index(after: colon)...])"
    }
    if let meant = Self.suggestion(word, Keywords.statements + Keywords.commonMethods) { return meant }
    if let meant = Self.suggestion(word, Keywords.clauses) { return meant }
    if word.first?.isLetter == true, next.prefix(while: { !$0.isWhitespace }).hasSuffix(":") {
      return "a label is one name: \(word)-\(next.prefix { $0 != ":" }): …"
    }
    if let first = word.first, "\"'0123456789".contains(first) { return "give the value a name: let name = \(word)" }
    if word.hasPrefix(")") || word.hasPrefix("]") { return "nothing is open for this to close" }
    return next.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
      ? "a request begins with its method: GET /\(word)"
      : isTyped ? ":help shows what can be typed" : "remove the line, or begin it with #"
  }

  private static let otherTools = ["curl", "http", "https", "wget", "fetch"]

  fileprivate static let statementHabits: [String: String] = {
    var hints: [String: String] = [:]
    func add(_ hint: String, _ words: String...) { for word in words { hints[word] = hint } }
    for tool in otherTools { add("write the request: GET https://… or POST https://… name=value", tool) }
    add("use \"file.wb\"", "import", "include", "require", "source", "from")
    add("let name = …", "var", "const", "set", "val", "def", "export")
    add("a step is sent only when its condition holds: when …", "if", "unless", "else", "switch")
    add("a step is repeated: repeat until …; for each item: for $x in … { }", "while", "until", "loop", "foreach", "do")
    add("sequence name() { … }", "function", "func", "fn", "macro", "procedure")
    add("expect …, in the step", "assert", "check", "test", "verify", "validate", "should")
    add("let name = $label.body.…, after the step", "capture", "extract", "store")
    add("workbench run -v shows every response", "print", "echo", "log", "puts", "show")
    add("a step can wait: repeat every 5s until …", "sleep", "wait", "delay", "pause")
    add("auth bearer $token, in the step or profile", "bearer", "token", "basic", "authorization")
    return hints
  }()

  /// For `r = GET /x`; nil: the text is no request.
  private static func labelled(_ name: some StringProtocol, _ text: Substring) -> String? {
    let words = text.split(separator: " ", maxSplits: 2)
    guard NameSyntax.isName(String(name)), words.count > 1, Keywords.isMethod(String(words[0])) else { return nil }
    return "a response is named by a label: \(name): \(words[0]) \(words[1])"
  }

  /// For a label without its colon, `login POST /x`; nil: it is none, or a tool that is called so.
  private func missingColon(after word: String, _ next: Substring) -> String? {
    let words = next.split(separator: " ", maxSplits: 2)
    guard NameSyntax.isName(word), !Self.otherTools.contains(word), words.count > 1, Keywords.isMethod(String(words[0]))
    else { return nil }
    return "a colon follows a label: \(word): \(words[0]) \(words[1])"
  }

  /// What follows a request and a `|`, for its response.
  private var functionsOfResponse: String {
    let program = rest.prefix(60).split(separator: " ").joined(separator: " ")
    // What ends with a brace may end the block that the request is in.
    let isWhole = program.count < 60 && !program.hasSuffix("}") && program.dropFirst().contains { $0.isLetter }
    let label = before.split(separator: " ").first.flatMap { $0.hasSuffix(":") ? $0.dropLast() : nil }
    let value = "$\(isTyped ? "_" : label.map(String.init) ?? "label").body \(isWhole ? program : "| …")"
    return isTyped ? value : "let name = \(value)"
  }

  /// For a word that is not a clause.
  func clause(_ word: String) -> String? {
    let next = rest.dropFirst(word.count)
    if before.hasSuffix("timeout ") || before.last == " " && before.dropLast().last?.isNumber == true,
      ["ms", "s", "m", "h", "sec", "seconds"].contains(word)
    {
      return "a unit follows its number directly: 10s"
    }
    switch word {
    case "to", "be", "equals", "equal", "eq": return "conditions compare: expect status == 200"
    case "or" where before.contains("expect"): return "several statuses: expect 200 | 201"
    case "bearer", "basic", "digest":
      return "a credential begins with auth: auth \(word) \(word == "bearer" ? "$token" : "\"user\", $password")"
    case "for" where before.contains("until "): return "for comes before until: \(bounded) …"
    case "for": return "how long: stream for …, or repeat for … until …; how long a response may take: timeout …"
    case "HTTP": return "the version is a setting of a profile: http 1.1"
    case "while": return pages ?? "there is no while: repeat until …, which ends when it holds"
    case "until": return "until belongs to repeat or stream: repeat until …"
    default: break
    }
    if isAfterOperand, let meant = Self.meantOperator(word) { return "did you mean \(meant)?" }
    if before.firstMatch(of: /expect [0-9]{3} $/) != nil, word.first?.isUppercase ?? false,
      !Keywords.commonMethods.contains(word)
    {
      return "only the number: \(before.suffix(11).dropLast())"
    }
    if Keywords.commonMethods.contains(word) { return "a request begins on a line of its own" }
    if let hint = afterItem(word) { return hint }
    if let value = before.firstMatch(of: /multipart (\$[\w.\-\[\]]+) $/)?.output.1,
      let parts = partsWithFile(of: value, rest)
    {
      return parts
    }
    let isHeader = next.hasPrefix(":") && next.dropFirst().first.map { !$0.isWhitespace && $0 != "/" } ?? false
    if next.hasPrefix("=") || next.hasPrefix("@") || isHeader {
      return "request items come directly after the target, before the clauses"
    }
    if next.hasPrefix(";"), next.dropFirst().first?.isWhitespace ?? true {
      return "a header that is sent empty: header \(word): \"\""
    }
    if let sign = next.prefixMatch(of: /\ +(:=|==?)/)?.output.1 { return "no spaces around \(sign): \(word)\(sign)…" }
    if let file = fileAfterTarget { return file }
    if let meant = Self.suggestion(word, Keywords.clauses) { return meant }
    if word == "file", next.hasPrefix("(") { return "a file as the body: body \(rest)" }
    if before.split(separator: " ").count == 2 {
      let space = "in a URL, a space is written %20"
      if before.contains("?") { return space }
      return "\(space); an item has a value: \(word)=…; clauses are auth, body, expect, …"
    }
    return before.last == " " && before.dropLast().last != " " && before.contains("=")
      ? "a value with spaces needs quotes" : "clauses are \(Keywords.clauses.prefix(6).joined(separator: ", ")), …"
  }

  /// For `GET /x while $_.links.next`, the request that goes from page to page.
  private var pages: String? {
    guard rest.contains("links.next") else { return nil }
    let words = before.split(separator: " ")
    let target = words.count == 2 && !words[1].contains { "\"'$({".contains($0) } ? words[1] : "/path"
    return
      "there is no while; page by page: p: GET ($p.links.next ?? \"\(target)\") repeat until links.next ?? null == null"
  }

  /// Whether an operator may stand here: after a value of a condition, or of a name.
  private var isAfterOperand: Bool {
    let words = before.split(separator: " ")
    guard let start = words.lastIndex(where: { ["expect", "until", "when", "="].contains($0) }) else { return false }
    return start < words.endIndex - 1
  }

  /// The operator that is a word, and was meant by another.
  private static func meantOperator(_ word: String) -> String? {
    switch word.lowercased() {
    case "has", "have", "include", "includes": return "contains"
    case "start", "begin", "begins": return "starts-with"
    case "end": return "ends-with"
    case "match", "like": return "matches"
    default: return SpellingSuggestion.nearest(to: word, among: ["contains", "starts-with", "ends-with", "matches"])
    }
  }

  /// The clause before `until`, with the `for` that follows the condition: `repeat every 1s for 3s until`.
  private var bounded: String {
    guard let start = before.ranges(of: "repeat ").last ?? before.ranges(of: "stream ").last,
      let until = before.ranges(of: "until ").last, start.lowerBound < until.lowerBound
    else { return "repeat for … until" }
    let limit = rest.dropFirst(3).drop { $0 == " " }.prefix { !$0.isWhitespace }
    return "\(before[start.lowerBound..<until.lowerBound])for \(limit) until"
  }

  /// For `text/plain`, which begins with a word of the language.
  func quoted(_ name: String) -> String? {
    let word = rest.prefix { !$0.isWhitespace && !",)]}".contains($0) }
    guard word.dropFirst(name.count).first.map({ "/-".contains($0) }) ?? false else { return nil }
    return "write \"\(word)\" for the text"
  }

  /// For a name without `$` where a value is expected.
  func bareName(_ name: String) -> String {
    switch name.lowercased() {
    case "none", "nil", "null", "undefined": return "write null"
    case "true", "yes": return "write true"
    case "no" where rest.dropFirst(name.count).first(where: { $0 != " " }).map { $0.isLetter || $0 == "$" } ?? false:
      return "write not"
    case "false", "no": return "write false"
    default: break
    }
    let word = rest.prefix { !$0.isWhitespace && !",)]}".contains($0) }
    if word.contains(where: { "“”‘’„«»".contains($0) }) { return "quotes are \" or '" }
    if word.contains("://"), !word.contains("\"") { return "a text is between quotes: \"\(word)\"" }
    if let binding = before.wholeMatch(of: /let ([\w\-]+)\s*=\s?/)?.output.1,
      let labelled = Self.labelled(binding, rest)
    {
      return labelled
    }
    if let member = memberInCondition { return member }
    if let elementPath { return elementPath }
    if isInCondition, let nearest = SpellingSuggestion.nearest(to: name, among: Keywords.members) {
      return "did you mean \(nearest)?"
    }
    let path = rest.prefix { $0.isLetter || $0.isNumber || "._-[]".contains($0) }
    if before.hasSuffix("${") { return "the $ goes inside the braces: {$\(path)}" }
    if before.hasSuffix("{"), path.contains(".") { return "the name of a value begins with $: {$\(path)}" }
    if isTyped, let value = before.wholeMatch(of: /\s*(\$[\w.\-]+)\s*>\s*/)?.output.1, word.contains(".") {
      return "into a file: :body \(value) > \(word)"
    }
    if word != name[...], word.dropFirst(name.count).first.map({ "./\\".contains($0) }) == true {
      return "write \"\(word)\" for the text, file(\"\(word)\") for the file"
    }
    if before.hasSuffix("expect ") {
      switch name {
      case "header", "headers": return "a header is a member: expect headers.content-type == \"text/plain\""
      case "jsonpath", "json": return "a value in the body: expect body.items[0].id == 1"
      case "duration": return "how long it took: expect time.total < 1s"
      case "xpath": return "a value in the body: expect (text | xpath(\"string(//h1)\")) == \"…\""
      default: break
      }
    }
    let next = rest.dropFirst(name.count).drop { $0 == " " }
    if let scheme = ["basic", "digest"].first(where: { before.hasSuffix("auth \($0) ") }) {
      return "two texts, or references: auth \(scheme) \"user\", $password"
    }
    if before.hasSuffix("auth bearer ") {
      return
        "a text is between quotes: auth bearer \"…\"; a value by its name: auth bearer $\(name == "token" ? "name" : "token")"
    }
    if next.hasPrefix(":"), before.hasSuffix(": { ") || before.hasSuffix(": {") {
      return "only one value goes here; for several: query { \(name): …, … }"
    }
    if next.hasPrefix("= ") { return "an argument is written with a colon: \(name): …" }
    return "write $\(name) for its value, \"\(name)\" for the text"
  }

  /// What `… | map(title)` and `… | select(.price > 3)` of other tools are: a path.
  private var elementPath: String? {
    guard let match = before.firstMatch(of: /([$][\w.\-\[\]*]+)?\s*\|\s*(map|select|filter|pluck)\($/)?.output else {
      return nil
    }
    // `[*]` at the end would stand for each element, which has none of its own.
    var list = match.1 ?? "$x.body.items"
    if list.hasSuffix("[*]") { list = list.dropLast(3) }
    let member = rest.drop { $0 == "." || $0 == "@" }.prefix { $0.isLetter || $0.isNumber || "_-".contains($0) }
    let name = member.isEmpty ? "name" : member
    return ["map", "pluck"].contains(match.2)
      ? "of each element: \(list)[*].\(name)" : "those that it is true of: \(list)[?@.\(name) == …]"
  }

  /// Whether a member of this step's response may stand here.
  private var isInCondition: Bool {
    let words = before.split(separator: " ")
    return ["expect", "until", "and", "or", "not"].contains(words.last ?? "")
      && words.contains { $0 == "expect" || $0 == "until" }
  }

  /// For a path without its beginning in a condition: `expect data.id == 1`, `stream until data.done`.
  private var memberInCondition: String? {
    let words = before.split(separator: " ")
    let path = rest.prefix { $0.isLetter || $0.isNumber || "._-[]".contains($0) }
    guard let last = words.last, ["expect", "until", "and", "or", "not"].contains(last),
      let start = words.last(where: { ["expect", "until", "when", "if"].contains($0) }), start != "when", start != "if",
      path.contains(".") || start == "until"
    else { return nil }
    let name = path.contains(".") ? "" : "; the value of a name: $\(path)"
    guard words.contains("stream") else { return "a value in the body: body.\(path)\(name)" }
    // What an event is called is a text, and its data is beside that.
    if let rest = ["event.", "id."].lazy.compactMap({ path.hasPrefix($0) ? path.dropFirst($0.count) : nil }).first {
      return "a value in the last event: body[-1].\(rest.hasPrefix("data.") ? "" : "data.")\(rest)"
    }
    if path == "id" || path == "event" {
      return "of the last event: body[-1].\(path); in the last line: body[-1].\(path)\(name)"
    }
    if path.hasPrefix("data.") { return "a value in the last event: body[-1].\(path)" }
    return "a value in the last event: body[-1].data.\(path); in the last line: body[-1].\(path)\(name)"
  }

  /// For a body as other tools take it, in a place where it is not understood.
  var bodyOfOtherTool: String? {
    switch rest.first {
    case "<", "@":
      let name = rest.dropFirst().drop { $0 == " " }.prefix { !$0.isWhitespace && !"\"'\\".contains($0) }
      let next = rest[name.endIndex...].drop { $0 == " " }.prefix { !$0.isWhitespace }
      let isItem = Self.isAfterValue(next) && !Keywords.clauses.contains(String(next)) && !next.hasPrefix("#")
      let place = isItem ? "a file as the body, after the items" : "a file as the body"
      return "\(place): body file(\"\(name.isEmpty ? "name" : name)\")"
    case "{" where !rest.hasPrefix("{$"): return jsonBody
    default: return nil
    }
  }

  /// For `{item: mug}`, which is not JSON either, or for JSON without its keyword.
  private var jsonBody: String {
    guard let member = rest.prefixMatch(of: /\{\s*"?([A-Za-z][\w\-]*)"?\s*:\s*([A-Za-z][\w\-.]*)\s*[,}]/)?.output,
      !["true", "false", "null"].contains(member.2)
    else { return "a JSON body: json {…}" }
    return "a JSON body: json { \(member.1): \"\(member.2)\" }, or the item \(member.1)=\(member.2)"
  }

  /// For a word after a request item that belongs to it, or is an option of another tool.
  func afterItem(_ word: String) -> String? {
    let option = word.drop { $0 == "\"" || $0 == "'" }
    if option.hasPrefix("-"), option.drop(while: { $0 == "-" }).first?.isLetter ?? false { return Self.noOptions }
    guard let item = before.split(separator: " ").last, item.count > 1 else { return nil }
    let isEmpty = item.hasSuffix(":")
    if (isEmpty ? item + word : item).lowercased() == "authorization:bearer" {
      let token = rest.dropFirst(isEmpty ? word.count : 0).drop { $0 == " " }.prefix { !$0.isWhitespace }
      return "write auth bearer \(token.hasPrefix("$") ? token : "\"…\"")"
    }
    return isEmpty ? afterColon(item, word) : nil
  }

  /// For `name: value`, which is a header without its value, and a word.
  private func afterColon(_ item: Substring, _ word: String) -> String {
    let next = rest.drop { !$0.isWhitespace }.drop { $0 == " " }.prefix { !$0.isWhitespace }
    let isWhole = next.isEmpty || Self.isAfterValue(next) || word.hasSuffix(",")
    let value = isWhole ? String(word.prefix { $0 != "," }) : "\"\(word) …\""
    let isHeader = item.first?.isUppercase ?? false || item.contains("-")
    if isHeader { return "\(isWhole ? "without the space" : "a value with spaces is quoted"): \(item)\(value)" }
    return "for JSON: \(item.dropLast())=\(value); for a header: \(item)\(value)"
  }

  /// For a value that goes on after a space: quotes around it that leave a reference in it one.
  ///
  /// - Parameter line: the value and what follows it in its line.
  static func quotes(_ line: String) -> String {
    let words = line.split(separator: " ")
    if let pipe = words.firstIndex(of: "|"), pipe > 0 {
      return computedItem(words[pipe - 1]) ?? "what is computed is in parentheses: (\(words[pipe - 1]) | …)"
    }
    if let spread = words.dropFirst().first(where: { $0.hasPrefix("...") }) {
      return "the fields of a value are an object's: multipart { \(spread), file: file(\"…\") }"
    }
    if let first = line.first, "“”‘’„«»".contains(first) { return "quotes are \" or '" }
    if words.first?.hasSuffix(";") ?? false {
      return "a line ends without ;, and another request has a line of its own"
    }
    let end = words.dropFirst(2).firstIndex(where: isAfterValue) ?? words.endIndex
    var value = words[..<end].joined(separator: " ")
    if let semicolon = value.firstIndex(of: ";") { value = String(value[..<semicolon]) }
    if value.contains("'") || value.contains("\"") { return "a value with spaces needs quotes" }
    guard value.contains("$") else { return "a value with spaces is quoted: '\(value)'" }
    let braced = value.replacing(/\$[A-Za-z_0-9](?:[\w.\-]*\w)?/) { "{\($0.output)}" }
    return "a value with spaces is quoted: \"\(braced)\""
  }

  /// For `csrf=$login.text | regex("…")`: its value goes on after the `|`.
  private static func computedItem(_ item: Substring) -> String? {
    guard let value = item.firstIndex(of: "$"), value > item.startIndex, "=:".contains(item[item.index(before: value)])
    else { return nil }
    return "what is computed is in parentheses: \(item[..<value])(\(item[value...]) | …)"
  }

  /// Whether a word belongs to no value before it: an item, a clause, a comment, a bracket.
  private static func isAfterValue(_ word: Substring) -> Bool {
    if let first = word.first, "}#-|>".contains(first) { return true }
    if Keywords.clauses.contains(String(word)) { return true }
    let key = word.prefix { $0.isLetter || $0.isNumber || "-_.[]".contains($0) }
    let next = word.dropFirst(key.count)
    return key.first?.isLetter ?? false && next.first.map { "=:@".contains($0) } ?? false && !next.hasPrefix("://")
  }

  private static let noOptions = "there are no options here: header Name: value, json …, auth …"

  /// For an operator without spaces around it.
  func operatorWithoutSpaces(_ text: String) -> String {
    let next = rest.dropFirst()
    let isOption = text == "-" && before.hasSuffix(" ") && next.first?.isLetter == true
    return isOption ? Self.noOptions : "write a \(text) b"
  }

  /// For a bracket that is not closed where something else follows.
  func unclosed(_ bracket: String) -> String? {
    guard let first = rest.first, "[({".contains(bracket) else { return nil }
    if before.isEmpty { return missingComma(in: bracket) }
    if ")]}\"'".contains(first) { return nil }
    let isSameLine = before.contains { "[({".contains($0) }
    return isSameLine ? "a comma is missing before this, or the closing bracket" : nil
  }

  /// For a line that begins with the next member or element, while nothing separates it from the one above.
  private func missingComma(in bracket: String) -> String? {
    switch (bracket, rest.first) {
    case ("{", _):
      guard let key = rest.prefixMatch(of: /(?:"[^"]*"|'[^']*'|[A-Za-z_][\w\-]*)\s*:/) else { return nil }
      let word = rest[key.range.upperBound...].drop { $0 == " " }.prefix { !$0.isWhitespace }
      return Keywords.isMethod(String(word)) || word == "run" ? nil : "a comma is missing between the members"
    case ("[", let first?) where first.isNumber || "\"'{[$".contains(first):
      return "a comma is missing between the elements"
    default: return nil
    }
  }

  /// For something that is expected and missing.
  func expected(_ wanted: String) -> String? {
    if rest.unicodeScalars.first?.value == 0x0D { return "a line ends with LF, or CR LF" }
    if let first = rest.unicodeScalars.first, first.value < 0x20, first != "\t" {
      return "a control character; in a string it is written \\u\(first.value.hex(4))"
    }
    if let call { return call }
    switch wanted {
    case "a value": return elementPath ?? value
    case "the end of the line": return lineEnd
    case "a space after the value" where rest.hasPrefix("|"):
      return "what is computed goes in parentheses: name=($x | …)"
    case "a space after the value" where rest.hasPrefix(","): return "items are separated by spaces, without commas"
    case "the end of the expression":
      if rest.hasPrefix("("), let name = before.firstMatch(of: /\.([A-Za-z][\w\-]*)$/)?.output.1 {
        return "functions follow a pipe: … | \(name)"
      }
      guard let sign = rest.first, "+-*/<>".contains(sign) else { return nil }
      return "spaces are around an operator: a \(sign) b"
    case "a target":
      let method = before.split(separator: " ").last.map(String.init) ?? ""
      let name = Keywords.isMethod(method) ? method : "GET"
      return "write where it goes: \(name) https://… or \(name) /path"
    case "a request or run after the label": return label
    case "until" where before.contains(/repeat \S+ times\s*$/): return Self.rounds
    case "a key, ... or }" where rest.hasPrefix("$") || rest.hasPrefix("..$"):
      let name = rest.drop { $0 == "." }.prefix { !$0.isWhitespace && !",}".contains($0) }
      return "to put in the members of another value: ...\(name)"
    case ":", ": after the name":
      if rest.hasPrefix("=") { return "a colon follows the name: name: value" }
      if before.contains("{{") { return "one pair of braces: {$name}" }
      return before.contains(" is ") ? "a shape follows each key: { id: int, name: string }" : "name: value"
    case "the name of a function":
      return rest.hasPrefix("|") ? "write or between two conditions" : "such as … | count, … | first"
    case "the end of the number":
      if rest.hasPrefix("..") { return "numbers one after another are range(1, 3), or [1, 2, 3]" }
      if rest.hasPrefix(".") { return "digits follow a decimal point, and there is only one point" }
      return rest.first?.isNumber == true ? "numbers have no leading zeros" : nil
    case "an index, a key, * or ?":
      if rest.hasPrefix("]") { return "[*] is every element, [0] the first" }
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      return name.isEmpty ? nil : "a key in quotes: [\"\(name)\"]; the value of a name: [$\(name)]"
    case "{": return "{ goes on the same line"
    case "a string": return rest.isEmpty ? nil : "write it in quotes"
    default:
      if rest.hasPrefix("$"), wanted.contains("name") { return "here the name is written without $" }
      return Self.examples[wanted]
    }
  }

  private static let rounds =
    "repeat 3 times until condition; three times whatever comes: for $i in range(1, 3) { GET … }"

  private static let examples: [String: String] = [
    "times": rounds,
    "a name": "let name = value",
    "=": "let name = value",
    "for": "say which profiles may have it: secret name = … for profile",
    "$name": "for $name in … { }",
    "in": "for $name in … { }",
    "(": "write name(), even without arguments",
    "the name of the profile": "profile name { … }",
    "the name of the sequence": "sequence name(…) { … }",
    "the name of a sequence": "run name(…)",
    "the name of a profile": "say which: with profile name",
    "none, bearer, basic, digest, oauth or a signer such as sigv4": "auth bearer $token, auth basic $user, $password",
    "until": "repeat [every 1s] [for 1m] until condition",
    "body": "save body to \"file\"",
    "profile": "with profile name",
    "then": "if condition then value else other",
    "else": "if condition then value else other",
    "a shape": "such as int, string, [string], { id: int, ... }",
    "a whole number": "such as 3",
    "the name of a header": "header Name: value",
    "the name of a query item": "query name: value",
    "a status such as 429 or 5xx": "retry 3 on 429 | 5xx",
    "a status such as 204 or 2xx": "expect 200 | 204",
    "a space after the value": "a text with more than that must be quoted as a whole",
    "/, ? or a space after the reference": "join texts in a string: \"{$a}:8080\"",
    "once or idempotent": "once: never sent twice; idempotent: may be sent again",
    "on or off": "cookies on",
    "a name after the dot": "such as .id; any member: .*",
    "a name or a number after $": "such as $allocate, $1; in a text or a path: {$allocate}",
  ]

  private var value: String? {
    if rest.isEmpty { return Self.missingValue(after: before.split(separator: " ").last ?? "") }
    if rest.hasPrefix("...") {
      let name = rest.dropFirst(3).prefix { !$0.isWhitespace }
      guard let clause = before.split(separator: " ").last, ["form", "json", "multipart"].contains(clause) else {
        return "... is allowed only in { } and [ ]"
      }
      return partsWithFile(of: name, rest[name.endIndex...]) ?? "\(clause) { ...\(name) }"
    }
    switch rest.first {
    case "=" where before.contains(/^(let|secret) [\w\-]+ *=$/):
      let value = rest.drop { "= ".contains($0) }.prefix(40)
      return "one = gives a name its value: \(before) \(value.isEmpty ? "…" : value)"
    case "=":
      let clause = before.split(separator: " ").last ?? ""
      return ["json", "form", "multipart", "text", "body"].contains(clause)
        ? "without =: \(clause) \(rest.dropFirst().drop { $0 == " " }.prefix(1))…" : "== compares"
    case "`": return "quotes are \" or ', and a value in a text is \"it is {$name}\""
    case "!": return "write not"
    case ",": return "remove one comma"
    case "+": return "numbers have no +"
    case "}" where before.hasSuffix("{"): return "{$name} stands for a value"
    case "}" where before.hasSuffix(" "): return Self.missingValue(after: before.split(separator: " ").last ?? "")
    case "@": return fileCall
    case "/" where before.contains(": "): return "the whole value in quotes: \"text/html, */*\""
    default: return nil
    }
  }

  /// For curl's and HTTPie's `@name`.
  private var fileCall: String {
    var name = rest.dropFirst()
    if let quote = name.first, "\"'".contains(quote) {
      name = name.dropFirst().prefix { $0 != quote }
    } else {
      name = name.prefix { !" \t,}\"\\".contains($0) }
    }
    guard isInMultipart || before.hasSuffix("body ") else { return "JSON from a file: file(\"name\").json" }
    return "a file: file(\"\(name.isEmpty ? "name" : name)\")"
  }

  /// Whether the object around the place is the body of a `multipart`.
  private var isInMultipart: Bool {
    var depth = 0
    var isText = false
    for index in earlier.indices.reversed() {
      switch earlier[index] {
      case "\"": isText.toggle()
      case _ where isText: continue
      case "}": depth += 1
      case "{" where depth > 0: depth -= 1
      case "{":
        let clause = earlier[..<index].reversed().drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
        return clause.elementsEqual("multipart".reversed())
      default: continue
      }
    }
    return false
  }

  private static func missingValue(after word: Substring) -> String {
    switch word {
    case "json", "form", "graphql": "such as \(word) \(word == "graphql" ? "\"{ … }\"" : "{ name: value }")"
    case "multipart": "such as multipart { file: file(\"…\") }"
    case "bearer": "such as auth bearer $env.TOKEN"
    case "basic", "digest": "such as auth \(word) \"user\", $env.PASSWORD"
    case "text": "such as text \"…\""
    case "body": "such as body file(\"…\")"
    case "expect": "such as expect 201, or a condition: expect body.state == \"ready\""
    case "when", "until": "such as \(word) $label.status == 200"
    case _ where word.hasSuffix(":"): "such as \(word) \"text\" or \(word) $name"
    default: "a value is missing: a number, \"text\", $name, [ … ] or { … }"
    }
  }

  /// `… | regex "x"`.
  private var call: String? {
    guard rest.first == "\"" || rest.first == "'", let match = before.firstMatch(of: /\|\s*([a-z][a-z\d-]*)\ *$/) else {
      return nil
    }
    return "what a function takes is in parentheses: \(match.output.1)(\"…\")"
  }

  private var lineEnd: String? {
    switch rest.first {
    case let digit? where digit.isNumber && before.hasSuffix("expect status "):
      return "write expect \(rest.prefix { $0.isNumber }), or expect status == \(rest.prefix { $0.isNumber })"
    case ":" where followsUser, "\"" where followsUser, "'" where followsUser, "$" where followsUser:
      return "a comma is between the user and the password"
    case "\"", "'":
      let name = rest.dropFirst().prefix { $0 != "\"" && $0 != "'" }
      let isItem = rest.dropFirst(name.count + 2).first.map { "=:".contains($0) } ?? false
      if isItem, !name.contains("=") { return "a name that is quoted is a key: json { \"\(name)\": … }" }
      return followsTarget ? "a text as the body: text \"…\"" : nil
    case "$" where followsTarget && !rest.hasPrefix("$env."), "." where followsTarget && rest.hasPrefix("...$"):
      let name = rest.drop { $0 == "." }.prefix { $0.isLetter || $0.isNumber || "$._-[]".contains($0) }
      guard rest[name.endIndex...].first?.isWhitespace ?? true else { return nil }
      return partsWithFile(of: name, rest[name.endIndex...])
        ?? "its members as the body: json { ...\(name) }, form { ...\(name) } or multipart { ...\(name), … }"
    case "=": return "== compares"
    case "2" where rest.hasPrefix("2>"): return "errors are shown here: leave out 2>…"
    case "&": return "between conditions write and; another request has a line of its own"
    case "?" where rest.hasPrefix("??") && followsTarget:
      let words = before.split(separator: " ").suffix(2)
      return "what is computed goes in parentheses: \(words.first ?? "") (\(words.last ?? "") \(rest))"
    case "?": return "if condition then value else other"
    case ";": return "a line ends without ;"
    case "%": return "there is no remainder operator"
    case "}", ")", "]": return "nothing is open for this to close"
    case "{" where !rest.hasPrefix("{$") && before.split(separator: " ").count == 2: return jsonBody
    case "{": return "in a word there are no spaces before braces"
    case "(": return "functions follow a pipe: … | upper"
    case "." where followsTarget: return fileAfterTarget ?? "a path has no spaces: $name.member"
    case ".":
      return before.hasSuffix(" ")
        ? "a path has no spaces: $name.member" : "functions follow a pipe: … | upper"
    case "|":
      return Self.computedItem(before.split(separator: " ").last ?? "")
        ?? "functions apply to values; of the response, on the next line: \(functionsOfResponse)"
    case ">": return "to save the response to a file: save body to \"file\""
    case "<", "@": return bodyOfOtherTool
    case ",":
      if before.contains(/profile \S+ \{[^}]*$/) { return "what a profile sets is separated by spaces or lines" }
      return secondExpectation ?? "a number uses a decimal point; values go in [ ]"
    default: return nil
    }
  }

  /// For a comma after what is expected: another status, or another condition.
  private var secondExpectation: String? {
    guard let start = before.ranges(of: "expect ").last?.lowerBound else { return nil }
    let next = rest.dropFirst().drop { $0 == " " }
    if next.first?.isNumber ?? true { return "several statuses: 200 | 201" }
    return "each condition has its own expect: \(before[start...]) expect \(next)"
  }

  /// The members of a value and a file, `name@path`, as the parts of a body; nil: there is no file.
  private func partsWithFile(of name: Substring, _ items: Substring) -> String? {
    let file = items.drop { $0 == " " }.prefix { !$0.isWhitespace }
    guard let at = file.firstIndex(of: "@"), at > file.startIndex, !file[..<at].contains("=") else { return nil }
    return "multipart { ...\(name), \(file[..<at]): file(\"\(file[file.index(after: at)...])\") }"
  }

  /// For the bare name of a file after the target of a request that sends one, `PUT /x a.png`; nil: it is none.
  private var fileAfterTarget: String? {
    let name = rest.prefix { !$0.isWhitespace }
    guard followsTarget, name.wholeMatch(of: /\.{0,2}[\w\-\/]*\w\.\w+/) != nil,
      before.split(separator: " ").contains(where: { ["PUT", "POST", "PATCH"].contains($0) })
    else { return nil }
    return isTyped ? "a file as the body: @\(name)" : "a file as the body: body file(\"\(name)\")"
  }

  /// Whether the user of a login comes before it.
  private var followsUser: Bool { before.contains(/auth (basic|digest) ("[^"]*"|'[^']*'|\$\S+) ?$/) }

  /// Whether only a method and its target come before it.
  private var followsTarget: Bool {
    let words = before.split(separator: " ")
    let request = words.first?.hasSuffix(":") ?? false ? words.dropFirst() : words[...]
    return request.count == 2 && Keywords.isMethod(String(request[request.startIndex])) && before.last == " "
  }

  private var label: String? {
    let name = before.prefix { $0 != ":" }
    if Keywords.clauses.contains(String(name)) || Keywords.settings.contains(String(name)) {
      return "a clause has no colon: \(name) …"
    }
    if Keywords.clauses.contains(String(rest.prefix { $0.isLetter })) {
      return "the request comes before its clauses: \(name): GET https://… \(rest.prefix { $0.isLetter }) …"
    }
    if name.first?.isUppercase == true || name.contains("-") { return "for a header: header \(name): …" }
    for word in ["let", "secret", "profile", "sequence", "for", "use"] where rest.hasPrefix(word + " ") {
      return "\(word) has no label"
    }
    return before.contains(":") ? "\(name): GET https://…" : "label: GET https://…"
  }

  private static func invisibleCharacter(in word: String) -> String? {
    let scalar = word.unicodeScalars.first { scalar in
      switch scalar.value {
      case 0xA0, 0xAD, 0x2000...0x200F, 0x202F, 0x205F...0x206F, 0x3000, 0xFEFF: true
      default: false
      }
    }
    return scalar.map { "U+\($0.value.hex(4).uppercased())" }
  }

  fileprivate static func suggestion(_ word: String, _ candidates: [String]) -> String? {
    SpellingSuggestion.nearest(to: word, among: candidates).map { "did you mean \($0)?" }
  }
}

extension Keywords {
  /// Whether a word that begins a line is no keyword, nor like one, nor one of another language.
  public static func isUnheardOf(_ word: String) -> Bool {
    let known = statements + commonMethods + clauses
    return !known.contains(word) && !settings.contains(word) && SyntaxAdvice.statementHabits[word] == nil
      && SyntaxAdvice.suggestion(word, known) == nil
  }
}
