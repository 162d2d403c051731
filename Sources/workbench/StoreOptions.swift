internal import ArgumentParser
internal import Prompt

/// Where runs are recorded.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)", valueName: "dir"),
    completion: .directory)
  var store: String?
}
