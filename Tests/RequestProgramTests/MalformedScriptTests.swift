import Diagnostics
import Foundation
import RequestProgram
import RequestSyntax
import Testing

/// The messages for each malformed script in the directory next to this file, kept as a golden text.
/// `RECORD_GOLDEN=1 swift test` rewrites the texts and fails; they are to be read: each time one must know what to do.
struct MalformedScriptTests {
  private static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Malformed")

  private static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).filter { $0.hasSuffix(".wb") }
    .map { String($0.dropLast(3)) }.sorted()

  private static func messages(_ name: String) throws -> String {
    let bytes = try Data(contentsOf: directory.appending(path: "\(name).wb"))
    var program = Program()
    let found = program.add(Parser.parse(SourceText(name: "\(name).wb", bytes: Array(bytes))))
    return found.map { DiagnosticRenderer().render($0) }.joined()
  }

  @Test func `there are enough of them`() {
    #expect(Self.names.count >= 150)
  }

  @Test(arguments: names)
  func `a malformed script is reported with what is wrong and what to do`(name: String) throws {
    let golden = Self.directory.appending(path: "\(name).txt")
    let messages = try Self.messages(name)
    #expect(!messages.isEmpty, "there are no messages")
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
      try Data(messages.utf8).write(to: golden)
      Issue.record("recorded; read it, and run again")
      return
    }
    #expect(messages == String(decoding: try Data(contentsOf: golden), as: UTF8.self))
  }
}
