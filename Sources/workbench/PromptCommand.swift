internal import ArgumentParser
internal import Diagnostics
internal import Formats
internal import LineEditing
internal import Prompt
internal import RequestSyntax
internal import Sessions

/// Bare `workbench`: the prompt.
struct PromptCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompt", _superCommandName: Workbench.name,
    abstract: "Type requests at a prompt. (This is what workbench does without a subcommand.)",
    discussion: "Input that is not a terminal is read like a script; the exit code is 1 if any request failed.")

  @Argument(help: "Where paths go, such as https://api.example.com; without one, where a profile says.")
  var address: String?

  @Flag(help: "End at the first request that fails, when the input is not a terminal.")
  var failFast = false

  @OptionGroup var settings: SettingOptions

  @OptionGroup var colors: ColorOptions

  func validate() throws {
    guard let address else { return }
    guard let meant = RequestAddress(address) else { throw ValidationError(Self.advice(on: address)) }
    guard let end = meant.url.firstIndex(where: { "?#".contains($0) }) else { return }
    throw ValidationError(
      "A prompt has no query: workbench \(meant.url[..<end]). To send one request: workbench send GET 'https://…?…'")
  }

  /// What a word means that is neither a subcommand nor an address.
  private static func advice(on word: String) -> String {
    if SentWords.isForAnotherTool(word) { return "To send a line of \(word): workbench send \(word) …" }
    if word.hasSuffix(".wb") { return "To run a script: workbench run \(word)" }
    if word == word.uppercased() || Keywords.commonMethods.contains(word.uppercased()) {
      return "To send one request: workbench send \(word.uppercased()) https://…"
    }
    let near = SpellingSuggestion.nearest(to: word, among: Workbench.subcommandNames).map { " Did you mean \($0)?" }
    return "\"\(word)\" is neither a subcommand nor an address such as https://api.example.com." + (near ?? "")
  }

  func run() async throws {
    var session = InteractiveSession(color: colors.color, historyName: "history")
    let given = try settings.take(into: &session.world)
    let url = address.flatMap { RequestAddress($0)?.url }
    try await Self.converse(session, failsFast: failFast, address: url, given: given)
  }

  /// Until its input ends.
  static func converse(
    _ session: InteractiveSession, failsFast: Bool = false, address: String? = nil, given: GivenValues = [:]
  ) async throws {
    var repl = REPL(
      world: session.world, editor: session.editor, history: session.history, secrets: session.secrets,
      failsFast: failsFast, address: address, given: given)
    // What nobody reads anymore need not come first: the next thing that is written ends the program.
    if !session.editor.isInteractive {
      StandardOutput.pipe.whenUnread { [interrupts = session.world.interrupts] in interrupts.interrupt() }
    }
    let code = await repl.run()
    try code.check()
  }
}
