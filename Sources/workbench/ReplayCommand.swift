internal import ArgumentParser
internal import Formats
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench replay RUN`: a script over recorded responses.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", _superCommandName: Workbench.name,
    abstract: "Run a script over the responses of a recorded run, without a network.",
    discussion: """
      A request that is not in the recording is an error, which shows how it differs from the nearest one.
      """)

  @Argument(help: ArgumentHelp("The run: an id, a unique prefix of one, or last.", valueName: "run"), completion: .run)
  var reference: String

  @Option(help: ArgumentHelp("Run this script instead of the recorded run's.", valueName: "file"), completion: .script)
  var script: String?

  @OptionGroup var settings: ReplacedSettingOptions

  @Flag(name: .shortAndLong, help: "Show requests, headers and bodies.")
  var verbose = false

  @Flag(help: "Print a JSON object per step; with --verbose, headers and bodies too.")
  var json = false

  @OptionGroup var options: StoreOptions

  @OptionGroup var colors: ColorOptions

  func run() async throws {
    var world = World.real(color: colors.color, interrupts: SignalWatcher.start())
    let given = try settings.take(into: &world)
    let replay = ReplaySubcommand(
      world: world,
      style: ReportStyle(json ? .json : .lines, verbose ? .verbose : .normal), directory: options.store)
    let code = await replay.run(
      reference, file: script, settings: given)
    try code.check()
  }
}
