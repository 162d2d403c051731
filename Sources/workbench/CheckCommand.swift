internal import ArgumentParser
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench check FILE…`: what is wrong with scripts, without sending anything.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", _superCommandName: Workbench.name,
    abstract: "Find what is wrong with scripts, without sending anything.",
    discussion: "Exit codes: 0 nothing, or warnings only; 2 errors; 25 a file cannot be read.")

  @Argument(help: "The scripts, or directories with them; - is standard input.", completion: .script)
  var files: [String]

  @OptionGroup var outside: OutsideOptions

  @OptionGroup var colors: ColorOptions

  func run() throws {
    var world = World.real(color: colors.color)
    _ = try outside.take(into: &world)
    let code = CheckRun(world: world).run(files: files)
    try code.check()
  }
}
