import Canaries
import HTTPTypes
import Requests
import Testing
import UploaderCore

/// Members of an exchange that are made from its parts.
@Suite struct MemberTests {
  private static let link = HTTPField.Name("Link") ?? .eTag

  private func session() -> PromptSession {
    var session = PromptSession()
    var headers: HTTPFields = [
      .contentType: "application/json", Self.link: "</items?page=2>; rel=\"next\", <b>; rel=\"last up\"",
      .eTag: "\"e\"",
    ]
    headers.append(HTTPField(name: .setCookie, value: "theme=dark; Path=/a; Max-Age=60; Secure; SameSite=Lax"))
    headers.append(
      HTTPField(name: .setCookie, value: "lang=en; HttpOnly; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Domain=a.test"))
    headers.append(HTTPField(name: .vary, value: "a"))
    headers.append(HTTPField(name: .vary, value: "b"))
    session.answers = [
      Response(status: .found, headers: [.location: "/v1/items?page=1"]),
      Response(status: .ok, headers: headers, body: ResponseBody(Array("{}".utf8))),
    ]
    return session
  }

  @Test(arguments: [
    ("$1.links.next", "\"https://a.test/items?page=2\""), ("$1.links.up", "\"https://a.test/v1/b\""),
    (
      "$1.links == { next: \"https://a.test/items?page=2\", last: \"https://a.test/v1/b\", up: \"https://a.test/v1/b\" }",
      "true"
    ), ("$1.redirects[0].status", "302"), ("$1.redirects[0].url", "\"https://a.test/start\""),
    ("$1.redirects[0].location", "\"https://a.test/v1/items?page=1\""), ("$1.redirects | count", "1"),
    ("$1.header-lines.Vary == [\"a\", \"b\"]", "true"), ("$1.header-lines.etag[0]", "\"\\\"e\\\"\""),
    ("$1.header-lines.vary[1]", "\"b\""), ("$1.headers.vary", "\"a, b\""),
    (
      "$1.set-cookie.theme is { value: \"dark\", path: \"/a\", max-age: 60, same-site: \"Lax\", secure: true, http-only: false }",
      "true"
    ), ("$1.set-cookie.lang.expires", "\"2026-10-21T07:28:00Z\""), ("$1.set-cookie.lang.domain", "\"a.test\""),
    ("$1.set-cookie.lang.http-only", "true"), ("$1.set-cookie.lang.max-age ?? \"none\"", "\"none\""),
    ("$1.protocol", "\"HTTP/1.1\""), ("$1.address ?? \"unknown\"", "\"unknown\""),
  ])
  func `it has its shape`(expression: String, value: String) async {
    let outcome = await session().pipe(["GET https://a.test/start", ":print \(expression)"])
    #expect(outcome.screen.hasSuffix("\n\(value)\n"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("json { a: [1] }", ":print $1.request.body.a[0]", "1"), ("form { a: \"1 2\" }", "$1.request.body", "\"a=1+2\""),
    ("text \"hello\"", "$1.request.body", "\"hello\""),
    ("multipart { a: \"x\" }", "$1.request.body contains \"name=\\\"a\\\"\"", "true"),
  ])
  func `the body that was sent`(clause: String, line: String, value: String) async {
    var session = PromptSession()
    session.answers = [.json("{}")]
    session.sentBodySize = { $0.body?.reduce(0) { $0 + $1.count } ?? 0 }
    let outcome = await session.pipe(["POST https://a.test/x \(clause)", line])
    #expect(outcome.screen.hasSuffix("\n\(value)\n"), "\(outcome.screen)")
  }

  @Test func `a request without a body has none`() async {
    var session = PromptSession()
    session.answers = [.json("{}")]
    let outcome = await session.pipe(["GET https://a.test/x", "$1.request.body"])
    #expect(outcome.screen.contains("$1.request has no \"body\""), "\(outcome.screen)")
    #expect(outcome.screen.contains("sent no body"), "\(outcome.screen)")
  }

  @Test func `a secret in the body that was sent stays one`() async {
    let canary = Canary.secret("sent-body")
    var session = PromptSession()
    session.environment = ["TOKEN": canary]
    session.sentBodySize = { $0.body?.reduce(0) { $0 + $1.count } ?? 0 }
    session.answers = [.json("{}"), .json("{}")]
    let outcome = await session.pipe([
      "profile api { base https://a.test auth bearer $env.TOKEN }", "POST /x json { t: $env.TOKEN }",
      "$1.request.body", "POST https://b.test/x json $1.request.body",
    ])
    #expect(outcome.screen.contains("\"t\": \"••••\""), "\(outcome.screen)")
    #expect(outcome.requests.count == 1)
  }

  @Test func `a path that a server gave is a target of its own`() async {
    let outcome = await session().pipe([
      "profile api { base https://a.test }", "GET /start", "GET api:{$1.links.next}",
    ])
    #expect(outcome.screen.contains("write $1.links.next as the target if it begins with /"), "\(outcome.screen)")
  }
}
