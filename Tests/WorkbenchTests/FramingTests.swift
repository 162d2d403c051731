import Foundation
import LoopbackServer
import Testing

/// What a header says about the message is true, or nothing is sent. The server takes each header literally and keeps
/// its connection, so a wrong length would be glued to the next request.
@Suite(.timeLimit(.minutes(5))) struct FramingTests {
  private static func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond() }
    }
  }

  /// Header and request, and how it is refused; nil: it is sent.
  static let cases: [(line: String, says: String?)] = [
    ("POST {url}/a body \"Hello\" header Content-Length: \"1\"", "Content-Length says \"1\", but the body has 5 bytes"),
    ("POST {url}/a body \"Hello\" header Content-Length: 9", "Content-Length says \"9\", but the body has 5 bytes"),
    ("POST {url}/a text \"é\" header { \"content-length\": \"1\" }", "but the body has 2 bytes"),
    ("POST {url}/a text \"Hello\" header { \"Content-Length\": [5, 5] }", "Content-Length appears twice"),
    ("POST {url}/a json { a: 1 } header Content-Length: +7", "Content-Length says \"+7\""),
    ("POST {url}/a json { a: 1 } header Content-Length: \"07\"", "but the body has 7 bytes"),
    ("POST {url}/a json { a: 1 } header Content-Length: \"\"", "Content-Length says \"\""),
    ("GET {url}/a header Content-Length: 5", "but the body has 0 bytes"),
    ("GET {url}/a Content-Length:5", "but the body has 0 bytes"),
    ("POST {url}/a Content-Length:1 a=b", "but the body has 9 bytes"),
    ("POST {url}/a header Transfer-Encoding: chunked text \"0\\r\\n\\r\\n\"", "Transfer-Encoding promises"),
    ("POST {url}/a header { \"tRANSFER-eNCODING\": \"identity\" }", "promises what is not sent"),
    ("POST {url}/a header Transfer-Encoding: {$chunked} text \"x\"", "Transfer-Encoding promises"),
    ("POST {url}/a header {...{ \"Transfer-Encoding\": \"x\" }} text \"x\"", "Transfer-Encoding promises"),
    ("POST {url}/a header {...{ \"Content-Length\": \"2\" }} text \"x\"", "Content-Length says \"2\""),
    ("GET {url}/a header Host: other.test", "Host says \"other.test\", but the request goes to {authority}"),
    ("GET {url}/a header {\"Host\": [\"{authority}\", \"{authority}\"]}", "Host appears twice"),
    ("GET {url}/a header Upgrade: h2c", "Upgrade promises"),
    ("GET {url}/a header HTTP2-Settings: AAMAAABk", "HTTP2-Settings promises"),
    ("POST {url}/a text \"x\" header Trailer: X-Sum", "Trailer promises"),
    ("POST {url}/a text \"x\" header Connection: \"close, content-length\"", "Connection names \"content-length\""),
    ("GET {url}/a header Connection: Upgrade", "Connection names \"upgrade\""),
    ("POST {url}/a text \"x\" header Connection: Transfer-Encoding", "Connection names \"transfer-encoding\""),
    ("GET {url}/a header Connection: \"keep-alive, HTTP2-Settings\"", "Connection names \"http2-settings\""),
    ("GET {url}/a header Connection: Host", "Connection names \"host\""),
    ("GET {url}/a header Connection: \"Trailer ,close\"", "Connection names \"trailer\""),
    ("curl {url}/a -d Hello -H 'Content-Length: 1'", "Content-Length says \"1\""),
    ("curl {url}/a -d Hello -H 'Transfer-Encoding: chunked'", "Transfer-Encoding promises"),
    ("curl {url}/a -H 'Host: other.test'", "Host says \"other.test\""),
    ("http POST {url}/a Content-Length:1 a=b", "Content-Length says \"1\""),
    ("POST {url}/a body \"Hello\" header Content-Length: 5", nil),
    ("POST {url}/a Content-Length:9 a=b", nil),
    ("GET {url}/a header Content-Length: 0", nil),
    ("POST {url}/a header Content-Length: {$five} text \"Hello\"", nil),
    ("GET {url}/a header Host: {authority}", nil),
    ("curl {url}/a -d Hello -H 'Content-Length: 5' -H 'Connection: keep-alive' -H 'Host: {authority}'", nil),
  ]

  private static func filled(_ text: String, _ server: LoopbackServer) -> String {
    text.replacing("{url}", with: server.url).replacing("{authority}", with: "\(server.host):\(server.port)")
  }

  @Test(arguments: cases)
  func `a header that says something untrue is refused, at the prompt and in a script`(
    line: String, says: String?
  ) async throws {
    let server = try Self.server()
    let given = "let chunked = \"chunked\"\nlet five = \"5\"\n"
    let typed = Self.filled(line, server)
    let after = "GET \(server.url)/b"
    let prompt = try await Workbench.run([], input: "\(given)\(typed)\n\n\(after)\n")
    try Self.expect(says.map { Self.filled($0, server) }, prompt, server)

    guard !line.hasPrefix("curl"), !line.hasPrefix("http ") else { return }
    let other = try Self.server()
    let script = "\(given)\(Self.filled(line, other))\nGET \(other.url)/b"
    let run = try await Workbench.run(["run", "-", "--keep-going"], input: script)
    try Self.expect(says.map { Self.filled($0, other) }, run, other, sendsNext: false)
    if says != nil { #expect(run.code == 2 || run.code == 1, "\(run)") }
  }

  private static func expect(
    _ says: String?, _ outcome: Workbench.Outcome, _ server: LoopbackServer, sendsNext: Bool = true
  ) throws {
    let screen = outcome.output + outcome.errors
    let lines = server.requests.map { $0.prefix { !$0.isNewline } }
    if let says {
      #expect(screen.contains(says), "\(outcome)")
      #expect(!lines.contains { $0.contains("/a ") }, "\(lines)")
      if sendsNext { #expect(lines == ["GET /b HTTP/1.1"]) }
    } else {
      #expect(!screen.contains("error:"), "\(outcome)")
      #expect(lines.count == 2 && lines[0].contains(" /a HTTP/1.1") && lines[1] == "GET /b HTTP/1.1", "\(lines)")
      #expect(server.connections == 1)
    }
  }

  @Test(arguments: [
    ("POST http://a.test/ body \"Hello\" header Content-Length: \"1\"", true),
    ("POST http://a.test/ body \"Hello\" header Content-Length: 5", false),
    ("GET http://a.test/ header Host: b.test", true), ("GET http://a.test/ header Host: a.test:80", false),
    ("profile p { base http://a.test header Transfer-Encoding: chunked }\nGET p:/", true),
    ("profile p { base http://a.test }\nGET p:/ header Host: b.test", true),
    ("POST http://a.test/ text \"x\" header Transfer-Encoding: $env.TE", true),
    ("POST http://a.test/ text $env.TE header Content-Length: 4", false),
  ])
  func `check reports it before anything is sent`(script: String, isRefused: Bool) async throws {
    let outcome = try await Workbench.run(["check", "-"], input: script, environment: ["TE": "x"])
    #expect(outcome.code == (isRefused ? 2 : 0), "\(outcome)")
  }

  @Test func `what a profile adds is checked, too`() async throws {
    let server = try Self.server()
    let script = """
      profile p { base \(server.url) header Content-Length: 3 }
      POST p:/a text "abc"
      POST p:/b text "abcd"
      """
    let outcome = try await Workbench.run(["run", "-"], input: script)
    #expect(outcome.code == 2 && outcome.errors.contains("but the body has 4 bytes"), "\(outcome)")
    #expect(server.requests.map { $0.prefix { !$0.isNewline } } == ["POST /a HTTP/1.1"])
  }

  @Test func `an edit in the debugger is checked, too`() async throws {
    let server = try Self.server()
    let script = try TemporaryFile(
      "let n = 5\nlet h = \"\(server.host):\(server.port)\"\nPOST \(server.url)/a text \"Hello\" header { Content-Length: $n, Host: $h }",
      name: "framed.wb")
    let edits = [
      "set n = 1", "set h = \"b.test\"", "e POST \(server.url)/a text \"Hello\" header Transfer-Encoding: chunked",
    ]
    for (edit, says) in zip(edits, ["Content-Length says \"1\"", "Host says \"b.test\"", "Transfer-Encoding promises"])
    {
      let outcome = try await Workbench.run(["debug", script.path], input: "\(edit)\nq\n")
      #expect((outcome.output + outcome.errors).contains(says), "\(outcome)")
      #expect(server.requests.isEmpty)
    }
    let outcome = try await Workbench.run(["debug", script.path], input: "set n = 1\nn\nset n = 5\nn\nq\n")
    #expect(server.requests.count == 1, "\(outcome)")
  }
}
