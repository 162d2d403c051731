import Canaries
import Foundation
import Sandbox
import Testing

/// The session in Documentation/prompt.md is typed here, and what it saves is run.
@Suite(.timeLimit(.minutes(2))) struct PromptDocumentationTests {
  private static let token = Canary.secret("prompt-documentation")

  /// A line of the session: what is typed, and what is shown for it.
  private struct Exchange {
    var typed: String
    var shown: [String] = []
  }

  private static func session() throws -> [Exchange] {
    let root = URL(filePath: Workbench.examples).deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "Documentation/prompt.md"), encoding: .utf8)
    let block = try #require(page.firstMatch(of: /```session\n([\s\S]*?)```/)).1
    var session: [Exchange] = []
    for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.wholeMatch(of: /(?:\(none\)|[a-z]+) \$\d+(?: \d+)?> (.+)/) {
        session.append(Exchange(typed: String(match.1)))
      } else if !line.isEmpty, line != "…", !session.isEmpty {
        session[session.count - 1].shown.append(String(line))
      }
    }
    return session
  }

  /// The text without what is new each time: ports, times, sizes, identifiers.
  private static func comparable(_ text: some StringProtocol) -> String {
    String(text).replacing(/127\.0\.0\.1:\d+/, with: "HOST").replacing(/\d+(\.\d+)? (µs|ms|s)\b/, with: "TIME")
      .replacing(/\d+ B\b/, with: "SIZE").replacing(/\ +/, with: " ")
  }

  @Test func `the session works as written, and what it saves runs with no secret in it`() async throws {
    let session = try Self.session()
    #expect(session.count >= 9)
    let directory = FileManager.default.temporaryDirectory.appending(path: "workbench-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try FileManager.default.createSymbolicLink(
      at: directory.appending(path: "Examples"), withDestinationURL: URL(filePath: Workbench.examples))

    var options = SandboxOptions()
    options.token = Self.token
    let (typed, ran) = try await Sandbox.run(options) { endpoints in
      let input = session.map {
        $0.typed.replacingOccurrences(of: "http://127.0.0.1:8080", with: endpoints.api) + "\n"
      }.joined()
      let environment = ["API_TOKEN": Self.token]
      let typed = try await Workbench.run([], input: input, environment: environment, directory: directory.path)
      let ran = try await Workbench.run(
        ["run", "chain.wb"], environment: environment, directory: directory.path)
      return (typed, ran)
    }
    #expect(typed.code == 0, "\(typed)")
    #expect(typed.errors == "")
    let screen = typed.output.split(separator: "\n").map(Self.comparable)
    // How two responses differ depends on how fast the machine is.
    for exchange in session where !exchange.typed.hasPrefix(":diff") {
      for line in exchange.shown { #expect(screen.contains(Self.comparable(line)), "\(line)\n\(typed.output)") }
    }

    let saved = try String(contentsOf: directory.appending(path: "chain.wb"), encoding: .utf8)
    #expect(!saved.contains(Self.token))
    #expect(ran.code == 0, "\(ran)")
    #expect(ran.output.contains("$4 get-snapshots  200 OK"))
  }
}
