internal import Debugger
internal import Diagnostics
internal import Formats
internal import HTTPTypes
internal import Imports
internal import LineEditing
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import Sessions
internal import Subcommands
internal import UploadLint
internal import UploaderCore

/// Where the run is, and all commands that only look.
extension StepDebugger {
  /// Shows where the run is, in at most a screen.
  func show() {
    switch stop {
    case .nowhere: return
    case .end:
      guard run.isFailed else { return say("(the end)", .success) }
      let name = machine.failure.flatMap(\.request?.head).flatMap { $0.label ?? $0.number.map { "$\($0)" } }
      let wayBack = editor.isInteractive ? name.map { ": to send it again, back \($0), then n" } : nil
      say("(the end) a step failed\(wayBack ?? "")", .failure)
    case .blocked(let error, let position):
      errors.print(error)
      var way = run.history.stepRecords.isEmpty ? "reload asks and reads again" : "back goes back"
      if run.history.stepRecords.contains(where: { if case .skipped = $0.record { true } else { false } }) {
        way += ", and k 200 {…} there gives a response in place of none"
      }
      let statement = error.place.flatMap { place in
        errors.sources[place.source].flatMap { parsed($0).statement(at: place.range.lowerBound) }
      }
      let label: String? = if case .step(let node)? = statement?.statement { node.label?.text } else { nil }
      let step =
        "step \(position.index + 1)" + (statement.map { "/\($0.steps)" } ?? "") + (label.map { " \($0)" } ?? "")
      say("(\(step), before) it cannot be made: e changes it, \(way)", .strong)
    case .after(let position, let exchange, let error):
      let isSent = exchange != nil || !(error?.isBeforeSending ?? false)
      let moment = isSent ? "after" : "not sent"
      var text = StyledText("(\(title(exchange?.description ?? error?.request, position)), \(moment))", .strong)
      if error == nil {
        text.append(" \(exchange.map { Self.outcome(of: $0) } ?? "sent")")
      } else if editor.isInteractive {
        text.append("  r sends it again, e changes it, back goes before it", .faint)
      }
      printer.result(text + "\n")
    case .before(let description, let position): show(description, position)
    }
  }

  private func show(_ description: RequestDescription, _ position: StepPosition) {
    let title = "\(title(description, position)), before"
    let asks = editor.isInteractive && machine.asksBeforeSending(description, at: position)
    let afterAsking = asks ? " after asking" : ""
    do {
      var text = try view(of: description).text(title: title)
      if machine.usableResponse(for: description, at: position) != nil {
        text.append("  there is a response from before: k takes it, n sends it again\(afterAsking)\n", .warning)
      } else if machine.isUndecided(description, at: position) {
        text.append("  it was sent, and no response came: it may have taken effect. Your choice:\n", .warning)
        text.append(
          """
              n          sends it again\(afterAsking)
              k 200 {…}  takes it as done, with this response
              k          leaves it out
              q          leaves the run as it is

          """, .faint)
      }
      printer.result(text)
    } catch {
      printer.result(StyledText("(\(title)) \(description.head.method.rawValue)\n", .strong))
      errors.print(error)
    }
  }

  func view(of description: RequestDescription) throws(UploadError) -> StopView {
    let prepared = try driver.session.prepare(description, of: run.innermostSequence)
    var provenance: RequestProvenance?
    if let place = description.head.place, let source = errors.sources[place.source],
      let step = parsed(source).step(at: place.range)
    {
      provenance = RequestProvenance(step, in: source)
      // What the step has as a literal, and the history would hide.
      secrets.hide(TypedSecrets.hidden(in: ScriptSyntax([.step(step)]), for: [.written, .declared]))
    }
    let signIn = driver.session.signInStatus(
      of: prepared.credential, in: run.innermostSequence.profiles?[prepared.profile])?
      .words(now: driver.session.world.clock.now())
    return StopView(
      prepared: prepared, provenance: provenance, signIn: signIn, columns: editor.columns ?? 80,
      redact: secrets.redact)
  }

  func parsed(_ source: SourceText) -> ParsedScript {
    if let script, script.source == source { return script.parsed }
    return Parser.read(source)
  }

  /// `step 2/3 upload, for $part 2/4, round 3`
  private func title(_ description: RequestDescription?, _ position: StepPosition) -> String {
    var title = "step"
    let head = description?.head
    let steps = head?.place.flatMap { place in
      errors.sources[place.source].flatMap { parsed($0).statement(at: place.range.lowerBound)?.steps }
    }
    if let number = head?.number { title += " \(number)" + (steps.map { "/\($0)" } ?? "") }
    if let label = head?.label { title += " \(label)" }
    if head?.number == nil, head?.label == nil { title += " \(position)" }
    for group in openGroups where group.limit != nil || group.count > 1 {
      title += ", \(group.title) \(group.active + 1)/\(group.count)"
    }
    if let round = head?.round, round > 1 { title += ", round \(round)" }
    return title
  }

