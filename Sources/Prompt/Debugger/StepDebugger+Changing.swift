internal import Debugger
internal import Diagnostics
internal import Formats
internal import Imports
internal import JSONValue
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import RunStore
internal import Sessions
internal import UploaderCore

/// The commands that change the script, a value or a response, or save one.
extension StepDebugger {
  // MARK: The script

  /// Another text for the current step; `edit response` for its response.
  mutating func edit(_ text: String) async {
    if text == "response" { return await editResponse() }
    if case .end = stop {
      return complain("there is no step here to change", "back STEP goes before one, and e changes it")
    }
    guard let script, let place, let source = errors.sources[place.source],
      let statement = parsed(source).statement(at: place.range.lowerBound)?.statement
    else {
      return complain("there is no step of this script here to change", "reload reads what was changed elsewhere")
    }
    if let format = ForeignScript(fileName: source.name) {
      return complain(
        "a step of a .\(format.rawValue) file is changed in that file",
        "reload reads it again; workbench import \(format.rawValue) \(source.name) makes a script of it")
    }
    let old = source[statement.range]
    var new = text
    // What is named is the step itself.
    let isNamed = if case .step(let step) = statement { step.label?.text == text } else { false }
    if !isNamed, labels.contains(text) {
      return complain("only the step that comes next can be changed", "goto \(text), or back \(text); then e")
    }
    if text.isEmpty || isNamed {
      guard let edit = world.edit else {
        return complain("there is no terminal for an editor here", "e POST $allocate.body.url … gives the new text")
      }
      // What was refused is not written again.
      let begun = refusedEdit.flatMap { $0.old == old ? $0.new : nil } ?? old
      guard let edited = edit(begun) else { return complain("the editor failed, so nothing is changed") }
      new = edited
    } else {
      switch ForeignInput(text) {
      case .script(var meaning)?:
        let profiles = run.innermostSequence.profiles ?? SessionProfiles()
        meaning.readCookies(in: world) { profiles.profile(of: $0, in: world) }
        printer.learn(meaning.secrets(), areTyped: true)
        if let refusal = meaning.refusal({ profiles.profile(of: $0, in: world) }) {
          return errors.print(refusal)
        }
        for remark in meaning.remarks { errors.note(remark) }
        let names = names(at: statement, of: source)
        new = SyntaxPrinter.print(
          meaning.script(besideFiles: world.listDirectory("")).taking(names, typed: text).withJSONOfQuotes)
      case .hint(let report)?: return errors.print(report)
      case .open?, nil: new = meant(text, at: statement, of: source)
      }
      if case .step(let step) = statement, let label = step.label, ForeignInput.labelled(new) == nil {
        new = "\(label.text): \(new)"
      }
      new = taking(expectationsOf: statement, new)
    }
    while new.last?.isNewline == true { new.removeLast() }
    guard new != old, !new.isEmpty else { return say("nothing was changed") }
    let isTaken = await take(script.replacing(statement.range, of: source, with: new, in: world))
    refusedEdit = isTaken ? nil : (old, new)
    if !isTaken, world.edit != nil { errors.note("e opens the text that was refused") }
  }

  /// What is typed in place of a step as it is meant where it is typed: names in double quotes, JSON in quotes.
  private func meant(_ text: String, at statement: StatementSyntax, of source: SourceText) -> String {
    let parsed = Parser.parse(SourceText(name: "", text: text), items: .typed)
    guard parsed.errors.isEmpty else { return text }
    let responses = Set(labels + run.innermost.exchanges.indices.map { "\($0 + 1)" } + ["_"])
    let names = TypedNames(names(at: statement, of: source), variables: world.variables.keys, responses: responses)
    let script = names.interpolating(parsed.script)
    return script == parsed.script ? text : SyntaxPrinter.print(script)
  }

  /// The names that can be used in place of a step.
  private func names(at statement: StatementSyntax, of source: SourceText) -> [String] {
    parsed(source).names(at: statement.range.lowerBound)
  }

