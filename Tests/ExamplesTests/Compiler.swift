import Foundation
import Testing

/// The compiler itself, to find out what it reports for a program that uses the library.
enum Compiler {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// Where the build put the modules, beside the tests' own program.
  private static let modules: URL = {
    #if os(macOS)
      let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      let directory = bundles.first?.deletingLastPathComponent()
    #else
      let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      let directory = program.deletingLastPathComponent() as URL?
    #endif
    return (directory ?? root.appending(path: ".build/debug")).appending(path: "Modules")
  }()

  /// The messages of the program's errors.
  static func errors(in program: String) async throws -> [String] {
    try await inFolder { folder in
      let source = folder.appending(path: "main.swift")
      try Data(program.utf8).write(to: source)
      let (status, text) = try await run(
        ["swiftc", "-typecheck", "-swift-version", "6"] + searchPaths + [source.path], in: folder)
      let errors = text.split(separator: "\n").filter { $0.contains("main.swift:") && $0.contains("error: ") }
      #expect((status == 0) == errors.isEmpty, "\(text)")
      return errors.map { String($0[($0.firstRange(of: "error: ")?.upperBound ?? $0.startIndex)...]) }
    }
  }

  /// What is public in a module, with extensions of other modules' types.
  static func publicInterface(of module: String) async throws -> PublicInterface {
    try await inFolder { folder in
      let (status, text) = try await run(
        [
          "swift", "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public",
          "-skip-synthesized-members", "-output-dir", folder.path,
        ] + searchPaths, in: folder)
      try #require(status == 0, "\(text)")
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      let parts = try files.filter { $0.lastPathComponent.hasSuffix(".symbols.json") }.map {
        try JSONDecoder().decode(PublicInterface.self, from: Data(contentsOf: $0))
      }
      return PublicInterface(symbols: parts.flatMap(\.symbols))
    }
  }

  /// The Swift code of a page of the documentation, all of it as one program.
  static func program(inDocumentation name: String) throws -> String {
    let text = try String(contentsOf: root.appending(path: "Documentation/\(name)"), encoding: .utf8)
    return text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }.joined()
  }

  /// The modules, and the C modules that they are built with.
  private static let searchPaths = [
    modules, root.appending(path: "Sources/CCurl/include"), root.appending(path: "Sources/OpenedLibrary/include"),
    modules.appending(path: "../../../checkouts/swift-system/Sources/CSystem/include").standardizedFileURL,
  ].flatMap { ["-I", $0.path] }

  private static func inFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "compiler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }

  /// - Returns: the exit code and what was written to standard error.
  private static func run(_ command: [String], in folder: URL) async throws -> (status: Int32, errors: String) {
    let output = folder.appending(path: "output")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardError = try FileHandle(forWritingTo: output)
    let status: Int32 = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    return (status, try String(contentsOf: output, encoding: .utf8))
  }
}
