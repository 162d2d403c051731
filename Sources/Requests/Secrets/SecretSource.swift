import POSIX

/// Where a secret is, for programs that should not contain it as a string: never in the text of a program, and never
/// among its arguments, which every process can read.
public enum SecretSource: Hashable, Sendable {
  /// An environment variable: `API_TOKEN`.
  case environment(String)
  /// A file, without trailing line endings: `/run/secrets/token`.
  case file(String)
  /// What a program prints when the shell runs this line, trimmed: `gh auth token`.
  case command(String)
  /// What is typed at the terminal, without echo, after this question.
  case prompt(String)

  /// Anything longer is not a secret.
  static let limit = 1 << 20

  /// Reads, runs or asks, and waits as long as that takes. The result may be empty.
  package func text() throws(SecretSourceError) -> String {
    switch self {
    case .environment(let name):
      guard let value = getenv(name) else { throw .noVariable(name) }
      guard let text = String(validatingCString: value) else { throw .notText(self) }
      return text
    case .file(let path):
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .file(.unreadable(path: path, reason: .current)) }
      defer { close(descriptor) }
      return try decoded(bytes(of: descriptor) { reason in .file(.unreadable(path: path, reason: reason)) })
    case .command(let line):
      let command = try RunningCommand(line)
      let bytes: [UInt8]
      do throws(SecretSourceError) {
        bytes = try self.bytes(of: command.output) { reason in .command(line, .unreadable(reason)) }
      } catch {
        command.stop()
        throw error
      }
      try command.waitForEnd()
      return try decoded(bytes)
    case .prompt(let question):
      return try SecretQuestion.ask(question)
    }
  }

  private func bytes(
    of descriptor: Int32, failure: (SystemError) -> SecretSourceError
  ) throws(SecretSourceError) -> [UInt8] {
    var bytes: [UInt8] = []
    try FileBytes.forEachChunk(of: descriptor, failure: failure) { chunk throws(SecretSourceError) in
      bytes += chunk
      guard bytes.count <= Self.limit else { throw .tooLong(self) }
    }
    return bytes
  }

  private func decoded(_ bytes: [UInt8]) throws(SecretSourceError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(self) }
    return text
  }

  /// Names a secret of which only the source is known.
  var name: String {
    switch self {
    case .environment(let name): name
    case .file(let path): path
    case .command(let line): line
    case .prompt(let question): question
    }
  }
}

extension Secret {
  /// The secret that is there now. Waits for a program or a person as long as that takes, so ask for it at the start.
  ///
  /// - Parameters:
  ///   - name: its display name; nil: the name of its source, `API_TOKEN`.
  ///   - origins: where it may be sent.
  /// - Throws: `SecretSourceError` if it is not there or is empty.
  public init(
    from source: SecretSource, name: String? = nil, for origins: [OriginPattern]
  ) throws(SecretSourceError) {
    var text = try source.text()
    if case .command = source { text = text.trimmed }
    // Files end with one.
    while text.last?.isNewline == true { text.removeLast() }
    guard !text.isEmpty else { throw .empty(source) }
    self.init(text, name: name ?? source.name, for: origins)
  }
}
