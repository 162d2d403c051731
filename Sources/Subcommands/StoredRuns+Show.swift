internal import Formats
internal import JSONValue
internal import Presentation
internal import Requests
internal import RunStore
package import Sessions
internal import UploaderCore

/// Which part of a recorded run is shown.
package enum ShownRecord: Hashable, Sendable {
  case overview
  case request
  case response
  case body
  /// The whole run as an HTTP Archive.
  case har
}

extension StoredRuns {
  /// A run, or one of its steps.
  ///
  /// - Parameters:
  ///   - step: its label, its path, or nil: all.
  ///   - showsTries: whether every attempt at a step is shown, however long ago it was and even if it was taken back.
  package func show(
    _ reference: String, step: String?, part: ShownRecord, showsTries: Bool = false
  ) -> ExitCode {
    withStore { store in
      let run = try store.run(reference)
      var steps = try self.steps(of: run, in: store, withTries: showsTries, withFiles: part == .har)
      printer.secrets.learn(RecordedStep.cookieSecrets(in: steps))
      if let step {
        let chosen = steps.filter { $0.isMeant(by: step) }
        guard !chosen.isEmpty else { return try refuse(step, of: run, in: store) }
        // The last round of a step that repeats stands for all.
        steps = part == .overview || part == .har || showsTries ? chosen : Array(chosen.suffix(1))
      }
      switch part {
      case .har:
        let archive = HAR.archive(steps, version: ProgramVersion.current)
        printer.json(String(decoding: JSONPrinter.pretty.print(archive), as: UTF8.self))
      case .overview where step == nil:
        printer.result(header(run))
        if run.kind == RunSetup.suiteKind {
          for file in try store.files(of: run) { printer.result(StyledText("  ") + header(file.run)) }
        }
        if run.kind == RunSetup.bulkKind {
          printer.result(rowCounts(try store.rowCounts(of: run)))
          let failures = try store.rows(of: run, limit: Self.shownRows, onlyFailures: true)
          for (number, outcome) in failures { printer.result(line(number, outcome)) }
        }
        for step in steps { printer.result(line(step, isTry: showsTries)) }
      case .overview:
        for step in steps {
          printer.result(line(step, isTry: showsTries))
          printer.result(request(step))
          printer.result(StyledText("\n"))
          printer.result(response(step))
        }
      case .request: for step in steps { printer.result(request(step)) }
      case .response: for step in steps { printer.result(response(step)) }
      case .body: for step in steps { printer.result(body(step)) }
      }
      return .success
    }
  }

  /// Says that the run has no such step, or which run of a suite has it.
  private func refuse(_ step: String, of run: RecordedRun, in store: RunStore) throws(StoreError) -> ExitCode {
    let refusal = try store.refusalOfSuite(run, of: "show", step: ShellQuoting.quoted(step)) {
      file throws(StoreError) in
      try store.steps(of: file).contains { $0.isMeant(by: step) }
    }
    if let refusal, case .suite(_, let commands) = refusal, !commands.isEmpty {
      errors.print(refusal)
      return refusal.exitCode
    }
    let labels = try steps(of: run, in: store, withTries: false, withFiles: true).compactMap(\.label)
    throw .noSuchStep(step, labels: labels)
  }

  /// - Parameter withFiles: whether those of a suite's files are its own.
  private func steps(
    of run: RecordedRun, in store: RunStore, withTries: Bool, withFiles: Bool
  ) throws(StoreError) -> [RecordedStep] {
    let runs = withFiles && run.kind == RunSetup.suiteKind ? try store.files(of: run).map(\.run) : [run]
    var steps: [RecordedStep] = []
    for run in runs { steps += try withTries ? store.attempts(of: run) : store.steps(of: run) }
    return steps
  }

  private func header(_ run: RecordedRun) -> StyledText {
    var text = StyledText("\(run.id)", .strong)
    text.append("  \(run.name)  \(run.stateText)  begun \(NumberFormat.age(world.clock.now() - run.created))\n")
    if let failure = run.failure { text.append("    \(SecretMarkers.display(failure))\n", .failure) }
    return text
  }

  private static let shownRows = 20

  private func rowCounts(_ counts: [RowOutcome.State: Int]) -> StyledText {
    let parts = RowOutcome.State.allCases.compactMap { state in
      counts[state].map { "\(NumberFormat.grouped($0)) \(state.sentence)" }
    }
    return StyledText("    rows: \(parts.isEmpty ? "none" : parts.joined(separator: ", "))\n")
  }

  private func line(_ row: Int, _ outcome: RowOutcome) -> StyledText {
    var text = StyledText("    row \(row)", .strong)
    text.append("  \(outcome.state.sentence)", .failure)
    text.append("  \(SecretMarkers.display(outcome.failure ?? ""))\n", .faint)
    return text
  }

