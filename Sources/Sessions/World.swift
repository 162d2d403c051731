package import RequestProgram
internal import RequestSyntax
package import Requests
internal import RunStore
package import SignIn
package import UploaderCore

/// Everything outside: streams, environment, file locations, network, time, interrupts. One injected value, so that a
/// whole session at the prompt is a text that a test can hold.
package struct World: Sendable {
  /// A stream that people or programs read.
  package struct Output: Sendable {
    /// Whether SGR sequences are wanted.
    package var isColored: Bool
    /// Whether it is a terminal, where a line can be overwritten.
    package var isTerminal: Bool
    /// How many columns it has now, if it is a terminal.
    package var columns: @Sendable () -> Int? = { nil }
    /// Writes the text immediately.
    package var write: @Sendable (String) -> Void

    /// For output that nobody should see.
    package static let nowhere = Output { _ in }

    package init(isColored: Bool = false, isTerminal: Bool = false, write: @escaping @Sendable (String) -> Void) {
      self.isColored = isColored
      self.isTerminal = isTerminal
      self.write = write
    }
  }

  /// Results.
  package var output: Output
  /// Diagnostics, progress.
  package var errorOutput: Output
  /// Of the process.
  package var environment: [String: String]
  /// What was read from files of variables: `$env` has them too, and nothing else does.
  package var fileVariables: [String: String] = [:]
  /// How a variable that is missing gets there; nil: as on a command line.
  package var variableAdvice: String?
  /// The scripts whose declarations replace those of every script that is run here.
  package var environments: [ScriptFile] = []
  /// The files that values come from, as the options of a command that continues with them: ` --env-file api.env`.
  package internal(set) var outsideOptions = ""
  /// Whether the process ends with what is done here.
  package var endsWithProcess = false
  /// Where relative paths typed at the prompt begin.
  package var workingDirectory: String
  /// Where relative paths of scripts begin that would otherwise begin in the working directory; nil: there.
  package var pathOrigin: String?
  /// The version of the language that programs were written in.
  package var language = LanguageVersion.current
  /// The bytes of a script; `-` is standard input.
  package var readFile: @Sendable (_ path: String) throws(FileError) -> [UInt8]
  /// The bytes of a document, which may be longer than a script and come through a pipe; `-` is standard input.
  package var readDocument: @Sendable (_ path: String) throws(FileError) -> [UInt8]
  /// Begins to read a document piece by piece; `-` is standard input.
  package var openRows: @Sendable (_ path: String) throws(FileError) -> RowInput
  /// The bytes of standard input if it is a pipe or a regular file, to be sent as a body; nil if it is neither. What is
  /// given is done when nothing has come for two seconds.
  package var readPipedInput: (@Sendable (_ remark: () -> Void) throws(FileError) -> [UInt8]?)?
  /// Whether standard input is a pipe or a regular file that has bytes nobody has read; looks without reading.
  package var hasUnreadInput: @Sendable () -> Bool = { false }
  /// Writes the bytes of a body to a file, which is created or replaced; `-` is standard output.
  package var writeFile: @Sendable (_ path: String, _ body: ResponseBody) throws(FileError) -> Void
  /// Where bodies go as they come that are written to standard output; nil: they are written when they are complete.
  package var bodyPipe: BodyPipe?
  /// Refuses a file to which nothing can be written, before a request is sent whose body belongs there.
  package var checkFile: @Sendable (_ path: String) throws(FileError) -> Void = { _ throws(FileError) in }
  /// Makes the missing directories of a file that is about to be written, between a directory and it.
  package var makeDirectories: @Sendable (_ path: String, _ root: String) throws(FileError) -> Void = {
    _, _ throws(FileError) in
  }
  /// Begins a file that is written bit by bit and is there whole or not at all; `-` is standard output.
  package var draftFile: @Sendable (_ path: String) throws(FileError) -> any FileDraft
  /// The same for one that only its owner can read.
  package var draftPrivateFile: @Sendable (_ path: String) throws(FileError) -> any FileDraft
  /// Creates a file, or makes an existing one, readable by its owner only; its bytes are written afterwards.
  package var makePrivate: @Sendable (_ path: String) throws(FileError) -> Void = { _ throws(FileError) in }
  /// Replaces the bytes of an existing file; whatever happens, it has either the old ones or the new ones.
  package var replaceFile: @Sendable (_ path: String, _ bytes: [UInt8]) throws(FileError) -> Void
  /// The names in a directory, those of directories with a trailing `/`; none if it cannot be read.
  package var listDirectory: @Sendable (_ path: String) -> [String]
  /// Lets the user edit a text; nil if the editor failed. Without a terminal there is no editor.
  package var edit: (@Sendable (_ text: String) -> String?)?
  /// Asks the user for a secret, which is not shown; nil where nobody can be asked.
  package var ask: (@Sendable (_ question: String) -> String?)?
  /// What the user replied while the same script was gone through before; nil: nothing is remembered.
  package var replies: RememberedReplies?
  /// Runs a program for its output; nil where none may be run.
  package var runCommand: (@Sendable (_ command: String) throws(CommandError) -> String)?
  /// Runs a program that was typed after `|`, and hands over what it writes and its errors; nil where none may be run.
  package var runProgram:
    (
      @Sendable (
        _ program: PipedProgram, _ output: @escaping @Sendable ([UInt8]) -> Void,
        _ errorOutput: @escaping @Sendable ([UInt8]) -> Void
      ) throws -> PipedProgram.End
    )?
  /// Shows a long text a screen at a time; nil where nobody is looking.
  package var page: (@Sendable (_ text: String) -> Void)?
  package var transport: any Transport
  package var clock: UploadClock
  package var makeBoundary: @Sendable () -> String
  /// Gets tokens and keys, and remembers them for all sessions of the process.
  package var signIn: SignInService
  /// Somebody at a terminal who can sign in; nil: nobody.
  package var interaction: SignInInteraction?
  package var interrupts: Interrupts
  /// How long a Tab waits while a large body is being searched; then it offers nothing yet.
  package var patience: Duration = .milliseconds(400)
  /// How long a filter or path may take at the prompt.
  package var filterPatience: Duration = .seconds(10)

  package init(
    output: Output, errorOutput: Output, environment: [String: String], workingDirectory: String,
    readFile: @escaping @Sendable (String) throws(FileError) -> [UInt8],
    writeFile: @escaping @Sendable (String, ResponseBody) throws(FileError) -> Void,
    replaceFile: @escaping @Sendable (String, [UInt8]) throws(FileError) -> Void,
    listDirectory: @escaping @Sendable (String) -> [String], transport: any Transport,
    clock: UploadClock = .system,
    makeBoundary: @escaping @Sendable () -> String = Uploader.randomBoundary, interrupts: Interrupts = Interrupts()
  ) {
    self.output = output
    self.errorOutput = errorOutput
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.readFile = readFile
    readDocument = readFile
    openRows = { path throws(FileError) in RowInput(holding: try readFile(path)) }
    self.writeFile = writeFile
    draftFile = { path throws(FileError) in HeldDraft(path: path, writeFile: writeFile) }
    draftPrivateFile = draftFile
    self.replaceFile = replaceFile
    self.listDirectory = listDirectory
    self.transport = transport
    self.clock = clock
    self.makeBoundary = makeBoundary
    signIn = SignInService(directory: Self.tokenDirectory(environment))
    self.interrupts = interrupts
  }

  /// The user's own declarations: `$XDG_CONFIG_HOME/workbench/profiles.wb`, by default below `~/.config`; nil without
  /// a home.
  package var ownProfiles: String? {
    if let directory = environment["XDG_CONFIG_HOME"], directory.hasPrefix("/") {
      return "\(directory)/workbench/profiles.wb"
    }
    return environment["HOME"].map { "\($0)/.config/workbench/profiles.wb" }
  }
}

