internal import ArgumentParser
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench export hurl FILE`: a script as other tools take it.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: Workbench.name,
    abstract: "Write a script as other tools take it: curl or hurl.",
    discussion: """
      Nothing is sent. Values from responses become captures of Hurl, or jq's in a shell. What another tool cannot say \
      is left out and said. Exit codes: 0 all of it is there, 2 something was left out or the script is wrong, 3 \
      something is different, 25 the file cannot be read.
      """)

  @Argument(help: "What to write: curl (a shell script) or hurl.")
  var format: ExportRun.Format

  @Argument(help: "The script; - is standard input.", completion: .script)
  var file: String

  @OptionGroup var colors: ColorOptions

  func run() throws {
    let code = ExportRun(world: .real(color: colors.color), format: format).run(file: file)
    try code.check()
  }
}

extension ExportRun.Format: ExpressibleByArgument {}
