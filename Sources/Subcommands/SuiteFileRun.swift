internal import Formats
internal import JSONValue
internal import Presentation
internal import Requests
internal import Sessions
internal import Synchronization
internal import UploaderCore

/// The run of one file of a suite, and of the same file again if it fails and may.
struct SuiteFileRun: Sendable {
  let entry: SuiteEntry
  let style: ReportStyle
  let script: ScriptOptions
  /// How often it is run at most.
  let attempts: Int
  let recording: Recording
  let suite: String?
  let detail: ReportDetail

  /// - Parameters:
  ///   - sending: told the label of each step that is sent.
  ///   - write: takes what it writes, in order.
  func run(
    in world: World, _ interrupts: Interrupts, _ secrets: KnownSecrets,
    sending: @escaping @Sendable (String?) -> Void, _ write: @escaping @Sendable (SuiteOutput) -> Void
  ) async -> ExitCode {
    var earlier: [String: [String]] = [:]
    for attempt in 1... {
      let isLast = attempt >= attempts
      // An attempt that is followed by another writes nothing.
      let held = Mutex<[SuiteOutput]>([])
      let began = world.clock.now()
      let found = earlier
      let hold: @Sendable (SuiteOutput) -> Void = { output in held.withLock { $0.append(output) } }
      let code = await once(
        in: world, interrupts, secrets, attempt: attempt, earlier: found, sending: sending,
        write: isLast ? write : hold)
      let written = held.withLock { $0 }
      if isLast || code == .success || code == .interrupted {
        for output in written { write(output) }
        if style.format == .lines { write(.result(summary(code, attempt, world.clock.now() - began, in: world))) }
        return code
      }
      for case .line(let line) in written where line.kind == .step && line.verdict.isFailure {
        earlier[line.name, default: []].append(line.message)
      }
    }
    return .failed
  }

  private func once(
    in world: World, _ interrupts: Interrupts, _ secrets: KnownSecrets, attempt: Int, earlier: [String: [String]],
    sending: @escaping @Sendable (String?) -> Void, write: @escaping @Sendable (SuiteOutput) -> Void
  ) async -> ExitCode {
    var own = world
    own.interrupts = interrupts
    own.page = nil
    own.output = World.Output(isColored: world.output.isColored) { write(.result($0)) }
    own.errorOutput = World.Output(isColored: world.errorOutput.isColored) { write(.error($0)) }
    own.errorOutput.columns = world.errorOutput.columns
    if style.format == .json { own.output = .nowhere }
    let printer = Printer(own, secrets: secrets)
    let reporter = RunReporter(
      printer, ReportStyle(.lines, style.amount), showsProgress: false, now: world.clock.now)
    let comparison = (try? recording.store(in: own) { _ in }).flatMap { $0 }.map { RunComparison($0, secrets: secrets) }
    let lines = FileReporter(
      heading(attempt), detail: detail, world: own, secrets: secrets, compare: { comparison?.members(of: $0) }
    ) { line in
      var line = line
      if line.kind == .step, let messages = earlier[line.name] {
        line.object["earlier-failures"] = .array(messages.map(JSON.string))
      }
      write(.line(line))
    }
    let runner = Runner(world: own, secrets: secrets) { event in
      if case .upload(.sending(let prepared, _)) = event { sending(prepared.description.head.label) }
      reporter.on(event)
      lines.on(event)
    }
    var options = script
    options.place = suite.map { SuitePlace(suite: $0, index: entry.index) }
    return await runner.run(file: entry.file.path, options, recording: recording).exitCode
  }

  private func heading(_ attempt: Int) -> JSONObject {
    var heading: JSONObject = ["file": .string(entry.file.path), "index": ^entry.index]
    heading["repetition"] = entry.repetition.map { ^$0 }
    if attempt > 1 { heading["attempt"] = ^attempt }
    return heading
  }

  private func summary(_ code: ExitCode, _ attempt: Int, _ time: Duration, in world: World) -> String {
    var text = StyledText()
    switch code {
    case .success where attempt > 1: text.append("flaky  ", .warning)
    case .success: text.append("ok     ", .success)
    case .failed, .usage, .remarks, .timeout, .network, .tls, .secretRefused, .unknownOutcome, .file, .signIn,
      .interrupted:
      text.append("FAILED ", .failure)
    }
    text.append(entry.file.path, .strong)
    if let repetition = entry.repetition { text.append(" #\(repetition)") }
    text.append("  \(NumberFormat.duration(time))", .faint)
    if attempt > 1 { text.append("  \(attempt) attempts", .faint) }
    return (text + StyledText("\n")).rendered(isColored: world.output.isColored)
  }
}
