internal import ArgumentParser
internal import Prompt
internal import RunStore
internal import Sessions
internal import Subcommands

/// `workbench runs`: the recorded runs.
struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", _superCommandName: Workbench.name, abstract: "List recorded runs, the newest first.",
    discussion:
      "With --keep, runs that are older or more than that are removed first: 500, 30d, 12h, 2GiB of bodies.")

  @Option(name: .shortAndLong, help: "How many.")
  var count = 20

  @Flag(help: "All of them.")
  var all = false

  @Flag(help: "Print a JSON object per run.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Keep only this many runs, those no older than this, or this many bytes of bodies.", valueName: "amount"))
  var keep: RetentionOption?

  @OptionGroup var options: StoreOptions

  @OptionGroup var colors: ColorOptions

  func validate() throws {
    if count < 1 { throw ValidationError("--count is at least 1.") }
  }

  func run() throws {
    let code = StoredRuns(world: .real(color: colors.color), directory: options.store)
      .list(limit: all ? nil : count, json: json, keep: keep?.retention)
    try code.check()
  }
}

/// `500`, `30d`, `2GiB`.
struct RetentionOption: ExpressibleByArgument {
  let retention: Retention

  init?(argument: String) {
    guard let retention = Retention(argument) else { return nil }
    self.retention = retention
  }
}

/// `workbench show RUN [STEP]`: the requests and responses of a run.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", _superCommandName: Workbench.name, abstract: "Show a recorded run, or one of its steps.",
    discussion: "What is declared secret is not shown.")

  @Argument(help: ArgumentHelp("The run: an id, a unique prefix of one, or last.", valueName: "run"), completion: .run)
  var reference: String

  @Argument(help: "A step's label, its number as $2, or its path as listed.", completion: .step)
  var step: String?

  @Flag(exclusivity: .exclusive)
  var part: Part?

  @Flag(help: "Every attempt at a step, including what was taken back in the debugger.")
  var tries = false

  @OptionGroup var options: StoreOptions

  @OptionGroup var colors: ColorOptions

  enum Part: String, EnumerableFlag {
    case request, response, body, har

    static func help(for value: Part) -> ArgumentHelp? {
      switch value {
      case .request: "The request as it was sent."
      case .response: "The response."
      case .body: "The response's body."
      case .har: "An HTTP Archive (HAR 1.2)."
      }
    }

    var shown: ShownRecord {
      switch self {
      case .request: .request
      case .response: .response
      case .body: .body
      case .har: .har
      }
    }
  }

  func run() throws {
    let code = StoredRuns(world: .real(color: colors.color), directory: options.store)
      .show(reference, step: step, part: part?.shown ?? .overview, showsTries: tries)
    try code.check()
  }
}

/// `workbench diff RUN1 RUN2`: where the responses of two runs differ.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", _superCommandName: Workbench.name, abstract: "Compare two recorded runs, step by step.",
    discussion: "Status, headers, JSON and time. Exit codes: 0 they are the same, 1 they differ.")

  @Argument(help: "A run: an id, a unique prefix of one, or last.", completion: .run)
  var first: String

  @Argument(help: "The run to compare it with.", completion: .run)
  var second: String

  @OptionGroup var options: StoreOptions

  @OptionGroup var colors: ColorOptions

  func run() throws {
    let code = StoredRuns(world: .real(color: colors.color), directory: options.store).difference(first, second)
    try code.check()
  }
}
