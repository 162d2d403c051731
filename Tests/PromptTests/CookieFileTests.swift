import HTTPTypes
import Requests
import Sessions
import Testing

/// `curl -b FILE`: cookies that another tool has written.
@Suite struct CookieFileTests {
  private static let jar = """
    # Netscape HTTP Cookie File
    # https://curl.se/docs/http-cookies.html

    a.example\tFALSE\t/\tFALSE\t0\tsid\tcanary-of-a-session
    #HttpOnly_.example\tTRUE\t/shop\tFALSE\t4102444800\tcart\t7
    b.example\tFALSE\t/\tFALSE\t0\tother\t1
    a.example\tFALSE\t/\tTRUE\t0\tsafe\t1
    a.example\tFALSE\t/\tFALSE\t0\tempty

    """

  private static func session(_ text: String = jar, answers: [Response] = [.json("1"), .json("2")]) -> PromptSession {
    PromptSession(files: ["jar.txt": Array(text.utf8)], answers: answers)
  }

  @Test(
    arguments: [
      ("curl -b jar.txt https://a.example/", "sid=canary-of-a-session; safe=1; empty=", "3 of its 5 cookies are for"),
      ("curl -b jar.txt http://a.example/", "sid=canary-of-a-session; empty=", "2 of its 5 cookies are for"),
      ("curl -b jar.txt http://x.example/shop/1", "cart=7", "1 of its 5 cookies are for http://x.example"),
      ("curl -b jar.txt http://x.example/shopping", nil, "0 of its 5 cookies are for"),
      ("curl -b one=1 -b jar.txt http://x.example/shop", "one=1; cart=7", "1 of its 5"),
      ("curl -H 'X-A: 1' -H 'Cookie: one=1' -b jar.txt http://x.example/shop", "one=1; cart=7", "1 of its 5"),
      ("made: curl -b jar.txt http://x.example/shop", "cart=7", "1 of its 5"),
    ] as [(String, String?, String)])
  func `the cookies of a file are sent where they belong`(line: String, cookies: String?, remark: String) async {
    let outcome = await Self.session().pipe([line, "GET http://x.example/shop"])
    #expect(outcome.requests.map { $0.headers[.cookie] } == [cookies, nil], "\(outcome.screen)")
    #expect(outcome.screen.contains("-b jar.txt: \(remark)"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("canary-of-a-session"), "\(outcome.screen)")
  }

  @Test func `a list of Set-Cookie lines is one, too`() async {
    let text = "Set-Cookie: a=1; Path=/x\r\nset-cookie: b=2; Domain=a.example\r\n"
    let outcome = await Self.session(text).pipe(["curl -b jar.txt http://a.example/y"])
    #expect(outcome.requests.map { $0.headers[.cookie] } == ["b=2"], "\(outcome.screen)")
  }

  @Test func `send sends them, too`() async {
    let (code, outcome) = await Self.session().send("curl -s -b jar.txt http://x.example/shop/1")
    #expect(code == .success)
    #expect(outcome.requests.map { $0.headers[.cookie] } == ["cart=7"], "\(outcome.screen)")
  }

  @Test func `what -c named before is kept by the profile, and not read`() async {
    let kept = Response(status: .ok, headers: [.setCookie: "sid=4"])
    let outcome = await Self.session(answers: [kept, .json("1")]).pipe([
      "curl -c jar.txt http://a.example/", "curl -b jar.txt http://a.example/",
    ])
    #expect(outcome.requests.map { $0.headers[.cookie] } == [nil, "sid=4"], "\(outcome.screen)")
  }

  @Test func `a file of something else is not read`() async {
    let outcome = await Self.session("a\tb\n").pipe(["curl -b jar.txt http://a.example/", ":profile"])
    #expect(outcome.screen.contains("cookies on"), "\(outcome.screen)")
  }
}
