import Canaries
import Foundation
import JSONValue
import LoopbackServer
import Testing

/// What was withheld from a request that got no response is also reported with the error.
@Suite(.timeLimit(.minutes(2))) struct WithheldCredentialTests {
  private static let sentence = "withheld authorization: it belongs to http://127.0.0.1:9"

  private let token = Canary.secret("withheld")

  private var script: String {
    """
    profile api { base http://127.0.0.1:9
      auth bearer $env.TOKEN }
    """
  }

  /// Hangs up without a response.
  private let server: LoopbackServer
  private var request: String { "GET http://\(server.host):\(server.port)/x with profile api" }

  init() throws {
    server = try LoopbackServer { _ in }
  }

  private var environment: [String: String] { ["TOKEN": token] }

  @Test func `by a run`() async throws {
    let file = try TemporaryFile("\(script)\n\(request)\n", name: "withheld.wb")
    let outcome = try await Workbench.run(["run", file.path], environment: environment)
    #expect(outcome.code == 21 && outcome.errors.contains(Self.sentence), "\(outcome.written)")
    let report = try await Workbench.run(["run", "--json", file.path], environment: environment)
    let line = try #require(report.output.split(separator: "\n").first)
    #expect(try JSON(parsing: String(line))["withheld"] == ["authorization"], "\(report.output)")
  }

  @Test func `at the prompt and by the debugger`() async throws {
    let prompt = try await Workbench.run([], input: "\(script)\n\(request)\n", environment: environment)
    #expect(prompt.written.contains(Self.sentence), "\(prompt.written)")
    let file = try TemporaryFile("\(script)\n\(request)\n", name: "withheld.wb")
    let debugger = try await Workbench.run(["debug", file.path], input: "n\nq\n", environment: environment)
    #expect(debugger.written.components(separatedBy: Self.sentence).count == 2, "\(debugger.written)")
  }
}
