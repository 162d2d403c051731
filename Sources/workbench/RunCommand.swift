internal import ArgumentParser
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench run FILE`: a saved script, from its first step to its last.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", _superCommandName: Workbench.name,
    abstract: "Run a saved script.",
    discussion: """
      Prints a line per step. Exit codes: 0 all went well, 1 a step or an expectation failed, 2 the script or the \
      command line is wrong, 20 timeout, 21 network, 22 TLS, 23 a secret was refused, 24 an outcome is not known, \
      25 file, 26 sign in first, 130 interrupted. What is run is recorded; a run that failed says how to continue it.
      """)

  @Argument(help: "The script; - is standard input.", completion: .script)
  var file: String

  @Argument(help: "The sequence to run instead of the file's own steps.", completion: .sequence)
  var sequence: String?

  @OptionGroup var settings: SettingOptions

  @OptionGroup var report: ReportOptions

  @OptionGroup var reports: ReportTargetOptions

  @Flag(help: "Continue after a step that fails, and report every failure.")
  var keepGoing = false

  @Flag(help: "Write the snapshots that are missing or do not fit.")
  var updateSnapshots = false

  @Flag(help: "Do not record the run.")
  var noRecord = false

  @OptionGroup var store: StoreOptions

  @OptionGroup var colors: ColorOptions

  func validate() throws {
    if noRecord && store.store != nil { throw ValidationError("--no-record and --store contradict each other.") }
    if report.verbose && report.quiet { throw ValidationError("--verbose and --quiet contradict each other.") }
  }

  func run() async throws {
    var world = World.sending(color: colors.color, endsWhenTerminated: true)
    world.endsWithProcess = true
    let given = try settings.take(into: &world)
    var options = ScriptOptions(sequence: sequence, settings: given, keepsGoing: keepGoing)
    if updateSnapshots { options.updateSnapshots() }
    let script = RunSubcommand(
      world: world, style: report.style, options: options,
      recording: noRecord ? .off : store.store.map { .directory($0) } ?? .standard, reports: reports.targets)
    let code = await script.run(file: file)
    try code.check()
  }
}
