internal import Diagnostics
internal import JSONValue
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import RunStore
internal import UploaderCore

/// What changes the script, a value or an answer; all of it ends with making the run again.
extension StepDebugger {
  // MARK: The script

  /// Another text for the step it stands at; `edit response` for its answer.
  mutating func edit(_ text: String) {
    if text == "response" { return editAnswer() }
    guard let script, let place, let source = errors.sources[place.source],
      let statement = parsed(source).statement(at: place.range.lowerBound)?.statement
    else {
      return complain("there is no step of this script here to change", "reload reads what was changed elsewhere")
    }
    let old = source[statement.range]
    var new = text
    if text.isEmpty {
      guard let edit = world.edit else {
        return complain("there is no terminal for an editor here", "e POST $allocate.body.url … gives the new text")
      }
      guard let edited = edit(old) else { return complain("the editor did not end well, so nothing is changed") }
      new = edited
    } else if case .step(let step) = statement, let label = step.label, !text.hasPrefix("\(label.text):") {
      new = "\(label.text): \(text)"
    }
    while new.last?.isNewline == true { new.removeLast() }
    guard new != old, !new.isEmpty else { return say("nothing was changed") }
    take(script.replacing(statement.range, of: source, with: new, in: world))
  }

  mutating func reload() {
    guard let script, script.isFile else { return complain("there is no file to read again here") }
    do {
      let file = try ScriptFile(script.source.name, in: world)
      if script.isChanged || !changedFiles.isEmpty { say("what was changed here is given up", .warning) }
      take(script.reading(file))
    } catch {
      complain("\(error)")
    }
  }

  /// Goes on with another script, or with this one if that can not be run.
  private mutating func take(_ changed: DebuggedScript) {
    var known = errors
    do throws(DebuggedScript.Failure) {
      start = try changed.start(in: world, &known)
    } catch {
      known.print(error)
      return say("the script is as it was")
    }
    script = changed
    errors = known
    recordScript()
    learnPutSecrets()
    printer.learn(start.secrets)
    rebuildKeepingAnswers()
    show()
  }

  mutating func save(_ argument: String) {
    let words = argument.split(separator: " ", maxSplits: 1).map(String.init)
    do throws(FileError) {
      switch words.count {
      case 2 where words[0] == "response":
        guard let answer = lastAnswer else { return complain("nothing was answered yet") }
        try world.writeFile(words[1], answer.response.body)
        say("wrote \(answer.response.body.count) bytes to \(words[1])")
      case 1:
        try saveScript(words[0])
      default: complain("a file is missing", "save fixed.wb, save response answer.json")
      }
    } catch {
      complain("\(error)")
    }
  }

  /// A file that the script uses is written as that file, any other as the script.
  private mutating func saveScript(_ path: String) throws(FileError) {
    guard let script else { return complain("there is no script here to save") }
    let whole = RunSetup.absolute(path, in: world.workingDirectory)
    let used = errors.sources.values.first {
      $0.name != script.source.name && RunSetup.absolute($0.name, in: world.workingDirectory) == whole
    }
    if let used {
      guard script.isChanged(used, in: world) else { return complain("\(path) was not changed here") }
      try world.writeFile(path, ResponseBody(used.bytes))
      self.script = script.written(used, in: world)
      recordScript()
      return say("wrote \(path), as it was changed here")
    }
    if (try? world.readFile(path)) == nil {
      try world.writeScript(String(decoding: script.source.bytes, as: UTF8.self), to: path)
    } else {
      // A file that is there is whose it is.
      try world.writeFile(path, ResponseBody(script.source.bytes))
    }
    say("wrote the script to \(path)" + (script.isChanged ? ", as it was changed here" : ""))
    savedScript = script.source
    if whole == RunSetup.absolute(script.source.name, in: world.workingDirectory) {
      self.script = script.written(script.source, in: world)
      recordScript()
    }
    for source in changedFiles {
      say("\(source.name) was changed here, too: save \(source.name) writes it", .warning)
    }
  }

  /// The used files that were changed here.
  var changedFiles: [SourceText] {
    guard let script else { return [] }
    return errors.sources.values.filter { $0 != script.source && script.isChanged($0, in: world) }
      .sorted { $0.name < $1.name }
  }

  /// Where the step stands that it is at.
  private var place: TextPlace? {
    switch stop {
    case .before(let description, _): description.head.place
    case .after(_, let answer, let error): answer?.description.head.place ?? error?.place
    case .blocked(let error, _): error.place
    case .end, .nowhere: nil
    }
  }

  // MARK: Values

  mutating func set(_ text: String) async {
    guard let equals = text.firstRange(of: "="), equals.lowerBound > text.startIndex else {
      return complain("a name and a value are wanted", "set $allocate.body.snapshot.url = \"https://…\"")
    }
    let name = Self.trimmed(text[..<equals.lowerBound])
    guard let (expression, source) = expression(Self.trimmed(text[equals.upperBound...])) else { return }
    let sequence = run.innermostSequence
    do throws(ProgramError) {
      let value = try await world.interrupts.evaluating { () throws(ProgramError) in
        try sequence.value(of: expression, in: source)
      }
      if name.hasPrefix("$") { setAnswer(name, value) } else { setName(name, value) }
    } catch {
      errors.print([error.diagnostic])
    }
  }

