internal import Diagnostics
package import JSONValue
internal import Presentation
internal import RequestProgram
internal import Requests
internal import RunStore
package import Sessions
internal import Synchronization
internal import UploaderCore

/// Makes the lines of a report of what happens in the run of one file.
package final class FileReporter: Reporter {
  private struct State {
    var names = StepNames()
    var sources: [String: SourceText] = [:]
    /// Where errors about steps are shown with their lines.
    var errors: ErrorPrinter
    var counts = ReportCounts()
    var hasProblem = false
    var run: String?
    var recalled: Set<StepPosition> = []
    /// What was sent at each place, until its step has ended.
    var sent: [StepPosition: PreparedRequest] = [:]
    /// When it was sent there, each time.
    var sendings: [StepPosition: [Duration]] = [:]
    /// The same of the rounds so far of a step that repeats.
    var rounds: [StepPosition: [Duration]] = [:]
    /// Where values go in each script.
    var flows: [String: ValueFlows] = [:]
  }

  private let heading: JSONObject
  private let detail: ReportDetail
  private let concealment: ReportConcealment
  private let now: @Sendable () -> Duration
  private let began: Duration
  private let emit: @Sendable (ReportLine) -> Void
  private let compare: (@Sendable (String) -> JSONObject?)?
  private let excerpt: CapturedText
  private let state: Mutex<State>

  /// - Parameters:
  ///   - heading: which file it is, in each of its lines.
  ///   - compare: what differs between the run with that identifier and the one before, for reports that show it.
  ///   - emit: takes the lines, in order.
  package init(
    _ heading: JSONObject, detail: ReportDetail, world: World, secrets: KnownSecrets,
    compare: (@Sendable (String) -> JSONObject?)? = nil, emit: @escaping @Sendable (ReportLine) -> Void
  ) {
    self.heading = heading
    self.detail = detail
    concealment = ReportConcealment(secrets: secrets)
    now = world.clock.now
    began = world.clock.now()
    self.emit = emit
    self.compare = detail.isWhole ? compare : nil
    let excerpt = CapturedText()
    self.excerpt = excerpt
    var captured = world
    captured.errorOutput = excerpt.output
    captured.output = .nowhere
    state = Mutex(State(errors: ErrorPrinter(Printer(captured, secrets: secrets))))
    send(.file, ["started": .string(CivilTime(began).rfc3339Milliseconds)])
  }

  package func on(_ event: RunEvent) {
    state.withLock { state in
      switch event {
      case .upload(let event): on(event, &state)
      case .read(let source):
        state.sources[source.name] = source
        state.errors.on(event)
      case .checked(let diagnostics):
        for diagnostic in diagnostics { problem(diagnostic, &state) }
      case .refused(let refusal): problem(refusal, &state)
      case .recorded(let run): state.run = run
      case .failed(let error): failed(error, &state)
      case .ended(let end): self.end(end, &state)
      case .recording, .learned, .stream, .stopped, .queue, .wrote: break
      }
    }
  }

  /// It does not begin, for this reason.
  package func refuse(_ reason: String) {
    state.withLock { $0.hasProblem = true }
    send(.problem, ["severity": "error", "message": .string(reason), "report": .string("error: \(reason)")])
  }

  // MARK: Steps

  private func on(_ event: UploadEvent, _ state: inout State) {
    switch event {
    case .sending(let prepared, let position):
      if detail.isWhole || detail.hasRecords { state.sent[position] = prepared }
      if detail.isWhole { state.sendings[position, default: []].append(now() - began) }
    case .recalled(_, let position): state.recalled.insert(position)
    case .step(let record, let position): step(record, at: position, &state)
    case .asked, .secrets, .progress, .group, .retrying, .redirected, .received: break
    }
  }

  private func step(_ record: StepRecord, at position: StepPosition, _ state: inout State) {
    let sent = state.sent.removeValue(forKey: position)
    var archived: RecordedStep?
    if detail.hasRecords, let exchange = record.exchange, let sent {
      archived = RecordedStep(reported: exchange, of: sent, at: position, hiding: concealment.secrets.all)
    }
    switch record {
    case .exchange(let exchange):
      let report = StepReport(exchange, isWhole: false, isRecorded: state.recalled.contains(position))
      sendStep(report.json, of: exchange, sent, archived, at: position, more: JSONObject(), &state)
    case .skipped(let label, let reason):
      let report = StepReport(skipped: label, reason: reason)
      let name = state.names.unique(label ?? "step \(position)")
      sendStep(report.json, name: name, nil, more: JSONObject(), details: JSONObject(), nil, &state)
    case .round(let exchange):
      if let archived { emitRecord(archived) }
      // Each round has a position of its own.
      let sendings = state.sendings.removeValue(forKey: position) ?? []
      state.rounds[Self.place(of: exchange.description.head, at: position), default: []] += sendings
    case .failed:
      // What failed is reported by its error; a record of it belongs to the archive nevertheless.
      if let archived { emitRecord(archived) }
    case .group: break
    }
  }

  private func failed(_ error: UploadError, _ state: inout State) {
    let head = error.step
    let message = error.message
    let report: StepReport
    var exchange: Exchange?
    if case .expectations(let unmet, let received) = error.fact {
      report = StepReport(received, unmet: unmet, isWhole: false)
      exchange = received
    } else {
      report = StepReport(error, message: message)
    }
    var more: JSONObject = ["cause": .string(ExitCode(error).word), "message": .string(message)]
    state.errors.print(error)
    more["report"] = .string(excerpt.take())
    if let unmet = report.json["unmet"]?.array, case .expectations(let facts, _) = error.fact {
      more["unmet"] = .array(
        zip(unmet, facts).map { unmet, fact in
          guard var object = unmet.object, let place = fact.place, let source = state.sources[place.source] else {
            return unmet
          }
          object["line"] = ^source.location(of: place.range.lowerBound).line
          return .object(object)
        })
    }
    if let exchange {
      sendStep(report.json, of: exchange, nil, nil, more: more, &state)
    } else {
      let place = error.place
      let name: String
      if let head {
        name = state.names.name(of: head, in: head.place.flatMap { state.sources[$0.source] })
      } else {
        let number = place.flatMap { line(of: $0, state) }
        name = state.names.unique(number.map { "line \($0)" } ?? "script")
      }
      sendStep(report.json, name: name, place, more: more, details: JSONObject(), nil, &state)
    }
  }

  private func sendStep(
    _ report: JSON, of exchange: Exchange, _ sent: PreparedRequest?, _ archived: RecordedStep?,
    at position: StepPosition? = nil, more: JSONObject, _ state: inout State
  ) {
    let head = exchange.description.head
    let name = state.names.name(of: head, in: head.place.flatMap { state.sources[$0.source] })
    var more = more
    more["at"] = Self.milliseconds(exchange.started - began)
    var details = JSONObject()
    if detail.isWhole {
      details = StepDetails.members(of: exchange, sent?.description ?? exchange.description)
      if let position {
        let rounds = state.rounds.removeValue(forKey: Self.place(of: head, at: position)) ?? []
        let sendings = rounds + (state.sendings.removeValue(forKey: position) ?? [])
        if sendings.count > 1 { details["sendings"] = .array(sendings.map(Self.milliseconds)) }
        if position.indices.count > 1 { details["lane"] = .string("\(position)") }
      }
      if let flows = flows(of: head, profile: exchange.profile, &state) { details["flows"] = flows }
    }
    sendStep(report, name: name, head.place, more: more, details: details, archived, &state)
  }

  private func sendStep(
    _ report: JSON, name: String, _ place: TextPlace?, more: JSONObject, details: JSONObject,
    _ archived: RecordedStep?, _ state: inout State
  ) {
    let own = report.object?.members ?? []
    var object = JSONObject([("name", .string(name))])
    object.members.reserveCapacity(own.count + more.count + 4)
    if let place, let source = state.sources[place.source] {
      let location = source.location(of: place.range.lowerBound)
      object.members.append(.init(key: "line", value: ^location.line))
      object.members.append(.init(key: "column", value: ^location.column))
      if source.name != heading["file"]?.string { object["source"] = .string(source.name) }
    }
    object.members += own
    for member in more.members { object[member.key] = member.value }
    var made = line(.step, object)
    made.details = details.members.isEmpty ? details : concealment.conceal(details)
    made.record = archived
    state.counts.count(made)
    emit(made)
  }

  /// The step that a round belongs to: where it is written, and in which child of which group.
  private static func place(of head: RequestHead, at position: StepPosition) -> StepPosition {
    StepPosition(position.indices.dropLast() + [head.place?.range.lowerBound ?? -1])
  }

  /// What went into the request, as its script says.
  private func flows(of head: RequestHead, profile: String, _ state: inout State) -> JSON? {
    guard let place = head.place, let source = state.sources[place.source] else { return nil }
    let flows = state.flows[place.source] ?? ValueFlows(source)
    state.flows[place.source] = flows
    let found = flows.flows(at: place.range.lowerBound, profile: profile)
    return found.isEmpty ? nil : .array(found.map(\.json))
  }

  private func emitRecord(_ record: RecordedStep) {
    var made = line(.exchange, JSONObject())
    made.record = record
    emit(made)
  }

  private func line(of place: TextPlace, _ state: State) -> Int? {
    state.sources[place.source]?.location(of: place.range.lowerBound).line
  }

  // MARK: Beside the steps

  private func problem(_ diagnostic: Diagnostic, _ state: inout State) {
    let location = diagnostic.source.location(of: diagnostic.range.lowerBound)
    state.errors.print([diagnostic])
    var object: JSONObject = [
      "severity": .string(diagnostic.severity.rawValue), "message": .string(diagnostic.message),
      "line": ^location.line, "column": ^location.column, "report": .string(excerpt.take()),
    ]
    if diagnostic.source.name != heading["file"]?.string { object["source"] = .string(diagnostic.source.name) }
    if diagnostic.severity == .error { state.hasProblem = true }
    send(.problem, object)
  }

  private func problem(_ refusal: RunRefusal, _ state: inout State) {
    if refusal.exitCode == .success { return }
    state.errors.print(refusal)
    let report = excerpt.take()
    // Its errors were reported when they were found.
    if report.isEmpty { return }
    state.hasProblem = true
    let first = report.prefix { $0 != "\n" }
    send(
      .problem,
      [
        "severity": "error",
        "message": .string(String(first.hasPrefix("error: ") ? first.dropFirst(7) : first)), "report": .string(report),
      ])
  }

  private func end(_ end: RunEnd, _ state: inout State) {
    var object: JSONObject = [
      "ok": .bool(end.exitCode == .success), "exit-code": ^Int(end.exitCode.rawValue),
      "cause": .string(end.exitCode.word), "time": Self.milliseconds(now() - began),
    ]
    object.members += state.counts.members.members
    object["run"] = state.run.map(JSON.string)
    object["continue"] = end.resumeCommand.map(JSON.string)
    var made = line(.fileEnd, object)
    if let run = state.run, let compare, let members = compare(run) { made.details = members }
    emit(made)
  }

  // MARK: Lines

  private func send(_ kind: ReportLine.Kind, _ object: JSONObject) { emit(line(kind, object)) }

  private func line(_ kind: ReportLine.Kind, _ object: JSONObject) -> ReportLine {
    var whole = heading
    whole.members.reserveCapacity(heading.count + object.count)
    whole.members += object.members
    return ReportLine(kind, concealment.conceal(whole))
  }

  static func milliseconds(_ duration: Duration) -> JSON { ^(Double(duration.wholeMicroseconds) / 1_000) }
}

/// What an `ErrorPrinter` prints, instead of a screen.
private final class CapturedText: Sendable {
  private let text = Mutex("")

  var output: World.Output { World.Output { [self] written in text.withLock { $0 += written } } }

  /// What was printed since the last time.
  func take() -> String {
    text.withLock { text in
      defer { text = "" }
      return text
    }
  }
}

extension ExitCode {
  /// The same as a word, for reports.
  package var word: String {
    switch self {
    case .success: "success"
    case .failed: "failed"
    case .usage: "usage"
    case .remarks: "remarks"
    case .timeout: "timeout"
    case .network: "network"
    case .tls: "tls"
    case .secretRefused: "secret"
    case .unknownOutcome: "unknown-outcome"
    case .file: "file"
    case .signIn: "sign-in"
    case .interrupted: "interrupted"
    }
  }
}
