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
    let arguments = copies(of: ["/bin/sh", "-c", command + " \"$1\"", "sh", path])
    let variables = copies(of: environment.map { "\($0.key)=\($0.value)" })
    defer { (arguments + variables).forEach { free($0) } }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for standard: Int32 in 0...2 { posix_spawn_file_actions_adddup2(&actions, terminal, standard) }
    var process: pid_t = 0
    guard posix_spawn(&process, "/bin/sh", &actions, nil, arguments, variables) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return false }
    }
    return status == 0
  }

  /// A null-terminated vector of C strings, for the caller to free.
  private func copies(of strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
    strings.map { strdup($0) } + [nil]
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
