/// A secret is not where it was supposed to be.
public enum SecretSourceError: Error, Hashable, Sendable {
  /// There is no environment variable of this name.
  case noVariable(String)
  /// The file cannot be read.
  case file(FileError)
  /// The program that this line runs did not print it.
  case command(String, CommandFailure)
  /// There is no terminal to ask at.
  case noTerminal(question: String)
  /// The person asked pressed ^C or ^D.
  case notAnswered(question: String)
  /// It has no bytes.
  case empty(SecretSource)
  /// It is longer than 1 MiB.
  case tooLong(SecretSource)
  /// It is not UTF-8.
  case notText(SecretSource)

  /// What happened to a program.
  public enum CommandFailure: Hashable, Sendable {
    /// No process could be started.
    case notStarted(SystemError)
    /// Its output cannot be read.
    case unreadable(SystemError)
    /// The shell knows no program of that name.
    case unknown
    /// It ended with this code, which is not 0.
    case exited(Int32)
    /// This signal ended it.
    case signalled(Int32)
  }
}

extension SecretSourceError: CustomStringConvertible {
  /// One sentence: what is missing where, and what to do.
  public var description: String {
    switch self {
    case .noVariable(let name):
      "the environment variable \"\(name)\" is not set; export it before the program is started"
    case .file(let error): "\(error)"
    case .command(let line, .unknown): "the program \"\(line)\" was not found; is it installed, and in the PATH?"
    case .command(let line, let failure):
      "the program \"\(line)\" \(failure); run it in a shell to see why"
    case .noTerminal(let question):
      "there is no terminal to ask for \"\(question)\" at; take it from the environment or a file"
    case .notAnswered(let question): "\"\(question)\" was not answered"
    case .empty(let source): "\(source) is empty; a secret has at least \(Secret.fewestBytes) bytes"
    case .tooLong(let source): "\(source) is longer than 1 MiB, too long for a secret"
    case .notText(let source): "\(source) is not UTF-8, which a secret must be"
    }
  }
}

extension SecretSourceError.CommandFailure: CustomStringConvertible {
  /// `ended with exit code 1`
  public var description: String {
    switch self {
    case .notStarted(let reason): "cannot be run: \(reason)"
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .unknown: "was not found"
    case .exited(let code): "ended with exit code \(code)"
    case .signalled(let number): "was ended by signal \(number)"
    }
  }
}

extension SecretSource: CustomStringConvertible {
  /// `the environment variable "API_TOKEN"`
  public var description: String {
    switch self {
    case .environment(let name): "the environment variable \"\(name)\""
    case .file(let path): "the file \"\(path)\""
    case .command(let line): "the output of the program \"\(line)\""
    case .prompt(let question): "the answer to \"\(question)\""
    }
  }
}
