import Canaries
import Foundation
import HTTPTypes
import Requests
import Testing
import UploaderCore

/// What is shown of a request whose body a redirect left behind: what was sent is one thing, what was asked is another.
@Suite struct RedirectedBodyTests {
  private static let secret = Canary.secret("redirected-body")

  private func screen(_ status: HTTPResponse.Status, to location: String, _ lines: String...) async -> String {
    var session = PromptSession()
    session.environment = ["WP": Self.secret]
    session.sentBodySize = { $0.body?.reduce(0) { $0 + $1.count } ?? 0 }
    let redirect = Response(status: status, headers: [.location: location])
    session.answers = [redirect, .json("{}"), redirect, .json("{}")]
    let outcome = await session.pipe(
      [
        "profile web { base https://a.example }", "secret wp = $env.WP for web",
        "POST /signin header X-A: \"1\" json { user: \"ann\", password: $wp }",
      ] + lines)
    #expect(!outcome.screen.contains(Self.secret), "\(outcome.screen)")
    return outcome.screen
  }

  @Test(arguments: ["/account", "https://b.example/account"], [HTTPResponse.Status.seeOther, .found])
  func `curl sends again what was asked, not what a redirect made of it`(
    location: String, status: HTTPResponse.Status
  ) async {
    let screen = await screen(status, to: location, ":show curl")
    #expect(
      screen.contains(
        """
        curl https://a.example/signin \\
          -H 'Content-Type: application/json' \\
          -H 'X-A: 1' \\
          --data-raw "{\\"user\\":\\"ann\\",\\"password\\":\\"${WP}\\"}"
        it was redirected: curl follows with -L
        """), "\(screen)")
  }

  @Test func `each request that loses its body says so`() async {
    let screen = await screen(.seeOther, to: "https://b.example/account", ":repeat $1")
    #expect(screen.ranges(of: "withheld body").count == 2, "\(screen)")
  }

  /// Like all that is not for a profile, they are gone; who expects a browser's ways is told.
  @Test(arguments: [("/shown", true), ("https://b.example/shown", false)])
  func `a cookie that a redirect sets without a profile is said to be lost`(location: String, isTold: Bool) async {
    var session = PromptSession()
    let redirect = Response(status: .found, headers: [.location: location, .setCookie: "a=1; Path=/"])
    session.answers = [redirect, .json("{}"), redirect, .json("{}")]
    let note = "the cookies set on the way were not sent on: a profile with cookies on keeps them"
    let outcome = await session.pipe([
      "GET https://a.example/set", "profile a { base https://a.example cookies on }", "GET a:/set",
    ])
    #expect(outcome.screen.ranges(of: note).count == (isTold ? 1 : 0), "\(outcome.screen)")
    let plain = await session.pipe(["profile a { base https://a.example }", "GET a:/set"])
    #expect(plain.screen.ranges(of: note).count == (isTold ? 1 : 0), "\(plain.screen)")
  }

  @Test(arguments: [("b=2", true), ("a=2", false), ("", false)])
  func `of cookies of the request's own, only another name can be lost`(own: String, isTold: Bool) async {
    let redirect = Response(status: .found, headers: [.location: "/shown", .setCookie: "a=1; Path=/"])
    let screen = await PromptSession(answers: [redirect, .json("{}")]).pipe([
      "GET https://a.example/set header Cookie: \"\(own)\""
    ]).screen
    #expect(screen.contains("the cookies set on the way were not sent on") == isTold, "\(screen)")
  }

  @Test func `a login whose cookie is lost on the way says so before it speaks of a token`() async {
    let login = Response(status: .seeOther, headers: [.location: "/me", .setCookie: "sid=1; Path=/"])
    let session = PromptSession(answers: [login, .json("{}", status: 401)])
    let keys = "profile a { base https://a.example }\nPOST /login form user=ann\n\u{4}"
    let screen = await session.type(keys).screen
    let parts = screen.components(separatedBy: "a profile with cookies on keeps them")
    #expect(parts.count == 2 && parts.last?.contains("it does not say which: auth") ?? false, "\(screen)")
  }

  @Test(arguments: ["/account", "https://b.example/account"])
  func `the wire has the body with the request that it was sent with`(location: String) async {
    let screen = await screen(.seeOther, to: location, ":show wire")
    let own = location == "/account" ? "X-A: 1\n" : ""
    #expect(
      screen.contains(
        """
        POST /signin HTTP/1.1
        Content-Type: application/json
        X-A: 1

        {"user":"ann","password":"••••"}

        HTTP/1.1 303 See Other
        Location: \(location)

        GET /account HTTP/1.1
        \(own)

        HTTP/1.1 200
        """), "\(screen)")
  }

  @Test func `a redirect that keeps the method keeps the body`() async {
    let screen = await screen(.temporaryRedirect, to: "/other", ":show wire", ":show curl")
    #expect(screen.ranges(of: "{\"user\":\"ann\",\"password\":\"••••\"}").count == 2, "\(screen)")
    #expect(screen.contains("\ncurl https://a.example/signin \\\n"), "\(screen)")
  }

  @Test func `what came beside a token is hidden from the moment that the token is declared`() async {
    let (access, refresh) = (Canary.onScreen("access"), Canary.onScreen("refresh"))
    let session = PromptSession(
      answers: [.json(#"{"access_token":"\#(access)","refresh_token":"\#(refresh)"}"#), .json("{}")])
    let outcome = await session.pipe([
      "POST https://a.example/login a=1", "profile a { base https://a.example auth bearer $1.body.access_token }",
      ":print \"mark\"", "$1.body", ":body $1", "POST a:/refresh token=$1.body.refresh_token",
    ])
    let after = outcome.screen.split(separator: "mark", maxSplits: 1).last.map(String.init) ?? ""
    #expect(!after.contains(refresh) && !after.contains(access), "\(outcome.screen)")
    #expect(outcome.requests.count == 2, "\(outcome.screen)")
  }

  @Test(arguments: [
    ("GET https://b.example/", true), ("GET https://b.example/ Authorization:\"Bearer mine-1234\"", false),
  ])
  func `nothing is said to be withheld where the request has one of its own`(line: String, isTold: Bool) async {
    var session = PromptSession(answers: [.json("{}")])
    session.environment = ["TOKEN": Canary.secret("withheld-beside-own")]
    let outcome = await session.pipe([
      "profile a { base https://a.example auth bearer $env.TOKEN }", "\(line) with profile a",
    ])
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
    #expect(outcome.screen.contains("withheld authorization") == isTold, "\(outcome.screen)")
  }

  @Test func `a cookie that a redirect set can be read, completed and found`() async {
    var session = PromptSession()
    let redirect = Response(status: .found, headers: [.location: "/home", .setCookie: "XSRF-TOKEN=abc123; Path=/"])
    session.answers = [redirect, .json("{}"), .json("{}")]
    let outcome = await session.pipe([
      "POST https://a.example/login a=1", ":cookies", "GET https://a.example/x token==$1.cookies.XSRF-TOKEN",
      "$1.set-cookie.XSRF-TOKEN.path",
    ])
    #expect(outcome.screen.contains("No cookie is kept. $1 set XSRF-TOKEN"), "\(outcome.screen)")
    #expect(outcome.requests.last?.url.contains("token=abc123") == true, "\(outcome.requests.map(\.url))")
    #expect(outcome.screen.contains("\"/\""), "\(outcome.screen)")
  }
}
