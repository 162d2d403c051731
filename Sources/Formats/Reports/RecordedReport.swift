internal import Diagnostics
internal import JSONValue
internal import Presentation
internal import Requests
package import RunStore
package import Sessions
internal import UploaderCore

/// Makes the lines of a report from what is recorded of a run or of a suite.
package struct RecordedReport {
  private let store: RunStore
  private let concealment: ReportConcealment
  private let world: World
  private let comparison: RunComparison

  package init(_ store: RunStore, secrets: KnownSecrets, in world: World) {
    self.store = store
    concealment = ReportConcealment(secrets: secrets)
    self.world = world
    comparison = RunComparison(store, secrets: secrets)
  }

  /// The version of the language that it was written in.
  private func language(of run: RecordedRun) throws -> Int { try store.setup(of: run).script.language }

  /// - Parameter write: takes the lines.
  /// - Returns: how it ended, as far as that is recorded.
  package func lines(of run: RecordedRun, _ write: (ReportLine) -> Void) throws -> ExitCode {
    let isSuite = run.kind == RunSetup.suiteKind
    let parameters = isSuite ? try store.setup(of: run).parameters : .null
    let members = try inOrder(isSuite ? try store.members(of: run) : [run])
    write(
      ReportLine(
        .suite,
        [
          "version": ^ReportLine.version, "program": .string("workbench \(ProgramVersion.current)"),
          "language": ^(try language(of: members.min { $0.key < $1.key }?.value ?? run)),
          "started": .string(CivilTime(run.created).rfc3339Milliseconds),
          "files": ^(parameters["files"]?.int ?? members.count),
          "id": .string(run.id),
        ]))
    var counts = ReportCounts()
    var failed = 0
    var isInterrupted = run.state == .open && !run.isAlive
    var files =
      parameters["paths"]?.array?.compactMap { pair in
        pair[0]?.int.map { (index: $0, path: pair[1]?.string ?? "") }
      } ?? []
    if files.isEmpty { files = members.keys.sorted().map { ($0, "") } }
    for (index, path) in files {
      guard let member = members[index] else {
        notRun(path, index: index, write)
        failed += 1
        continue
      }
      let code = try lines(of: member, index: index, &counts, write)
      if code != .success { failed += 1 }
      if code == .interrupted { isInterrupted = true }
    }
    let code: ExitCode = isInterrupted ? .interrupted : failed > 0 || run.state == .failed ? .failed : .success
    var end: JSONObject = [
      "ok": .bool(code == .success), "exit-code": ^Int(code.rawValue), "cause": .string(code.word),
      "time": FileReporter.milliseconds(run.updated - run.created), "files": ^files.count, "failed-files": ^failed,
    ]
    end.members += counts.members.members
    write(ReportLine(.suiteEnd, end))
    return code
  }

  /// As the files were in the suite; of several attempts at one, the last.
  private func inOrder(_ members: [RecordedRun]) throws -> [Int: RecordedRun] {
    var latest: [Int: RecordedRun] = [:]
    for (number, member) in members.enumerated() {
      latest[try store.setup(of: member).script.index ?? number] = member
    }
    return latest
  }

  /// A file of a suite of which there is no run: its script is wrong, or the suite ended before.
  private func notRun(_ path: String, index: Int, _ write: (ReportLine) -> Void) {
    let heading: JSONObject = ["file": .string(path), "index": ^index]
    let message = "no run of it is recorded: its script could not begin, or the suite ended before"
    write(ReportLine(.file, heading))
    var problem = heading
    problem.members += JSONObject([("severity", "error"), ("message", .string(message))]).members
    write(ReportLine(.problem, problem))
    var end = heading
    end.members += JSONObject([("ok", false), ("exit-code", 2), ("cause", "usage"), ("time", 0)]).members
    end.members += ReportCounts().members.members
    write(ReportLine(.fileEnd, end))
  }

  private func lines(
    of run: RecordedRun, index: Int, _ counts: inout ReportCounts, _ write: (ReportLine) -> Void
  ) throws -> ExitCode {
    let heading: JSONObject = ["file": .string(run.name), "index": ^index]
    func line(_ kind: ReportLine.Kind, _ members: JSONObject) -> ReportLine {
      var object = heading
      object.members += members.members
      return ReportLine(kind, concealment.conceal(object))
    }
    write(line(.file, ["started": .string(CivilTime(run.created).rfc3339Milliseconds)]))
    let text = try store.setup(of: run).texts.first
    let flows = text.map { ValueFlows(SourceText(name: $0.name, text: $0.text)) }
    var names = StepNames()
    var own = ReportCounts()
    let steps = try store.steps(of: run)
    concealment.secrets.learn(RecordedStep.cookieSecrets(in: steps))
    for (number, step) in steps.enumerated() {
      // Of a step that repeats, its last round.
      let isLast = number + 1 == steps.count || steps[number + 1].position != step.position
      guard isLast else { continue }
      let shown = PresignedText.dropped(from: step.showingMarkers)
      let name = names.unique(shown.label ?? "\(shown.request.method) \(Self.path(of: shown.request.url))")
      var made = line(.step, Self.members(of: shown, name: name, since: run.created))
      made.details = concealment.conceal(StepDetails.members(of: shown))
      let found = flows?.flows(label: step.label, profile: step.request.profile) ?? []
      if !found.isEmpty { made.details["flows"] = .array(found.map(\.json)) }
      made.record = step
      own.count(made)
      write(made)
    }
    let code: ExitCode
    switch run.state {
    case .done: code = .success
    case .failed, .abandoned: code = .failed
    case .open: code = run.isAlive ? .success : .interrupted
    }
    if code != .success, own.failures == 0 {
      let message = code == .interrupted ? "interrupted" : SecretMarkers.display(run.failure ?? "it failed")
      write(line(.problem, ["severity": "error", "message": .string(message), "report": .string(message)]))
    }
    var end: JSONObject = [
      "ok": .bool(code == .success), "exit-code": ^Int(code.rawValue), "cause": .string(code.word),
      "time": FileReporter.milliseconds(run.updated - run.created),
    ]
    end.members += own.members.members
    end["run"] = .string(run.id)
    if run.isResumable { end["continue"] = .string("workbench resume \(run.id)") }
    var made = line(.fileEnd, end)
    made.details = comparison.members(of: run) ?? JSONObject()
    write(made)
    counts.add(own)
    return code
  }

  private static func path(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return url }
    let path = url[scheme.upperBound...].drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
    return path.isEmpty ? "/" : String(path)
  }

  private static func members(of step: RecordedStep, name: String, since began: Duration) -> JSONObject {
    var object: JSONObject = ["name": .string(name)]
    let isSkipped = step.state == .skipped
    let isPassed = step.state == .answered
    object["ok"] = .bool(isPassed || isSkipped)
    object["number"] = step.number.map { ^$0 }
    object["label"] = step.label.map(JSON.string)
    if isSkipped {
      object["skipped"] = .string(step.failure ?? "")
      return object
    }
    let response = step.response
    object["method"] = .string(response?.sent.method ?? step.request.method)
    object["url"] = .string(response?.sent.url ?? step.request.url)
    object["profile"] = .string(step.request.profile)
    if let response {
      object["status"] = ^response.status
      object["protocol"] = .string(response.version)
      object["time"] = FileReporter.milliseconds(response.timings.total)
      object["size"] = ^(response.lostBody ?? response.body.count)
      object["type"] = response.headers.first { $0.isNamed("content-type") }.map { .string($0.value) }
      if !response.failedAttempts.isEmpty {
        object["failed-attempts"] = .array(response.failedAttempts.map { .string($0.reason) })
      }
      if !response.redirects.isEmpty {
        object["redirects"] = .array(response.redirects.map { .string($0.sent.url) })
      }
      object["signed-in"] = response.token?.json
      if !response.unmet.isEmpty {
        object["unmet"] = .array(
          response.unmet.map {
            ["subject": .string($0.subject), "expected": .string($0.expected), "actual": .string($0.actual)]
          })
      }
    }
    object["rounds"] = step.round.map { ^$0 }
    object["at"] = FileReporter.milliseconds(step.started - began)
    guard !isPassed else { return object }
    if response == nil || response?.unmet.isEmpty == true {
      let words: (String, String) =
        switch step.state {
        case .intended: ("it was about to be sent when the run ended", "interrupted")
        case .sent: ("it was sent, and no response is known", "unknown-outcome")
        case .unknown: (step.failure ?? "no response", "unknown-outcome")
        case .failed, .unmet, .answered, .skipped: (step.failure ?? "it failed", "failed")
        }
      object["error"] = .string(words.0)
      object["cause"] = .string(words.1)
    }
    return object
  }
}
