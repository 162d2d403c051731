internal import ArgumentParser
internal import Diagnostics
internal import Interactive
internal import LineEditing

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Bare `workbench`: the prompt.
struct PromptCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompt",
    abstract: "Type requests at a prompt. (This is what workbench does without a subcommand.)",
    discussion: "Input that is no terminal is read as a script is; the exit code is 1 if any request failed.")

  @Argument(help: "Where paths go, such as https://api.example.com; without one, where a profile says.")
  var address: String?

  @Flag(help: "End at the first request that fails, when the input is no terminal.")
  var failFast = false

  @Option(help: "Colours: auto, always or never.")
  var color = ColorChoice.auto

  func validate() throws {
    guard let address, RequestAddress(address) == nil else { return }
    throw ValidationError(
      address.hasSuffix(".wb")
        ? "To run a script: workbench run \(address)"
        : address == address.uppercased()
          ? "To send one request: workbench send '\(address) https://…'"
          : "\"\(address)\" is no subcommand, and no address such as https://api.example.com."
            + (SpellingSuggestion.nearest(to: address, among: Workbench.subcommandNames).map { " Did you mean \($0)?" }
              ?? ""))
  }

  func run() async throws {
    var world = World.real(color: color, interrupts: SignalWatcher.start())
    let secrets = KnownSecrets()
    let history = History(path: Self.historyPath(world.environment), redact: secrets.redact)
    let terminal = EditLineEditor(
      input: STDIN_FILENO, output: STDOUT_FILENO, history: history, environment: world.environment)
    if terminal != nil {
      Task.detached { history.prepare() }
      let external = ExternalEditor(environment: world.environment)
      world.edit = { external.edit($0, terminal: STDIN_FILENO) }
      let pager = Pager(environment: world.environment)
      world.page = { pager.show($0) }
    }
    let editor: any LineEditor = terminal ?? ScriptedLineEditor(reading: STDIN_FILENO)
    var repl = REPL(
      world: world, editor: editor, history: terminal == nil ? nil : history, secrets: secrets, failsFast: failFast,
      address: address.flatMap { RequestAddress($0)?.url })
    let code = await repl.run()
    guard code == .success else { throw ArgumentParser.ExitCode(code.rawValue) }
  }

  /// `$XDG_STATE_HOME/workbench/history`, by default below `~/.local/state`; nil without a home.
  private static func historyPath(_ environment: [String: String]) -> String? {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/workbench/history" }
    return environment["HOME"].map { "\($0)/.local/state/workbench/history" }
  }
}
