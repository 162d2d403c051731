internal import Diagnostics
internal import Formats
internal import Imports
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import Sessions
internal import SignIn
internal import Subcommands
internal import UploaderCore

/// The commands about files, and those that send something again.
extension REPL {
  // MARK: Files

  mutating func check(_ path: String?) {
    guard let path else { return fail(ErrorReport("a file is missing", notes: [Command.check.example])) }
    let found = CheckRun(world: world).run(file: path)
    if found.code != .success { isFailed = true }
    if found.isSpotless { printer.result(StyledText("\(path): no problems found\n", .faint)) }
  }

  mutating func format(_ path: String?) {
    guard let path else { return fail(ErrorReport("a file is missing", notes: [Command.fmt.example])) }
    guard FormatRun(world: world).run(files: [path]) == .success else {
      isFailed = true
      return
    }
    printer.result(StyledText("\(path): in the canonical style\n", .faint))
  }

  mutating func edit(_ argument: String?) async {
    guard let edit = world.edit else {
      return fail(ErrorReport("there is no terminal for an editor here"))
    }
    if let path = argument, !path.hasPrefix("$") { return editFile(path, with: edit) }
    guard let (number, exchange) = exchange(named: argument.map { $0[...] }) else { return }
    let text = SyntaxPrinter.print(script(of: exchange, number: number))
    guard let edited = edit(text), !edited.allSatisfy(\.isWhitespace) else {
      return fail(ErrorReport("the editor failed, so nothing is sent"))
    }
    // Editors differ in whether the last line ends.
    if edited.trimmed == text.trimmed {
      return printer.result(StyledText("Nothing was changed, so nothing is sent.\n", .faint))
    }
    brought = edited
    printer.result(StyledText("\(edited)\n", .faint))
    await perform(typed: edited)
  }

  private mutating func editFile(_ path: String, with edit: (String) -> String?) {
    do {
      let existing = try? world.readFile(path)
      let old = existing ?? []
      guard let edited = edit(String(decoding: old, as: UTF8.self)) else {
        return fail(ErrorReport("the editor failed, so \(path) is unchanged"))
      }
      if existing == nil, edited.allSatisfy(\.isWhitespace) {
        return printer.result(StyledText("Nothing was written, so there is no \(path).\n", .faint))
      }
      let bytes = Array((edited + "\n").utf8)
      if bytes == old { return }
      try world.writeFile(path, ResponseBody(bytes))
      check(path)
    } catch {
      fail(ErrorReport("\(error)"))
    }
  }

  mutating func importCurl(_ argument: String?) async {
    guard var argument else {
      return fail(ErrorReport("a curl line or a file is missing", notes: [Command.import.example]))
    }
    // As `workbench import` has it, `hurl FILE`.
    let words = argument.split(whereSeparator: \.isWhitespace).map(String.init)
    if words.count == 2, ForeignScript(rawValue: words[0]) != nil, ForeignScript(fileName: words[1]) != nil {
      argument = words[1]
    }
    do {
      if !argument.hasPrefix("curl "), let format = ForeignScript(fileName: argument) {
        return await importFile(try ScriptFile(argument, in: world).source, format)
      }
      let isFile = !argument.hasPrefix("curl ")
      let line = isFile ? String(decoding: try world.readFile(argument), as: UTF8.self) : argument
      let count = isFile ? line.split(whereSeparator: \.isNewline).count { $0.hasPrefix("curl ") } : 1
      if count > 1 {
        return fail(
          ErrorReport(
            "\(argument) has \(count) curl lines", notes: ["workbench import curl \(argument) makes a script, for :run"]
          ))
      }
      if !line.contains("curl ") {
        return fail(
          ErrorReport(
            "\(argument) is neither a curl line nor a .hurl or .http file",
            notes: ["of other tools only these are read; :load takes a .wb, .json, .yaml or .env file"]))
      }
      var meaning = try CurlCommand.meaning(of: line)
      readCookies(for: &meaning)
      guard isAccepted(meaning) else { return }
      let text = SyntaxPrinter.print(meaning.script(besideFiles: world.listDirectory("")))
      printer.result(StyledText(text))
      brought = text
    } catch let error as CurlCommand.ParseError {
      fail(error.report)
    } catch {
      fail(ErrorReport("\(error)"))
    }
  }

