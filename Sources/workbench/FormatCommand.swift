internal import ArgumentParser
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench fmt FILE…`: scripts in the canonical style.
struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fmt", _superCommandName: Workbench.name,
    abstract: "Rewrite scripts in the canonical style.",
    discussion: """
      Files are rewritten in place; what comes from standard input goes to standard output. Exit codes: 0 all is well, \
      1 with --check a file is not in the style, 2 a syntax error, 25 a file cannot be read or written.
      """)

  @Argument(help: "The scripts; - is standard input.", completion: .script)
  var files: [String]

  @Flag(help: "List the files that are not in the style, and change none.")
  var check = false

  @OptionGroup var colors: ColorOptions

  func run() throws {
    let code = FormatRun(world: .real(color: colors.color), onlyChecks: check).run(files: files)
    try code.check()
  }
}
