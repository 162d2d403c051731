internal import ArgumentParser
internal import Formats
internal import POSIX
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench bulk FILE [SEQUENCE] --rows ROWS`: a sequence for each row of a file.
struct BulkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bulk", _superCommandName: Workbench.name, abstract: "Run a sequence for each row of a file.",
    discussion: """
      The columns of ROWS are the parameters of the sequence, or lets of the script; their names are checked before \
      anything is sent. ROWS is CSV (RFC 4180, the first line has the names), JSON lines, or - for standard input. Each \
      row is a run of its own, whose responses are not kept: what is kept is what became of the row. After an \
      interruption --resume ID runs the rows that are left; one whose outcome is not known is never run again. Exit \
      codes as of run: 24 if the outcome of a row is not known, that of the failures if they have the same, else 1. \
      --rate is a courtesy to the server: this is no load generator.
      """)

  @Argument(help: "The script.", completion: .script)
  var file: String?

  @Argument(help: "The sequence to run instead of the file's own steps.", completion: .sequence)
  var sequence: String?

  @Option(
    help: ArgumentHelp("The rows: a .csv or .jsonl file; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["csv", "jsonl"]))
  var rows: String?

  @Option(name: .shortAndLong, help: "How many rows at once.")
  var jobs = 1

  @Option(help: ArgumentHelp("Begin no more rows than this: 200/s, 30/m.", valueName: "rate"))
  var rate: RateOption?

  @Option(help: ArgumentHelp("Write a JSON object for each row.", valueName: "file"), completion: .file())
  var out: String?

  @Option(
    name: .customLong("select"),
    help: ArgumentHelp("Put this value of each row into --out: id=$create.body.id.", valueName: "name=expression"))
  var selections: [String] = []

  @Option(
    help: ArgumentHelp(
      "Write the rows that failed, with the reasons; it can be the rows of another run.", valueName: "file"),
    completion: .file())
  var failed: String?

  @Option(
    help: ArgumentHelp(
      "Write the rows of which it is not known whether they happened, or that happened in part.", valueName: "file"),
    completion: .file())
  var unknown: String?

  @Option(help: ArgumentHelp("Begin no row after this many have failed.", valueName: "count"))
  var stopAfter: Int?

  @Option(
    help: ArgumentHelp(
      "Run one of several shares of the rows: 2/5, or auto: what the server of CI says.", valueName: "i/n|auto"))
  var shard: ShardOption?

  @Option(
    help: ArgumentHelp("Continue this run: an id, a unique prefix of one, or last.", valueName: "run"), completion: .run
  )
  var resume: String?

  @Flag(help: "With --resume: run rows again that failed before anything happened that must not happen twice.")
  var retryFailed = false

  @OptionGroup var settings: SettingOptions

  @OptionGroup var reports: ReportTargetOptions

  @Flag(name: .shortAndLong, help: "Show every row that is not done.")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Show nothing but errors.")
  var quiet = false

  @Flag(help: "Continue a row after a step that fails.")
  var keepGoing = false

  @Flag(help: "Do not record what becomes of the rows.")
  var noRecord = false

  @OptionGroup var store: StoreOptions

  @OptionGroup var colors: ColorOptions

  func validate() throws {
    if resume == nil {
      if file == nil { throw ValidationError("Name a script, or a run with --resume.") }
      if rows == nil { throw ValidationError("Name the rows: --rows FILE.") }
      if retryFailed { throw ValidationError("--retry-failed goes with --resume.") }
    } else {
      if file != nil { throw ValidationError("A run that is continued has its script already.") }
      if noRecord { throw ValidationError("--no-record and --resume contradict each other.") }
      if shard != nil || !selections.isEmpty || keepGoing {
        throw ValidationError("A run that is continued has its --shard, --select and --keep-going already.")
      }
    }
    if noRecord && store.store != nil { throw ValidationError("--no-record and --store contradict each other.") }
    if verbose && quiet { throw ValidationError("--verbose and --quiet contradict each other.") }
    if !(1...1_024).contains(jobs) { throw ValidationError("--jobs is from 1 to 1024.") }
    if let stopAfter, stopAfter < 1 { throw ValidationError("--stop-after is at least 1.") }
    if !selections.isEmpty, out == nil { throw ValidationError("--select goes with --out.") }
    let outputs = [out, failed, unknown].compactMap(\.self) + reports.targets.map(\.path)
    for (index, path) in outputs.enumerated() where outputs[..<index].contains(path) {
      throw ValidationError("Two files go to \"\(path)\".")
    }
    let inputs = [file, rows].compactMap(\.self).filter { $0 != "-" }
    if let path = outputs.first(where: { output in inputs.contains { Self.isSameFile($0, output) } }) {
      throw ValidationError("\"\(path)\" is read, and would be overwritten.")
    }
  }

  /// Also by another path, or a link.
  private static func isSameFile(_ one: String, _ other: String) -> Bool {
    if one == other { return true }
    guard let first = realpath(one, nil) else { return false }
    defer { free(first) }
    guard let second = realpath(other, nil) else { return false }
    defer { free(second) }
    return strcmp(first, second) == 0
  }

  func run() async throws {
    var world = World.real(color: colors.color, interrupts: SignalWatcher.start(endsWhenTerminated: true))
    let given = try settings.take(into: &world)
    let share = try shard?.shard(in: world.environment)
    let bulk = BulkSubcommand(
      world: world, style: ReportStyle(.lines, verbose ? .verbose : quiet ? .quiet : .normal), directory: store.store,
      files: BulkSubcommand.Files(out: out, failed: failed, unknown: unknown), reports: reports.targets)
    let (jobs, interval, stopAfter, selections, retryFailed) = (
      jobs, rate?.interval, stopAfter, selections, retryFailed
    )
    let options: @Sendable (String) -> BulkOptions = { rows in
      var options = BulkOptions(rows: rows)
      options.jobs = jobs
      options.interval = interval
      options.stopsAfter = stopAfter
      options.selections = selections
      options.retriesFailed = retryFailed
      options.share = share.map { ($0.index - 1, $0.count) }
      return options
    }
    let code: Sessions.ExitCode
    if let resume {
      code = await bulk.resume(resume, rows: rows, settings: given, options)
    } else {
      code = await bulk.run(
        file: file ?? "", ScriptOptions(sequence: sequence, settings: given, keepsGoing: keepGoing),
        options(rows ?? ""),
        recording: noRecord ? .off : store.store.map { .directory($0) } ?? .standard)
    }
    try code.check()
  }
}

/// `200/s`, `30/m`, `5000/h`
struct RateOption: ExpressibleByArgument {
  /// From one beginning to the next.
  let interval: Duration

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    let units: [Substring: Int] = ["s": 1, "m": 60, "h": 3_600]
    guard parts.count == 2, let count = Int(parts[0]), count > 0, count <= 1_000_000, let unit = units[parts[1]] else {
      return nil
    }
    interval = .seconds(unit) / count
  }
}
