internal import Diagnostics
internal import Imports
internal import Presentation
internal import RequestSyntax
internal import Requests

/// A request of ours with options of curl, as fingers know them: `GET /x -H 'A: b'`, `POST :8080/x -d a=1`, `GET /me -v`.
struct OptionedRequest {
  /// What is wrong with the options.
  struct Refusal: Error {
    let report: ErrorReport

    init(_ report: ErrorReport) { self.report = report }

    init(_ error: CurlCommand.ParseError) { report = error.report }
  }

  private var step: StepSyntax
  /// Whether its method was written, which then counts as much as `-X`.
  private let hasMethod: Bool
  /// What else was typed with it.
  private var script: ScriptSyntax
  /// Which of its statements it is: names may be declared before it.
  private let index: Int

  /// - Parameter text: as at the prompt, without the options; nil: its first statement is not a request.
  init?(_ text: String) {
    if case .script(let meaning)? = ForeignInput(text) {
      script = meaning.script
    } else {
      let parsed = Parser.parse(SourceText(name: "", text: text), items: .typed)
      guard parsed.errors.isEmpty else { return nil }
      script = parsed.script
    }
    let first = script.statements.firstIndex { statement in
      // `{{name}}` of another tool is declared before it.
      if case .binding(let node) = statement { node.value.environmentName != node.name.text } else { true }
    }
    guard let first, case .step(let step) = script.statements[first] else { return nil }
    (self.step, index) = (step, first)
    let words = text.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    let method = words.first?.hasSuffix(":") ?? false ? words.dropFirst().first : words.first
    hasMethod = method.map { Keywords.isMethod($0.uppercased()) } ?? false
  }

  // MARK: A line

  /// What a line means; nil: it has no options, or is not a request.
  ///
  /// - Parameter read: what was read as standard input.
  static func meaning(of line: String, read: CurlInput? = nil) -> ForeignInput? {
    guard let start = beginning(in: line[...]) else { return nil }
    if start == line.startIndex { return leading(line) }
    if let meaning = withItems(line, optionsAt: start) { return meaning }
    var (options, next) = ("", [Substring]())
    var end = CommandEnd()
    for text in line[start...].split(separator: "\n", omittingEmptySubsequences: false) {
      if options.isEmpty || end.isOpen {
        end.add(options.isEmpty ? String(text) : "\n\(text)")
        options += options.isEmpty ? String(text) : "\n\(text)"
      } else {
        next.append(text)
      }
    }
    // Clauses may follow on lines of their own.
    let text = ([line[..<start]] + next).joined(separator: "\n")
    let own = Parser.parse(SourceText(name: "", text: line), items: .typed)
    guard !own.errors.isEmpty, let request = OptionedRequest(text) else { return nil }
    if ShellWords.hasTornJSON(options) { return .hint(CurlCommand.ParseError.tornJSON.report) }
    do throws(ShellWords.ParseError) {
      let command = try ShellWords.command(options, .references)
      guard command.rest.allSatisfy(\.isWhitespace) else {
        return .hint(refusal(of: command.rest, after: command.words))
      }
      do throws(Refusal) {
        return .script(try request.with(command.words, from: command.input, to: command.output, read: read))
      } catch { return .hint(error.report) }
    } catch {
      return error == .open ? .open : .hint(CurlCommand.ParseError.words(error).report)
    }
  }

  /// Why a line does not go on after the options with `|`, `;` or `&`.
  private static func refusal(of rest: Substring, after words: [String]) -> ErrorReport {
    let sign = rest.first ?? "|"
    let last = ShellVariable.spelled(words.last ?? "")
    if sign == "|", let item = last.wholeMatch(of: /([\w\-]+)=(\$[\w.\-\[\]]+)/)?.output {
      return ErrorReport(
        "\"|\" ends the options of a request",
        notes: ["what is computed is in braces: form { \(item.1): \(item.2) | … }, in place of the option"])
    }
    return ErrorReport("\"\(sign)\" is for a shell", notes: ["leave it out, and what follows it"])
  }

