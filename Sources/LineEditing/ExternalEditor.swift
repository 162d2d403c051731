internal import POSIX

/// The user's editor for longer texts.
public struct ExternalEditor: Sendable {
  private let environment: [String: String]
  /// A shell command, such as `code -w`.
  private let command: String

  /// - Parameter environment: `VISUAL`, `EDITOR`, `TMPDIR`, and whatever the editor itself uses.
  public init(environment: [String: String]) {
    self.environment = environment
    command = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
  }

  /// The text as the editor left it, without trailing line feeds; nil if the editor failed.
  ///
  /// - Parameter terminal: the editor's standard streams.
  public func edit(_ text: String, terminal: Int32) -> String? {
    var template = Array("\(environment["TMPDIR"] ?? "/tmp")/workbench-XXXXXX.wb".utf8CString)
    // Its mode is 0600: mkstemps makes sure of it.
    let descriptor = mkstemps(&template, 3)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    defer { unlink(path) }
    let bytes = Array((text + "\n").utf8)
    let written = write(descriptor, bytes, bytes.count)
    close(descriptor)
    guard written == bytes.count, run(on: path, terminal: terminal) else { return nil }
    return contents(of: path)
  }

  private func run(on path: String, terminal: Int32) -> Bool {
    let start = ShellProcess.start(
      command + " \"$1\"", arguments: [path], environment: environment, input: .descriptor(terminal),
      output: .descriptor(terminal), errorOutput: .descriptor(terminal))
    return switch start {
    case .started(let process): process.wait() == .exited(0)
    case .failed: false
    }
  }

  /// Read again by its path: editors replace the old file with a new one.
  private func contents(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var lines = LineSource(descriptor: descriptor)
    var text: [String] = []
    while let line = lines.nextLine() { text.append(line) }
    while text.last == "" { text.removeLast() }
    return text.joined(separator: "\n")
  }
}