  /// Another tool's file becomes steps of this session, which are performed; `:run` runs it as it is.
  private mutating func importFile(_ source: SourceText, _ format: ForeignScript) async {
    let imported = format.read(source)
    errors.print(imported.diagnostics)
    isFailed = isFailed || imported.isRefused
    let lifted = LiftedSecrets(imported, environment: world.environment)
    let known = importedProfiles
    let script = joined(withOwnNames(lifted.script))
    if script.statements.isEmpty { return }
    // What the file has is used here, too; what is saved needs it in the environment.
    guard see(lifted.variables.filter { world.variables[$0.key] == nil }) else { return }
    let faults = faults(of: imported)
    guard faults.isEmpty else {
      importedProfiles = known
      isFailed = true
      return errors.print(faults)
    }
    let current = profiles.current
    // Its requests go as it says, also where another profile serves the same origin.
    await perform(script, choosing: script.statements.lazy.compactMap(\.profileName).first)
    if let current, profiles[current] != nil { run.sequence.currentProfile = current }
  }

  /// Why a file of another tool cannot be performed, with the place in the file and not in what was made of it.
  private mutating func faults(of imported: ImportedScript) -> [Diagnostic] {
    var parsed = imported.parsed
    let texts = parsed.secrets.filter { $0.value.utf8.count >= Secret.fewestBytes }
    secrets.hide(texts.map { Secret(hidden: $0.value, name: $0.key) })
    parsed.remarks = []
    parsed.script = joined(withOwnNames(imported.script)).withTypedAddresses
    let checked = ScriptLoader(world).appending(
      parsed, to: run.sequence, directory: "", mayRunCommands: false, isWhole: true)
    return checked.diagnostics.filter { $0.severity == .error }
  }

  // MARK: Again

  /// `$3 every 2s until body.state == "ready"`
  mutating func repeatRequest(_ argument: String?) async {
    var rest = (argument ?? "")[...]
    let first = rest.prefix { !$0.isWhitespace }
    let name = first.hasPrefix("$") || Int(first) != nil ? first : nil
    rest = rest.dropFirst(name?.count ?? 0).drop(while: \.isWhitespace)
    guard let (number, exchange) = exchange(named: name) else { return }
    var clauses: [ClauseSyntax.Kind] = []
    if !rest.isEmpty {
      guard let (typed, hasEnd) = Parser.parseRepetition(SourceText(name: "<repeat>", text: String(rest))) else {
        return fail(
          ErrorReport("\"\(rest)\" is not what :repeat takes", notes: [Command.repeat.example]))
      }
      var repetition = typed
      // Somebody looks on: a script may ask as fast as it can.
      if repetition.interval == nil, repetition.rounds == nil { repetition.interval = .number(NumberSyntax("1", .s)) }
      clauses = [.repetition(repetition)]
      if !hasEnd { printer.result(StyledText("^C ends it.\n", .faint)) }
    }
    await perform(script(of: exchange, number: number, adding: clauses))
  }

  /// The request as it was typed, or else as it was sent, without a repetition of its own; its references name the same
  /// responses wherever it appears.
  func script(of exchange: Exchange, number: Int, adding clauses: [ClauseSyntax.Kind] = []) -> ScriptSyntax {
    let labels = Dictionary(uniqueKeysWithValues: (1...run.exchanges.count).map { ($0, "\($0)") })
    let context = SavingContext(
      exchanges: run.exchanges, log: log, workingDirectory: world.workingDirectory, labels: labels)
    let saved = SavedStep(
      number, exchange, log: log, used: run.sequence.program.usedSources, session: run.sequence, isRound: true)
    return saved.again(in: context, adding: clauses)
  }