  /// A request that was typed in place of a step, with what the step expects: of a request of the same method, it is as
  /// right as before.
  private func taking(expectationsOf old: StatementSyntax, _ text: String) -> String {
    let typed = Parser.parse(SourceText(name: "", text: text))
    guard typed.errors.isEmpty, case .step(let old) = old, typed.script.statements.count == 1,
      case .step(var new)? = typed.script.statements.first, !new.clauses.contains(where: \.isExpectation)
    else { return text }
    let expected = old.clauses.filter(\.isExpectation)
    let words = expected.map { SyntaxPrinter.print($0) }.joined(separator: ", ")
    if expected.isEmpty { return text }
    guard new.method.text == old.method.text else {
      say("without \(words), which the step had", .warning)
      return text
    }
    new.clauses += expected
    say("with \(words), as before")
    return SyntaxPrinter.print(.step(new))
  }

  mutating func reload() async {
    guard let script, script.isFile else { return complain("there is no file to read again here") }
    do {
      let file = try ScriptFile(script.source.name, in: world)
      if hasUnsavedChanges {
        say("warning: what was changed here is discarded", .warning)
        guard await agrees(to: "reload?") else { return say("not reloaded: save FILE keeps what was changed here") }
      }
      // Whoever mistyped a reply types it again.
      world.replies?.forget()
      await take(script.reading(file))
    } catch {
      complain("\(error)")
    }
  }

  /// Continues with another script, or with this one if that cannot be run.
  ///
  /// - Returns: whether it can.
  @discardableResult private mutating func take(_ changed: DebuggedScript) async -> Bool {
    var known = errors
    do throws(RunRefusal) {
      let start = try changed.start(in: world, report: { known.on($0) })
      errors = known
      await perform(.change(changed, start))
      return true
    } catch {
      known.print(error)
      say("the script is unchanged")
      return false
    }
  }

  mutating func save(_ argument: String) async {
    let words = argument.split(separator: " ", maxSplits: 1).map(String.init)
    do throws(FileError) {
      switch words.count {
      case 2 where words[0] == "response":
        guard let exchange = lastExchange else { return complain("there is no response yet") }
        try world.writeFile(words[1], exchange.response.body)
        say("wrote \(exchange.response.body.count) bytes to \(words[1])")
      case 1:
        try await saveScript(words[0])
      default: complain("a file is missing", "save fixed.wb, save response response.json")
      }
    } catch {
      complain("\(error)")
    }
  }

  /// If the path is a file that the script uses, that file is written; any other path gets the script.
  private mutating func saveScript(_ path: String) async throws(FileError) {
    guard let script else { return complain("there is no script here to save") }
    let whole = RunSetup.absolute(path, in: world.workingDirectory)
    let used = errors.sources.values.first {
      $0.name != script.source.name && RunSetup.absolute($0.name, in: world.workingDirectory) == whole
    }
    if let used {
      guard script.isChanged(used, in: world) else { return complain("\(path) was not changed here") }
      try world.writeFile(path, ResponseBody(used.bytes))
      await perform(.saved(script.written(used, in: world)))
      return say("wrote \(path), as it was changed here")
    }
    if (try? world.readFile(path)) == nil {
      try world.writeScript(String(decoding: script.source.bytes, as: UTF8.self), to: path)
    } else {
      // An existing file keeps its mode.
      try world.writeFile(path, ResponseBody(script.source.bytes))
    }
    say("wrote the script to \(path)" + (script.isChanged ? ", as it was changed here" : ""))
    savedScript = script.source
    if whole == RunSetup.absolute(script.source.name, in: world.workingDirectory) {
      await perform(.saved(script.written(script.source, in: world)))
    }
    for source in changedFiles {
      say("\(source.name) was changed here, too: save \(source.name) writes it", .warning)
    }
  }

  /// Whether something was changed here that is in no file.
  var hasUnsavedChanges: Bool {
    guard let script else { return false }
    return script.isChanged && script.source != savedScript || !changedFiles.isEmpty
  }

