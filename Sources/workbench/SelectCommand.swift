internal import ArgumentParser
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench select PATH [FILE]`: what a JSONPath finds in a JSON text.
struct SelectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "select", _superCommandName: Workbench.name,
    abstract: "Print what a JSONPath (RFC 9535) finds in JSON.",
    discussion: """
      Order, numbers and escapes stay as they are in the text. A path of names and indices prints its value, any other \
      an array. Exit codes: 0 something was found, 1 nothing was, 2 the path or the JSON is wrong, 25 file.
      """)

  @Argument(help: "Such as '$.items[*].id'; quote it for the shell.")
  var path: String

  @Argument(help: "The JSON text; - is standard input.", completion: .file())
  var file = "-"

  @Flag(help: "Print each value on one line of its own.")
  var lines = false

  func run() throws {
    let code = SelectRun(world: .real(color: .auto)).run(path: path, file: file, lines: lines)
    try code.check()
  }
}
