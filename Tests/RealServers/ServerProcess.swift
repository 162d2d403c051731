import Foundation

/// A server in a process of its own, which ends, and removes its directory, when this value or the whole test process
/// does.
public final class ServerProcess: Sendable {
  /// The write end of its shell's input: when it closes, the server is stopped.
  private let leash: FileHandle

  /// - Parameter directory: its own; its output goes there, into `server.log`.
  init(_ executable: String, _ arguments: [String], in directory: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // A signal that cannot be blocked: Swift's threads block the others, and child processes inherit that.
    let script =
      #""$@" </dev/null >server.log 2>&1 & child=$!; cat >/dev/null; kill -9 $child; wait; rm -rf "$PWD""#
    process.arguments = ["-c", script, "sh", executable] + arguments
    process.currentDirectoryURL = directory
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    leash = input.fileHandleForWriting
  }

  deinit { try? leash.close() }

  /// Where a program is, looked up as a shell would and where servers are installed; nil if it is not found.
  static func find(_ name: String, in more: [String] = []) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return (more + path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program to its end.
  static func run(_ executable: String, _ arguments: [String], in directory: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = directory
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ServerFailure("\(executable) \(arguments): \(text)") }
  }
}

/// A server that did not start.
public struct ServerFailure: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
