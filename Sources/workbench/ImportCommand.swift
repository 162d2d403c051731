internal import ArgumentParser
internal import Prompt
internal import Sessions
internal import Subcommands

/// `workbench import FILE…`: what other tools wrote, as scripts.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", _superCommandName: Workbench.name,
    abstract: "Make scripts of what other tools wrote: hurl, http or curl.",
    usage: "workbench import [hurl|http|curl] <file> ... [<options>]",
    discussion: """
      What a file is its ending says, .hurl, .http or .rest; otherwise hurl, http or curl says it before the files. \
      Nothing is sent. What is different in the script, and what was left out of it, is said with its place. Passwords \
      and tokens in the file become variables of the environment. A .hurl or .http file can also be run as it is: \
      workbench run FILE.hurl. Exit codes: 0 all of it is the same; 2 something was left out, or the file cannot be \
      read as what it is said to be; 3 something is different; 25 a file cannot be read or written.
      """)

  @Argument(
    help: ArgumentHelp(
      "The files, or a curl line in quotes, 'curl -d …'; - is standard input. Before them: hurl, http (of an editor) or curl (lines of a shell), where their endings do not say it.",
      valueName: "file"), completion: .file())
  var words: [String]

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write FILE.wb for each file into this directory, or one file to FILE.wb.", valueName: "dir"))
  var output: String?

  @Flag(help: "Exit with 2 where something is different, too.")
  var strict = false

  @Flag(help: "Keep the bytes of bodies, rather than write JSON as JSON.")
  var exact = false

  @Option(
    name: .customLong("env"),
    help: ArgumentHelp(
      "Make a script of each environment in this http-client.env.json, for --use.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var environments: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Write this value in the place of a variable.", valueName: "name=value"))
  var settings: [Setting] = []

  @OptionGroup var colors: ColorOptions

  func validate() throws {
    if words.count == 1, ImportRun.Format(rawValue: words[0]) != nil {
      throw ValidationError("Missing expected argument '<file> ...'")
    }
  }

  func run() throws {
    var options = ImportRun.Options()
    options.output = output
    options.isStrict = strict
    options.isExact = exact
    options.environments = environments
    for setting in settings { options.values[setting.name] = setting.value }
    let format = ImportRun.Format(rawValue: words[0])
    let files = format == nil ? words : Array(words.dropFirst())
    let code = ImportRun(world: .real(color: colors.color), format: format, options: options).run(files: files)
    try code.check()
  }
}
