internal import Diagnostics
internal import Formats
internal import HTTPTypes
internal import Imports
internal import JSONValue
internal import LineEditing
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import Sessions
internal import UploaderCore

/// The commands that look at what there is, and send nothing.
extension REPL {
  // MARK: Answers

  /// - Parameter printer: where it is shown.
  mutating func show(_ argument: String?, on printer: Printer) {
    var words = (argument ?? "").split(whereSeparator: \.isWhitespace)[...]
    // As after `:body`, the response may come last.
    if words.count == 2, let last = words.last, last.hasPrefix("$") { words = [last, words[words.startIndex]] }
    let isNamed = words.first.map { $0.hasPrefix("$") || Int($0) != nil || isLabel($0) } ?? false
    guard let (number, exchange) = exchange(named: isNamed ? words.removeFirst() : nil) else { return }
    guard let word = words.popFirst() else {
      StepLines(printer, .verbose, spacesRequest: true).write(exchange, number: number, isRecorded: false)
      return
    }
    if let program = words.first, ShownPart(rawValue: String(word)) != nil {
      return fail(noPart(program, after: ":show\(isNamed ? " $\(number)" : "") \(word)"))
    }
    let matches = ShownPart.allCases.filter { $0.rawValue.hasPrefix(word) }
    guard let part = matches.first(where: { $0.rawValue == word }) ?? matches.first,
      matches.count == 1 || part.rawValue == word, words.isEmpty
    else {
      return fail(
        ErrorReport(
          "\"\(word)\" does not name one part of a response",
          notes: ["the parts are \(ShownPart.list)"]
            + (word == "sent" ? ["what was sent: :show $\(number) request"] : [])))
    }
    let renderer = ExchangeRenderer()
    switch part {
    case .request: printer.result(renderer.request(of: exchange))
    case .response: show(exchange, number: number, on: printer)
    case .headers: printer.result(renderer.headers(of: exchange))
    case .body: printBody(of: exchange, number, renderer, on: printer)
    case .wire:
      for text in WireText.texts(of: exchange) { printer.result(text) }
      printBody(of: exchange, number, renderer, on: printer)
    case .time: printer.result(TimingChart.phases(of: exchange))
    case .curl:
      let line = CurlLine(
        exchange, profile: profiles.profile(ofAsked: exchange), secrets: secrets.allHidden,
        environment: world.variables,
        after: run.exchanges.prefix(number - 1))
      printer.result(StyledText("\(line.text)\n"))
      for note in line.notes { printer.error(StyledText("\(note)\n", .warning)) }
    case .wb: printer.result(StyledText(SyntaxPrinter.print(script(of: exchange, number: number))))
    }
  }

  /// A response as a whole.
  mutating func show(_ exchange: Exchange, number: Int?, on printer: Printer) {
    let renderer = ExchangeRenderer()
    printer.result(renderer.summary(of: exchange, number: number))
    printer.result(renderer.headers(of: exchange))
    printBody(of: exchange, number, renderer, on: printer)
  }

  /// Whether a word without `$` means a response: a label that is no part's whole name.
  private func isLabel(_ word: Substring) -> Bool {
    ShownPart(rawValue: String(word)) == nil && word != "_" && exchange(called: String(word)) != nil
  }

  mutating func timing(_ argument: String?, on printer: Printer) {
    if argument != nil || run.exchanges.count == 1 {
      guard let (number, exchange) = exchange(named: argument.map { $0[...] }) else { return }
      printer.result(ExchangeRenderer().summary(of: exchange, number: number))
      return printer.result(TimingChart.phases(of: exchange))
    }
    guard !run.exchanges.isEmpty else { return fail(ErrorReport("there is no response yet")) }
    let shown = run.exchanges.suffix(20)
    printer.result(TimingChart.overview(shown, first: run.exchanges.count - shown.count + 1))
  }

  mutating func difference(_ argument: String?, on printer: Printer) {
    let names = (argument ?? "").split(whereSeparator: \.isWhitespace)
    guard names.count == 2 || names.isEmpty else {
      return fail(ErrorReport(":diff compares two responses", notes: [Command.diff.example]))
    }
    if names.isEmpty, run.exchanges.count < 2 { return fail(ErrorReport("there are not two responses yet")) }
    guard let one = exchange(named: names.first ?? "$\(run.exchanges.count - 1)"),
      let other = exchange(named: names.last)
    else { return }
    do {
      let difference = try ExchangeDifference(one.exchange, other.exchange, redact: secrets.redact)
      printer.long(
        difference.fields.isEmpty
          ? StyledText("no difference\n", .faint) : difference.text())
    } catch {
      fail(ErrorReport("\(error)"))
    }
  }

  /// Why a line does not go on with a program, without its bar.
  private func noPart(_ program: Substring, after line: String) -> ErrorReport {
    ErrorReport(
      "\"\(program)\" is no part of a response", notes: ["a program takes it after |: \(line) | \(program)"])
  }

  /// How much of a body `:body` shows; a file gets all of it.
  static let pagedBytes = 16 << 20

