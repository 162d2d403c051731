import Foundation
import LoopbackServer
import Testing

/// Options that fingers know from curl and HTTPie, after `workbench send`.
@Suite struct ForeignOptionTests {
  private static let url = "http://127.0.0.1:1/x"

  @Test(arguments: [
    (["POST", url, "--json", "{\"a\":2}"], "--json is not an option of send: items are JSON, name=text"),
    (["GET", url, "-A", "agent/1"], "-A is --auth-type, as for HTTPie: basic, digest or bearer"),
    (["GET", url, "-A", "bearer"], "--auth-type says how, and --auth who"),
    (["GET", url, "--bearer=xyz"], "--bearer is not an option of send: 'auth bearer $env.TOKEN' after the URL"),
    (["GET", url, "--cookie", "a=b"], "a cookie is a header, 'Cookie:name=value' after the URL"),
    (["GET", url, "-b", "session=abc"], "-b is --body, as for HTTPie: a cookie is a header, 'Cookie:session=…'"),
    (["GET", url, "-m", "3"], "timeout 10s after the URL"), (["POST", url, "-F", "a=b"], "multipart name=value"),
    (["GET", url, "--resolve", "a:1:b"], "--resolve is an option of curl: workbench send curl --resolve … URL"),
    (["GET", url, "auth", "bearer", "abc.def"], "in single quotes: 'auth bearer $env.TOKEN'"),
    (["GET", url, "auth", "bearer", ".T"], "or a header: Authorization:\"Bearer $TOKEN\""),
    (["GET", url, "auth", "basic", "ann,", "pw"], "in single quotes: 'auth basic \"user\", $env.PASSWORD'"),
    (["GET", url, "--nonsense"], "Unknown option '--nonsense'"),
  ])
  func `say what to write instead`(words: [String], hint: String) async throws {
    let outcome = try await Workbench.run(["send"] + words)
    #expect(outcome.code == 2 && outcome.errors.contains(hint), "\(outcome.errors)")
    #expect(!outcome.errors.contains("Did you mean"), "\(outcome.errors)")
  }

  @Test(arguments: [
    (["test", "--junit", "r.xml", "."], "junit"), (["test", "--report-html=out", "."], "html"),
    (["run", "--tap", "a.wb"], "tap"), (["run", "--report-json", "r", "a.wb"], "jsonl"),
  ])
  func `say how a report is written`(words: [String], format: String) async throws {
    let outcome = try await Workbench.run(words)
    #expect(outcome.code == 2 && outcome.errors.contains("'. --report \(format)=FILE writes"), "\(outcome.errors)")
  }

  /// curl's options that `send` has no other meaning for.
  @Test(arguments: [
    (["-i"], "GET /x HTTP/1.1", true, true), (["-I"], "HEAD /x HTTP/1.1", true, false),
    (["-X", "PUT"], "PUT /x HTTP/1.1", false, true), (["-d", "a=1", "--include"], "POST /x HTTP/1.1", true, true),
    (["-H", "A: b", "q==1"], "GET /x?q=1 HTTP/1.1", false, true),
  ])
  func `mean what they mean for curl`(options: [String], first: String, headers: Bool, body: Bool) async throws {
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        try connection.respond(headers: ["ETag: e"], body: request.head.hasPrefix("HEAD") ? "" : "answer")
      }
    }
    let outcome = try await Workbench.run(["send", "\(server.url)/x"] + options)
    #expect(outcome.code == 0 && server.requests.first?.hasPrefix(first) ?? false, "\(outcome) \(server.requests)")
    #expect(outcome.output.contains("ETag: e") == headers, "\(outcome)")
    #expect(outcome.output.hasSuffix("answer") == body, "\(outcome)")
  }

  /// HTTPie's.
  @Test(arguments: [
    (["-a", "ann:pw-of-ann"], "Basic YW5uOnB3LW9mLWFubg=="), (["--auth=ann:pw-of-ann"], "Basic YW5uOnB3LW9mLWFubg=="),
    (["-A", "bearer", "-a", "token-of-ann"], "Bearer token-of-ann"),
    (["--auth", "token-of-ann", "--auth-type", "bearer"], "Bearer token-of-ann"),
  ])
  func `who signs in may be said as for HTTPie`(options: [String], credential: String) async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "answer") }
    }
    let outcome = try await Workbench.run(["send", "GET", "\(server.url)/x"] + options)
    #expect(outcome.code == 0 && server.requests.first?.contains("Authorization: \(credential)") ?? false, "\(outcome)")
  }

  @Test(arguments: [
    (["\(url)?a=1"], "A prompt has no query: workbench http://127.0.0.1:1/x."),
    (["curl", "a.example"], "workbench send curl …"),
    (["curl"], "workbench send curl …"),
  ])
  func `what a prompt is not opened with is sent`(words: [String], hint: String) async throws {
    let outcome = try await Workbench.run(words)
    #expect(outcome.code == 2 && outcome.errors.contains(hint), "\(outcome)")
  }

  @Test func `a file that is not there is named without what is made of it`() async throws {
    let outcome = try await Workbench.run(["send", "POST", Self.url, "-d", "@nofile"])
    #expect(outcome.code == 25)
    #expect(outcome.errors == "error: cannot read \"nofile\": No such file or directory\n = nothing was sent\n")
  }

  @Test func `of an item of a GET that is named like a header, that is said first`() async throws {
    let outcome = try await Workbench.run(["send", "GET", Self.url, "X-Api-Key=abc"])
    #expect(outcome.errors.contains("for a header, write X-Api-Key:…; for the query, X-Api-Key==…"), "\(outcome)")
  }

  @Test(arguments: [["-X", "POST", url, "-d", "a=1"], ["curl", "--data", "a=1", url], [url], ["curl", url]])
  func `a curl line that is imported is one word`(words: [String]) async throws {
    let outcome = try await Workbench.run(["import", "curl"] + words)
    #expect(outcome.code == 2 && outcome.errors.contains("a curl line is one word, in quotes"), "\(outcome.errors)")
  }

  @Test func `a pipe in the quotes belongs outside of them`() async throws {
    let outcome = try await Workbench.run(["send", "GET \(Self.url) | jq .name"])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("workbench send 'GET \(Self.url)' | jq .name"), "\(outcome.errors)")
  }
}