  // MARK: Before sending

  /// Where a value came from, unless its reference already says that.
  private func origin(of value: Value, as reference: ReferenceSyntax) -> String {
    switch value.provenance {
    case .script, .environment: return ""
    case .declared(let place):
      guard let line = errors.sources[place.source]?.location(of: place.range.lowerBound).line else { return "" }
      return "line \(line) of \(place.source)"
    case .response(let step, let path, let url):
      let isReferenceToStep = step == reference.root.text || Int(reference.root.text) != nil
      return isReferenceToStep || reference.root.text == "_" ? "" : "\(path) of the response from \(url)"
    case .setting(let name): return ":set \(name)"
    case .file(let path): return "file \(path)"
    case .secret(let name): return "secret \(name)"
    }
  }

  /// Nothing is sent and nothing is remembered. With `$3`, or nothing for the last one: as that request would be sent
  /// again.
  mutating func explain(_ argument: String?) {
    let text = argument ?? "$_"
    guard text.hasPrefix("$"), !text.contains(where: \.isWhitespace) else { return explain(typed: text) }
    guard let (number, exchange) = exchange(named: text[...]) else { return }
    explain(script(of: exchange, number: number))
  }

  /// A request in any way that the prompt takes it.
  private mutating func explain(typed text: String) {
    switch ForeignInput(text) {
    case nil, .open?: explain(SourceText(name: "<input>", text: text))
    case .script(var meaning)?:
      readCookies(for: &meaning)
      guard isAccepted(meaning) else { return }
      explain(withOwnNames(meaning.script(besideFiles: world.listDirectory("")), typed: text))
    case .hint(let report)?: fail(report)
    }
  }

  mutating func explain(_ script: ScriptSyntax) {
    explain(SourceText(name: "<input>", text: SyntaxPrinter.print(script)))
  }

  private mutating func explain(_ source: SourceText) {
    let typed = Parser.parse(source, items: .typed).withTypedAddresses()
    let script = meant(typed.script)
    let parsed =
      script == typed.script
      ? typed : Parser.parse(SourceText(name: source.name, text: SyntaxPrinter.print(script)))
    guard var attempt = appending(parsed) else { return }
    attempt.sequence.learnApart()
    do {
      guard case .request(let description)? = try attempt.next(at: { _ in world.moment }) else {
        return fail(ErrorReport("nothing would be sent", notes: [Command.explain.example]))
      }
      let sequence = attempt.innermostSequence
      printer.learn(sequence.secrets)
      let profiles = sequence.profiles
      let prepared = try session.prepare(description, of: sequence)
      var references: [RequestExplanation.Reference] = []
      if case .step(let step)? = parsed.script.statements.first {
        step.forEachExpression { expression in
          guard case .reference(let node) = expression else { return }
          let name = parsed.source[node.range]
          let value = try? run.sequence.value(of: expression, in: parsed.source)
          if !references.contains(where: { $0.text == name }) {
            references.append(
              .init(
                text: name, value: value?.printed ?? "?",
                origin: value.map { origin(of: $0, as: node) } ?? ""))
          }
        }
      }
      printer.result(
        RequestExplanation(
          prepared: prepared, profile: profiles?[prepared.profile], references: references,
          signIn: session.signInStatus(of: prepared.credential, in: profiles?[prepared.profile])?
            .words(now: world.clock.now()),
          redact: secrets.redact
        ).text)
      let diagnosis = UploadDiagnosis(exchanges: run.exchanges, writtenIn: errors.sources)
      printer.result(UploadDiagnosis.text(diagnosis.findings(of: prepared, at: world.clock.now())))
    } catch let error as UploadError {
      isFailed = true
      errors.print(error)
    } catch {
      isFailed = true
      errors.print(UploadError(.sequence(error)))
    }
  }
}
