internal import ArgumentParser
internal import Formats
internal import POSIX
internal import Presentation
internal import Prompt
internal import Requests
internal import Sessions
internal import Subcommands

/// `workbench send REQUEST`: one request, without a prompt.
struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", _superCommandName: Workbench.name,
    abstract: "Send a request.",
    discussion: """
      workbench send POST https://example.com/items name=ann age:=41 X-Trace:1 page==2: each word of the shell after \
      the URL is one item with exactly that value, as in HTTPie; form or multipart after the URL chooses the kind of \
      body. From the first word on that begins a clause (header, json, expect, …), the words are the language's. One \
      word is all language, as at the prompt: workbench send 'POST https://example.com/items name=x expect 201'. \
      Standard input is the body of a POST, PUT or PATCH without one, if it is a pipe or a file. On a terminal the \
      response is shown; a pipe or a file gets the body, byte for byte. Exit codes: 0 all went well, 1 the response is \
      not as expected (2xx or 3xx), 2 the request or the command line is wrong, 20 timeout, 21 network, 22 TLS, 23 a \
      secret was refused, 25 file, 26 sign in first, 130 interrupted.
      """)

  @Argument(help: "The request; - is standard input.")
  var request: [String]

  @Option(name: .shortAndLong, help: "Write the body to this file.", completion: .file())
  var output: String?

  @Option(name: .shortAndLong, help: "The profile that /paths go to.", completion: .profile)
  var profile: String?

  @Option(name: .shortAndLong, parsing: .unconditionalSingleValue, help: "The body, as for curl: a=1&b=2 or @file.")
  var data: [String] = []

  @Flag(help: "The items are a form, as with HTTPie's --form.")
  var form = false

  @Flag(name: .shortAndLong, help: "Show the body only, byte for byte.")
  var body = false

  @Flag(help: "Show the status and the headers only.")
  var headers = false

  @Flag(help: "Never read standard input.")
  var ignoreStdin = false

  @Flag(name: .shortAndLong, help: "Remark on nothing; errors are reported as ever.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Show the request and the headers too.")
  var verbose = false

  @Option(
    name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A header, as for curl: Name: value.", valueName: "header"))
  var curlHeader: [String] = []

  @Option(
    name: [.customShort("u"), .customLong("user")], parsing: .unconditional,
    help: ArgumentHelp("Who signs in, as for curl: user:password.", valueName: "user"))
  var curlUser: String?

  @Option(
    name: [.customShort("X"), .customLong("request")],
    help: ArgumentHelp("The method, as for curl.", valueName: "method"))
  var curlMethod: String?

  @Flag(
    name: [.customShort("i"), .customLong("include")],
    help: "Show the status and the headers before the body, as for curl.")
  var curlInclude = false

  @Flag(name: [.customShort("I"), .customLong("head")], help: "Send HEAD, as for curl.")
  var curlHead = false

  @Option(
    name: [.customShort("a"), .customLong("auth")], parsing: .unconditional,
    help: ArgumentHelp("Who signs in, as for HTTPie: user:password, or a token.", valueName: "auth"))
  var auth: String?

  @Option(
    name: [.customShort("A"), .customLong("auth-type")],
    help: ArgumentHelp("How: basic, digest or bearer, as for HTTPie.", valueName: "type"))
  var authType: String?

  @OptionGroup var settings: SettingOptions

  @OptionGroup var colors: ColorOptions

  /// Of a line for another tool, `send curl -i URL`, every option is that tool's.
  static func keepingForeignOptions(_ arguments: [String]) -> [String] {
    guard arguments.first == _commandName,
      let index = arguments.dropFirst().firstIndex(where: { !$0.hasPrefix("-") }),
      SentWords.isForAnotherTool(arguments[index]), !arguments[..<index].contains("--")
    else { return arguments }
    var arguments = arguments
    arguments.insert("--", at: index)
    return arguments
  }

  /// An option that means something else to curl.
  func validate() throws {
    // `-b` is HTTPie's; with a cookie it was meant as curl's.
    let isBodyless = request.first.map { ["GET", "HEAD", "DELETE", "OPTIONS"].contains($0.uppercased()) } ?? false
    if body, isBodyless, let cookie = request.dropFirst(2).first(where: { $0.contains("=") && !$0.contains("==") }) {
      let name = cookie.prefix { $0 != "=" }
      throw ValidationError("-b is --body, as for HTTPie: a cookie is a header, 'Cookie:\(name)=…'")
    }
    // `-A` is HTTPie's; curl's says who asks.
    if let authType, !["basic", "digest", "bearer"].contains(authType) {
      throw ValidationError(
        "-A is --auth-type, as for HTTPie: basic, digest or bearer; who asks is a header, 'User-Agent:…'")
    }
    if authType != nil, auth == nil { throw ValidationError("--auth-type says how, and --auth who: -a user:password") }
  }

  /// What is asked for; nil: what is shown anyway.
  private var parts: ShownParts? {
    if headers { return .headers }
    if body { return .body }
    if verbose { return [.everything, .beside] }
    return curlInclude ? [.headers, .body] : nil
  }

  func run() async throws {
    var world = World.sending(color: colors.color)
    let given = try settings.take(into: &world)
    let send = SendSubcommand(
      world: world, parts: parts, output: output, profile: profile, readsInput: !ignoreStdin, isQuiet: quiet,
      given: given)
    let files = data.filter { $0.hasPrefix("@") && $0 != "@-" }.map { String($0.dropFirst()) }
    if let missing = files.first(where: { access($0, R_OK) != 0 }) {
      let error = FileError.unreadable(path: missing, reason: .current)
      ErrorPrinter(Printer(world, secrets: KnownSecrets())).print(
        ErrorReport("\(error)", notes: ["nothing was sent"]))
      try ExitCode.file.check()
    }
    let isFile = request == ["-"] && data.isEmpty
    var options = curlHeader.flatMap { ["-H", $0] }
    for (option, value) in [("-u", curlUser), ("-X", curlMethod), ("-a", auth), ("--auth-type", authType)] {
      if let value { options += [option, value] }
    }
    if curlHead { options.append("-I") }
    let words = SentWords(request, data: data, isForm: form, options: options)
    try await (isFile ? send.run(file: "-") : send.run(words)).check()
  }
}