extension World {
  /// Where tokens are kept; nil without a home.
  package var tokenDirectory: String? { Self.tokenDirectory(environment) }

  private static func tokenDirectory(_ environment: [String: String]) -> String? {
    RunStore.defaultPath(environment).map { "\($0)/tokens" }
  }

  /// What `$env` has: a variable of the process counts before one from a file.
  package var variables: [String: String] { environment.merging(fileVariables) { own, _ in own } }

  /// Where programs are looked for.
  package var programDirectories: [String] { (environment["PATH"] ?? "").split(separator: ":").map(String.init) }

  /// What a program may see of the world.
  package var programEnvironment: ProgramEnvironment {
    var program = ProgramEnvironment(variables: variables, ask: ask, runCommand: runCommand)
    program.replies = replies
    program.language = language
    if let variableAdvice { program.variableAdvice = variableAdvice }
    program.origin = { [transport] url in try? transport.origin(of: url) }
    if let pathOrigin {
      let open = program.openFile
      program.openFile = { path throws(FileError) in try open(path.hasPrefix("/") ? path : "\(pathOrigin)/\(path)") }
    }
    return program
  }

  /// Reads a file that a script uses. Standard input is not one.
  package var readUsedFile: @Sendable (_ path: String) throws(FileError) -> [UInt8] {
    { [readFile] path throws(FileError) in try readFile(path == "-" ? "./-" : path) }
  }

  /// Now, with a random seed.
  package var moment: StepSeed { StepSeed(time: clock.now()) }
}
