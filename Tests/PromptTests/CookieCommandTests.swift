import Canaries
import Foundation
import HTTPTypes
import Requests
import Testing
import UploaderCore

@Suite struct CookieCommandTests {
  private static let profile = "profile api { base https://a.example cookies on }"
  private static let session = Canary.secret("cookie-session")

  /// A login that sets a cookie for an hour, a permanent one and a harmless one, then plain responses.
  private static func session(_ lines: String...) async -> PromptSession.Outcome {
    var headers: HTTPFields = [:]
    for value in [
      "sid=\(session); Path=/; HttpOnly; Max-Age=3600", "wide=1; Secure; Path=/x", "lang=en",
    ] {
      headers.append(HTTPField(name: .setCookie, value: value))
    }
    let answers: [Response] = [.json("1", headers: headers), .json("\"\(session)\""), .json("3")]
    return await PromptSession(answers: answers).pipe(lines)
  }

  @Test func `what a server sets is sent back to it, and shown nowhere`() async {
    let outcome = await Self.session(Self.profile, "GET /login", "GET /x", ":show $1 headers", ":show $2 request")
    #expect(outcome.requests.map { $0.headers[.cookie] } == [nil, "wide=1; sid=\(Self.session); lang=en"])
    #expect(outcome.screen.contains("Set-Cookie: sid=••••; Path=/; HttpOnly; Max-Age=3600\n"))
    #expect(outcome.screen.contains("Cookie: wide=1; sid=••••; lang=en\n"))
    #expect(outcome.screen.contains("\n\"••••\"\n"), "A body that repeats the cookie: \(outcome.screen)")
    #expect(!outcome.screen.contains(Self.session))
  }

  @Test func `they are listed by profile and cleared`() async {
    let outcome = await Self.session(
      Self.profile, "GET /login", ":cookies", ":cookies clear b", ":cookies clear api", ":cookies", "GET /x",
      ":cookies shut")
    #expect(
      outcome.screen.contains(
        """
        api
          sid   a.example/   60 min 0 s left
          wide  a.example/x  until you leave, over https only
          lang  a.example/   until you leave
        error: profile "b" keeps no cookies
        3 cookies are forgotten.
        No cookie is kept: they were cleared.

        """), "\(outcome.screen)")
    #expect(outcome.requests.last?.headers[.cookie] == nil)
    #expect(
      outcome.screen.hasSuffix(
        "error: cookies are listed or cleared\n = :cookies\n = :cookies clear\n = :cookies clear api\n"))
  }

  @Test(arguments: [
    (["GET /login", ":cookies clear"], "no cookie was sent: :cookies clear has cleared those of api\n"),
    ([], "no cookie was sent: api keeps them, and has none yet\n"),
    (["GET /x/login"], "no cookie was sent: of those that api keeps, none belongs to this address (:cookies)\n"),
  ])
  func `a refusal without a cookie says so before it speaks of a token`(lines: [String], remark: String) async {
    let login = Response.json("1", headers: [.setCookie: "sid=\(Self.session); Path=/x"])
    let answers = (lines.isEmpty ? [] : [login]) + [.json("{}", status: 401)]
    let keys = ([Self.profile] + lines + ["GET /me"]).joined(separator: "\n") + "\n\u{4}"
    let screen = await PromptSession(answers: answers).type(keys).screen
    let parts = screen.components(separatedBy: remark)
    #expect(parts.count == 2 && parts.last?.contains("it does not say which: auth") ?? false, "\(screen)")
  }

  @Test func `after a logout it is said who removed them`() async {
    let answers = [
      Response.json("1", headers: [.setCookie: "sid=\(Self.session); Path=/"]),
      .json("2", headers: [.setCookie: "sid=; Path=/; Max-Age=0"]), .json("{}", status: 401),
    ]
    let keys = [Self.profile, "POST /login", "POST /logout", ":cookies", "GET /me"].joined(separator: "\n")
    let screen = await PromptSession(answers: answers).type(keys + "\n\u{4}").screen
    #expect(screen.contains("No cookie is kept: api keeps them, and $2 removed sid.\n"), "\(screen)")
    #expect(screen.contains("no cookie was sent: api keeps them, and $2 removed sid\n"), "\(screen)")
  }

  @Test func `explain says that they would be sent`() async {
    let outcome = await Self.session(Self.profile, "GET /login", ":explain GET /y", ":explain GET https://b.example/y")
    #expect(outcome.screen.contains("cookie   sid=••••; lang=en  ← cookies of api\n"), "\(outcome.screen)")
    #expect(outcome.screen.components(separatedBy: "cookies of").count == 2)
  }

  @Test func `a profile that is redeclared for another origin gets none of them`() async {
    for base in ["https://b.example", "https://a.example:8443", "http://a.example:80"] {
      let outcome = await Self.session(Self.profile, "GET /login", "profile api { base \(base) cookies on }", "GET /x")
      #expect(outcome.requests.count == 2)
      #expect(outcome.requests.last?.headers[.cookie] == nil, "\(base)")
    }
  }
}
