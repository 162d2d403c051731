import Foundation
import Testing

/// The compiler itself, asked what it says of a program on the library.
enum Compiler {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// Where the build put the modules, beside the tests' own program.
  private static let modules: URL = {
    #if os(macOS)
      let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
      let directory = bundles.first?.deletingLastPathComponent()
    #else
      let directory = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent() as URL?
    #endif
    return (directory ?? root.appending(path: ".build/debug")).appending(path: "Modules")
  }()

  /// The messages of the program's errors.
  static func errors(in program: String) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "compiler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (source, output) = (folder.appending(path: "main.swift"), folder.appending(path: "output"))
    try Data(program.utf8).write(to: source)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path,
      "-I", root.appending(path: "Sources/CCurl").path, source.path,
    ]
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

  /// The Swift of a page of the documentation, all of it as one program.
  static func program(inDocumentation name: String) throws -> String {
    let text = try String(contentsOf: root.appending(path: "Documentation/\(name)"), encoding: .utf8)
    return text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }.joined()
  }

  /// The lines of the library's sources that make a module part of its interface, each with its file.
  static func publicImports() throws -> [(file: String, module: String)] {
    var imports: [(file: String, module: String)] = []
    for target in ["JSONValue", "Requests", "UploaderCore", "LibcurlTransport"] {
      let folder = root.appending(path: "Sources/\(target)")
      for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        for line in text.split(separator: "\n") {
          let words = line.split(separator: " ")
          guard let index = words.firstIndex(of: "import"), words[..<index].contains("public") else { continue }
          imports.append(("\(target)/\(file)", words[(index + 1)...].joined(separator: " ")))
        }
      }
    }
    return imports
  }
}
