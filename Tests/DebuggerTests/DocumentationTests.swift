import Foundation
import Prompt
import Sessions
import Subcommands
import Testing

/// The story in Documentation/debugging.md is replayed here as it is written there.
@Suite(.timeLimit(.minutes(2))) struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
  private static let page = root.appending(path: "Documentation/debugging.md")

  /// With `RECORD=1` in the environment the session is rewritten, which fails the run.
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

  @Test(arguments: [
    ("## Left, killed, and continued", ["drop-before-response"], ["n", "n"], ["y"]),
    ("## What was different", ["expired-policy"], ["n"], ["n", "s", "diff last"]),
  ])
  func `what is kept of a session is shown as it is`(
    heading: String, faults: [String], first: [String], second: [String]
  ) async throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let script = try #require(text.firstMatch(of: /```wb\n([\s\S]*?)```/)).1
    let section = try #require(text.components(separatedBy: heading).last)
    let block = try #require(section.firstMatch(of: /```text\n(?:\$ [^\n]*\n)?([\s\S]*?)```/)).1
    var play = DebugSession(script: String(script), faults: faults)
    play.isInteractive = true
    play.image = try Data(contentsOf: Self.root.appending(path: "Examples/blueprint.png"))
    play.start = .seconds(1_795_255_200)
    let outcome = try await play.run(first, later: [second])
    let screen = Self.timeless(outcome.screen)
    for piece in Self.timeless(String(block)).components(separatedBy: "…\n") {
      #expect(screen.contains(piece), "\(outcome.screen)")
    }
  }

  /// Without what differs in every run: its name, and how long ago it was.
  private static func timeless(_ text: String) -> String {
    text.replacing(/run [0-9a-z]{8}\b/, with: "run r0000001").replacing(
      /begun [^,]* ago,/, with: "begun some time ago,")
  }
}
