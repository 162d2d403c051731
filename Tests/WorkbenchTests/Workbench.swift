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

  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:], directory: String? = nil
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
    let files = try (0..<3).map { _ in try TemporaryFile("") }
    try files[0].write(input)
    process.standardInput = try FileHandle(forReadingFrom: files[0].url)
    process.standardOutput = try FileHandle(forWritingTo: files[1].url)
    process.standardError = try FileHandle(forWritingTo: files[2].url)
    return try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { process in
        _ = state
        let outcome = Result {
          Outcome(output: try files[1].read(), errors: try files[2].read(), code: process.terminationStatus)
        }
        continuation.resume(with: outcome)
      }
      do {
        try process.run()
      } catch {
        continuation.resume(throwing: error)
      }
    }
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
