internal import Diagnostics
internal import Imports
internal import JSONValue
package import Presentation
package import RequestSyntax
internal import Requests

/// The words after `workbench send METHOD URL`, as a shell hands them over: each is one item with a literal value, up
/// to the first that is a clause's keyword. From there on the words are the language's.
package struct SentWords {
  package enum Meaning {
    /// A text as at the prompt.
    case language(String)
    /// Statements that the words mean.
    ///
    /// - Parameter isForm: whether the body is a form that the words do not have.
    case statements(String, isForm: Bool = false)
    /// What a line for another tool means.
    case script(MeantScript)
    case hint(ErrorReport)

    /// Whether standard input is sent, and was not read.
    package var awaitsInput: Bool {
      if case .hint(CurlCommand.ParseError.standardInput.report) = self { true } else { false }
    }
  }

  private let words: [String]
  private let isForm: Bool
  /// Those of curl, with their values.
  private let options: [String]

  /// - Parameters:
  ///   - words: everything after `send` but its options.
  ///   - data: the values of `-d`, as for curl.
  ///   - isForm: whether the items are a form: `--form`.
  ///   - options: other options of curl, with their values.
  package init(_ words: [String], data: [String] = [], isForm: Bool = false, options: [String] = []) {
    self.options = options + data.flatMap { ["-d", $0] }
    self.words = words
    self.isForm = isForm
  }

  /// Whether the word is the name of another tool, as the first of a line.
  package static func isForAnotherTool(_ word: String) -> Bool {
    !word.contains(where: \.isWhitespace) && ForeignInput.isForAnotherTool(word)
  }

  /// Whether they are a line without a method, or one for HTTPie: that would read its standard input.
  package var areAsForHTTPie: Bool {
    let first =
      words.count == 1 ? String((words[0].split(whereSeparator: \.isWhitespace).first ?? "")) : words.first ?? ""
    return isAddress(first) || Self.isForAnotherTool(first) && !first.hasPrefix("curl")
  }

  /// What they mean.
  ///
  /// - Parameter read: what was read as standard input.
  package func meaning(read: CurlInput? = nil) -> Meaning {
    let meaning = meaningWithoutOptions(read)
    guard !options.isEmpty else { return meaning }
    var text: String
    var isForm = false
    switch meaning {
    case .language(let language): text = language
    case .statements(let statements, let form): (text, isForm) = (statements, form)
    case .script, .hint: return meaning
    }
    // A method that was not written is the options' to say.
    if let first = words.first, isAddress(first), let method = text.firstIndex(of: " ") {
      text = String(text[text.index(after: method)...])
    }
    guard let request = OptionedRequest(text) else { return .language(text) }
    do {
      var meant = try request.with(options, read: read)
      meant.isForm = isForm
      return .script(meant)
    } catch {
      return .hint(error.report)
    }
  }

  private func meaningWithoutOptions(_ read: CurlInput?) -> Meaning {
    guard words.count > 1 || isForm || !options.isEmpty, let first = words.first else {
      return .language(words.joined(separator: " "))
    }
    if words.count > 1 {
      switch first {
      case "curl", "curl.exe": return curl(words, read)
      case "http", "https", "xh", "xhs", "httpie":
        switch HTTPieLine(words: words).result {
        case .success(let meaning): return .script(meaning)
        case .failure(let error): return .hint(error.report)
        }
      default: break
      }
    }
    let method = Keywords.commonMethods.contains(first.uppercased()) ? first.uppercased() : first
    if Keywords.isMethod(method), words.count > 1 { return request(method, words[1], words[2...]) }
    guard isAddress(first) else { return .language(words.joined(separator: " ")) }
    return request(nil, first, words[1...])
  }

  private func curl(_ words: [String], _ read: CurlInput?) -> Meaning {
    do {
      let command = try CurlCommand(words: words, input: read)
      return .script(command.meaning(command.step))
    } catch {
      return .hint(error.report)
    }
  }

  private func isAddress(_ word: String) -> Bool {
    if word.hasPrefix("/") || word.hasPrefix("?") { return true }
    let name = word.prefix { $0.isLetter || $0.isNumber || "-_".contains($0) }
    let isInProfile = !name.isEmpty && word.dropFirst(name.count).hasPrefix(":/")
    return !word.contains(where: \.isWhitespace) && (isInProfile || RequestAddress(word) != nil)
  }

  // MARK: A request

  /// - Parameter method: nil: POST with a body, otherwise GET.
  private func request(_ method: String?, _ url: String, _ rest: ArraySlice<String>) -> Meaning {
    var rest = rest
    var kind: StepSyntax.ItemBody? = isForm ? .form : nil
    if let word = rest.first, let chosen = StepSyntax.ItemBody(rawValue: word),
      rest.dropFirst().first.map({ !$0.hasPrefix("{") && !$0.hasPrefix("$") }) ?? true
    {
      kind = chosen
      rest.removeFirst()
    }
    let end = rest.firstIndex(where: Self.isClause) ?? rest.endIndex
    var items: [RequestItem] = []
    var clauses: [ClauseSyntax] = []
    for index in rest.indices where index < end {
      let word = rest[index]
      if let body = Self.body(word) {
        clauses.append(body)
        continue
      }
      do throws(ItemError) {
        items.append(try RequestItem(word: word))
      } catch {
        return .hint(report(error, after: index > rest.startIndex ? rest[index - 1] : nil))
      }
    }
    let hasBody = !clauses.isEmpty || items.contains(where: \.isBody) || rest[end...].first.map(Self.isBody) ?? false
    var step = step(method ?? (hasBody ? "POST" : "GET"), url)
    step.clauses = clauses
    do throws(ItemError) {
      if kind == .multipart, !hasBody { throw .noParts }
      try RequestItem.checkValues(of: items)
      try step.take(items, as: kind)
    } catch {
      return .hint(report(error, after: nil))
    }
    let written = SyntaxPrinter.print(ScriptSyntax([.step(step)]))
    let text = end < rest.endIndex ? "\(written)  \(rest[end...].joined(separator: " "))\n" : written
    if let report = Self.quotesTaken(rest[end...], text) { return .hint(report) }
    return .statements(text, isForm: kind == .form && !hasBody)
  }

  /// `auth bearer "$T"`, of which the shell has left the bare token.
  private static func quotesTaken(_ words: ArraySlice<String>, _ text: String) -> ErrorReport? {
    guard words.first == "auth", let scheme = words.dropFirst().first, ["bearer", "basic", "digest"].contains(scheme),
      !Parser.parse(SourceText(name: "", text: text), items: .typed).errors.isEmpty
    else { return nil }
    let message = "after auth \(scheme) there is no text in quotes and no $name: the shell may have taken them"
    return scheme == "bearer"
      ? ErrorReport(
        message, notes: ["in single quotes: 'auth bearer $env.TOKEN'", "or a header: Authorization:\"Bearer $TOKEN\""])
      : ErrorReport(message, notes: ["in single quotes: 'auth \(scheme) \"user\", $env.PASSWORD'"])
  }

  /// The URL is the language's, `{$id}` included; what cannot be read as that is literal.
  private func step(_ method: String, _ url: String) -> StepSyntax {
    let source = SourceText(name: "", text: url)
    let parsed = Parser.parse(source, as: .request(method: method))
    guard parsed.errors.isEmpty, case .step(var step)? = parsed.script.statements.first, step.items.isEmpty,
      step.clauses.isEmpty, parsed.script.statements.count == 1, parsed.script.comments.isEmpty
    else { return StepSyntax(method, TargetSyntax(url)) }
    step.useLocalAddress()
    return step
  }

  /// A clause of its own word, or one that was quoted as a whole.
  private static func isClause(_ word: String) -> Bool {
    Keywords.clauses.contains(String(word.prefix { !$0.isWhitespace }))
  }

  private static func isBody(_ word: String) -> Bool {
    ["json", "form", "multipart", "text", "body", "graphql"].contains(word.prefix { !$0.isWhitespace })
  }

  /// `{"a": 1}`, `@file`: a body as other tools take it.
  private static func body(_ word: String) -> ClauseSyntax? {
    if word.hasPrefix("@"), word.count > 1 { return .body(file: String(word.dropFirst())) }
    guard word.hasPrefix("{") || word.hasPrefix("["), (try? JSON(parsing: Array(word.utf8))) != nil else { return nil }
    return ClauseSyntax(.body(.text(word), TypedSyntax(type: "application/json")))
  }

  private func report(_ error: ItemError, after previous: String?) -> ErrorReport {
    var notes = [error.advice]
    if case .notAnItem(let word) = error, let previous, previous.hasSuffix(":") {
      notes = ["one word of the shell is one item: quote it, '\(previous) \(word)'"]
    } else if case .notAnItem(let word) = error, word.contains(where: \.isWhitespace) {
      notes.append("a text as the body: 'text \"…\"'")
    }
    notes.append(
      "to write a request as at the prompt, quote all of it: workbench send 'POST https://example.com/items name=x expect 201'"
    )
    return ErrorReport(error.description, notes: notes)
  }
}

