import Foundation
import Testing

/// `Tests/Faults/fail-at.c`, built.
enum FaultLibrary {
  static func build(beside place: TemporaryFile) async throws -> String {
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Faults/fail-at.c")
    let library = place.path + ".so"
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = ["clang", "-O1", "-shared", "-fPIC", source.path, "-o", library, "-ldl"]
    let status: Int32 = try await withCheckedThrowingContinuation { continuation in
      compiler.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try compiler.run() } catch { continuation.resume(throwing: error) }
    }
    try #require(status == 0)
    return library
  }
}
