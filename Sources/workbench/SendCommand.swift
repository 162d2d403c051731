internal import ArgumentParser
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench send REQUEST`: one request, without a prompt.
struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Send a request.",
    discussion: """
      The request is written as at the prompt: workbench send 'POST https://example.com/items name=x'. Quote it for \
      the shell, or pass its words. On a terminal the response is shown; a pipe or a file gets the body, byte for \
      byte. Exit codes: 0 all went well, 1 the response is not as expected (2xx or 3xx), 2 the request or the \
      command line is wrong, 20 timeout, 21 network, 22 TLS, 23 a secret was refused, 25 file, 130 interrupted.
      """)

  @Argument(help: "The request; - is standard input.")
  var request: [String]

  @Option(name: .shortAndLong, help: "Write the body to this file.", completion: .file())
  var output: String?

  @Option(name: .shortAndLong, help: "The profile that /paths go to.")
  var profile: String?

  @Flag(name: .shortAndLong, help: "Show the request and the headers too.")
  var verbose = false

  @OptionGroup var settings: SettingOptions

  @OptionGroup var colors: ColorOptions

  func run() async throws {
    var world = World.real(color: colors.color, interrupts: SignalWatcher.start())
    let given = try settings.take(into: &world)
    let send = SendSubcommand(world: world, isVerbose: verbose, output: output, profile: profile, given: given)
    let text = request.joined(separator: " ")
    try await (text == "-" ? send.run(file: text) : send.run(text)).check()
  }
}
