internal import Diagnostics
internal import Formats
internal import JSONValue
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import Sessions
internal import UploaderCore

/// `:print`.
extension REPL {
  mutating func print(_ text: String?) async {
    guard let text else { return fail(ErrorReport("an expression is missing", notes: [Command.print.example])) }
    if let (name, program) = responsePipeline(text) { return pipeBody(of: name, through: program) }
    guard let (value, program) = valuePipeline(text) else { return await print(value: text, on: printer) }
    let page = RecordedScreen()
    await print(value: value, on: page.printer(secrets))
    guard !page.text.isEmpty else { return }
    let failure = wayOut.send(StyledText(page.text), through: program)
    finish(failure)
    if failure != nil, let note = noteOnArray(value, for: program) { errors.note(note) }
  }

  /// - Parameter printer: where it is shown.
  private mutating func print(value text: String, on printer: Printer) async {
    let source = SourceText(name: "<expression>", text: text)
    errors.know(source)
    let (expression, syntaxErrors) = Parser.parseExpression(source)
    guard let expression, syntaxErrors.isEmpty else {
      isFailed = true
      return errors.print(syntaxErrors.map { advised($0.diagnostic(in: source), on: text) })
    }
    if printBody(expression, on: printer) { return }
    let (sequence, moment) = (run.sequence, world.moment)
    do throws(ProgramError) {
      let (meaning, text) = try await world.interrupts.evaluating { () throws(ProgramError) in
        let value = try sequence.value(of: expression, in: source, at: moment)
        // A response may be large, and is not shown as a value.
        if case .value = value.meaning { return (ProgramRequestSequence.Meaning.value, value.printed) }
        return (value.meaning, "")
      }
      switch meaning {
      case .response(let exchange): show(exchange, number: number(of: exchange), on: printer)
      case .responses(let exchanges):
        list(exchanges, as: expression.isReference ? source[expression.range] : nil, on: printer)
      case .value:
        printer.result(StyledText("\(hidingVariables(of: expression, in: text))\n"))
        if text == "[]" || text == "0", let note = noteOnListOfText(expression) { errors.note(note) }
        if text == "[]", let note = noteOnMissingMember(expression, in: source) { errors.note(note) }
        if let note = noteOnCountedText(expression) { errors.note(note) }
      }
    } catch {
      isFailed = true
      if case .unknownFunction(let name, _) = error.fact, sequence.program.sequenceNames.contains(name) {
        return errors.print(ErrorReport("\"\(name)\" is a sequence, not a function", notes: ["run \(text)"]))
      }
      guard case .unknownFunction = error.fact else { return errors.print([error.diagnostic]) }
      errors.print([advised(error.diagnostic, on: text)])
    }
  }

  /// Says of `$_.body | jq .id` that a body of events or lines is an array; nil: it is none, or the program is another.
  private func noteOnArray(_ value: String, for program: String) -> String? {
    guard PipedProgram.readsJSON(program), let name = value.wholeMatch(of: /(\$[\w\-]+)\.body/)?.output.1,
      exchange(called: String(name.dropFirst()))?.exchange.response.hasValues ?? false
    else { return nil }
    return "\(value) is an array; \(name) | \(program) gets its values one by one"
  }

  /// Says of `$_.body[*].id` and of how many there are that the body is a text; nil: it is JSON.
  private func noteOnListOfText(_ expression: ExpressionSyntax) -> String? {
    var input = expression
    while case .pipe(let pipe) = input { input = pipe.input }
    guard case .reference(let body) = input, case .name("body")? = body.segments.first?.kind, body.segments.count > 1,
      let response = exchange(called: body.root.text)?.exchange.response, !response.isJSON, !response.hasValues
    else { return nil }
    return "the body is a text, which has no elements"
  }

