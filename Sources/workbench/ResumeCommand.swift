internal import ArgumentParser
internal import HTTPTypes
internal import POSIX
internal import Prompt
internal import Requests
internal import RunStore
internal import Sessions
internal import Subcommands
internal import UploaderCore

/// `workbench resume RUN`: continues where a run stopped.
struct ResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", _superCommandName: Workbench.name,
    abstract: "Continue a run that failed or was interrupted.",
    discussion: """
      Steps that are done are not sent again. A step that must happen at most once and whose response is not known is \
      asked about on a terminal; elsewhere resume ends with 24 and lists the choices.
      """)

  @Argument(help: ArgumentHelp("The run: an id, a unique prefix of one, or last.", valueName: "run"), completion: .run)
  var reference: String

  @Option(help: ArgumentHelp("Do everything from this step on again.", valueName: "step"), completion: .step)
  var from: String?

  @Flag(help: "Continue though a request is not the recorded one; from there on everything is sent.")
  var acceptChanges = false

  @Option(
    help: ArgumentHelp("Send this step again, though it may have taken effect.", valueName: "step"), completion: .step)
  var again: [String] = []

  @Option(
    help: ArgumentHelp(
      "Take this step as done, as it was answered or with this status and body.", valueName: "step[=status[,file]]"),
    completion: .step)
  var done: [String] = []

  @Flag(help: "Leave the run as it is, for good.")
  var giveUp = false

  @OptionGroup var settings: ReplacedSettingOptions

  @OptionGroup var report: ReportOptions

  @OptionGroup var options: StoreOptions

  @OptionGroup var colors: ColorOptions

  func validate() throws {
    if giveUp && !(again + done).isEmpty { throw ValidationError("--give-up leaves nothing to be done.") }
  }

  func run() async throws {
    var world = World.real(color: colors.color, interrupts: SignalWatcher.start())
    let given = try settings.take(into: &world)
    let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    let resume = ResumeSubcommand(
      world: world, style: report.style, directory: options.store, ask: isTerminal ? Self.ask(world) : nil)
    if giveUp {
      return try resume.abandon(reference).check()
    }
    var decisions: [String: ResumeOptions.Decision] = [:]
    for step in again { decisions[step] = .sendAgain }
    for text in done {
      let (step, decision) = try Self.decision(text, world)
      decisions[step] = decision
    }
    let code = await resume.run(
      reference, options: ResumeOptions(decisions: decisions, from: from, acceptsChanges: acceptChanges),
      settings: given)
    try code.check()
  }

  /// `upload`, `upload=204`, `allocate=201,response.json`.
  private static func decision(_ text: String, _ world: World) throws -> (String, ResumeOptions.Decision) {
    guard let equals = text.firstIndex(of: "=") else { return (text, .accept) }
    let parts = text[text.index(after: equals)...].split(separator: ",", maxSplits: 1)
    guard let status = parts.first.flatMap({ Int($0) }), (200...599).contains(status) else {
      throw ValidationError("\"\(text)\" does not name a status from 200 to 599.")
    }
    var response = Response(status: .init(code: status))
    if parts.count == 2 {
      let path = String(parts[1])
      response.body = ResponseBody(try world.readDocument(path))
      response.headers[.contentType] = MediaType.guess(fileName: path)
    }
    return (String(text[..<equals]), .answered(response))
  }

  private static func ask(_ world: World) -> @Sendable (String) -> String? {
    { question in
      world.errorOutput.write(question)
      return readLine()
    }
  }
}
