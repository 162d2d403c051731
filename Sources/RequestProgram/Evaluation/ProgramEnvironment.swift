import RequestSyntax
public import Requests

/// What a program can see of the outside, injected. Time and randomness are not in it: they come with each `StepSeed`.
public struct ProgramEnvironment: Sendable {
  /// `$env`.
  public var variables: [String: String]
  /// How a variable gets there that is missing.
  public var variableAdvice = Self.commandLineAdvice
  /// The same on a command line.
  static let commandLineAdvice = "export it, or give it with --env-file"
  /// Looks at a file; it is read only when it is sent or digested.
  public var openFile: @Sendable (_ path: String) throws(FileError) -> FileSlice
  /// Asks the user for a secret without showing it; nil if nobody can be asked.
  public var ask: (@Sendable (_ question: String) -> String?)?
  /// What somebody replied when the program was gone through before; nil: all of it is asked.
  public var replies: RememberedReplies?
  /// Runs a program and returns its output; nil if none may be run.
  public var runCommand: (@Sendable (_ command: String) throws(CommandError) -> String)?
  /// The origin of a URL, by the parser of whatever will connect; nil if it has none.
  public var origin: @Sendable (_ url: String) -> Origin? = { try? Origin($0.originText ?? $0) }
  /// Writes the snapshots that do not fit; nil: they stay as they are, and the step fails.
  public var snapshots: SnapshotUpdates?
  /// How long a path or a filter may take while somebody waits for it; nil: as long as it takes.
  public var patience: Duration?
  /// The most bytes that one value may take.
  public var valueLimit = 256 << 20
  /// The version of the language that the program was written in: it means what it meant there.
  public var language = LanguageVersion.current

  public init(
    variables: [String: String] = [:],
    openFile: @escaping @Sendable (String) throws(FileError) -> FileSlice = { path throws(FileError) in
      try FileSlice(path: path)
    },
    ask: (@Sendable (String) -> String?)? = nil,
    runCommand: (@Sendable (String) throws(CommandError) -> String)? = nil
  ) {
    self.variables = variables
    self.openFile = openFile
    self.ask = ask
    self.runCommand = runCommand
  }

  /// What somebody replies.
  func reply(to question: String, at place: @autoclosure () -> RememberedReplies.Place) -> String? {
    guard let ask else { return nil }
    guard let replies else { return ask(question) }
    return replies.reply(to: question, at: place(), ask)
  }
}

/// A program that was run failed to do what it was run for.
public struct CommandError: Error, Hashable, Sendable {
  /// One sentence.
  public var sentence: String

  public init(_ sentence: String) {
    self.sentence = sentence
  }
}
