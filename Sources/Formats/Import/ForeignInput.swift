internal import Diagnostics
internal import Imports
package import Presentation
internal import RequestSyntax
internal import Requests

/// A line for another tool, or a request as other tools take it: what it means here, or what to do instead.
package enum ForeignInput: Hashable {
  /// What to run instead.
  case script(MeantScript)
  case hint(ErrorReport)
  /// More lines could complete it.
  case open

  /// Whether standard input is sent, and was not read.
  package var awaitsInput: Bool { self == .hint(CurlCommand.ParseError.standardInput.report) }

  /// - Parameters:
  ///   - input: trimmed; nil if it is not for another tool.
  ///   - read: what was read as standard input.
  package init?(_ input: String, read: CurlInput? = nil) {
    let first = input.prefix { !$0.isWhitespace }
    let rest = input.dropFirst(first.count).drop(while: \.isWhitespace)
    guard !first.isEmpty else { return nil }
    if let snippet = Self.requestFile(input) {
      self = snippet
      return
    }
    if let script = RawRequest.script(input) {
      self = .script(MeantScript(script))
      return
    }
    if let found = Self.afterLabel(input, read) {
      self = found
      return
    }
    guard
      let found = Self.otherTool(first, rest, input, read) ?? OptionedRequest.meaning(of: input, read: read)
        ?? Self.request(first, rest, input) ?? Self.address(first, rest, input)
    else { return nil }
    self = found
  }

  /// `made` and `POST /x` of `made: POST /x`; nil: it has no label.
  package static func labelled(_ line: some StringProtocol) -> (label: String, rest: String)? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let (label, rest) = (String(line[..<colon]), line[colon...].dropFirst())
    guard NameSyntax.isName(label), rest.first?.isWhitespace ?? false else { return nil }
    return (label, String(rest.drop(while: \.isWhitespace)))
  }

  /// `made: POST /x {"a": 1}`, `made: curl …`, `one: /x/1`: what it is without its label, with it.
  private static func afterLabel(_ input: String, _ read: CurlInput?) -> ForeignInput? {
    guard let (label, line) = labelled(input), case let first = line.prefix(while: { !$0.isWhitespace }),
      isForAnotherTool(line) || Keywords.commonMethods.contains(String(first))
        // `Referer: https://…` is a header.
        || isAddress(first) && label.first?.isLowercase ?? false,
      // What is below a request with a label is the next statement, and no header.
      RawRequest.script(line) == nil, let found = ForeignInput(line, read: read)
    else { return nil }
    guard case .script(var meaning) = found, case .step(var step)? = meaning.script.statements.last, step.label == nil
    else { return found }
    step.label = NameSyntax(label)
    meaning.script.statements[meaning.script.statements.count - 1] = .step(step)
    return .script(meaning)
  }

  /// A line for another tool whose response goes through a program, `curl … | jq .`: without it, and the program.
  package static func pipeline(_ input: String) -> (line: String, program: String)? {
    guard isForAnotherTool(input) else { return nil }
    return ShellWords.pipeline(input).map { ($0.command, $0.program) }
  }

  /// Whether the line begins with the name of another tool.
  package static func isForAnotherTool(_ input: String) -> Bool {
    var words = input.split(maxSplits: 2, whereSeparator: \.isWhitespace)[...]
    if let first = words.first, ["$", "%", ">"].contains(first) { words.removeFirst() }
    return words.first.map { ["curl", "curl.exe", "http", "https", "xh", "xhs", "httpie"].contains($0.lowercased()) }
      ?? false
  }

  /// The first of two commands in one line, `curl A && curl B`, and the rest; nil: something else.
  package static func firstCommand(of input: String) -> (line: String, rest: String, needsFirst: Bool)? {
    guard isForAnotherTool(input), let rest = try? ShellWords.command(input, .text).rest,
      let sign = ["&&", ";"].first(where: rest.hasPrefix)
    else { return nil }
    let next = rest.dropFirst(sign.count).drop(while: \.isWhitespace)
    return isForAnotherTool(String(next)) ? (String(input.dropLast(rest.count)), String(next), sign == "&&") : nil
  }

  /// The first of several lines that were pasted as one text, where not all of them are statements, and what comes after
  /// it; nil: they are.
  package static func firstLine(of input: String) -> (line: String, rest: String)? {
    let lines = input.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func isCommand(_ line: String) -> Bool {
      line.first == ":" && !RequestAddress.isLocal(line.prefix { !$0.isWhitespace })
    }
    guard lines.count > 1, lines.contains(where: { isForAnotherTool($0) || isCommand($0) }) else { return nil }
    let beginsWithCommand = isCommand(lines[0])
    var end = CommandEnd()
    for index in lines.indices.dropLast() {
      end.add(index == 0 ? lines[0] : "\n\(lines[index])")
      let next = lines[index + 1]
      // Options may have lost the backslash before them, and clauses are indented.
      guard let first = next.first, !first.isWhitespace, first != "-" else { continue }
      let line = lines[...index].joined(separator: "\n")
      let isWhole =
        if isForAnotherTool(lines[0]) {
          !end.isOpen && HereDocument.first(in: line)?.document.isComplete ?? !line.contains("<<")
        } else {
          (beginsWithCommand || isForAnotherTool(next) || isCommand(next))
            && InputCompleteness(of: beginsWithCommand ? String(line.drop { !$0.isWhitespace }) : line) != .open
        }
      if isWhole { return (line, lines[(index + 1)...].joined(separator: "\n")) }
    }
    return nil
  }

  /// A piece of a file for Hurl or for an editor: `HTTP 200` after a request, `### name`, `@host = …`, `{{host}}`.
  private static func requestFile(_ input: String) -> ForeignInput? {
    let lines = input.split(whereSeparator: \.isNewline)
    let isVariable = lines.first.map { $0.first == "@" && $0.contains("=") } ?? false
    let isSeparated = lines.contains { $0.hasPrefix("###") }
    let isRequest = lines.contains { line in
      let words = line.split(separator: " ")
      return words.count > 1 && words[0].allSatisfy(\.isUppercase) && Keywords.commonMethods.contains(String(words[0]))
    }
    let isHurl = lines.dropFirst().contains { line in
      line.hasPrefix("HTTP") && line.wholeMatch(of: /HTTP(\/[0-9.]+)? +([0-9]{3}|\*)\s*/) != nil
    }
    if isRequest, isHurl { return pasted(.hurl, input) }
    var hasVariable: Bool { input.firstMatch(of: /\{\{\s*([A-Za-z_$][\w.\-]*)\s*\}\}/) != nil }
    guard isVariable || isRequest && (isSeparated && lines.count > 1 || hasVariable) else { return nil }
    // In a file, there are no options.
    if lines.count == 1, !isVariable, OptionedRequest.hasOptions(input) { return nil }
    return pasted(.http, input)
  }

  /// The steps of a snippet. Which profile they go with is up to the session.
  private static func pasted(_ format: ForeignScript, _ input: String) -> ForeignInput {
    let imported = format.read(SourceText(name: "<paste>", text: input))
    if let note = imported.notes.first(where: { $0.grade == .refused }) {
      let line = imported.source.location(of: note.range.lowerBound).line
      return .hint(
        ErrorReport(
          "this is from a .\(format.rawValue) file, and line \(line) is not understood: \(note.message)",
          notes: [note.hint, "workbench import \(format.rawValue) FILE takes a whole file"].compactMap(\.self)))
    }
    let statements = imported.script.statements.compactMap { statement -> StatementSyntax? in
      switch statement {
      case .profile: return nil
      case .step(var step):
        step.clauses.removeAll { clause in
          switch clause.kind {
          case .profile, .expectStatus([.any]): true
          default: false
          }
        }
        step.target.beginAsPath()
        return .step(step)
      default: return statement
      }
    }
    if statements.isEmpty {
      return .hint(ErrorReport("this is from a .\(format.rawValue) file, and there is no request in it"))
    }
    return .script(MeantScript(ScriptSyntax(statements)))
  }

  /// Whether the text that the line reads has its end, `<<END`; nil: it reads none.
  package static func hasWholeDocument(_ line: String) -> Bool? {
    isForAnotherTool(line) ? HereDocument.first(in: line)?.document.isComplete : nil
  }

  private static func otherTool(
    _ first: Substring, _ rest: Substring, _ input: String, _ read: CurlInput?
  ) -> ForeignInput? {
    var (input, document) = (input, HereDocument?.none)
    if isForAnotherTool(input), let found = HereDocument.first(in: input), found.rest.allSatisfy(\.isWhitespace) {
      if !found.document.isComplete { return .open }
      (input, document) = (found.command, found.document)
    }
    switch first.lowercased() {
    case "http", "https", "xh", "xhs", "httpie":
      guard !rest.isEmpty, let line = HTTPieLine(input, document: document) else { return nil }
      switch line.result {
      case .success(let meaning): return .script(meaning)
      case .failure(let error): return .hint(ShellVariable.spelled(error.report))
      }
    case "$", "%", ">":
      // A shell's prompt was copied with it.
      let command = rest.prefix { !$0.isWhitespace }
      guard ["curl", "http", "https"].contains(command) else { return nil }
      return ForeignInput(String(rest), read: read)
    case "curl" where rest.isEmpty, "curl.exe" where rest.isEmpty:
      return .hint(ErrorReport("paste the whole curl line", notes: ["or type the request: GET https://…"]))
    case "curl", "curl.exe": return curl(input, document, read)
    case "wget", "fetch", "open", "browse":
      // To standard output, without a word: `wget -qO- URL`.
      let words = rest.split(whereSeparator: \.isWhitespace).filter { first != "wget" || !shown.contains($0) }
      return words.count == 1 && words[0].contains("://") ? request("GET", words[0]) : nil
    case "$session" where rest.hasPrefix("="), "$session.useragent", "$session.cookies.add((new-object",
      "invoke-webrequest", "invoke-restmethod", "iwr", "irm":
      return .hint(ErrorReport("this is for PowerShell", notes: ["copy the request \"as cURL (bash)\" and paste that"]))
    default:
      guard input.hasPrefix("fetch(") || input.hasPrefix("await fetch(") else { return nil }
      return .hint(ErrorReport("this is JavaScript", notes: ["copy the request \"as cURL (bash)\" and paste that"]))
    }
  }

  private static let shown: Set<Substring> = ["-q", "-qO-", "-O-", "-qO", "-O", "-"]

  private static func curl(_ line: String, _ document: HereDocument?, _ read: CurlInput?) -> ForeignInput {
    do throws(CurlCommand.ParseError) {
      var read = read
      if let document {
        do { read = .text(try document.content(.typed)) } catch { throw .words(error) }
      }
      return .script(try CurlCommand.meaning(of: line, input: read))
    } catch {
      return .hint(ShellVariable.spelled(error.report))
    }
  }

  // MARK: Requests

  /// A request whose method is lowercase, or whose rest is another tool's.
  private static func request(_ first: Substring, _ rest: Substring, _ input: String) -> ForeignInput? {
    let method = first.uppercased()
    guard Keywords.commonMethods.contains(method), !rest.isEmpty else { return nil }
    let target = rest.prefix { !$0.isWhitespace }
    let behind = rest.dropFirst(target.count).drop(while: \.isWhitespace)
    if let header = header(method, target, behind) { return .script(MeantScript(header)) }
    let own = Parser.parse(SourceText(name: "", text: input), items: .typed)
    let isOwn = own.errors.isEmpty || own.isIncomplete
    return isOwn && !RequestAddress.isLocal(target) ? nil : request(method, rest)
  }

  /// `GET /x Authorization: Bearer …`: one header to the end of the line, as it is in documentation; nil: something else.
  private static func header(_ method: String, _ target: Substring, _ line: Substring) -> ScriptSyntax? {
    guard let match = line.wholeMatch(of: /(?<name>[A-Za-z][A-Za-z0-9\-]*): +(?<value>[^'"$\\\n]+)/) else { return nil }
    let words = match.output.value.split(whereSeparator: \.isWhitespace)
    // One word is an item, and what follows it a clause.
    guard words.count > 1, !words.contains(where: { Keywords.clauses.contains(String($0)) || $0.hasSuffix(":") }),
      !zip(words, words.dropFirst()).contains(where: { before, word in
        // After `;` it is another parameter of the value.
        let isParameter = word.hasSuffix("=") || before.hasSuffix(";") || before.hasSuffix(",")
        return word.hasPrefix("#") || !isParameter && HTTPieLine.isBody(String(word))
      }),
      case .script(let meaning)? = request(method, target), case .step(var step)? = meaning.script.statements.first,
      let command = try? CurlCommand(
        words: ["curl", "http://localhost/", "-H", "\(match.output.name): \(match.output.value)"]),
      case .step(let meant) = command.statement
    else { return nil }
    step.clauses += meant.clauses
    var script = meaning.script
    script.statements[0] = .step(step)
    return script
  }

  /// A URL, an address of this machine or a path without a method.
  private static func address(_ first: Substring, _ rest: Substring, _ input: String) -> ForeignInput? {
    if isAddress(first) { return request(hasBody(rest) ? "POST" : "GET", input[...]) }
    // `api:/items`
    let name = first.prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    let isProfile = name.first?.isLetter ?? false && first.dropFirst(name.count).hasPrefix(":/")
    return isProfile ? request("GET", first) : nil
  }

  /// Whether a line that begins with this word may be a request without a method.
  private static func isAddress(_ first: Substring) -> Bool {
    if first.contains("://") { return !first.contains("\"") || first.hasPrefix("\"") }
    return RequestAddress.isLocal(first) || first.hasPrefix("/") && !first.hasPrefix("//")
  }

  private static func request(_ method: String, _ rest: Substring) -> ForeignInput? {
    let parsed = Parser.parse(SourceText(name: "", text: String(rest)), as: .request(method: method))
    if parsed.isIncomplete { return .open }
    guard parsed.errors.isEmpty, case .step(var step)? = parsed.script.statements.first else { return nil }
    step.useLocalAddress()
    var script = parsed.script
    script.statements[0] = .step(step)
    return .script(MeantScript(script))
  }

  /// Whether what follows a URL without a method is to be sent as a body.
  private static func hasBody(_ rest: Substring) -> Bool {
    let words = rest.split(whereSeparator: \.isWhitespace)
    if words.isEmpty { return false }
    if ["json", "form", "multipart", "body", "text", "graphql"].contains(words[0]) { return true }
    let items = words.prefix { !$0.hasPrefix("#") && !Keywords.clauses.contains(String($0)) }
    if items.contains(where: { $0.first.map("{[@<".contains) ?? false }) { return true }
    return words.prefix { !$0.hasPrefix("#") }.contains { HTTPieLine.isBody(String($0)) }
  }
}

extension TargetSyntax {
  /// `/items` of a file for an editor has no host, and becomes a URL there; here a profile says where it is.
  fileprivate mutating func beginAsPath() {
    func path(_ text: String) -> String? { text.hasPrefix("http:///") ? String(text.dropFirst(7)) : nil }
    switch self {
    case .word(var word):
      guard case .text(let text)? = word.pieces.first, let path = path(text) else { return }
      word.pieces[0] = .text(path)
      self = .word(word)
    case .string(var string):
      guard case .text(let text)? = string.pieces.first, let path = path(text) else { return }
      string.pieces[0] = .text(path)
      self = .string(string)
    case .reference, .expression: return
    }
  }
}
