internal import LineEditing
internal import POSIX
internal import Prompt
internal import Sessions

/// An interactive session on this process's streams: at a terminal with an editor and a pager, else line by line.
struct InteractiveSession {
  var world: World
  let editor: any LineEditor
  let secrets = KnownSecrets()
  /// nil where input is not typed.
  let history: History?

  /// - Parameter historyName: the name of the file in the state directory.
  init(color: ColorChoice, historyName: String) {
    world = World.real(color: color, interrupts: SignalWatcher.start())
    world.runProgram = { try ProgramPipe.run($0, output: $1, errorOutput: $2) }
    let history = History(path: Self.statePath(historyName, world.environment), redact: secrets.redact)
    guard
      let terminal = EditLineEditor(
        input: STDIN_FILENO, output: STDOUT_FILENO, history: history, environment: world.environment)
    else {
      if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, !EditLineLibrary.isAvailable {
        world.errorOutput.write(
          "libedit.so.2 is not here (on Debian and Ubuntu: apt-get install libedit2): keys do nothing\n")
      }
      editor = ScriptedLineEditor(reading: STDIN_FILENO)
      self.history = nil
      return
    }
    editor = terminal
    self.history = history
    Task.detached { history.prepare() }
    let external = ExternalEditor(environment: world.environment)
    world.edit = { external.edit($0, terminal: STDIN_FILENO) }
    let pager = Pager(environment: world.environment)
    world.page = { pager.show($0) }
  }

  /// The path in `$XDG_STATE_HOME/workbench`, by default below `~/.local/state`; nil without a home.
  private static func statePath(_ name: String, _ environment: [String: String]) -> String? {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/workbench/\(name)" }
    return environment["HOME"].map { "\($0)/.local/state/workbench/\(name)" }
  }
}
