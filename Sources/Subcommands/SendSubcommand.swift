internal import Diagnostics
package import Formats
internal import HTTPTypes
internal import JSONValue
internal import Presentation
internal import RequestSyntax
internal import Requests
package import Sessions
internal import UploaderCore

/// `workbench send`: one request, or a few, from the command line.
///
/// On a terminal each response is shown as at the prompt. Elsewhere, and with a file to write to, the body of the last
/// one is written byte for byte, and nothing else.
package struct SendSubcommand: Sendable {
  private let world: World
  private let parts: ShownParts?
  private let output: String?
  private let profile: String?
  private let readsInput: Bool
  private let isQuiet: Bool
  /// Whether the body goes to standard output only because that is not a terminal.
  private let isPiped: Bool
  private let given: GivenValues
  /// Whether the line is one for which HTTPie would read its standard input.
  private var isAsForHTTPie = false

  /// - Parameters:
  ///   - parts: what is shown; nil: as at the prompt on a terminal, otherwise the body.
  ///   - output: the file that the body goes to; `-` is standard output.
  ///   - profile: where bare paths go.
  ///   - readsInput: whether standard input may be the body.
  ///   - isQuiet: whether nothing is remarked on.
  ///   - given: the values for names that the request refers to.
  package init(
    world: World, parts: ShownParts? = nil, output: String? = nil, profile: String? = nil,
    readsInput: Bool = true, isQuiet: Bool = false, given: GivenValues = [:]
  ) {
    self.given = given
    self.world = world
    self.parts = parts
    self.output = output ?? (parts == .body || !world.output.isTerminal ? "-" : nil)
    isPiped = output == nil && parts != .body && !world.output.isTerminal
    self.profile = profile
    self.readsInput = readsInput
    self.isQuiet = isQuiet
  }

  /// - Parameter file: what the request is read from; `-` is standard input.
  package func run(file: String) async -> ExitCode {
    do throws(FileError) {
      // Standard input is the request, and not its body.
      return await run(String(decoding: try world.readFile(file), as: UTF8.self), readsInput: readsInput && file != "-")
    } catch {
      return nothingWasSent(error)
    }
  }

  /// - Parameter words: those that a shell hands over.
  package func run(_ words: SentWords) async -> ExitCode {
    var send = self
    send.isAsForHTTPie = words.areAsForHTTPie
    return await send.perform(words)
  }

  /// One word is as at the prompt: a variable in double quotes is its value.
  private func interpolating(_ text: String) -> String {
    let parsed = Parser.parse(SourceText(name: SourceText.sentName, text: text), items: .typed)
    let meant = TypedNames(variables: world.variables.keys).interpolating(parsed.script)
    return parsed.errors.isEmpty && meant != parsed.script ? SyntaxPrinter.print(meant) : text
  }

  private func perform(_ words: SentWords) async -> ExitCode {
    let meaning: SentWords.Meaning
    do { meaning = try self.meaning(of: words.meaning, \.awaitsInput) } catch { return nothingWasSent(error) }
    switch meaning {
    case .language(let text): return await run(interpolating(text))
    case .statements(let text, let isForm):
      return await send(text, KnownSecrets(), readsInput: readsInput, isForm: isForm)
    case .script(let meaning): return await send(meaning, readsInput: readsInput)
    case .hint(let report):
      ErrorPrinter(Printer(world, secrets: KnownSecrets())).print(report)
      return .usage
    }
  }

  /// - Parameter text: as at the prompt: statements, or a line for another tool.
  package func run(_ text: String) async -> ExitCode {
    await run(text, readsInput: readsInput)
  }

  private func run(_ text: String, readsInput: Bool) async -> ExitCode {
    if let (line, rest) = ForeignInput.firstLine(of: text) {
      let code = await run(line, readsInput: readsInput)
      return code == .success ? await run(rest, readsInput: readsInput) : code
    }
    if let (line, rest, needsFirst) = ForeignInput.firstCommand(of: text) {
      let code = await run(line, readsInput: readsInput)
      return code == .success || !needsFirst ? await run(rest, readsInput: readsInput) : code
    }
    let secrets = KnownSecrets()
    let errors = ErrorPrinter(Printer(world, secrets: secrets))
    let meaning: ForeignInput?
    do {
      meaning = try self.meaning(of: { ForeignInput(text, read: $0) }) { $0?.awaitsInput ?? false }
    } catch {
      return nothingWasSent(error)
    }
    switch meaning {
    case .script(let meaning)?: return await send(meaning, readsInput: readsInput)
    case .open?, nil:
      if let report = Self.pipeInQuotes(text) {
        errors.print(report)
        return .usage
      }
    case .hint(let report)?:
      // What is an error anyway is better said here.
      guard Parser.parse(SourceText(name: "", text: text), items: .typed).errors.isEmpty else {
        errors.print(report)
        return .usage
      }
    }
    return await send(text, secrets, readsInput: readsInput)
  }

  private func send(_ meaning: MeantScript, readsInput: Bool) async -> ExitCode {
    var meaning = meaning
    let secrets = KnownSecrets()
    let printer = Printer(world, secrets: secrets)
    if meaning.isOffline {
      ErrorPrinter(printer).print(
        ErrorReport("nothing is sent with --offline", notes: ["at the prompt, :explain shows what would be sent"]))
      return .usage
    }
    meaning.readCookies(in: world, profile(claiming:))
    printer.learn(meaning.secrets())
    if let refusal = meaning.refusal(isAlone: true, profile(claiming:)) {
      ErrorPrinter(printer).print(refusal)
      return .usage
    }
    for remark in meaning.remarks { ErrorPrinter(printer).note(remark) }
    let writeOut: WriteOut?
    do throws(WriteOut.UnknownVariable) {
      if let format = meaning.writeOut { writeOut = try WriteOut(format) } else { writeOut = nil }
    } catch {
      ErrorPrinter(printer).print(error.report)
      return .usage
    }
    return await send(
      SyntaxPrinter.print(meaning.script(besideFiles: world.listDirectory(""), isCommand: true)), secrets,
      readsInput: readsInput && !meaning.ignoresInput, isForm: meaning.isForm, parts: parts ?? meaning.parts,
      writeOut: writeOut)
  }

  private func profile(claiming target: String) -> SessionProfile? {
    var profiles = ScriptLoader(world).ownProfiles
    if let profile { profiles.current = profile }
    return profiles.profile(of: target, in: world)
  }

  /// `'GET https://… | jq .'`: what follows the bar is no function, so it was meant for the shell.
  private static func pipeInQuotes(_ text: String) -> ErrorReport? {
    let source = SourceText(name: "", text: text)
    guard let error = Parser.parse(source, items: .typed).errors.first, error.fact == .expected("the end of the line"),
      source[SourceRange(error.range.lowerBound, source.bytes.count)].hasPrefix("|")
    else { return nil }
    let program = source[SourceRange(error.range.lowerBound + 1, source.bytes.count)].drop(while: \.isWhitespace)
    let request = source[SourceRange(0, error.range.lowerBound)].reversed().drop(while: \.isWhitespace).reversed()
    guard !program.prefix(while: { !$0.isWhitespace }).contains("("), !text.contains("\n") else { return nil }
    return ErrorReport(
      "a program that reads the response comes after the quotes",
      notes: [TypedSecrets.masked("workbench send '\(String(request))' | \(program)")])
  }

  /// - Parameters:
  ///   - isForm: whether the body is a form that is not written: standard input, or an empty one.
  ///   - parts: what is shown; nil: what was asked for.
  ///   - writeOut: what is written after the response.
  private func send(
    _ statement: String, _ secrets: KnownSecrets, readsInput: Bool, isForm: Bool = false,
    parts lineParts: ShownParts? = nil, writeOut: WriteOut? = nil
  ) async -> ExitCode {
    let parts = lineParts ?? self.parts
    let pipe = self.output == "-" || !world.output.isTerminal ? world.bodyPipe : nil
    let printer = Printer(pipe.map(world.printing(to:)) ?? world, secrets: secrets)
    let errors = ErrorPrinter(printer)
    let output = isPiped && !(parts?.contains(.body) ?? true) ? nil : self.output
    let amount = amount(parts, output: output)
    // Heads are before the body, or beside it.
    let isBefore = isPiped && output != nil && !(parts?.contains(.beside) ?? true)
    let source = SourceText(name: SourceText.sentName, text: statement)
    var parsed = Parser.parse(source, items: .typed).withTypedAddresses()
    let remark = isAsForHTTPie && readsInput && !isQuiet ? unreadRemark(parsed.script) : nil
    // What is typed for another tool is hidden by the same rule.
    if SensitiveName.mayOccur(inJSON: statement) || statement.contains("@") {
      secrets.learn(TypedSecrets.secrets(in: parsed.script))
    }
    do throws(FileError) {
      if parsed.errors.isEmpty, parsed.script.statements.count == 1, case .step(var step) = parsed.script.statements[0],
        step.mayTakeBody
      {
        if readsInput { try takeInput(&step, isForm: isForm, printer) }
        if isForm, !step.hasBody { step.clauses.append(ClauseSyntax(.form(.object(ObjectSyntax([]))))) }
        parsed.script.statements[0] = .step(step)
      }
      if let output { try world.checkFile(output) }
    } catch {
      return nothingWasSent(error)
    }
    // Of a stream, somebody who wants no body need not wait for its end.
    let wantsHead = output == nil && !amount.shows(.body) && parsed.script.passesItsBodyOn
    let head = wantsHead ? BodyPipe.nowhere : nil
    let reporter = SendReporter(
      printer, amount, steps: output == nil || isBefore ? printer : printer.besideResults,
      separator: isBefore ? "\n" : "", isSilent: { [pipe, head].contains { $0?.isUnread ?? false } },
      whenHeadIsShown: { [world] in
        guard let head else { return }
        head.close()
        world.interrupts.interrupt()
      }, now: world.clock.now)
    let runner = Runner(world: world, secrets: secrets, report: reporter.on)
    let end = await runner.send(
      parsed, given: given, profile: profile, keepsWholeBodies: output != nil, pipe: output == "-" ? pipe : nil,
      passesStreamsOnly: isBefore)
    // Now whoever writes to the pipe has begun.
    if let remark, world.hasUnreadInput() { printer.error(StyledText("\(remark)\n", .faint)) }
    let isDone = (pipe?.isUsed ?? false) || (pipe?.isUnread ?? false) || pipe?.error != nil
    let code = isDone ? end.exitCode : write(end, to: output, pipe, amount, printer, errors)
    if let writeOut {
      printer.result(StyledText(writeOut.text(for: end.error?.exchange ?? end.history.exchanges.last)))
    }
    if head?.isUnread ?? false { return .success }
    // Whoever read it had enough: that is no failure, and what the server said may be one.
    if pipe?.isUnread ?? false { return end.error?.exchange == nil ? .success : end.exitCode }
    if let error = pipe?.error {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
    return code
  }

  /// What is shown of the exchanges; of those whose body goes elsewhere only what somebody asked for.
  private func amount(_ parts: ShownParts?, output: String?) -> ReportAmount {
    guard let parts = parts?.subtracting(.beside) else { return output == nil ? .body : .quiet }
    if output == nil { return ReportAmount(parts) }
    return parts == .body ? .quiet : .parts(parts.subtracting(.body))
  }

  /// What a line means. One that sends its standard input, as `-d @-`, is read again with that, if there is a pipe or a
  /// file.
  private func meaning<Meaning>(
    of read: (CurlInput?) -> Meaning, _ awaitsInput: (Meaning) -> Bool
  ) throws(FileError) -> Meaning {
    let meaning = read(nil)
    guard awaitsInput(meaning),
      let bytes = try world.readPipedInput?(remarkOnWaiting(Printer(world, secrets: KnownSecrets())))
    else { return meaning }
    return read(CurlInput(bytes))
  }

  private func nothingWasSent(_ error: FileError) -> ExitCode {
    ErrorPrinter(Printer(world, secrets: KnownSecrets())).print(ErrorReport("\(error)", notes: ["nothing was sent"]))
    return .file
  }

  private func remarkOnWaiting(_ printer: Printer) -> () -> Void {
    {
      printer.error(
        StyledText("waiting for the body from standard input; --ignore-stdin does without\n", .faint))
    }
  }

  /// What to say where HTTPie would have sent its standard input, and a loop around this one needs it.
  private func unreadRemark(_ script: ScriptSyntax) -> String? {
    guard script.statements.count == 1, case .step(let step) = script.statements[0], !step.hasBody, !step.mayTakeBody
    else { return nil }
    let method = step.method.text
    let way = method == "GET" ? "with POST it is the body" : "send \(method) URL -d @- makes it the body"
    return "standard input was not read: \(way); --ignore-stdin says that this is meant"
  }

  /// Standard input is the body of a request without one.
  private func takeInput(_ step: inout StepSyntax, isForm: Bool, _ printer: Printer) throws(FileError) {
    guard let bytes = try world.readPipedInput?(remarkOnWaiting(printer)), !bytes.isEmpty else { return }
    let input = InputBody(bytes, isForm: isForm)
    if !isQuiet, input.mayBeAList, !step.hasContentType {
      let count = NumberFormat.grouped(bytes.count)
      printer.error(
        StyledText(
          "read \(count) \(bytes.count == 1 ? "byte" : "bytes") of standard input as the body; "
            + "--ignore-stdin leaves it alone\n", .faint))
    }
    step.clauses.append(input.clause)
  }

  private func write(
    _ end: RunEnd, to output: String?, _ pipe: BodyPipe?, _ amount: ReportAmount, _ printer: Printer,
    _ errors: ErrorPrinter
  ) -> ExitCode {
    let exchanges = end.history.exchanges
    if end.exitCode == .success, exchanges.isEmpty {
      errors.print(ErrorReport("there is no request to send", notes: ["workbench send 'GET https://example.com'"]))
      return .usage
    }
    guard let output else { return end.exitCode }
    let written = end.error.map { $0.exchange ?? exchanges.last(where: \.isEndedStream) } ?? exchanges.last
    guard let exchange = written else {
      if end.exitCode == .interrupted, output != "-" { errors.note("\(output) was not written") }
      return end.exitCode
    }
    if isPiped, amount == .quiet, exchange.request.method == .head {
      // It is what the request asked for, and all there is.
      StepLines(printer, .parts(.headers), isForProgram: true).write(exchange, number: nil, isRecorded: false)
    }
    do {
      if output == "-", let pipe {
        try pipe.write(exchange.response.body)
      } else {
        try world.writeFile(output, exchange.response.body)
      }
      if output != "-" { say(exchange.response, isIn: output, end, printer, errors) }
      return end.exitCode
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .file
    }
  }
}

extension SendSubcommand {
  /// What a pipe or a file brings for a request that has no body.
  private struct InputBody {
    let clause: ClauseSyntax
    /// Whether it may have been meant for something else, such as the loop around this: neither JSON with a structure,
    /// markup, a form where one is wanted, nor binary, and nobody said what it is.
    let mayBeAList: Bool

    init(_ bytes: [UInt8], isForm: Bool) {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        let type = isForm ? TypedSyntax(type: "application/x-www-form-urlencoded") : TypedSyntax()
        (clause, mayBeAList) = (ClauseSyntax(.body(ExpressionSyntax(bytes: bytes), type)), false)
        return
      }
      let isJSON = (try? JSON(parsing: bytes)) != nil
      let type = isForm ? "application/x-www-form-urlencoded" : isJSON ? "application/json" : nil
      clause = ClauseSyntax(.body(.text(text), TypedSyntax(type: type)))
      let first = text.first { !$0.isWhitespace }
      let lines = text.split(whereSeparator: \.isNewline)
      mayBeAList =
        isForm
        ? lines.count > 1 || !text.contains("=") : first != "<" && !(isJSON && (first == "{" || first == "["))
    }
  }

  /// Whoever looks on sees what was written. Of a response that is an error, it is part of what went wrong.
  private func say(
    _ response: Response, isIn output: String, _ end: RunEnd, _ printer: Printer, _ errors: ErrorPrinter
  ) {
    if response.cut != nil {
      errors.note(
        "what came before it was stopped is in \(output): \(NumberFormat.grouped(response.body.count)) bytes")
    } else if end.exitCode != .success {
      errors.note("the body of this response is in \(output): \(NumberFormat.grouped(response.body.count)) bytes")
    } else if world.errorOutput.isTerminal {
      printer.error(ExchangeRenderer().saved(response, in: output))
    }
  }
}

extension World {
  /// The same, with the heads of responses where their bodies go, and by the same rule.
  fileprivate func printing(to pipe: BodyPipe) -> World {
    var world = self
    world.output.write = { pipe.print($0) }
    return world
  }
}

extension StepSyntax {
  fileprivate var mayTakeBody: Bool {
    ["POST", "PUT", "PATCH"].contains(method.text) && !hasBody
  }

  /// Whether it says what its body is, without having one.
  fileprivate var hasContentType: Bool {
    withoutItems.clauses.contains { clause in
      if case .header(.field(let name, _)) = clause.kind { name.text.lowercased() == "content-type" } else { false }
    }
  }
}

extension UploadError {
  /// The response that the failed step got nevertheless; what is done finally after it is not what was asked for.
  fileprivate var exchange: Exchange? {
    if case .expectations(_, let exchange) = fact { exchange } else { nil }
  }
}
