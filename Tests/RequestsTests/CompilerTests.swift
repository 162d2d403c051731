import Foundation
import Testing

/// What a program can not say: the compiler itself is asked.
@Suite struct CompilerTests {
  /// Where the build put the modules, beside the tests' own program.
  private static let modules: URL = {
    #if os(macOS)
      let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      let directory = bundles.first?.deletingLastPathComponent()
    #else
      let directory = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent() as URL?
    #endif
    return (directory ?? URL(filePath: ".build/debug")).appending(path: "Modules")
  }()

  /// The messages of its errors.
  private func errors(in expression: String) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "compiler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (source, output) = (folder.appending(path: "main.swift"), folder.appending(path: "output"))
    try Data("import JSONValue\nimport Requests\nlet json: JSON = [\"title\": \"Roofer\"]\n\(expression)\n".utf8)
      .write(to: source)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swiftc", "-typecheck", "-swift-version", "6", "-I", Self.modules.path, source.path]
    process.standardError = try FileHandle(forWritingTo: output)
    let status: Int32 = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    let text = try String(contentsOf: output, encoding: .utf8)
    let errors = text.split(separator: "\n").filter { $0.contains("main.swift:") && $0.contains("error: ") }
    #expect((status == 0) == errors.isEmpty, "\(text)")
    return errors.map { String($0[($0.firstRange(of: "error: ")?.upperBound ?? $0.startIndex)...]) }
  }

  @Test(arguments: [
    #"let request: Request<JSON> = .json(.get(["page": "2"]), "/jobs")"#,
    #"let request: Request<JSON> = .json(.post(["title": "Roofer", "tags": [1, nil]]), "/jobs")"#,
    #"let request: Request<JSON> = .json(.patch(.json(json)), "/jobs/\(7)")"#,
  ])
  func `a payload that fits its method compiles`(expression: String) async throws {
    #expect(try await errors(in: expression) == [])
  }

  @Test(arguments: [
    (#"let request: Request<JSON> = .json(.get(.json(json)), "/jobs")"#, "type 'Query' has no member 'json'"),
    (
      #"let request: Request<JSON> = .json(.get(json), "/jobs")"#,
      "cannot convert value of type 'JSON' to expected argument type 'Query'"
    ),
    (
      #"let request: Request<JSON> = .json(.delete(["id": 1]), "/jobs")"#,
      "cannot convert value of type 'Int' to expected dictionary value type 'String?'"
    ),
    (#"let request: Request<Void> = .empty(.patch, "/jobs")"#, "member 'patch' expects argument of type 'Payload'"),
    (#"let method = RequestMethod(.get, payload: .json(json))"#, "initializer is inaccessible"),
    (
      #"let id: Int? = 7; let request: Request<JSON> = .json(.get, "/jobs/\(id)")"#,
      "value of optional type 'Int?' must be unwrapped"
    ),
  ])
  func `one that does not fit is an error of the compiler`(expression: String, message: String) async throws {
    let errors = try await errors(in: expression)
    #expect(errors.contains { $0.contains(message) }, "\(errors)")
  }
}