  mutating func body(_ argument: String?) {
    if let (name, program) = argument.flatMap({ Self.pipeline($0) }) {
      return pipeBody(of: name.isEmpty ? nil : name[...], through: program)
    }
    let pieces = (argument ?? "").split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
    let names = (pieces.first ?? "").split(whereSeparator: \.isWhitespace)
    if names.count > 1 { return fail(noPart(names[1], after: ":body \(names[0])")) }
    let name = names.first.map(String.init) ?? ""
    guard let (number, exchange) = exchange(named: name.isEmpty ? nil : name[...]) else { return }
    guard pieces.count == 2 else {
      do {
        return printer.long(
          try ExchangeRenderer(limit: .init(bytes: Self.pagedBytes, lines: .max)).body(of: exchange, number: number))
      } catch {
        return fail(ErrorReport("\(error)"))
      }
    }
    // What has to be said after `:save file` does no harm here.
    var path = pieces[1].trimmed[...]
    if path.last == "!" { path.removeLast() }
    guard !path.isEmpty else {
      return fail(ErrorReport("no file is named after \">\"", notes: [Command.body.example]))
    }
    let body = exchange.response.body
    do {
      if !path.hasPrefix("/") { try world.makeDirectories(String(path), world.workingDirectory) }
      try world.writeFile(String(path), body)
      printer.result(StyledText("\(path): \(NumberFormat.grouped(body.count)) bytes\n", .faint))
    } catch {
      fail(ErrorReport("\(error)"))
    }
  }

  private mutating func printBody(
    of exchange: Exchange, _ number: Int?, _ renderer: ExchangeRenderer, on printer: Printer
  ) {
    do {
      printer.result(try renderer.body(of: exchange, number: number))
    } catch {
      fail(ErrorReport("\(error)"))
    }
  }

  /// The response with that number or label, or without one the last; complains if there is none.
  mutating func exchange(named name: Substring?) -> (number: Int, exchange: Exchange)? {
    let word = String(name?.drop { $0 == "$" } ?? "_")
    if let exchange = exchange(called: word) { return exchange }
    if let numbers = responses[word] {
      fail(
        ErrorReport(
          "$\(word) is an array of \(numbers.count) responses",
          notes: ["they are \(numbers.map { "$\($0)" }.joined(separator: ", "))"]))
      return nil
    }
    let count = run.exchanges.count
    let what = count == 0 ? "there is no response yet" : "there is no response \"$\(word)\""
    fail(ErrorReport(what, notes: count == 0 ? [] : ["the last is $\(count)"]))
    return nil
  }

  /// The response with that number or label; `_` is the last.
  func exchange(called name: String) -> (number: Int, exchange: Exchange)? {
    let exchanges = run.exchanges
    let index =
      name == "_"
      ? exchanges.indices.last
      : Int(name).map { $0 &- 1 } ?? number(ofResponseNamed: name).map { $0 - 1 }
    guard let index, exchanges.indices.contains(index) else { return nil }
    return (index + 1, exchanges[index])
  }

  private func number(ofResponseNamed name: String) -> Int? {
    guard case .response(let exchange)? = run.sequence.meaning(of: name) else { return nil }
    return number(of: exchange)
  }

  func number(of exchange: Exchange) -> Int? {
    run.exchanges.lastIndex { $0.started == exchange.started && $0.label == exchange.label && $0 == exchange }
      .map { $0 + 1 }
  }

  /// The numbers of the responses that a name stands for after a loop.
  var responses: [String: [Int]] { run.sequence.numbersOfResponses(among: run.exchanges) }

  // MARK: Values

  func listNames(on printer: Printer) {
    var text = StyledText()
    let responses = self.responses
    for name in names {
      let source = SourceText(name: "<name>", text: name)
      // What failed to be evaluated has no value, and what is a response now is below.
      guard case .value? = run.sequence.meaning(of: name),
        let value = try? run.sequence.value(of: .reference(name), in: source).printed
      else { continue }
      text.append("$\(name)", .strong)
      text.append("  \(ValuePreview(redact: secrets.redact).line(value))\n")
    }
    var listed: Set<String> = []
    for (index, exchange) in run.exchanges.enumerated() {
      guard let label = exchange.label else { continue }
      if let numbers = responses[label] {
        guard listed.insert(label).inserted else { continue }
        text.append("$\(label)", .strong)
        text.append("  an array: \(numbers.map { "$\($0)" }.joined(separator: ", "))\n", .faint)
      } else if self.exchange(called: label)?.number == index + 1 {
        // A later step of the same name is what the name means now.
        text.append("$\(label)", .strong)
        text.append("  $\(index + 1), \(exchange.response.status.code)\n", .faint)
      }
    }
    printer.result(text.isEmpty ? StyledText("There are no names yet: :set id = $1.body.id\n", .faint) : text)
  }

  // MARK: Files and history