  private struct OpenGroup {
    var title: String
    var count: Int
    var active: Int
    var limit: Int?
    var place: TextPlace?
  }

  private var openGroups: [OpenGroup] {
    run.openGroups.map { group in
      let isRepeated = group.group.kind == .loop || group.group.kind == .parallel
      return OpenGroup(
        title: group.group.title, count: group.group.count, active: group.active ?? 0,
        limit: isRepeated ? group.group.limit : nil, place: group.group.place)
    }
  }

  func showWhere() {
    var text = StyledText()
    for group in openGroups {
      text.append(group.title, .strong)
      if group.count > 1 { text.append(", \(group.active + 1) of \(group.count)") }
      if let limit = group.limit, limit > 1 {
        text.append(", \(limit) at once in a plain run, one by one here", .faint)
      }
      text.append(location(group.place) + "\n", .faint)
    }
    switch stop {
    case .before(let description, let position):
      text.append("before \(title(description, position))" + location(description.head.place) + "\n")
    case .after(let position, let exchange, let error):
      let description = exchange?.description ?? error?.request
      text.append("after \(title(description, position))" + location(description?.head.place) + "\n")
    case .blocked(_, let position): text.append("before step \(position), which cannot be made\n")
    case .end: text.append("at the end\n")
    case .nowhere: break
    }
    printer.result(text)
  }

  private func location(_ place: TextPlace?) -> String {
    guard let place, let source = errors.sources[place.source] else { return "" }
    return "  \(place.source):\(source.location(of: place.range.lowerBound).line)"
  }

  /// `403 Forbidden`, and why in S3's words.
  static func outcome(of exchange: Exchange) -> String {
    let reason = exchange.response.status.reasonPhrase
    let status = "\(exchange.response.status.code)" + (reason.isEmpty ? "" : " \(reason)")
    return status + (StorageError(exchange.response).map { "  \($0.code): \($0.message)" } ?? "")
  }

  /// - Parameter isLast: whether no other round follows.
  func summarize(_ exchange: Exchange, isLast: Bool = true) {
    printer.result(
      ExchangeRenderer().summary(of: exchange, number: exchange.description.head.number, isLast: isLast))
    if let error = StorageError(exchange.response) { say("    \(error.code): \(error.message)", .failure) }
  }

  func showBody(of exchange: Exchange, lines: Int = 10) {
    if StorageError(exchange.response) != nil { return }
    let renderer = ExchangeRenderer(limit: ExchangeRenderer.Limit(bytes: 16 * 1024, lines: lines))
    guard let body = try? renderer.body(of: exchange, number: exchange.description.head.number) else { return }
    printer.result(body)
  }

  // MARK: Commands