extension StepSyntax {
  /// Writes the scheme of an address of this machine, and `localhost` where HTTPie means it: `:8080/x`.
  package mutating func useLocalAddress() {
    switch target {
    case .word(var word):
      guard case .text(let text)? = word.pieces.first, let whole = RequestAddress.whole(text) else { return }
      word.pieces[0] = .text(whole)
      target = .word(word)
    case .string(var string):
      guard case .text(let text)? = string.pieces.first, let whole = RequestAddress.whole(text) else { return }
      string.pieces[0] = .text(whole)
      target = .string(string)
    case .reference, .expression: break
    }
  }
}

extension ProfileSyntax {
  fileprivate mutating func useLocalAddresses() {
    for index in settings.indices {
      switch settings[index].kind {
      case .base(let value): if let whole = Self.whole(value) { settings[index].kind = .base(whole) }
      case .origin(let value): if let whole = Self.whole(value) { settings[index].kind = .origin(whole) }
      default: break
      }
    }
  }

  private static func whole(_ value: ExpressionSyntax) -> ExpressionSyntax? {
    value.plainText.flatMap(RequestAddress.whole).map { .value($0).placed(at: value.range) }
  }
}

extension ScriptSyntax {
  /// What was typed, with the scheme of each address of this machine, `GET localhost:8080/x`, and with `auth basic` in
  /// place of a user and a password in a URL.
  package var withTypedAddresses: ScriptSyntax {
    var script = self
    for index in script.statements.indices {
      switch script.statements[index] {
      case .step(var step):
        step.useLocalAddress()
        step.takeAddressUser()
        script.statements[index] = .step(step)
      case .profile(var profile):
        profile.useLocalAddresses()
        script.statements[index] = .profile(profile)
      default: break
      }
    }
    return script
  }
}

extension ParsedScript {
  /// The same, each address as it was meant.
  package func withTypedAddresses() -> ParsedScript {
    var parsed = self
    parsed.script = script.withTypedAddresses
    return parsed
  }
}
