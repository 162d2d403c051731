import Foundation
import PseudoTerminal
import Synchronization

/// Runs the built command as its users do.
enum Workbench {
  struct Outcome {
    let output: String
    /// All of it, including the progress line every ten seconds: on a busy machine anything may take that long.
    let written: String
    let code: Int32

    /// What was written, except for those lines.
    var errors: String {
      guard written.contains("B/s") || written.contains(" done") else { return written }
      let isProgress = /^\S.*(  \d+ steps? done|B\/s)(  .*)?$/
      return written.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { $0.wholeMatch(of: isProgress) == nil }.joined(separator: "\n")
    }
  }

  /// Beside the tests' own bundle.
  static let executable: URL = {
    #if os(macOS)
      let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      let directory = bundles.first?.deletingLastPathComponent()
    #else
      let directory = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent() as URL?
    #endif
    return (directory ?? URL(filePath: ".build/debug")).appending(path: "workbench")
  }()

  static let examples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples")
    .standardizedFileURL.path

  /// - Parameter during: called with the process's number, on a thread of its own.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:], directory: String? = nil,
    during: (@Sendable (pid_t) -> Void)? = nil
  ) async throws -> Outcome {
    // Runs are recorded, in a place that is gone after this run unless the test has its own.
    let state = try TemporaryFile("", name: "state")
    defer { withExtendedLifetime(state) {} }
    let files = try [("input.given", input), ("output.screen", ""), ("errors.screen", "")].map {
      try TemporaryFile($1, name: $0)
    }
    let variables = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "XDG_STATE_HOME": state.path + ".d"]
      .merging(SanitizerOptions.inherited) { $1 }
    let child = try start(
      [executable.path] + arguments, variables.merging(environment) { $1 }, directory, files.map(\.path))
    if let during { Thread.detachNewThread { during(child) } }
    // A test that has exceeded its time limit is cancelled, and would wait forever for a process that hangs.
    let isOver = Mutex(false)
    let code = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          var status: Int32 = 0
          var information = siginfo_t()
          while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR { continue }
          isOver.withLock { isOver in
            waitpid(child, &status, 0)
            isOver = true
          }
          let signal = status & 0x7F
          continuation.resume(returning: signal == 0 ? status >> 8 & 0xFF : -signal)
        }
      }
    } onCancel: {
      isOver.withLock { if !$0 { kill(child, SIGKILL) } }
    }
    return Outcome(output: try files[1].read(), written: try files[2].read(), code: code)
  }

  /// Runs a line of the shell instead, of which the command is a part.
  static func run(
    shell arguments: [String], input: TemporaryFile, environment: [String: String]
  ) async throws -> Outcome {
    let files = try [input, TemporaryFile("", name: "output.screen"), TemporaryFile("", name: "errors.screen")]
    let variables = ["PATH": "/usr/bin:/bin"].merging(SanitizerOptions.inherited) { $1 }
    let child = try start(["/bin/sh"] + arguments, variables.merging(environment) { $1 }, nil, files.map(\.path))
    let code: Int32 = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR { continue }
        continuation.resume(returning: status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F))
      }
    }
    return Outcome(output: try files[1].read(), written: try files[2].read(), code: code)
  }

  /// Foundation's `Process` crashes when other threads open files meanwhile.
  private static func start(
    _ arguments: [String], _ environment: [String: String], _ directory: String?, _ files: [String]
  ) throws -> pid_t {
    #if os(macOS)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, path) in files.enumerated() {
      posix_spawn_file_actions_addopen(&actions, Int32(number), path, number == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    #if !os(macOS)
      actions.closeOthers()
    #endif
    let program = arguments.first ?? executable.path
    let moving = directory.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] } ?? []
    let arguments = (moving + arguments).map { strdup($0) } + [nil]
    let environment = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + environment).forEach { free($0) } }
    var child: pid_t = 0
    let failure = posix_spawn(&child, moving.first ?? program, &actions, nil, arguments, environment)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
    return child
  }
}

/// A file that is removed when nobody holds it.
final class TemporaryFile: Sendable {
  let url: URL
  var path: String { url.path }

  init(_ text: String, name: String = "file") throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "workbench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    url = directory.appending(path: name)
    try write(text)
  }

  func write(_ text: String) throws { try Data(text.utf8).write(to: url) }

  /// Writes a program beside the file, by a process of its own: a file that this process has open for writing is open
  /// in each child that it forks meanwhile, and a shell passes over a program that is busy to the next in its PATH.
  /// - Returns: where the program is.
  @discardableResult func writeProgram(_ text: String, as name: String) throws -> URL {
    let program = url.deletingLastPathComponent().appending(path: name)
    let draft = program.appendingPathExtension("given")
    try Data(text.utf8).write(to: draft)
    let install = try Process.run(
      URL(filePath: "/usr/bin/install"), arguments: ["-m", "755", draft.path, program.path])
    install.waitUntilExit()
    guard install.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    return program
  }

  func read() throws -> String { String(decoding: try Data(contentsOf: url), as: UTF8.self) }

  deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
}
