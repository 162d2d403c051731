internal import ArgumentParser
internal import Formats
internal import Prompt
internal import Requests
internal import Sessions
internal import Subcommands

/// `workbench test PATH…`: many scripts, one verdict.
struct TestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", _superCommandName: Workbench.name,
    abstract: "Run many scripts, each on its own, and summarize them.",
    discussion: """
      PATH is a script, a directory, or a pattern such as 'tests/**/*.wb'; of the latter two, scripts that have steps \
      of their own. Each file is a run with cookies, names and records of its own, and its output stays together. \
      Exit codes as of run: that of the failures if they have the same, else 1. The suite is recorded as last; of \
      suites, 30 days, 10,000 runs and 1 GiB of large bodies are kept, and older ones are removed.
      """)

  @Argument(help: "Scripts, directories and patterns.", completion: .file(extensions: ["wb"]))
  var paths: [String]

  @Option(name: .shortAndLong, help: "How many files at once.")
  var jobs = 1

  @Flag(help: "Begin no file after one that failed.")
  var failFast = false

  @Option(name: .customLong("repeat"), help: "Run each file this often, and show the 50th, 90th and 99th percentile.")
  var repetitions: Int?

  @Option(help: "Run a file that fails again, up to this often; one that passes then is flaky.")
  var retryFailed = 0

  @Option(help: ArgumentHelp("Only files whose path contains this or fits it.", valueName: "pattern"))
  var only: String?

  @Option(help: ArgumentHelp("Only files with one of these tags; !slow: without it.", valueName: "tag,…"))
  var tags: [String] = []

  @Option(
    help: ArgumentHelp(
      "Run one of several shares of the files: 2/5, or auto: what the server of CI says.", valueName: "i/n|auto"))
  var shard: ShardOption?

  @Flag(help: "Show which files would be run.")
  var list = false

  @OptionGroup var settings: SettingOptions

  @OptionGroup var reports: ReportTargetOptions

  @Flag(name: .shortAndLong, help: "Show each step.")
  var verbose = false

  @Flag(help: "Print the report as JSON lines, and nothing else.")
  var json = false

  @Flag(help: "Continue after a step that fails, and report every failure.")
  var keepGoing = false

  @Flag(help: "Write the snapshots that are missing or do not fit.")
  var updateSnapshots = false

  @Flag(help: "Do not record the suite.")
  var noRecord = false

  @OptionGroup var store: StoreOptions

  @OptionGroup var colors: ColorOptions

  private var tagNames: [String] { tags.flatMap { $0.split(separator: ",").map { String($0).trimmed } } }

  func validate() throws {
    if noRecord && store.store != nil { throw ValidationError("--no-record and --store contradict each other.") }
    if jobs < 1 { throw ValidationError("--jobs is at least 1.") }
    if let repetitions, repetitions < 1 { throw ValidationError("--repeat is at least 1.") }
    if tagNames.contains(where: { $0.isEmpty || $0 == "!" }) || tagNames.isEmpty && !tags.isEmpty {
      throw ValidationError("--tags needs names: --tags 'smoke,!slow'")
    }
    if retryFailed < 0 { throw ValidationError("--retry-failed is at least 0.") }
    if paths.isEmpty { throw ValidationError("Name a script, a directory or a pattern.") }
    if json && reports.targets.contains(where: { $0.path == "-" }) {
      throw ValidationError("--json and a report on standard output contradict each other.")
    }
  }

  func run() async throws {
    var options = SuiteOptions()
    options.paths = paths
    options.jobs = jobs
    options.failsFast = failFast
    options.repetitions = repetitions
    options.retries = retryFailed
    options.only = only
    options.tags = tagNames
    var world = World.real(color: colors.color, interrupts: SignalWatcher.start(endsWhenTerminated: true))
    options.shard = try shard?.shard(in: world.environment)
    options.script = ScriptOptions(settings: try settings.take(into: &world), keepsGoing: keepGoing)
    if updateSnapshots { options.script.updateSnapshots() }
    let test = TestSubcommand(
      world: world,
      style: ReportStyle(json ? .json : .lines, verbose ? .normal : .quiet), options: options,
      recording: noRecord ? .off : store.store.map { .directory($0) } ?? .standard, directory: store.store,
      reports: reports.targets)
    let code = list ? test.list() : await test.run()
    try code.check()
  }
}

/// `2/5`, or `auto`
struct ShardOption: ExpressibleByArgument {
  /// nil: what the environment says.
  private let written: SuiteOptions.Shard?

  init?(argument: String) {
    guard argument != "auto" else {
      written = nil
      return
    }
    guard let shard = SuiteOptions.Shard(argument) else { return nil }
    written = shard
  }

  func shard(in environment: [String: String]) throws -> SuiteOptions.Shard {
    if let written { return written }
    do throws(ShardVariables.Problem) {
      return try ShardVariables.shard(in: environment)
    } catch {
      throw ValidationError(error.description)
    }
  }
}
