internal import ArgumentParser
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench presign PROFILE METHOD PATH`: a signed URL.
struct PresignCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presign", _superCommandName: Workbench.name,
    abstract: "Print a URL that is signed with the keys of a profile.",
    discussion: """
      Whoever has the URL may send this one request until it expires. \
      Exit codes: 0 printed, 2 the profile or the command line is wrong, 20 to 22 network, 26 there are no keys.
      """)

  @Argument(help: "The profile, with auth sigv4.", completion: .profile)
  var profile: String

  @Argument(help: "GET, PUT, …")
  var method: String

  @Argument(help: "What is appended to the profile's base.")
  var path: String

  @Option(help: ArgumentHelp("How long the URL is good for, from 1s to 7d.", valueName: "time"))
  var expires = "15m"

  @Option(help: "A script that declares the profile.", completion: .file(extensions: ["wb"]))
  var script: String?

  @OptionGroup var files: OutsideOptions
  @OptionGroup var colors: ColorOptions

  func validate() throws {
    if WrittenDuration.parse(expires) == nil { throw ValidationError("--expires is a time such as 15m, 900s or 1h.") }
  }

  func run() async throws {
    var world = World.real(color: colors.color, interrupts: SignalWatcher.start())
    _ = try files.take(into: &world)
    let order = PresignOrder(
      profile: profile, method: method, path: path, lifetime: WrittenDuration.parse(expires) ?? .zero)
    try await PresignSubcommand(world: world, file: script).run(order).check()
  }
}
