import Foundation

/// Runs the built command as its users do.
enum Workbench {
  struct Outcome {
    let output: String
    let errors: String
    let code: Int32
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
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    // What is run is recorded, in a place that is gone with this run unless the test has one of its own.
    let state = try TemporaryFile("", name: "state")
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "XDG_STATE_HOME": state.path + ".d",
    ].merging(environment) { $1 }
    if let directory { process.currentDirectoryURL = URL(filePath: directory) }
    defer { withExtendedLifetime(state) {} }
    let input = try TemporaryFile(input, name: "input.given")
    let (output, errors) = (try TemporaryFile(""), try TemporaryFile(""))
    process.standardInput = try FileHandle(forReadingFrom: input.url)
    process.standardOutput = try FileHandle(forWritingTo: output.url)
    process.standardError = try FileHandle(forWritingTo: errors.url)
    // The handler outlives the process, so it must not hold the files.
    let code: Int32 = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do {
        try process.run()
        let number = process.processIdentifier
        if let during { Thread.detachNewThread { during(number) } }
      } catch {
        continuation.resume(throwing: error)
      }
    }
    return Outcome(output: try output.read(), errors: try errors.read(), code: code)
  }
}

/// A file that is gone when nobody holds it.
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

  func read() throws -> String { String(decoding: try Data(contentsOf: url), as: UTF8.self) }

  deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
}