  func print(_ argument: String) async {
    switch argument {
    case "":
      guard let exchange = lastExchange else { return complain("there is no response yet") }
      return show(exchange)
    case "request":
      guard case .before(let description, _) = stop else {
        guard let exchange = lastExchange else { return complain("there is no request here", "n sends the next") }
        return printer.result(ExchangeRenderer().request(of: exchange))
      }
      do { printer.long(try view(of: description).whole) } catch { errors.print(error) }
      return
    case "curl" where !labels.contains(argument): return showLineForCurl()
    default: break
    }
    if case .before = stop, argument.prefixMatch(of: /request[.\[\s]/) != nil {
      return complain(
        "\"request\" is the request that comes next, as a whole",
        "p request shows it, with its URL; $allocate.request.url is that of a step that was sent")
    }
    let name = argument.prefix { $0 != "." && $0 != "[" && !$0.isWhitespace }
    if labels.contains(String(name)), !Keywords.isMember(String(name)) {
      return complain("\(name) is a step, so its name has a $", "p $\(argument)")
    }
    // Without a step, what is asked for is part of the response that is looked at.
    let isMember = Keywords.isMember(argument.prefix { $0 != "." && $0 != "[" && !$0.isWhitespace }.description)
    let isOfResponse = isMember && lastExchange != nil
    guard let expression = expression(isOfResponse ? "$_.\(argument)" : argument),
      let value = await value(of: expression)
    else { return }
    switch value.meaning {
    case .response(let exchange): show(exchange)
    case .responses(let exchanges): for exchange in exchanges { summarize(exchange) }
    case .value: printer.long(StyledText("\(value.printed)\n"))
    }
  }

  /// The request that comes next, or else the last one, as a line for curl.
  private func showLineForCurl() {
    var exchange = lastExchange
    if case .before(let description, _) = stop {
      do {
        let prepared = try driver.session.prepare(description, of: run.innermostSequence)
        let sent = SentRequest(
          method: prepared.request.method, url: prepared.request.url, origin: prepared.origin,
          headers: prepared.request.headers)
        exchange = Exchange(
          description: description, request: sent, response: Response(status: .ok), profile: prepared.profile)
      } catch {
        return errors.print(error)
      }
    }
    guard let exchange else { return complain("there is no request here", "n sends the next") }
    let line = CurlLine(
      exchange, profile: run.innermostSequence.profiles?.profile(ofAsked: exchange), secrets: secrets.allHidden,
      environment: world.variables, after: run.exchanges)
    printer.result(StyledText("\(line.text)\n"))
    for note in line.notes { say(note, .warning) }
  }

  private func show(_ exchange: Exchange) {
    var renderer = ExchangeRenderer()
    // They were listed where it stopped before the step, and the response should be on the same screen.
    renderer.listsParts = false
    StepLines(printer, .verbose, spacesRequest: true, renderer: renderer).write(
      exchange, number: exchange.description.head.number, isRecorded: false)
  }

  /// Reads an expression; reports it if there is none.
  func expression(_ text: String) -> DebugExpression? {
    do throws(DebugExpression.Failure) {
      return try DebugExpression(text)
    } catch {
      print(error)
      return nil
    }
  }

  /// The value of an expression at the current position, until ^C; reports it if there is none.
  func value(of expression: DebugExpression) async -> Value? {
    let machine = machine
    do throws(DebugExpression.Failure) {
      return try await world.interrupts.evaluating { () throws(DebugExpression.Failure) in
        try machine.value(of: expression)
      }
    } catch {
      print(error)
      return nil
    }
  }

  private func print(_ failure: DebugExpression.Failure) {
    switch failure {
    case .syntax(let diagnostics): errors.print(diagnostics)
    case .program(let error):
      var diagnostic = error.diagnostic
      if case .unknownName(let name, _) = error.fact, labels.contains(name) {
        let wasTakenBack = machine.attempts.values.joined().contains { $0.label == name }
        diagnostic.message = "step \"\(name)\" \(wasTakenBack ? "was taken back" : "has not been sent yet")"
        diagnostic.label = wasTakenBack ? "when it comes, k takes the response it had" : nil
      }
      errors.print([diagnostic])
    }
  }

  /// The response it stopped after, or that of the last step.
  var lastExchange: Exchange? {
    if case .after(_, let exchange?, _) = stop { return exchange }
    return run.history.stepRecords.last { $0.record.exchange != nil }?.record.exchange
  }

  func difference(_ argument: String) {
    if argument != "last", labels.contains(argument) {
      guard let step = run.history.stepRecords.last(where: { $0.record.exchange?.label == argument }) else {
        return complain("step \"\(argument)\" has not been sent yet")
      }
      return differenceOfTries(at: step.position)
    }
    guard argument.isEmpty else { return difference(fromRun: argument) }
    do {
      switch stop {
      case .before(let description, let position):
        guard let last = machine.attempts[position]?.last else {
          guard let step = machine.recordedResponses[position]?.withoutResponse else {
            return complain("this step was not sent before")
          }
          return show(difference(from: step, description, at: position, nil))
        }
        let old = try view(of: last.description).rows
        let new = try view(of: description).rows
        printer.result(Self.difference(old, new))
      case .after(let position, _, _): differenceOfTries(at: position)
      case .blocked, .end, .nowhere:
        guard let last = run.history.stepRecords.last(where: { $0.record.exchange != nil }) else {
          return complain("no step has been sent yet")
        }
        differenceOfTries(at: last.position)
      }
    } catch {
      errors.print(error)
    }
  }

  /// The differences between the last two times that a step was sent.
  private func differenceOfTries(at position: StepPosition) {
    let exchanges = machine.attempts[position] ?? []
    guard exchanges.count > 1 else {
      guard let step = machine.recordedResponses[position], let exchange = exchanges.last else {
        return complain("\(exchanges.last?.label ?? "this step") was sent only once")
      }
      return show(difference(from: step, exchange.description, at: position, exchange))
    }
    do {
      let difference = try ExchangeDifference(
        exchanges[exchanges.count - 2], exchanges[exchanges.count - 1], redact: secrets.redact)
      printer.long(difference.fields.isEmpty ? StyledText("no difference\n", .faint) : difference.text())
    } catch {
      complain("\(error)")
    }
  }

  /// The differences from a recorded one.
  private func show(_ difference: StyledText?) {
    guard let difference else { return complain("it cannot be compared, since it cannot be made") }
    printer.long(difference.isEmpty ? StyledText("no difference from the last time\n", .faint) : difference)
  }

  private static func difference(_ old: [StopView.Row], _ new: [StopView.Row]) -> StyledText {
    var text = StyledText()
    let names = old.map(\.name) + new.map(\.name).filter { name in !old.contains { $0.name == name } }
    for name in names {
      let (before, after) = (old.first { $0.name == name }, new.first { $0.name == name })
      if before?.value == after?.value { continue }
      text.append("\(name)\n", .key)
      if let before { text.append("  - \(StopView.shortened(before.shown, to: 400))\n", .failure) }
      if let after { text.append("  + \(StopView.shortened(after.shown, to: 400))\n", .success) }
    }
    return text.isEmpty ? StyledText("no difference from the last time\n", .faint) : text
  }

  /// The script around the step, ten lines of it.
  func list() {
    let place: TextPlace?
    switch stop {
    case .before(let description, _): place = description.head.place
    case .after(_, let exchange, let error): place = (exchange?.description ?? error?.request)?.head.place
    case .blocked(let error, _): place = error.place
    case .end, .nowhere: place = nil
    }
    guard let source = place.flatMap({ errors.sources[$0.source] }) ?? script?.source else { return }
    let current = place.map { source.lineIndex(at: $0.range.lowerBound) }
    let first = max(0, (current ?? 0) - 4)
    var text = StyledText()
    for index in first..<min(source.lineCount, first + 12) {
      let number = "\(index + 1)"
      text.append(index == current ? "→ " : "  ", .strong)
      text.append(String(repeating: " ", count: max(0, 4 - number.count)) + number + "  ", .faint)
      text.append(
        "\(StopView.shortened(secrets.redact(source[source.lineRange(index)]), to: (editor.columns ?? 80) - 9))\n",
        index == current ? .strong : .plain)
    }
    printer.result(text)
  }

  func info() {
    var text = StyledText()
    for (number, breakpoint) in machine.breakpoints.sorted(by: { $0.key < $1.key }) {
      text.append("\(number)  stop \(breakpoint.description)\n")
    }
    if machine.breakpoints.isEmpty { text.append("no breakpoints: b upload, b on fail\n", .faint) }
    for (position, record) in run.history.stepRecords {
      if case .skipped(let label, let reason) = record {
        text.append("- \(label ?? "step \(position)")  skipped: \(reason)\n", .faint)
      }
      guard let exchange = record.exchange else { continue }
      let name = exchange.label ?? "\(exchange.request.method.rawValue) \(position)"
      let round = exchange.description.head.round.flatMap { $0 > 1 ? ", round \($0)" : nil } ?? ""
      let change = machine.isChanged(exchange, at: position) ? ", changed here" : ""
      text.append(
        "\(record.isFailed ? "✗" : "✓") \(name)\(round)  \(Self.outcome(of: exchange))\(change)\n",
        record.isFailed ? .failure : .faint)
    }
    if let script, script.isChanged, script.source != savedScript {
      text.append("the script was changed here: save FILE keeps that\n", .warning)
    }
    for source in changedFiles {
      text.append("\(source.name) was changed here: save \(source.name) keeps that\n", .warning)
    }
    printer.result(text)
  }

  func help(_ argument: String) {
    if !argument.isEmpty {
      guard let command = try? DebuggerCommand.parse(argument[...]).command else {
        return complain("there is no command \"\(argument)\"", "help lists them")
      }
      let lines = ["\(command.help.usage)  \(command.help.summary)"] + command.details.map { "  \($0)" }
      return printer.result(StyledText(lines.joined(separator: "\n") + "\n"))
    }
    var text = StyledText()
    let width = DebuggerCommand.allCases.map(\.help.usage.count).max() ?? 0
    for command in DebuggerCommand.allCases {
      let (usage, summary) = command.help
      text.append("  \(usage)\(String(repeating: " ", count: width - usage.count))", .strong)
      text.append("  \(summary)\n")
    }
    text.append("  An empty line repeats the last command; | jq . sends the last body through a program.\n", .faint)
    printer.result(text)
  }
}

extension UploadError {
  /// Whether nothing was sent of the step: it could not be made, or was refused here.
  fileprivate var isBeforeSending: Bool {
    switch fact {
    case .sequence, .profile, .secretRefused, .framing, .journal, .signIn: true
    case .transport, .expectations, .unsaved, .cancelled, .group: false
    }
  }

  /// The step it happened in, as far as it is known without a response.
  var request: RequestDescription? {
    step.map { .inMemory(InMemoryRequestDescription($0)) }
  }
}
