internal import ArgumentParser
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench eval EXPR [FILE]`: the value of an expression.
struct EvalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval", _superCommandName: Workbench.name,
    abstract: "Print the value of an expression.",
    discussion: """
      In the expression, $ is the document: '$.items[*].id | unique | count'. It is read only if $ is used. \
      Exit codes: 0 there is a value, 1 a path finds nothing, 2 the expression or the document is wrong, 25 file.
      """)

  @Argument(help: "Such as '$.state == \"ready\"'; quote it for the shell.")
  var expression: String

  @Argument(help: "The document, in JSON; - is standard input.", completion: .file())
  var file = "-"

  @Flag(help: "Take the document as text.")
  var text = false

  @Flag(name: .shortAndLong, help: "Print a string as its text, not as JSON.")
  var raw = false

  @OptionGroup var colors: ColorOptions

  func run() throws {
    let code = EvalRun(world: .real(color: colors.color), readsText: text, isRaw: raw).run(expression, file: file)
    try code.check()
  }
}
