import Formats
import LineEditing
import Prompt
import RunStore
import SecretFlow
import Sessions
import Subcommands

/// How a script's statements are run, with everything that shows and stores what was done: what is recorded is shown
/// and exported, what is typed is saved.
enum Way: String, CaseIterable, Sendable {
  case run, verbose, json, reports, resume, replay, queue, prompt, send, debugger, debuggerSet

  /// Whether statements are given one after another.
  var isTyped: Bool { self == .prompt }

  /// Runs the statements after the login, and everything that shows what was done.
  func go(_ statements: [String], _ source: Source, _ derivation: Derivation, in flow: FlowWorld) async {
    let body = (["let v = \(derivation.expression(of: source))"] + statements).joined(separator: "\n")
    let sequence = "sequence taking(p) { GET {t}/parameter header X-Value: $p }\n"
    let target = statements.contains { $0.contains("other.test") } ? "https://other.test" : "https://api.test"
    let script =
      Source.declarations() + sequence.replacing("{t}", with: target) + Source.login + body + "\n"
    flow.put(script, at: "/work/flow.wb")
    let world = flow.world
    switch self {
    case .run:
      _ = await RunSubcommand(world: world, options: ScriptOptions(keepsGoing: true)).run(file: "/work/flow.wb")
    case .verbose:
      _ = await RunSubcommand(
        world: world, style: ReportStyle(.lines, .verbose), options: ScriptOptions(keepsGoing: true)
      ).run(file: "/work/flow.wb")
    case .json:
      _ = await RunSubcommand(
        world: world, style: ReportStyle(.json, .verbose), options: ScriptOptions(keepsGoing: true)
      ).run(file: "/work/flow.wb")
    case .reports:
      let targets = ReportFileFormat.allCases.map { ReportTarget($0, path: "/work/report.\($0.rawValue)") }
      _ = await RunSubcommand(
        world: world, style: ReportStyle(.lines, .verbose), options: ScriptOptions(keepsGoing: true), reports: targets
      ).run(file: "/work/flow.wb")
      var options = SuiteOptions()
      options.paths = ["/work/flow.wb"]
      options.script.keepsGoing = true
      _ = await TestSubcommand(
        world: world, style: ReportStyle(.lines, .verbose), options: options, recording: .directory(flow.store),
        directory: flow.store, reports: targets.map { ReportTarget($0.format, path: $0.path + ".suite") }
      ).run()
      _ = ReportSubcommand(
        world: world, directory: flow.store,
        reports: targets.map { ReportTarget($0.format, path: $0.path + ".stored") },
        openLines: { _ in throw CancellationError() }
      ).run(["last"])
      show(flow)
    case .resume:
      _ = await RunSubcommand(world: world, options: ScriptOptions(keepsGoing: true), recording: .directory(flow.store))
        .run(file: "/work/flow.wb")
      _ = await ResumeSubcommand(world: world, style: ReportStyle(.lines, .verbose), directory: flow.store).run("last")
      show(flow)
    case .replay:
      _ = await RunSubcommand(world: world, options: ScriptOptions(keepsGoing: true), recording: .directory(flow.store))
        .run(file: "/work/flow.wb")
      _ = await ReplaySubcommand(world: world, style: ReportStyle(.lines, .verbose), directory: flow.store).run(
        "last", file: nil)
    case .queue:
      let queue = QueueRun(world: world, amount: .verbose, directory: flow.store)
      _ = await queue.add(file: "/work/flow.wb", sequence: nil, settings: [:], key: nil)
      _ = await queue.run(jobs: 1)
      _ = await queue.list(json: true)
    case .prompt: await type(script, flow)
    case .send:
      for statement in statements where !statement.hasPrefix("run ") {
        let text = Source.declarations() + Source.login + "let v = \(derivation.expression(of: source))\n" + statement
        _ = await SendSubcommand(world: world, parts: [.everything, .beside]).run(text)
      }
    case .debugger:
      let lines = statements.flatMap { _ in ["n", "p", "p request", "p $v", "lint", "diff", "info", "where", "k"] }
      await debug(lines + ["back", "n", "save out.wb", "q"], flow)
    case .debuggerSet:
      flow.put(
        Source.declarations() + sequence.replacing("{t}", with: target) + "let x = \"plain\"\n" + Source.login
          + "set: GET \(target)/set header X-Value: \"{$x}\"\nread: GET \(target)/read header X-Value: \"{$login.body.put}\"\n",
        at: "/work/flow.wb")
      let made = derivation.expression(of: source)
      let edits = statements.flatMap { ["e \($0.split(separator: "\n").last ?? "")", "p request", "n", "p", "k"] }
      await debug(
        ["n", "set x = \(made)", "p $x", "p request", "n", "n", "p", "k", "back", "set $login.body.put = \(made)"]
          + ["p $login.body.put", "p request", "n", "n", "p", "back", "back"] + edits + ["save out.wb", "q"], flow)
      show(flow)
    }
  }

  /// What somebody at the prompt looks at in the end.
  private static let looking = [":show", ":show wb", ":vars", ":print $v", ":diff", ":timing", ":lint"]

  private func type(_ script: String, _ flow: FlowWorld) async {
    var lines: [String] = []
    for line in script.split(separator: "\n").map(String.init) {
      lines.append(line)
      if line.contains("https://") || line.hasPrefix("run") {
        lines += [":show curl", ":show wire", ":explain \(line)"]
      }
    }
    lines += Self.looking + [":save --all saved.wb"]
    let secrets = KnownSecrets()
    let history = History(path: flow.history, redact: secrets.redact)
    var repl = REPL(
      world: flow.world, editor: ScriptedLineEditor(lines: lines), history: history, secrets: secrets)
    _ = await repl.run()
  }

  private func debug(_ lines: [String], _ flow: FlowWorld) async {
    _ = await DebugRun(
      world: flow.world, editor: ScriptedLineEditor(lines: lines), recording: .directory(flow.store),
      directory: flow.store
    ).run(file: "/work/flow.wb")
  }

  /// Everything that is shown of what was recorded.
  private func show(_ flow: FlowWorld) {
    let runs = StoredRuns(world: flow.world, directory: flow.store)
    _ = runs.list(limit: nil, json: true)
    _ = runs.list(limit: nil, json: false)
    for part in [ShownRecord.overview, .request, .response, .body, .har] {
      _ = runs.show("last", step: nil, part: part, showsTries: true)
    }
  }
}
