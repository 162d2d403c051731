internal import ArgumentParser
internal import Prompt
internal import Sessions

/// `workbench debug FILE`: a saved script, step by step.
struct DebugCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "debug", _superCommandName: Workbench.name,
    abstract: "Run a saved script step by step.",
    discussion: """
      Stops before every step; help lists what can be done there. Commands may come from a file or a pipe. Exit codes \
      are those of run: 0 if every failure was put right. What is sent is recorded; a run that was left, or \
      killed, is offered when its script is debugged again. With --run a recorded run continues where it stopped: \
      RUN is an id, a unique prefix of one, or last.
      """)

  @Argument(help: "The script.", completion: .script)
  var file: String?

  @Argument(help: "The sequence to run instead of the file's own steps.", completion: .sequence)
  var sequence: String?

  @OptionGroup var settings: SettingOptions

  @Option(
    help: ArgumentHelp(
      "Continue until this happens: fail, \"status 4xx\", origin-change, or a step's name.", valueName: "event"),
    completion: .step)
  var breakOn: [String] = []

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp("Instead of a script: a recorded run, with its responses.", valueName: "run"), completion: .run)
  var reference: String?

  @Flag(help: "Do not record what is sent.")
  var noRecord = false

  @OptionGroup var store: StoreOptions

  @OptionGroup var colors: ColorOptions

  func validate() throws {
    guard (file == nil) != (reference == nil) else {
      throw ValidationError("Either a script or a recorded run: workbench debug upload.wb, workbench debug --run last.")
    }
    guard file != "-" else {
      throw ValidationError("The script cannot be standard input: the debugger's commands come from there.")
    }
  }

  func run() async throws {
    var session = InteractiveSession(color: colors.color, historyName: "debug-history")
    let given = try settings.take(into: &session.world)
    let debugger = DebugRun(
      world: session.world, editor: session.editor, history: session.history, secrets: session.secrets,
      sequence: sequence, settings: given,
      breakpoints: breakOn, recording: noRecord ? .off : store.store.map { .directory($0) } ?? .standard,
      directory: store.store)
    let code: Sessions.ExitCode
    if let reference {
      code = await debugger.run(recorded: reference)
    } else {
      code = await debugger.run(file: file ?? "")
    }
    try code.check()
  }
}
