import Canaries
import Crypto
import Foundation
import JSONValue
import Sandbox
import Testing

/// The snapshot chain, from a file and typed, against the sandbox: what the servers saw is what counts.
@Suite(.timeLimit(.minutes(2))) struct ChainTests {
  private static let token = Canary.secret("chain")

  private struct Seen {
    let outcome: Workbench.Outcome
    let endpoints: SandboxEndpoints
    let log: [JSON]

    var requests: [String] {
      log.map { "\($0["method"]?.string ?? "") \($0["target"]?.string ?? "")" }
    }
  }

  private static func withSandbox(
    _ body: @Sendable (SandboxEndpoints) async throws -> Workbench.Outcome
  ) async throws -> Seen {
    let log = try TemporaryFile("", name: "log.received")
    var options = SandboxOptions()
    options.logFile = log.path
    options.token = token
    return try await Sandbox.run(options) { endpoints in
      let outcome = try await body(endpoints)
      let lines = try log.read().split(separator: "\n")
      return Seen(outcome: outcome, endpoints: endpoints, log: try lines.map { try JSON(parsing: String($0)) })
    }
  }

  private static func runScript(_ more: [String] = []) async throws -> Seen {
    try await withSandbox { endpoints in
      try await Workbench.run(
        [
          "run", "\(Workbench.examples)/snapshot-upload.wb", "--set", "api-url=\(endpoints.api)", "--set",
          "storage-url=\(endpoints.storage)",
        ] + more, environment: ["API_TOKEN": token])
    }
  }

  @Test func `the example script allocates, uploads, confirms and polls, and the token stays at the API`() async throws
  {
    let seen = try await Self.runScript(["--set", "sheet=A 101/b"])
    #expect(seen.outcome.code == 0, "\(seen.outcome)")
    #expect(seen.outcome.errors == "")

    let steps = seen.requests.map { $0.split(separator: "/", maxSplits: 1).first.map(String.init) ?? "" }
    #expect(steps.prefix(4) == ["POST ", "POST ", "PUT ", "GET "])
    #expect(steps.dropFirst(3).allSatisfy { $0 == "GET " })
    #expect(seen.requests[0] == "POST /sheets/A%20101%2Fb/snapshots")
    for entry in seen.log {
      let isAPI = entry["origin"]?.string == seen.endpoints.api
      #expect("\(entry)".contains("Bearer \(Self.token)") == isAPI)
      #expect("\(entry)".contains(Self.token) == isAPI)
    }
    let image = try Data(contentsOf: URL(filePath: "\(Workbench.examples)/blueprint.png"))
    let digest = SHA256.hash(data: image).map { String(format: "%02x", $0) }.joined()
    #expect(seen.log[1]["file_sha256"]?.string == digest)
    #expect(seen.log[1]["origin"]?.string == seen.endpoints.storage)

    let lines = seen.outcome.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("$1 allocate  201 Created  127.0.0.1:"))
    #expect(lines[1].hasPrefix("$2 upload  204 No Content  127.0.0.1:"))
    #expect(lines[2] == "    withheld authorization: it belongs to \(seen.endpoints.api)")
    #expect(lines[3].hasPrefix("$3 confirm  200 OK  127.0.0.1:"))
    #expect(!(seen.outcome.output + seen.outcome.errors).contains(Self.token))
  }

  @Test func `the chain typed line by line sends the same requests`() async throws {
    let script = try await Self.runScript()
    let typed = try await Self.withSandbox { endpoints in
      try await Workbench.run(
        [],
        input: """
          profile api { base \(endpoints.api) auth bearer $env.API_TOKEN header Accept: application/json }
          profile bucket { origin \(endpoints.storage) }
          let image = file("blueprint.png")
          POST /sheets/A-101/snapshots json { filesize: $image.size }
          POST $1.body.snapshot.url multipart { ...$1.body.snapshot.fields, file: $image }
          PUT /sheets/A-101/snapshots/{$1.body.snapshot.uid} json { state: "uploaded", etag: $2.headers.etag }
          GET /sheets/A-101/snapshots/{$1.body.snapshot.uid}
            repeat every 100ms for 30s until body.state == "ready"

          """, environment: ["API_TOKEN": Self.token], directory: Workbench.examples)
    }
    #expect(typed.outcome.code == 0, "\(typed.outcome)")
    #expect(script.outcome.code == 0, "\(script.outcome)")
    #expect(Self.comparable(typed).prefix(4) == Self.comparable(script).prefix(4))
  }

  /// Requests without what differs each time: ports, boundary, upload id, token of the form.
  private static func comparable(_ seen: Seen) -> [String] {
    let uid = seen.requests.first { $0.hasPrefix("PUT ") }?.split(separator: "/").last.map(String.init) ?? "?"
    return seen.log.map { entry in
      let headers = entry["headers"]?.array?.map { field in
        let name = field[0]?.string ?? ""
        var value = field[1]?.string ?? ""
        if value.hasPrefix("multipart/form-data; boundary=") { value = "multipart/form-data; boundary=" }
        if name.lowercased() == "host" { value = value == seen.endpoints.api.dropFirst(7) ? "api" : "storage" }
        return "\(name): \(value)"
      }
      let isStorage = entry["origin"]?.string == seen.endpoints.storage
      let target = (entry["target"]?.string ?? "").replacingOccurrences(of: uid, with: "UID")
      return [
        entry["method"]?.string ?? "", target, headers?.joined(separator: "\n") ?? "", "\(entry["size"]?.int ?? -1)",
        isStorage || target.hasSuffix("UID") ? "" : entry["sha256"]?.string ?? "", entry["file_sha256"]?.string ?? "",
      ].joined(separator: "\n")
    }
  }

  @Test func `the session of the first steps works as written`() async throws {
    let root = URL(filePath: Workbench.examples).deletingLastPathComponent().path
    let page = try String(contentsOfFile: "\(root)/Documentation/start.md", encoding: .utf8)
    let typed = page.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: /(?:\(none\)|[a-z]+) \$\d+(?: \d+)?> (.+)/).map { String($0.1) }
    }
    #expect(typed.count >= 6)
    let seen = try await Self.withSandbox { endpoints in
      let input = typed.map {
        $0.replacingOccurrences(of: "http://127.0.0.1:8080", with: endpoints.api) + "\n"
      }.joined()
      return try await Workbench.run([], input: input, environment: ["API_TOKEN": Self.token], directory: root)
    }
    #expect(seen.outcome.code == 0, "\(seen.outcome)")
    #expect(seen.outcome.output.contains("$3  204 No Content"))
    #expect(seen.outcome.output.contains("    withheld authorization: it belongs to \(seen.endpoints.api)"))
    #expect(seen.outcome.output.hasSuffix("{\n  \"state\": \"ready\"\n}\n"))
  }

  @Test func `one request from a pipe prints its response`() async throws {
    let seen = try await Self.withSandbox { endpoints in
      try await Workbench.run([], input: "GET \(endpoints.api)/health\n")
    }
    #expect(seen.outcome.code == 0)
    #expect(seen.outcome.errors == "")
    #expect(seen.outcome.output.hasPrefix("$1  200 OK  127.0.0.1:"))
    #expect(seen.outcome.output.hasSuffix("  json\n{\n  \"ok\": true\n}\n"))
  }

  @Test func `a wrong token is one clear error`() async throws {
    let wrong = Canary.secret("wrong")
    let seen = try await Self.withSandbox { endpoints in
      try await Workbench.run(
        [
          "run", "\(Workbench.examples)/snapshot-upload.wb", "--set", "api-url=\(endpoints.api)", "--set",
          "storage-url=\(endpoints.storage)",
        ], environment: ["API_TOKEN": wrong])
    }
    #expect(seen.outcome.code == 1)
    #expect(seen.requests == ["POST /sheets/A-101/snapshots"])
    #expect(seen.outcome.errors.hasPrefix("error: step \"allocate\": expected status 201, got 401"))
    #expect(seen.outcome.errors.contains("the server did not accept the credential of profile \"api\""))
    #expect(seen.outcome.output.contains("401 Unauthorized"))
    #expect(!(seen.outcome.output + seen.outcome.errors).contains(wrong))
  }
}

extension JSON {
  fileprivate var array: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