  /// The used files that were changed here.
  var changedFiles: [SourceText] {
    guard let script else { return [] }
    return errors.sources.values.filter { $0 != script.source && script.isChanged($0, in: world) }
      .sorted { $0.name < $1.name }
  }

  /// The place of the current step.
  private var place: TextPlace? {
    switch stop {
    case .before(let description, _): description.head.place
    case .after(_, let exchange, let error): exchange?.description.head.place ?? error?.place
    case .blocked(let error, _): error.place
    case .end, .nowhere: nil
    }
  }

  // MARK: Values

  mutating func set(_ text: String) async {
    guard let equals = text.firstRange(of: "="), equals.lowerBound > text.startIndex else {
      return complain("a name and a value are needed", "set $allocate.body.snapshot.url = \"https://…\"")
    }
    let name = text[..<equals.lowerBound].trimmed
    let label = name.prefix { $0 != "." && $0 != "[" }
    if label.count < name.count, labels.contains(String(label)) {
      return complain("\(label) is a step, so its name has a $", "set $\(name) = …")
    }
    if name.hasPrefix("$"), !name.contains("."), !name.contains("["), !labels.contains(String(name.dropFirst())) {
      return complain("a name that is set has no $", "set \(name.dropFirst()) = …")
    }
    // A question would be asked for nothing.
    guard !secretNames.contains(name) else {
      return complain(
        "the secret \"\(name)\" cannot be set",
        "q, set it where it comes from, and debug this run again: it goes on where it was")
    }
    guard let expression = expression(text[equals.upperBound...].trimmed), let value = await value(of: expression)
    else { return }
    if name.hasPrefix("$") { await setResponse(name, value) } else { await setName(name, value) }
  }

  mutating func unset(_ text: String) async {
    let name = text.drop { $0 == "$" }.prefix { $0 != "." && $0 != "[" }
    guard !name.isEmpty else { return complain("which response? unset allocate") }
    await perform(.restoreResponse(String(name)))
  }

  private var secretNames: [String] {
    script?.parsed.script.statements.compactMap { statement in
      if case .secret(let node) = statement { node.name.text } else { nil }
    } ?? []
  }

  /// A top-level `let`, or a parameter of the sequence being run.
  private mutating func setName(_ name: String, _ value: Value) async {
    guard var changed = script else { return complain("names cannot be set here", "leave, and set it at the prompt") }
    changed.settings[name] = .value(value)
    let names = changed.parsed.script.statements.compactMap(\.declaredName)
    guard await !take(changed) else { return }
    if names.contains(name) { return }
    errors.note(
      "the request is changed with e: alone, in $EDITOR; with another request, e POST …, that takes its place")
  }

  /// A part of a response's body.
  private mutating func setResponse(_ name: String, _ value: Value) async {
    guard let expression = expression(name), case .reference(let reference) = expression.syntax else {
      return complain("\"\(name)\" is not part of a response", "set $allocate.body.snapshot.url = \"https://…\"")
    }
    guard let change = ResponseChange(reference, to: value) else {
      return complain(
        "only values in a JSON body and header fields can be set", "\(name) is something else; e changes the request")
    }
    await perform(.setResponse(change))
  }

  private mutating func editResponse() async {
    guard case .after(_, let response?, _) = stop, let bytes = try? response.response.body.bytes() else {
      return complain("there is no response here to edit", "k 200 {…} gives one")
    }
    guard let edit = world.edit else {
      return complain("there is no terminal for an editor here", "k 200 {…} gives one")
    }
    guard let edited = edit(String(decoding: bytes, as: UTF8.self)) else {
      return complain("the editor failed, so nothing is changed")
    }
    await perform(.replaceResponse(body: Array(edited.utf8)))
  }
}

extension ClauseSyntax {
  fileprivate var isExpectation: Bool {
    switch kind {
    case .expectStatus, .expect: true
    default: false
    }
  }
}
