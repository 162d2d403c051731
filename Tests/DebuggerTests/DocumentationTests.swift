import Foundation
import Interactive
import Testing

/// The story in Documentation/debugging.md is told here as it stands there.
@Suite(.timeLimit(.minutes(2))) struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
  private static let page = root.appending(path: "Documentation/debugging.md")

  /// With `RECORD=1` in the environment the session is written anew, which fails the run.
  @Test func `the story can be typed along`() async throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let script = try #require(text.firstMatch(of: /```wb\n([\s\S]*?)```/)).1
    let session = try #require(text.firstMatch(of: /```session\n([\s\S]*?)```/)).1
    let faults = text.matches(of: /--fault ([^\s`]+)/).map { String($0.1) }
    #expect(!faults.isEmpty)

    var play = DebugSession(script: String(script), faults: faults)
    play.image = try Data(contentsOf: Self.root.appending(path: "Examples/blueprint.png"))
    play.start = .seconds(1_795_255_200)
    let lines = session.split(separator: "\n").filter { $0.hasPrefix("debug> ") }.map { String($0.dropFirst(7)) }
    let outcome = try await play.run(lines)
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      let recorded = text.replacingCharacters(in: session.startIndex..<session.endIndex, with: outcome.screen)
      try recorded.write(to: Self.page, atomically: true, encoding: .utf8)
      Issue.record("recorded")
    }
    #expect(outcome.screen == session)
    #expect(outcome.code == .success)
    #expect(outcome.files["fixed.wb"]?.contains("expect 204") ?? false)
  }
}
