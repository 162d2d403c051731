internal import ArgumentParser
internal import Formats
internal import POSIX
internal import Prompt
internal import Requests
internal import Sessions
internal import Subcommands

/// `workbench report RUN` and `workbench report A.jsonl B.jsonl …`: reports afterwards.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", _superCommandName: Workbench.name,
    abstract: "Write reports of a recorded run or suite, or of the shards of a suite.",
    discussion: """
      SOURCE is a run or suite: an id, a unique prefix of one, or last. What contains / or ends with .jsonl is a file \
      of JSON lines instead; those of all shards together are the report of the whole suite.
      """)

  @Argument(help: ArgumentHelp("A run, or files of JSON lines.", valueName: "source"))
  var sources: [String]

  @OptionGroup var reports: ReportTargetOptions

  @OptionGroup var options: StoreOptions

  @OptionGroup var colors: ColorOptions

  func validate() throws {
    if sources.isEmpty { throw ValidationError("Name a run, or files of JSON lines.") }
    if reports.targets.isEmpty { throw ValidationError("Say what to write: --report junit=junit.xml") }
  }

  func run() throws {
    let code = ReportSubcommand(
      world: .real(color: colors.color), directory: options.store, reports: reports.targets, openLines: LineReader.open
    ).run(sources)
    try code.check()
  }
}

extension LineReader {
  /// A file, read piece by piece.
  static func open(_ path: String) throws(FileError) -> LineReader {
    let file = try OpenInput(path)
    return LineReader { try file.read() }
  }
}

/// A file that is open for reading as long as it is used.
private final class OpenInput: Sendable {
  private let path: String
  private let descriptor: Int32

  init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: .current) }
  }

  deinit { close(descriptor) }

  func read() throws(FileError) -> ArraySlice<UInt8> {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let (path, descriptor) = (path, descriptor)
    let count = chunk.withUnsafeMutableBytes { buffer in
      Result { () throws(SystemError) in try FileBytes.read(descriptor, into: buffer) }
    }
    let end = try count.mapError { FileError.unreadable(path: path, reason: $0) }.get()
    return chunk[..<end]
  }
}