  /// A top-level `let`, or a parameter of the sequence that is run.
  private mutating func setName(_ name: String, _ value: Value) {
    guard var changed = script else { return complain("names can not be set here", "leave, and set it at the prompt") }
    changed.settings[name] = .value(value)
    take(changed)
  }

  /// A part of an answer's body.
  private mutating func setAnswer(_ name: String, _ value: Value) {
    guard let (expression, _) = expression(name), case .reference(let reference) = expression else {
      return complain("\"\(name)\" is no part of an answer", "set $allocate.body.snapshot.url = \"https://…\"")
    }
    let found = run.history.stepRecords.last { step in
      step.record.exchange.map {
        isStep(reference.root.text, $0.description) || isStep("$" + reference.root.text, $0.description)
      }
        ?? false
    }
    guard let found, let answer = found.record.exchange else {
      return complain("there is no answer of \"\(reference.root.text)\" to change")
    }
    guard case .name("body")? = reference.segments.first?.kind,
      let keys = reference.segments.dropFirst().keys, let (new, secrets) = value.json(leavingBy: .record),
      let bytes = try? answer.response.body.bytes(), var json = try? JSON(parsing: bytes), json.set(keys[...], to: new)
    else {
      return complain("only what stands in a JSON body can be set, by names and indices", "\(name) is something else")
    }
    // What was made of a secret is one wherever it is read.
    putSecrets.append((secrets, "\(found.position) set \(putSecrets.count)"))
    learnPutSecrets()
    var history = historyThatStands
    history.replaceRecord(at: found.position, with: found.record.with(answer.with(JSONPrinter.compact.print(json))))
    rebuild(history) { description, record in
      guard !record.isFailed else { return false }
      return record.exchange.map { description.isSameRequest(as: $0.description) } ?? true
    }
    if let changed = run.history.stepRecords.first(where: { $0.position == found.position }) {
      recordTaken(changed.record, at: changed.position)
    }
    show()
  }

  /// The sequence and whoever prints know what was put into responses.
  private mutating func learnPutSecrets() {
    for (secrets, place) in putSecrets { start.learn(secrets, madeAt: place) }
    printer.learn(start.secrets)
  }

  private mutating func editAnswer() {
    guard case .after(let position, let answer?, _) = stop, let bytes = try? answer.response.body.bytes() else {
      return complain("there is no answer here to edit", "k 200 {…} gives one")
    }
    guard let edit = world.edit else {
      return complain("there is no terminal for an editor here", "k 200 {…} gives one")
    }
    guard let edited = edit(String(decoding: bytes, as: UTF8.self)) else {
      return complain("the editor did not end well, so nothing is changed")
    }
    rebuild(run.history.before(position))
    accept(answer.with(Array(edited.utf8)), at: position)
  }

  static func trimmed(_ text: Substring) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

extension ErrorPrinter {
  func print(_ failure: DebuggedScript.Failure) {
    switch failure {
    case .diagnostics(let diagnostics): print(diagnostics)
    case .program(let error): print([error.diagnostic])
    case .nothingToRun(let names):
      print(
        ErrorReport(
          "there is no step to run",
          notes: names.isEmpty ? [] : ["name one of its sequences: \(names.joined(separator: ", "))"]))
    }
  }
}

extension StepRecord {
  /// The same with another answer.
  fileprivate func with(_ answer: Exchange) -> StepRecord {
    switch self {
    case .exchange: .exchange(answer)
    case .round: .round(answer)
    case .failed(let label, _): .failed(label: label, answer)
    case .skipped, .group: self
    }
  }
}

extension Exchange {
  /// The same with another body.
  fileprivate func with(_ body: [UInt8]) -> Exchange {
    var response = response
    response.body = ResponseBody(body)
    return Exchange(
      description: description, request: request, response: response, timings: timings, profile: profile,
      withheld: withheld, started: started, redirects: redirects, refusedRedirect: refusedRedirect,
      failedAttempts: failedAttempts)
  }
}

extension Sequence<SegmentSyntax> {
  /// Names and indices; nil if there is anything else.
  fileprivate var keys: [JSONKey]? {
    var keys: [JSONKey] = []
    for segment in self {
      switch segment.kind {
      case .name(let name): keys.append(.name(name))
      case .bracket(let selectors, false):
        guard selectors.count == 1 else { return nil }
        switch selectors[0].kind {
        case .name(let name): keys.append(.name(name))
        case .index(let index): keys.append(.index(index))
        case .wildcard, .slice, .filter, .reference: return nil
        }
      case .bracket, .wildcard, .descendantName, .descendantWildcard: return nil
      }
    }
    return keys
  }
}

private enum JSONKey {
  case name(String)
  case index(Int)
}

extension JSON {
  /// Puts a value where the keys lead; a name that is missing is added.
  ///
  /// - Returns: whether the keys lead anywhere.
  fileprivate mutating func set(_ keys: ArraySlice<JSONKey>, to value: JSON) -> Bool {
    guard let key = keys.first else {
      self = value
      return true
    }
    switch (key, self) {
    case (.name(let name), .object(var object)):
      var inner = object[name] ?? .null
      guard inner.set(keys.dropFirst(), to: value) else { return false }
      object[name] = inner
      self = .object(object)
    case (.index(let index), .array(var elements)):
      let index = index < 0 ? elements.count + index : index
      guard elements.indices.contains(index), elements[index].set(keys.dropFirst(), to: value) else { return false }
      self = .array(elements)
    default: return false
    }
    return true
  }
}
