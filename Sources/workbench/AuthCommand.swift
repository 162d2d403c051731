internal import ArgumentParser
internal import Prompt
internal import Sessions
internal import SignIn
internal import Subcommands

/// `workbench auth`: the tokens of profiles with `auth oauth`.
struct AuthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth", _superCommandName: Workbench.name,
    abstract: "Sign in to a profile, sign out, or see how long that lasts.",
    subcommands: [Login.self, Logout.self, Status.self, Refresh.self])

  /// What all of them take.
  struct Options: ParsableArguments {
    @Argument(help: "The profile.", completion: .profile)
    var profile: String

    @Option(help: "A script that declares it.", completion: .file(extensions: ["wb"]))
    var script: String?

    @OptionGroup var files: OutsideOptions
    @OptionGroup var colors: ColorOptions

    func run(_ action: SignInAction) async throws {
      var world = World.real(color: colors.color, interrupts: SignalWatcher.start())
      _ = try files.take(into: &world)
      // Whoever asks for it is there, whatever is connected to a terminal.
      world.interaction = SignInInteraction.real(world)
      try await SignInSubcommand(world: world, file: script).run(action, profile: profile).check()
    }
  }

  struct Login: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "login",
      abstract: "Sign in.",
      discussion: """
        A browser opens ($BROWSER, else xdg-open), or its address is printed. No token is printed. \
        Exit codes: 0 signed in, 2 the profile is wrong, 20 to 22 network, 25 file, 26 the issuer refused, 130 interrupted.
        """)
    @OptionGroup var options: Options
    func run() async throws { try await options.run(.login) }
  }

  struct Logout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "logout", abstract: "Revoke the token and forget it.")
    @OptionGroup var options: Options
    func run() async throws { try await options.run(.logout) }
  }

  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Say whether somebody is signed in, and until when.",
      discussion: "Exit codes: 0 signed in, 26 not signed in. Nothing is sent.")
    @OptionGroup var options: Options
    func run() async throws { try await options.run(.status) }
  }

  struct Refresh: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "refresh", abstract: "Get a new token without signing in again.")
    @OptionGroup var options: Options
    func run() async throws { try await options.run(.refresh) }
  }
}