  /// `-f` and `-j` as HTTPie has them: the items before or after it are a form, or JSON. For curl, they are about
  /// something else.
  private static func withItems(_ line: String, optionsAt first: String.Index) -> ForeignInput? {
    var option = first
    var word = line[option...].prefix { !$0.isWhitespace }
    while !["-f", "--form", "-j", "--json"].contains(word) {
      guard let next = beginning(in: line[word.endIndex...]) else { return nil }
      option = next
      word = line[option...].prefix { !$0.isWhitespace }
    }
    let end = beginning(in: line[word.endIndex...]) ?? line.endIndex
    let items = line[word.endIndex..<end]
    let words = (try? ShellWords.command(String(items), .references).words) ?? []
    // Of curl, the long ones have a value.
    let isForm = word.hasSuffix("f") || word == "--form"
    guard word.count == 2 || !isForm && words.allSatisfy(HTTPieLine.isBody) || isForm && words.count != 1,
      let target = target(of: line[..<first])
    else { return nil }
    let request = "\(line[..<target])\(isForm ? " form" : "")\(line[target..<first]) \(items)"
    guard let meant = OptionedRequest(request), meant.step.hasBody || !isForm else { return nil }
    var others = String(line[first..<option] + line[end...])
    if !isForm { others += " -H 'Accept: \(HTTPieLine.acceptedJSON)'" }
    if let meaning = meaning(of: "\(request) \(others)") { return meaning }
    do throws(Refusal) { return .script(try meant.with([])) } catch { return .hint(error.report) }
  }

  /// Where the target of a request ends.
  private static func target(of request: Substring) -> String.Index? {
    var words = request.split(whereSeparator: \.isWhitespace)[...]
    if words.first?.hasSuffix(":") ?? false { words.removeFirst() }
    if let word = words.first, Keywords.isMethod(word.uppercased()) { words.removeFirst() }
    return words.first?.endIndex
  }

  static func hasOptions(_ line: String) -> Bool { beginning(in: line[...]) != nil }

  /// Where the options begin: at a word with a dash outside of quotes and brackets, and before a comment.
  private static func beginning(in line: Substring) -> String.Index? {
    var quote: Character?
    var depth = 0
    var previous: Character = " "
    for index in line.indices {
      let character = line[index]
      defer { previous = previous == "\\" && character == "\\" ? " " : character }
      if quote != nil {
        if character == quote, previous != "\\" { quote = nil }
        continue
      }
      switch character {
      case "\"", "'": quote = character
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case "#" where previous.isWhitespace: return nil
      case "-" where depth == 0 && previous.isWhitespace:
        if line[index...].drop(while: { $0 == "-" }).first?.isLetter ?? false { return index }
      default: break
      }
    }
    return nil
  }

  /// `-v GET /x`: options about what is shown may stand before the request.
  private static func leading(_ line: String) -> ForeignInput? {
    let options = line.split(whereSeparator: \.isWhitespace).prefix { $0.hasPrefix("-") }
    guard let last = options.last else { return nil }
    let request = line[last.endIndex...].drop(while: \.isWhitespace)
    let isShown = options.allSatisfy { option in
      option.hasPrefix("--") ? shownOptions.contains(String(option)) : option.dropFirst().allSatisfy("viIh".contains)
    }
    if isShown, OptionedRequest(String(request)) != nil || meaning(of: String(request)) != nil {
      return meaning(of: "\(request) \(options.joined(separator: " "))")
    }
    let words = line.split(whereSeparator: \.isWhitespace)
    let method = words.first { Keywords.commonMethods.contains(String($0)) }
    // `-a ann:… :8080/x` without the `http` before it.
    let address = words.first { word in
      word.first == "/" || word.contains("://") || word.first != "-" && RequestAddress.whole(String(word)) != nil
    }
    guard method != nil || address != nil else { return nil }
    let target = method == nil ? address ?? "/path" : "/path"
    if options == ["-f"] || options == ["--form"] {
      return .hint(
        ErrorReport("form comes after the target", notes: ["\(method ?? "POST") \(target) form name=text …"]))
    }
    let kept = options.first == "-X" ? "" : " \(options.joined(separator: " "))"
    return .hint(ErrorReport("options come after the request", notes: ["\(method ?? "GET") \(target)\(kept) …"]))
  }

  private static let shownOptions: Set<String> = ["--verbose", "--include", "--head", "--headers"]

  // MARK: The options

