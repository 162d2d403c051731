import Foundation
import LoopbackServer
import Synchronization
import Testing

/// What a server calls a credential is in no error and in no report, though nobody has declared it.
@Suite(.timeLimit(.minutes(2))) struct ReportedCredentialTests {
  private static let formats = ["junit", "tap", "jsonl", "markdown", "github", "html"]

  @Test(arguments: [
    "grant: POST api:/token\nsecret t = $grant.body.acces_token for api\n",
    "grant: POST api:/token\nGET api:/me auth bearer $grant.body.acces_token\n",
    "grant: POST api:/token expect body.access_token == \"x\"\n",
    "grant: POST api:/token expect body is { access_token: int, ... }\n",
    "grant: POST api:/token expect body is { state: string }\n",
    "grant: POST api:/token expect $grant.body.access_token is int\n",
    "grant: POST api:/token\nGET api:/token expect body == $grant.body\n", "grant: POST api:/token\n",
  ])
  func `it is in none of them`(script: String) async throws {
    let count = Mutex(0)
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        let number = count.withLock { count in
          count += 1
          return count
        }
        let token = "reported-token-\(number)"
        try connection.respond(
          headers: ["Content-Type: application/json"], body: "{\"access_token\": \"\(token)\", \"state\": \"ready\"}")
      }
    }
    let place = try TemporaryFile("profile api { base \(server.url) }\n" + script, name: "grant.wb")
    let directory = place.url.deletingLastPathComponent()
    // Twice: a page says what differs from the run before.
    for round in 1...2 {
      let outcome = try await Workbench.run(
        ["run", "--quiet", "grant.wb"] + Self.formats.flatMap { ["--report", "\($0)=r.\($0)"] },
        environment: ["XDG_STATE_HOME": directory.path], directory: directory.path)
      #expect(!outcome.errors.contains("reported-token-"), "\(outcome.errors)")
      for format in Self.formats {
        let report = try String(contentsOf: directory.appending(path: "r.\(format)"), encoding: .utf8)
        // Annotations are about what is wrong.
        #expect(!report.isEmpty || format == "github", "\(round) \(format)")
        #expect(!report.contains("reported-token-"), "\(round) \(format): \(report)")
      }
    }
  }
}
