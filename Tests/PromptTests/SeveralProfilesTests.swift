import Canaries
import HTTPTypes
import OfflineTransport
import Requests
import Testing
import UploaderCore

/// Several profiles of one origin at the prompt: the chosen one is taken, and what is saved says which it was.
@Suite struct SeveralProfilesTests {
  private static let answers: [Response] = [
    .json(#"{"path":"/items"}"#), .json("{}"), .json("{}"), .json("{}"), .json("{}"), .json("{}"),
  ]

  @Test func `the one in use wins, and saving names it`() async {
    let session = PromptSession(answers: Self.answers)
    let outcome = await session.pipe([
      "profile one { base https://a.example header X-One: \"1\" }",
      "profile two { base https://a.example header X-Two: \"2\" }",
      "GET https://a.example/first", "GET $_.body.path", ":profile one", "GET https://a.example/second",
      "GET \"https://a.example/third\"", ":save both.wb",
    ])
    let sent = outcome.requests.map { "\($0.url) \($0.headers.map(\.name.rawName).filter { $0.hasPrefix("X-") })" }
    #expect(
      sent.prefix(4) == [
        "https://a.example/first [\"X-Two\"]", "https://a.example/items [\"X-Two\"]",
        "https://a.example/second [\"X-One\"]", "https://a.example/third [\"X-One\"]",
      ], "\(sent) \(outcome.screen)")
    #expect(
      !outcome.screen.contains("not what was sent") && !outcome.screen.contains("both match"), "\(outcome.screen)")
    #expect(outcome.screen.ranges(of: "with profile two").count == 1, "\(outcome.screen)")
  }

  @Test func `one that is removed serves nothing`() async {
    let outcome = await PromptSession(answers: Self.answers).pipe([
      "profile one { base https://a.example header X-One: \"1\" }",
      "profile two { base https://a.example header X-Two: \"2\" }", "profile three { base https://c.example }",
      "GET https://a.example/first", ":profile remove two", "GET https://a.example/second", ":profile remove three",
      "GET /third", ":profile remove two", ":profile remove one", ":save all.wb",
    ])
    let saved = String(decoding: outcome.written["all.wb"] ?? [], as: UTF8.self)
    #expect(saved.contains("header X-One: \"1\"") && !saved.contains("X-Two"), "\(saved)")
    let sent = outcome.requests.map { "\($0.url) \($0.headers.map(\.name.rawName).filter { $0.hasPrefix("X-") })" }
    #expect(
      sent == ["https://a.example/second [\"X-One\"]", "https://a.example/third [\"X-One\"]"], "\(outcome.screen)")
    #expect(outcome.screen.contains("two: removed"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("GET 'localhost:8080/x?a=1&b=2'", "http://localhost:8080/x?a=1&b=2"),
    ("PROPFIND localhost:8080/x", "http://localhost:8080/x"),
    ("GET 'https://a.example/x?q=a b'", "https://a.example/x?q=a%20b"),
    ("profile q { base localhost:8080 }\nGET q:/x", "http://localhost:8080/x"),
  ])
  func `an address of this machine and a space are understood`(line: String, url: String) async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe(line.split(separator: "\n").map(String.init))
    #expect(outcome.requests.map(\.url) == [url], "\(outcome.screen)")
  }

  @Test func `what would be sent to an address of this machine is explained`() async {
    let outcome = await PromptSession(answers: []).pipe([":explain GET :8080/x"])
    #expect(
      outcome.screen.contains("http://localhost:8080/x") && !outcome.screen.contains("error"), "\(outcome.screen)")
  }

  @Test func `a name that is sent as it is written is remarked on, and saving does not take it for a secret`() async {
    let outcome = await PromptSession(answers: Self.answers).pipe([
      "let tok = \"abcdefgh\"", "GET https://a.example/x Authorization:\"Bearer $tok\"",
      "GET https://a.example/x/$tok", "POST https://a.example/x price=\"$5\" note=\"$other\"",
      "GET https://a.example/y Authorization:\"Bearer {$tok}\"", ":save s.wb",
      "GET https://a.example/y X-Note:\"for {tok} and {other}\"",
    ])
    #expect(outcome.screen.ranges(of: "{tok} is sent as it is written").count == 1, "\(outcome.screen)")
    #expect(!outcome.screen.contains("{other} is sent"), "\(outcome.screen)")
    #expect(outcome.requests.first?.headers[.authorization] == "Bearer abcdefgh", "\(outcome.screen)")
    #expect(outcome.screen.contains("$tok is a text here, and not the value"), "\(outcome.screen)")
    #expect(
      !outcome.screen.contains("$other is sent") && !outcome.screen.contains("is not written"), "\(outcome.screen)")
  }

  @Test func `files of one origin are imported one after another`() async {
    var session = PromptSession(answers: Self.answers)
    session.files = [
      "a.hurl": Array("GET https://a.example/a\nHTTP 200\n".utf8),
      "b.http": Array("GET https://a.example/b\n\n###\nGET https://b.example/b\n".utf8),
      "c.hurl": Array("GET https://c.example/c\nHTTP 200\n".utf8),
    ]
    let outcome = await session.pipe([
      ":import a.hurl", ":import b.http", ":import c.hurl", "GET https://a.example/typed",
      "GET https://c.example/typed",
    ])
    #expect(
      outcome.requests.map(\.url) == [
        "https://a.example/a", "https://a.example/b", "https://b.example/b", "https://c.example/c",
        "https://a.example/typed", "https://c.example/typed",
      ], "\(outcome.screen)")
    #expect(!outcome.screen.contains("both match"), "\(outcome.screen)")
    // The profile of the first file still serves it.
    #expect(
      outcome.screen.contains("  origin https://c.example\n") && outcome.screen.contains("  origin https://a.example\n")
    )
  }

  @Test func `paths go where they went before a file was imported`() async {
    var session = PromptSession(answers: Self.answers)
    session.files = ["b.http": Array("GET https://b.example/b\n".utf8)]
    let outcome = await session.pipe(["profile api { base https://a.example }", ":import b.http", "GET /x"])
    #expect(outcome.requests.map(\.url) == ["https://b.example/b", "https://a.example/x"], "\(outcome.screen)")
  }

  @Test func `what a file has as a literal secret is sent, and neither shown nor saved`() async {
    let secret = Canary.secret("imported-literal")
    var session = PromptSession(answers: Self.answers)
    session.files = [
      "a.hurl": Array("POST https://a.example/login\n[Form]\nuser: ann\npassword: \(secret)\nHTTP 200\n".utf8)
    ]
    let outcome = await session.pipe([":import a.hurl", ":show $1 request", ":save s.wb"])
    let body = (outcome.requests.first?.body ?? []).flatMap { segment -> [UInt8] in
      if case .bytes(let bytes) = segment { bytes } else { [] }
    }
    // Some of it is percent-encoded.
    #expect(body.starts(with: "user=ann&password=".utf8) && body.count > secret.utf8.count, "\(outcome.screen)")
    let saved = String(decoding: outcome.written["s.wb"] ?? [], as: UTF8.self)
    #expect(saved.contains("$env.HURL_PASSWORD") && !saved.contains(secret), "\(saved)")
    #expect(!outcome.screen.contains(secret), "\(outcome.screen)")
  }

  @Test func `a profile that is declared again without an address keeps what it had`() async {
    let secret = Canary.secret("kept-profile")
    let lines = [
      "profile a { base https://a.example/v1 auth bearer \"\(secret)\" retry 1 }", "profile a { cookies on retry 2 }",
      "GET /x", ":profile remove a", "profile a { cookies on }",
    ]
    let outcome = await PromptSession(answers: Self.answers).pipe(lines)
    #expect(outcome.requests.map(\.url) == ["https://a.example/v1/x"], "\(outcome.screen)")
    #expect(outcome.requests.first?.headers[.authorization] == "Bearer \(secret)", "\(outcome.screen)")
    #expect(
      outcome.screen.contains("  cookies on\n  retry 2\n}") && !outcome.screen.contains(secret), "\(outcome.screen)")
    #expect(outcome.screen.contains("profile \"a\" has neither base nor origin"), "\(outcome.screen)")
  }

  @Test func `a refused request whose cookie was not kept says so`() async {
    let set = Response(status: .ok, headers: [.setCookie: "csrf=1"])
    let refused = Response(status: .forbidden, headers: [:])
    let outcome = await PromptSession(answers: [set, refused]).pipe([
      "GET https://a.example/csrf", "POST https://a.example/comment a=1",
    ])
    let advice = "$1 set a cookie, which was not sent; to keep them: profile a { base https://a.example cookies on }"
    #expect(outcome.screen.contains(advice), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("profile b { base https://a.example cookies on }", "POST /login password=a-long-one", 403),
    ("let x = 1", "POST https://a.example/login password=a-long-one", 401),
    ("let x = 1", "GET https://a.example/basic", 401),
  ])
  func `no cookie is blamed for what is about something else`(line: String, request: String, status: Int) async {
    let set = Response(status: .ok, headers: [.setCookie: "csrf=1"])
    let refused = Response(
      status: .init(code: status), headers: request.hasPrefix("GET") ? [.wwwAuthenticate: "Basic realm=\"x\""] : [:])
    let outcome = await PromptSession(answers: [set, refused], sentBodySize: { _ in 5 }).pipe([
      "profile a { base https://a.example }", "GET https://a.example/csrf", line, request,
    ])
    #expect(outcome.requests.count == 2 && !outcome.screen.contains("set a cookie, which"), "\(outcome.screen)")
  }
}