  mutating func load(_ path: String?, stepsToo: Bool) async {
    guard let path else {
      return fail(ErrorReport("a file is missing", notes: [(stepsToo ? Command.run : .load).example]))
    }
    if !stepsToo {
      switch OutsideFileKind(path: path) {
      case .script: break
      case .values: return await loadValues(path)
      case .variables: return loadVariables(path)
      }
    }
    do {
      let file = try ScriptFile(path, in: world)
      var parsed = ScriptLoader(world).withoutReplaced(file.parsed)
      if !stepsToo {
        let left = parsed.script.statements.filter { !$0.isDeclaration }
        parsed.script.statements.removeAll { !$0.isDeclaration }
        if parsed.errors.isEmpty, let (name, step) = parsed.script.firstDeclared(from: left) {
          return fail(
            ErrorReport(
              "$\(name) is made from the response to \(step), and :load leaves the steps of a script alone",
              notes: ["to run them here: :run \(path)"]))
        }
      }
      let hadFailed = isFailed
      isFailed = false
      let earlier = run.sequence
      // Another tool's file goes as it says, also where another profile serves the same origin.
      let (chosen, own) = (
        run.sequence.currentProfile,
        parsed.isImported ? parsed.script.statements.lazy.compactMap(\.profileName).first : nil
      )
      await perform(parsed, directory: file.directory, isOwn: false, isRun: stepsToo, choosing: own)
      if own != nil { run.sequence.currentProfile = chosen }
      if isFailed { takeBackProfiles(of: earlier) }
      if !stepsToo, !isFailed { sayDeclared(in: parsed.script) }
      isFailed = isFailed || hadFailed
    } catch {
      fail(ErrorReport("\(error)"))
    }
  }

  /// A script that failed may have left a profile without its credential, in the place of one that had its own.
  private mutating func takeBackProfiles(of earlier: ProgramRequestSequence) {
    do throws(ProgramError) {
      for name in try run.sequence.takeBackProfiles(of: earlier, at: world.moment) {
        errors.note("profile \(name) is what it was before: the script failed before its own had a credential")
      }
    } catch {
      errors.print(UploadError(.sequence(error)))
    }
  }

  private func sayDeclared(in script: ScriptSyntax) {
    let declared = script.statements.compactMap { statement -> String? in
      switch statement {
      case .sequence(let sequence): "\(sequence.name.text)(…)"
      case .profile(let profile): "profile \(profile.name.text)"
      default: statement.declaredName
      }
    }
    let text = declared.isEmpty ? "nothing is declared there; :run runs its steps" : declared.joined(separator: ", ")
    printer.result(StyledText("\(text)\n", .faint))
  }

  /// As in bash, a number is how many of the last entries, and the newest is where one looks: at the end.
  /// How many entries are listed if nobody says how many.
  static let listedEntries = 50

  mutating func listHistory(_ argument: String?, limit: Int, on printer: Printer) {
    guard let history else { return printer.result(StyledText("No history is kept here.\n", .faint)) }
    var pattern: Regex<AnyRegexOutput>?
    let count = argument.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    let sought = count == nil ? argument ?? "" : ""
    let isPattern = sought.count > 2 && sought.hasPrefix("/") && sought.hasSuffix("/")
    if isPattern {
      let text = "\(sought.dropFirst().dropLast())"
      do { pattern = try Regex(text) } catch {
        return fail(ErrorReport("\"\(text)\" is not a regular expression", notes: [Command.history.example]))
      }
    }
    var found: [String] = []
    var age = 0
    while found.count < count ?? limit, let entry = history.entry(age: age) {
      age += 1
      if let pattern {
        if entry.firstMatch(of: pattern) == nil { continue }
      } else if !sought.isEmpty, !entry.contains(sought) {
        continue
      }
      found.append(entry)
    }
    if found.isEmpty, !sought.isEmpty {
      let advice = isPattern ? "" : "; a regular expression is between slashes: \(Command.history.example)"
      return printer.result(StyledText("No entry has \(TypedSecrets.masked(sought))\(advice)\n", .faint))
    }
    if sought.isEmpty, count == nil, history.entry(age: age) != nil {
      printer.result(StyledText("\(CutText.mark) older ones: :history 500\n", .faint))
    }
    printer.result(StyledText(found.reversed().map { "\(TypedSecrets.masked($0))\n" }.joined()))
  }
}

extension ProgramRequestSequence {
  /// The numbers, among these, of the responses that a name stands for after a loop.
  func numbersOfResponses(among all: [Exchange]) -> [String: [Int]] {
    let labels = Set(all.compactMap(\.label))
    if labels.isEmpty { return [:] }
    // A loop may have had very many rounds.
    let indices = Dictionary(grouping: all.indices) { all[$0].started }
    var found: [String: [Int]] = [:]
    for label in labels {
      guard case .responses(let exchanges)? = meaning(of: label) else { continue }
      found[label] = exchanges.compactMap { exchange in
        indices[exchange.started]?.last { all[$0].label == exchange.label && all[$0] == exchange }.map { $0 + 1 }
      }
    }
    return found
  }
}

extension SessionProfiles {
  /// The profile of what was asked for: a redirect to another origin chooses again.
  func profile(ofAsked exchange: Exchange) -> SessionProfile? {
    let origin = exchange.firstRequest.origin
    if origin == exchange.request.origin { return self[exchange.profile] }
    if let name = exchange.description.head.profile { return self[name] }
    return try? profile(for: origin)
  }
}