  /// Says of `$items[*].nme`, which is an empty array, that none of the elements has such a member; nil: they do, or there
  /// are no elements.
  private func noteOnMissingMember(_ expression: ExpressionSyntax, in source: SourceText) -> String? {
    guard case .reference(var reference) = expression, case .name(let name)? = reference.segments.last?.kind else {
      return nil
    }
    reference.segments.removeLast()
    guard let elements = try? run.sequence.value(of: .reference(reference), in: source),
      case .array(let found)? = try? JSON(parsing: elements.printed), let first = found.first
    else { return nil }
    let members = first.object.map { "; the first has \($0.members.prefix(8).map(\.key).joined(separator: ", "))" }
    return "none of the \(found.count) elements has \"\(name)\"\(members ?? ""); how many there are: … | count"
  }

  /// Says of `… | regex("…") | count` that it is how long a text is, where the number of matches was meant; nil: it is not.
  private func noteOnCountedText(_ expression: ExpressionSyntax) -> String? {
    guard case .pipe(let pipe) = expression, pipe.call.name.text == "count", case .pipe(let input) = pipe.input,
      input.call.name.text == "regex"
    else { return nil }
    return "the length of what regex found, which is the first match"
  }

  /// The responses of a loop or of all rounds, each in a line, and how one of them is written.
  ///
  /// - Parameter name: what they are called, `$page.rounds`; nil: nothing.
  private func list(_ exchanges: [Exchange], as name: String?, on printer: Printer) {
    let renderer = ExchangeRenderer()
    for exchange in exchanges { printer.result(renderer.summary(of: exchange, number: number(of: exchange))) }
    guard let name else { return }
    errors.note("an array: \(name)[0] is the first of them, \(name)[0].body its body")
  }

  /// A variable of the environment that is named like a secret is hidden here as in what was typed, declared or not.
  private func hidingVariables(of expression: ExpressionSyntax, in text: String) -> String {
    var found: [String] = []
    expression.forEach { node in
      guard case .reference(let reference) = node, reference.root.text == "env",
        case .name(let name)? = reference.segments.first?.kind, SensitiveName.contains(name),
        let value = world.variables[name], value.utf8.count >= Secret.fewestBytes
      else { return }
      found.append(value)
    }
    return found.isEmpty ? text : Redactor(hiding: found).redact(text)
  }

  /// Says what to type if the text pipes into a program.
  private func advised(_ diagnostic: Diagnostic, on text: String) -> Diagnostic {
    var diagnostic = diagnostic
    diagnostic.notes += [programAdvice(on: text)].compactMap(\.self)
    return diagnostic
  }

  /// A value in the JSON body of a response is copied from its text: no tree is made of it, however large it is.
  ///
  /// - Returns: whether that is what the expression means, and it is there.
  private func printBody(_ expression: ExpressionSyntax, on printer: Printer) -> Bool {
    guard case .reference(let reference) = expression, case .name("body")? = reference.segments.first?.kind,
      let path = JSONPath(reference.segments.dropFirst()),
      let exchange = exchange(called: reference.root.text)?.exchange, exchange.response.isJSON,
      let document = exchange.response.body.document()
    else { return false }
    var lines = WholeLines()
    let count = document.print(path, as: .lines, printer: .pretty) { chunk in
      if let text = lines.take(chunk) { printer.result(StyledText(JSONRenderer.readable(text))) }
    }
    return count > 0
  }
}

extension ExpressionSyntax {
  fileprivate var isReference: Bool { if case .reference = self { true } else { false } }
}

/// Assembles a text from chunks, and hands it out in whole lines, so that a secret in it never spans two.
private struct WholeLines {
  private var rest: [UInt8] = []

  mutating func take(_ chunk: [UInt8]) -> String? {
    guard let end = chunk.lastIndex(of: UInt8(ascii: "\n")) else {
      rest += chunk
      return nil
    }
    let text = String(decoding: rest + chunk[...end], as: UTF8.self)
    rest = Array(chunk[(end + 1)...])
    return text
  }
}