  private func line(_ step: RecordedStep, isTry: Bool) -> StyledText {
    var text = StyledText("\(step.place)  ", .faint)
    text.append(shownURL(step.title), .strong)
    switch step.state {
    case .skipped: text.append("  skipped: \(step.failure ?? "")", .faint)
    case .intended: text.append("  about to be sent", .warning)
    case .sent: text.append("  sent, and no response is known", .warning)
    case .unknown:
      text.append("  no response: \(SecretMarkers.display(step.failure ?? "")); it may have taken effect", .failure)
    case .failed: text.append("  failed: \(SecretMarkers.display(step.failure ?? ""))", .failure)
    case .answered, .unmet: break
    }
    if let response = step.response {
      let reason = SecretMarkers.display(response.reason)
      text.append("  \(response.status) \(reason)", step.state == .answered ? .success : .failure)
      if let reason = step.failure {
        text.append("  \(SecretMarkers.display(reason))", .faint)
      } else {
        text.append("  \(NumberFormat.duration(response.timings.total))", .faint)
        text.append("  \(NumberFormat.bytes(response.receivedSize))", .faint)
      }
      if response.lostBody != nil { text.append("  which were not kept: the disk was full", .warning) }
      for unmet in response.unmet {
        text.append(
          "\n    expected \(SecretMarkers.display(unmet.subject)) \(SecretMarkers.display(unmet.expected)), got \(SecretMarkers.display(unmet.actual))",
          .failure)
      }
    }
    if step.attempt > 1 { text.append(isTry ? "  attempt \(step.attempt)" : "  begun \(step.attempt) times", .faint) }
    text.append("\n")
    return text
  }

  private func request(_ step: RecordedStep) -> StyledText {
    var text = StyledText()
    for hop in step.response?.redirects ?? [] {
      text.append(request(hop.sent, of: step, token: nil))
      text.append("(redirected by \(hop.status))\n\n", .faint)
    }
    return text + request(step.lastSent, of: step, token: step.response?.token)
  }

  private func request(_ sent: RecordedResponse.Sent, of step: RecordedStep, token: SentToken?) -> StyledText {
    var text = StyledText("\(sent.method) \(shownURL(sent.url))\n", .strong)
    text.append(headers(sent.headers))
    if let token { text.append("(\(token.sentence))\n", .faint) }
    switch step.body(sentWith: sent) {
    case .none: break
    case .bytes(let bytes): text.append("\n\(shownText(bytes))\n")
    case .file(let file): text.append("\n(\(file.path), \(NumberFormat.bytes(file.count)))\n", .faint)
    case .parts(let parts):
      text.append("\n")
      for part in parts {
        let name = SecretMarkers.display(part.name)
        switch part.content {
        case .bytes(let bytes):
          text.append("\(name): \(PresignedDisplay.value(shownText(bytes), of: part.name))\n")
        case .file(let file): text.append("\(name): (\(file.path), \(NumberFormat.bytes(file.count)))\n", .faint)
        }
      }
    }
    return text
  }

  private func response(_ step: RecordedStep) -> StyledText {
    guard let response = step.response else { return StyledText("no response is recorded\n", .faint) }
    var text = StyledText("\(response.version) \(response.status) \(SecretMarkers.display(response.reason))\n", .strong)
    text.append(headers(response.headers))
    text.append("\n")
    text.append(body(step))
    return text
  }

  private func body(_ step: RecordedStep) -> StyledText {
    guard let response = step.response else { return StyledText() }
    if let size = response.lostBody {
      return StyledText("(\(NumberFormat.bytes(size)) that were not kept: the disk was full)\n", .warning)
    }
    guard !response.body.isEmpty else { return StyledText() }
    do {
      let bytes = SecretMarkers.display(try response.body.bytes(limit: 16 << 20))
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return StyledText("(\(NumberFormat.bytes(response.receivedSize)) that are not text)\n", .faint)
      }
      let shown = PresignedDisplay.text(text, of: step)
      return StyledText(shown.hasSuffix("\n") ? shown : shown + "\n")
    } catch {
      return StyledText("\(error)\n", .warning)
    }
  }

  private func headers(_ fields: [RecordedRequest.Field]) -> StyledText {
    var text = StyledText()
    for field in fields {
      text.append("\(SecretMarkers.display(field.name)): ", .faint)
      text.append("\(shownURL(SecretMarkers.display(field.value)))\n")
    }
    return text
  }

  private func shownURL(_ url: String) -> String { PresignedDisplay.text(SecretMarkers.display(url)) }

  private func shownText(_ bytes: [UInt8]) -> String {
    String(validating: SecretMarkers.display(bytes), as: UTF8.self) ?? "(\(NumberFormat.bytes(bytes.count)))"
  }
}

extension RecordedStep {
  /// What it is called on screens: its label, or else its method and where it goes.
  fileprivate var title: String {
    guard label == nil, !request.url.isEmpty else { return name }
    return "\(request.method) \(request.url)" + (round.map { ", round \($0)" } ?? "")
  }

  /// Whether it is meant, also as it is shown.
  fileprivate func isMeant(by name: String) -> Bool {
    // What is shown as `$2` is its number, and not its place.
    if let number, Int(name) != nil { return "\(number)" == name }
    return isCalled(name) || self.name == name || SecretMarkers.display(title) == name
  }
}
