import HTTPTypes
import Requests
import Testing
import UploaderCore

/// A word that a server refused as a password is a word again; one that it took once is a secret.
@Suite struct RefusedWordTests {
  private static let refused = Response.json(#"{"error":"wrong password","said":"a summer day"}"#, status: 401)
  private static let taken = Response.json(#"{"said":"a summer day"}"#)

  private static func urls(_ answers: [Response], _ lines: [String]) async -> (urls: [String], screen: String) {
    let outcome = await PromptSession(answers: answers).pipe(lines)
    return (outcome.requests.map { "\($0.url)" }, outcome.screen)
  }

  @Test(arguments: [
    "-u admin:wrong", "-u admin:password", "auth bearer \"letmein\"", "auth digest \"admin\", \"wrong\"",
  ])
  func `one that is refused keeps nothing from other origins`(credential: String) async {
    let word = ["wrong", "password", "letmein"].first { credential.contains($0) } ?? ""
    let (urls, screen) = await Self.urls(
      [Self.refused, Self.taken],
      ["GET https://a.example/x \(credential)", "POST https://b.example/y note=\"the \(word) one\""])
    #expect(urls == ["https://a.example/x", "https://b.example/y"], "\(screen)")
  }

  @Test(arguments: [
    ("POST https://a.example/login password=wrong", 400, true),
    ("POST https://a.example/login password=wrong", 403, true),
    ("POST https://a.example/login password=wrong", 500, false), ("GET https://a.example/x -u admin:wrong", 403, false),
    ("POST https://a.example/login password=wrong -u admin:admin", 403, false),
  ])
  func `a login is refused with other errors, too`(request: String, status: Int, isShown: Bool) async {
    let refused = Response.json(#"{"error":"csrf token missing or wrong"}"#, status: status)
    let screen = await PromptSession(answers: [refused]).pipe([request]).screen
    #expect(screen.contains("missing or wrong") == isShown, "\(screen)")
  }

  @Test func `one that is taken is kept from them, even if it is refused later`() async {
    let lines = [
      "GET https://a.example/x -u admin:summer", "GET https://a.example/x -u admin:summer",
      "POST https://b.example/y note=$2.body.said",
    ]
    for answers in [[Self.taken, Self.refused, Self.taken], [Self.refused, Self.taken, Self.taken]] {
      let (urls, screen) = await Self.urls(answers, lines)
      #expect(urls == ["https://a.example/x", "https://a.example/x"], "\(screen)")
      #expect(screen.contains("may go to https://a.example only"), "\(screen)")
    }
  }

  @Test func `one that is taken goes elsewhere where somebody types it`() async {
    let lines = ["GET https://a.example/x -u admin:summer", "POST https://b.example/y note=\"a summer day\""]
    let (urls, screen) = await Self.urls([Self.taken, Self.taken], lines)
    #expect(urls == ["https://a.example/x", "https://b.example/y"], "\(screen)")
    #expect(!screen.contains("error: "), "\(screen)")
  }

  @Test(arguments: ["pa55wd", "correcthorsebatterystaple"])
  func `what is no guess stays a secret`(password: String) async {
    let (urls, screen) = await Self.urls(
      [Self.refused, Self.taken],
      ["GET https://a.example/x -u admin:\(password)", "POST https://b.example/y note=\"\(password)\""])
    #expect(urls == ["https://a.example/x"], "\(screen)")
  }

  /// Whoever has one password for two servers types it twice.
  @Test(arguments: [
    ("POST https://b.example/login form user=ada password='correct horse battery'", true),
    ("POST https://b.example/login password=\"correct horse battery\"", true),
    ("curl https://b.example/login -d 'password=correct horse battery'", true),
    ("POST https://b.example/login note=\"correct horse battery\"", false),
    ("POST https://b.example/login password=$1.request.headers.x", false),
    ("POST $1.body.url password=\"correct horse battery\"", false),
  ])
  func `one that is typed as the password of another server goes there`(line: String, isSent: Bool) async {
    let answer = Response.json(#"{"url":"https://b.example/login"}"#)
    let (urls, screen) = await Self.urls(
      [answer, Self.taken, Self.taken],
      [
        "GET https://a.example/x auth basic \"ada\", \"correct horse battery\" header x: \"correct horse battery\"",
        line,
        "POST https://c.example/z note=\"correct horse battery\"",
      ])
    #expect(urls == ["https://a.example/x"] + (isSent ? ["https://b.example/login"] : []), "\(screen)")
  }

  @Test func `a redirect does not carry it on`() async {
    let redirect = Response(
      status: .temporaryRedirect, headers: [.location: "https://c.example/login"], body: ResponseBody([]))
    let (urls, screen) = await Self.urls(
      [Self.taken, redirect, Self.taken],
      [
        "GET https://a.example/x -u 'ada:correct horse battery'",
        "POST https://b.example/login password=\"correct horse battery\" redirects 5",
      ])
    #expect(urls == ["https://a.example/x", "https://b.example/login"], "\(screen)")
  }

  /// A server of this machine has several names.
  @Test(arguments: [
    ("http://localhost:8411", true), ("http://127.0.0.1:8411", true), ("http://[::1]:8411", true),
    ("http://127.0.0.2:8411", false), ("http://app.localhost:8411", false), ("http://localhost:8412", false),
    ("https://localhost:8411", false), ("http://a.example:8411", false),
  ])
  func `what a step was given goes to the same server by its other names`(origin: String, isSent: Bool) async {
    for (credential, word) in [
      ("-u ann:s3cret", "s3cret"), ("auth bearer \"s3cret\"", "s3cret"), ("-u ann:s3cret-horse", "s3cret-horse"),
    ] {
      let (urls, screen) = await Self.urls(
        [Self.taken, Self.refused],
        ["GET http://127.0.0.1:8411/x \(credential)", "GET \(origin)/basic-auth/ann/\(word) -u ann:wrong"])
      #expect(urls.count == (isSent ? 2 : 1), "\(credential): \(screen)")
    }
  }

  @Test func `what a profile declares goes by its own name only`() async {
    let (urls, screen) = await Self.urls(
      [Self.taken, Self.taken],
      [
        "profile a { base http://127.0.0.1:8411 }", "secret key = \"s3cret-horse\" for a", "GET a:/x auth bearer $key",
        "GET http://localhost:8411/y?q=s3cret-horse",
      ])
    #expect(urls == ["http://127.0.0.1:8411/x"], "\(screen)")
  }

  @Test(arguments: [
    "GET https://a.example/x -u admin:wrong", "http -a admin:wrong https://a.example/x",
    "POST https://a.example/x form user=ada password=wrong", "POST https://a.example/x password=wrong",
  ])
  func `one that is refused is a word like any other where a server writes it`(line: String) async {
    let echo = Response.json(#"{"said":"wrong"}"#)
    let outcome = await PromptSession(answers: [Self.refused, echo]).pipe([line, "GET https://b.example/y"])
    #expect(outcome.screen.contains(#""error": "wrong password""#), "\(outcome.screen)")
    #expect(outcome.screen.contains(#""said": "wrong""#), "\(outcome.screen)")
  }

  @Test(arguments: [
    // Whatever came of it before or after.
    ["GET https://a.example/ok -u admin:summer", "GET https://a.example/x -u admin:summer"],
    ["GET https://a.example/x -u admin:summer", "GET https://a.example/ok -u admin:summer"],
    ["POST https://a.example/ok password=summer", "POST https://a.example/x password=summer"],
    ["profile a { base https://a.example }\nsecret pin = \"summer\" for a", "GET a:/x auth basic \"admin\", $pin"],
    ["GET https://a.example/x -u admin:summer7"],
    // Nothing was refused.
    ["GET https://a.example/ok -u admin:summer"],
  ])
  func `one that was ever right, or is no guess, stays hidden`(lines: [String]) async {
    let echo = Response.json(#"{"said":"summer","too":"summer7"}"#)
    let answers = lines.filter { $0.contains("/") && !$0.contains("profile") }
      .map { $0.contains("/ok") ? Self.taken : Self.refused }
    let outcome = await PromptSession(answers: answers + [echo]).pipe(lines + ["GET https://b.example/y"])
    let word = lines[0].contains("summer7") ? #""too": "••••""# : #""said": "••••""#
    #expect(outcome.screen.contains(word), "\(outcome.screen)")
  }

  @Test func `what a refusal brings stays hidden, whatever its letters`() async {
    let cookie = "qwertzuiopas"
    let refused = Response.json("{}", status: 401, headers: [.setCookie: "session=\(cookie)"])
    let outcome = await PromptSession(answers: [refused, .json(#"{"said":"\#(cookie)","too":"wrong"}"#)]).pipe([
      "GET https://a.example/x -u admin:wrong", "GET https://b.example/y",
    ])
    #expect(!outcome.screen.contains(cookie), "\(outcome.screen)")
    #expect(outcome.screen.contains(#""too": "wrong""#), "\(outcome.screen)")
  }

  @Test func `a declared word is one whoever refuses it`() async {
    let (urls, screen) = await Self.urls(
      [Self.refused, Self.taken],
      [
        "profile a { base https://a.example }", "secret pin = \"summer\" for a",
        "GET a:/x auth basic \"admin\", $pin", "POST https://b.example/y note=\"a summer day\"",
      ])
    #expect(urls == ["https://a.example/x"], "\(screen)")
  }

  @Test func `in a script, a later step may send it`() async {
    var session = PromptSession(answers: [Self.refused, Self.taken])
    session.files["f.wb"] = Array(
      """
      GET https://a.example/x auth basic "admin", "wrong" expect 401
      POST https://b.example/y json { note: "the wrong one" }

      """.utf8)
    let outcome = await session.pipe([":run f.wb"])
    let urls = outcome.requests.map { "\($0.url)" }
    #expect(urls == ["https://a.example/x", "https://b.example/y"], "\(outcome.screen)")
  }
}