  /// The request with what the options say.
  ///
  /// - Parameters:
  ///   - words: the options, with marks in the place of references (`ShellVariable`).
  ///   - input: the file that a shell would give it.
  ///   - output: the file that a shell would write.
  ///   - read: what was read as standard input.
  func with(
    _ words: [String], from input: String? = nil, to output: String? = nil, read: CurlInput? = nil
  ) throws(Refusal) -> MeantScript {
    var step = step
    let options = try RequestOptions(words)
    var command = try Self.command(options.words, read)
    if let output { command.output = output }
    let place = Self.place(of: step.target)
    command.url = place
    do throws(CurlCommand.ParseError) { try command.checkBytes(of: words) } catch { throw Refusal(error) }
    var meant = command.step
    if let input { meant.clauses.append(.body(file: input)) }
    if step.hasBody, meant.hasBody {
      throw Refusal(
        ErrorReport("the request has two bodies: its own, and that of its options", notes: ["leave one of them out"]))
    }
    if step.hasBody, words.contains("-f") {
      throw Refusal(ErrorReport("the body of this request is not a form", notes: ["leave -f out"]))
    }
    if let method = command.method ?? (hasMethod || meant.method.text == "GET" ? nil : meant.method.text) {
      step.method = NameSyntax(method)
    }
    let target = command.target
    guard target.hasPrefix(place), step.target.append(target.dropFirst(place.count)) else {
      throw Refusal(ErrorReport("the options change the URL of this request", notes: ["write the URL that is meant"]))
    }
    do throws(CurlCommand.ParseError) {
      try ShellVariable.replace(in: &meant, ShellVariable.value)
    } catch { throw Refusal(error) }
    step.clauses = meant.clauses + step.clauses
    var script = script
    script.statements[index] = .step(step)
    var meaning = MeantScript(command, as: script)
    // It is a request of ours, with the habits of another tool.
    meaning.acceptsAnyStatus = false
    if step.target.isPath { meaning.demand(command, of: step.target.text ?? "") }
    if let parts = options.parts { meaning.parts = parts == .body ? nil : parts }
    return meaning
  }

  private static func command(_ words: [String], _ read: CurlInput?) throws(Refusal) -> CurlCommand {
    var command = CurlCommand()
    command.data.input = read
    let others: [String]
    do throws(CurlCommand.ParseError) { others = try command.take(words[...]) } catch { throw Refusal(error) }
    if let other = others.first {
      if ShellWords.isEndOfTornJSON(other) { throw Refusal(CurlCommand.ParseError.tornJSON) }
      let shown = TypedSecrets.masked(ShellVariable.spelled(other))
      throw Refusal(
        ErrorReport(
          "\"\(CutText.cut(shown, to: 80))\" comes after the options",
          notes: ["first the request with its items and clauses, then its options"]))
    }
    return command
  }

  /// The target as curl would have it; what cannot be said before it is sent is `x`.
  private static func place(of target: TargetSyntax) -> String {
    guard let text = target.text else {
      return SyntaxPrinter.print(.step(StepSyntax("GET", target, [ClauseSyntax]()))).contains("?")
        ? "http://localhost/x?x" : "http://localhost/x"
    }
    if let whole = RequestAddress.whole(text) { return whole }
    return text.contains("://") ? text : "http://localhost\(text.hasPrefix("/") ? "" : "/")\(text)"
  }
}

extension TargetSyntax {
  /// What it is, if nothing in it is computed.
  fileprivate var text: String? {
    switch self {
    case .word(let word): word.plainText
    case .string(let string): string.plainText
    case .reference, .expression: nil
    }
  }

  /// Whether a profile says where it is, or a value.
  fileprivate var isPath: Bool { text.map { RequestAddress.whole($0) == nil && !$0.contains("://") } ?? true }

  /// Adds text at the end; false: there is no place for it.
  fileprivate mutating func append(_ text: Substring) -> Bool {
    if text.isEmpty { return true }
    if ShellVariable.isIn(text) { return false }
    switch self {
    case .word(var word):
      word.pieces.append(.text(String(text)))
      self = .word(word)
    case .string(var string):
      string.pieces.append(.text(String(text)))
      self = .string(string)
    case .reference(let reference, var tail):
      tail = tail ?? WordSyntax([])
      tail?.pieces.append(.text(String(text)))
      self = .reference(reference, tail: tail)
    case .expression: return false
    }
    return true
  }
}
