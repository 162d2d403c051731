import Canaries
import Foundation
import LoopbackServer
import Sandbox
import Synchronization
import Testing

/// What `export hurl` writes sends what the script sent.
@Suite(.timeLimit(.minutes(3))) struct ExportTests {
  /// Keeps what was sent, as far as it is the script's own.
  private final class Recorder: Sendable {
    let requests = Mutex<[String]>([])

    func server() throws -> LoopbackServer {
      try LoopbackServer { [self] connection in
        while let (head, body) = try connection.readRequest() {
          let text = Self.own(head, String(decoding: body, as: UTF8.self))
          requests.withLock { $0.append(text) }
          if head.hasPrefix("GET /moved ") {
            try connection.respond("302 Found", headers: ["Location: /there"])
          } else {
            try connection.respond(
              headers: ["Content-Type: application/json", "ETag: \"v1\"", "Set-Cookie: sid=abc; Path=/"],
              body: #"{"id": 7, "token": "t-1234", "items": [{"n": 1}], "odd": "a/b c%41?#"}"#)
          }
        }
      }
    }

    /// The boundary of a form is new each time; what a program says of itself, and the spaces of JSON, are nobody's.
    private static func own(_ head: String, _ body: String) -> String {
      var body = body
      var others = ["host:", "user-agent:", "accept-encoding:", "connection:"]
      if let json = try? JSONSerialization.jsonObject(with: Data(body.utf8)),
        let canonical = try? JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
      {
        body = String(decoding: canonical, as: UTF8.self)
        others.append("content-length:")
      }
      let lines = head.split(separator: "\r\n").map(String.init)
      var fields: [String] = []
      for line in lines.dropFirst() where !others.contains(where: { line.lowercased().hasPrefix($0) }) {
        let name = line.prefix { $0 != ":" }
        fields.append(name.lowercased() + line.dropFirst(name.count))
      }
      let text = ([lines.first ?? ""] + fields.sorted() + ["", body]).joined(separator: "\n")
      guard let boundary = text.firstMatch(of: /boundary=(\S+)/) else { return text }
      return text.replacingOccurrences(of: String(boundary.output.1), with: "BOUNDARY")
    }
  }

  private static let environment = [
    "API_TOKEN": Canary.secret("export"), "NAME": "ann b#c", "HURL_PASSWORD": "pass#word",
    // A variable is called as the name that has it.
    "n": "ann b#c",
  ]

  /// Each with what has no equivalent: nothing.
  private static let scripts: [(name: String, steps: String)] = [
    ("headers and a query", "GET api:/a?x=1\n  header X-A: \"b c\"\n  header X-B: \"a#b\"\n  query q: \"1 2&3\"\n"),
    ("a header that is sent twice", "GET api:/a\n  header { X-A: [\"1\", \"2\"] }\n"),
    ("JSON", "POST api:/a json { a: 1, b: \"x\\\"y\", c: [true, null, -2.5], d: { e: \"\u{e4}\" } }\n"),
    ("JSON with braces", "POST api:/a json { a: \"\\{\\{x}}\" }\n"),
    ("a text", "POST api:/a text \"one\\ntwo\\n\"\n"),
    ("a text of backticks and braces", "PUT api:/a text \"```\\n\\{\\{a}}\"\n"),
    ("a text of a type", "PUT api:/a body \"<a/>\" as \"application/xml\"\n"),
    ("a form", "POST api:/a form { a: \"1 2\", \"b c\": \"x:y#z\", d: \"\u{e4}\" }\n"),
    ("a form with files", "POST api:/a multipart { a: \"1\", f: file(\"some file.txt\") as \"text/plain\" }\n"),
    ("a file", "PUT api:/a body file(\"some file.txt\") as \"application/octet-stream\"\n"),
    ("a file of no given type", "PUT api:/a body file(\"some file.txt\")\n"),
    ("basic", "GET api:/a\n  auth basic \"ann\", \"pass#word\"\n"),
    ("bearer from the environment", "GET api:/a\n  auth bearer $env.API_TOKEN\n"),
    (
      "a login before the credential of its profile",
      """
      profile own { base $BASE auth bearer $token cookies on }
      login: POST own:/login json { name: "ann" } auth none
      secret token = $login.body.token for own
      GET own:/a
      GET own:/b
      """
    ),
    ("a variable", "let n = $env.NAME\nGET api:/a\n  header X-N: $n\n"),
    (
      "a response in a later request",
      "a: POST api:/a json { x: 1 }\nGET api:/b/{$a.body.token}\n  header If-Match: $a.headers.etag\n"
    ),
    ("a value in a path", "let v = \"a?b#c/d e%41\"\nGET api:/p/{$v}/x?a={$v}&b={+$v}\nGET api:/b?b=\u{e4}\n"),
    ("a response in a path", "a: GET api:/a\nGET api:/b/{$a.body.odd}?q={$a.body.odd}\n  header X-A: $a.body.odd\n"),
    (
      "a form of odd names",
      "POST api:/a multipart { \"q\\\"u o:t#e\": \"1\", \"f\\\"\": file(\"some file.txt\") as \"text/plain\" }\n"
    ),
    ("parts of JSON", "a: GET api:/a\nlet n = $a.body.items[0].n\nPOST api:/b json { n: \"{$n}\" }\n"),
    ("cookies", "GET api:/a\nGET api:/b\n"),
    ("redirects", "GET api:/moved\n  redirects 3\nGET api:/moved\n  redirects none\n  expect 302\n"),
    (
      "expectations",
      "GET api:/a\n  expect 200\n  expect body.id == 7 and body.token matches '^t-'\n  expect headers.etag exists\n"
    ),
    ("methods", "DELETE api:/a\nOPTIONS api:/a\nPATCH api:/a json [1]\n"),
  ]

  @Test(arguments: scripts.map(\.name)) func `what was exported and imported sends the same`(name: String) async throws
  {
    let steps = try #require(Self.scripts.first { $0.name == name }).steps.replacingOccurrences(
      of: "exists", with: "is string")
    let recorder = Recorder()
    let server = try recorder.server()
    let file = try TemporaryFile(
      "profile api {\n  base \(server.url)\n  cookies on\n}\n"
        + steps.replacingOccurrences(of: "$BASE", with: server.url), name: "own.wb")
    let folder = file.url.deletingLastPathComponent()
    try Data("in a file".utf8).write(to: folder.appending(path: "some file.txt"))
    func sent(_ name: String) async throws -> [String] {
      recorder.requests.withLock { $0 = [] }
      let outcome = try await Workbench.run(
        ["run", folder.appending(path: name).path],
        environment: Self.environment.merging(Self.environment.map { ("HURL_VARIABLE_\($0)", $1) }) { $1 })
      #expect(outcome.code == 0, "\(name): \(outcome)")
      return recorder.requests.withLock { $0 }
    }
    let own = try await sent("own.wb")
    #expect(own.count >= 1)
    let exported = try await Workbench.run(["export", "hurl", file.path])
    #expect(exported.code == 0 || exported.code == 3, "\(exported)")
    try Data(exported.output.utf8).write(to: folder.appending(path: "as.hurl"))
    #expect(try await sent("as.hurl") == own, "\(exported.output)")
    let imported = try await Workbench.run(["import", "hurl", folder.appending(path: "as.hurl").path])
    #expect(imported.code == 0, "\(imported)\(exported.output)")
    try Data(imported.output.utf8).write(to: folder.appending(path: "again.wb"))
    #expect(try await sent("again.wb") == own, "\(exported.output)\(imported.output)")
  }

  @Test(arguments: ["hurl", "curl"]) func `what a profile cannot say is reported once`(tool: String) async throws {
    let file = try TemporaryFile(
      "let t = \"a\" | upper\nprofile api { base http://a.example auth bearer $t }\nGET /a\nGET /b\nGET /c\n",
      name: "own.wb")
    let exported = try await Workbench.run(["export", tool, file.path])
    #expect(exported.errors.components(separatedBy: "not known to other tools").count == 2, "\(exported.errors)")
  }

  private static let examples: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: Workbench.examples)) ?? []).filter { $0.hasSuffix(".wb") }
    .sorted()

  private static let statement = "this is left out: other tools have no such statement"
  private static let computed = "this value is computed when the script runs, and cannot be exported"

  /// The examples that Hurl has no equivalent of, each with what it is that Hurl cannot say.
  private static let without: [String: [String]] = [
    "chunked-upload.wb": [statement], "cleanup.wb": [statement], "conditions.wb": ["when is not exported", computed],
    "events.wb": ["stream is not exported"], "matrix.wb": [statement, computed], "parallel.wb": [statement],
    "parameters.wb": [statement], "poll.wb": [computed], "request-items.wb": [computed],
    "responses.wb": ["when is not exported", computed], "saved-bodies.wb": [statement, computed],
    "secrets.wb": [computed], "shared-profiles.wb": [statement], "snapshot-upload.wb": [statement],
  ]

  /// Of the others every request is exported, and sent by what is imported again; what is expected of a response may be
  /// left out.
  @Test func `each example that has an equivalent sends the same, and of each other it is said what has none`()
    async throws
  {
    var options = SandboxOptions()
    options.token = Self.environment["API_TOKEN"]
    for name in Self.examples {
      let path = "\(Workbench.examples)/\(name)"
      let exported = try await Workbench.run(["export", "hurl", path])
      let notes = exported.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") || $0.hasPrefix("warning: ") }
      let isWhole = notes.allSatisfy { $0 == "error: this expectation is not exported" }
      #expect(isWhole == (Self.without[name] == nil), "\(name): \(exported.errors)")
      for note in Self.without[name] ?? [] { #expect(notes.contains("error: \(note)"), "\(name): \(notes)") }
      guard isWhole else { continue }
      let sent = try await Sandbox.run(options) { endpoints in
        let settings = ["--set", "api-url=\(endpoints.api)"]
        let own = try await Self.requests(of: ["run"] + settings + [path])
        let text = exported.output.replacingOccurrences(of: "http://127.0.0.1:8080", with: endpoints.api)
        let hurl = try TemporaryFile(text, name: "example.hurl")
        let imported = try await Workbench.run(["import", "hurl", hurl.path])
        #expect(imported.code == 0, "\(name): \(imported)")
        let again = try TemporaryFile(imported.output, name: "again.wb")
        return [
          own, try await Self.requests(of: ["run", hurl.path]), try await Self.requests(of: ["run", again.path]),
        ]
      }
      #expect(!sent[0].isEmpty && sent.allSatisfy { $0 == sent[0] }, "\(name): \(exported.output)")
    }
    #expect(Set(Self.without.keys).isSubset(of: Self.examples) && Self.without.count < Self.examples.count)
  }

  /// Method, path and body of each, from the archive of the run.
  private static func requests(of arguments: [String]) async throws -> [String] {
    let place = try TemporaryFile("", name: "out")
    let archive = place.path + ".har"
    let token = environment["API_TOKEN"] ?? ""
    let outcome = try await Workbench.run(
      arguments + ["--report", "har=\(archive)"],
      environment: ["API_TOKEN": token, "HURL_VARIABLE_API_TOKEN": token])
    #expect(outcome.code == 0, "\(outcome)")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: archive))) as? [String: Any]
    let entries = (json?["log"] as? [String: Any])?["entries"] as? [[String: Any]] ?? []
    return entries.map { entry in
      let request = entry["request"] as? [String: Any] ?? [:]
      let body = (request["postData"] as? [String: Any])?["text"] as? String ?? ""
      let compact = (try? JSONSerialization.jsonObject(with: Data(body.utf8))).flatMap {
        try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)
      }
      return
        "\(request["method"] ?? "") \(request["url"] ?? "") \(compact.map { String(decoding: $0, as: UTF8.self) } ?? body)"
    }
  }
}
