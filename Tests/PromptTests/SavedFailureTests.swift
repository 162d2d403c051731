import Canaries
import HTTPTypes
import Requests
import Testing
import UploaderCore

/// What failed is no part of what is saved, and what is saved is as somebody would write it.
@Suite struct SavedFailureTests {
  private func saved(
    _ lines: [String], answers: [Response], save: String = ":save s.wb", environment: [String: String] = [:]
  ) async -> (text: String, screen: String) {
    let session = PromptSession(environment: environment, files: ["profiles.wb": []], answers: answers)
    let outcome = await session.pipe(lines + [save])
    return (outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? "", outcome.screen)
  }

  @Test func `of several that failed, how to keep one is said once`() async {
    let answers: [Response] = [.json("{}"), .json("{}", status: 404), .json("{}", status: 409)]
    let lines = ["a: GET https://a.example/x", "b: GET https://a.example/y", "c: GET https://a.example/z"]
    let (_, screen) = await saved(lines, answers: answers)
    #expect(screen.contains("left out $2, which failed with 404\n  left out $3, which failed with 409\n"), "\(screen)")
    #expect(screen.contains("\n  to keep one of them, name it, such as $3: :save s.wb! 1..3 3\n"), "\(screen)")
    #expect(screen.ranges(of: "to keep").count == 1, "\(screen)")
    let (_, brief) = await saved(lines, answers: [.json("{}", status: 404), .json("{}", status: 404), .json("{}")])
    #expect(brief.contains("left out $1..$2, which failed with 404\n  to keep"), "\(brief)")
    let named = await saved(lines, answers: answers, save: ":save s.wb a $c")
    #expect(named.text.contains("/x") && !named.text.contains("/y") && named.text.contains("/z"), "\(named.screen)")
    let range = await saved(lines, answers: [.json("{}"), .json("{}"), .json("{}")], save: ":save s.wb b..c")
    #expect(!range.text.contains("/x") && range.text.contains("/y") && range.text.contains("/z"), "\(range.screen)")
  }

  @Test func `a request whose expectation failed is left out, unless it is named`() async {
    let lines = ["GET https://a.example/x expect body.total == \"25\"", "GET https://a.example/y"]
    let answers: [Response] = [.json(#"{"total":25}"#), .json("{}")]
    let (text, screen) = await saved(lines, answers: answers)
    #expect(!text.contains("/x") && text.contains("/y"), "\(text)")
    #expect(
      screen.contains("left out $1, which was not as expected\n  to keep it: :save s.wb! 1..2 1\n"), "\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
    // The advice works, and keeps the others.
    let advised = await saved(lines + [":save s.wb"], answers: answers, save: ":save s.wb! 1..2 1")
    #expect(advised.text.contains("/x") && advised.text.contains("/y"), "\(advised.screen)")
    let named = await saved(lines, answers: answers, save: ":save s.wb 1 2")
    #expect(named.text.contains("/x") && named.text.contains("/y"), "\(named.text)")
    #expect(
      named.screen.contains("warning: $1: the script expects what its response is not, and stops there"),
      "\(named.screen)")
  }

  @Test func `a repetition that got nowhere is left out, and later steps are not blamed`() async {
    let (text, screen) = await saved(
      [
        "GET https://a.example/x repeat 3 times until body.ready", "GET https://a.example/y?n=1",
        "GET https://a.example/y?n=2",
      ],
      answers: Array(repeating: .json(#"{"ready":false}"#), count: 3) + [.json("{}"), .json("{}")])
    #expect(!text.contains("repeat") && text.contains("n=1") && text.contains("n=2"), "\(text)\(screen)")
    #expect(screen.contains("left out $1..$3, which was repeated without getting there"), "\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  /// The ETag is that of the order that is found then, so the path has to be, too.
  @Test func `a path that was typed goes with the response that the step refers to`() async {
    var order = Response.json(#"{"id":6,"state":"new"}"#)
    order.headers[.eTag] = "\"v1-6\""
    let lines = [
      "profile a { base https://a.example }", "GET /orders", "GET /orders/{$_.body[1].id}",
      "PATCH /orders/6?notify=1 state=packed If-Match:$2.headers.etag", "GET /orders/6",
    ]
    let (text, screen) = await saved(
      lines, answers: [.json(#"[{"id":3},{"id":6}]"#), order, .json("{}"), .json("{}")])
    #expect(text.contains("PATCH /orders/{$get-orders.body[1].id}?notify=1\n"), "\(text)")
    #expect(text.contains("If-Match: $get-orders-2.headers.etag"), "\(text)")
    // What refers to nothing stays as it was typed.
    #expect(text.contains("GET /orders/6\n"), "\(text)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `a URL that a redirect led to and a server repeats is typed, and not brought`() async {
    var found = Response(status: .found)
    found.headers[.location] = "https://a.example/get?long=enough"
    let (text, screen) = await saved(
      ["curl -L https://a.example/redirect", "GET https://a.example/get?long=enough"],
      answers: [found, .json(#"{"url":"https://a.example/get?long=enough","id":"i-12345678"}"#), .json("{}")])
    #expect(text.contains("GET /get?long=enough\n") && !text.contains("body.url"), "\(text)\(screen)")
  }

  @Test func `a small number of a list is not where a typed one comes from`() async {
    let (text, _) = await saved(
      ["GET https://a.example/items", "GET https://a.example/items/3"],
      answers: [.json(#"{"items":[{"id":1},{"id":2},{"id":3}]}"#), .json("{}")])
    #expect(text.contains("GET /items/3\n"), "\(text)")
    let (made, _) = await saved(
      ["POST https://a.example/items name=x", "GET https://a.example/items/26"],
      answers: [.json(#"{"id":26}"#), .json("{}")])
    #expect(made.contains("GET /items/{$post-items.body.id}"), "\(made)")
  }

  @Test func `a path in quotes goes where it went`() async {
    let (text, screen) = await saved(
      [
        "profile a { base https://a.example }", "profile b { base https://b.example }", "GET a:/x", "GET b:/y",
        "let n = 3", "GET \"/items/{$n}\"",
      ], answers: [.json("{}"), .json("{}"), .json("{}")])
    #expect(text.contains("GET \"/items/{$n}\"\n  with profile b\n"), "\(text)")
    #expect(screen.contains("it sends the same requests"), "\(text)\(screen)")
  }

  @Test func `a path within an expression goes where it went`() async {
    let (text, screen) = await saved(
      [
        "profile a { base https://a.example }", "profile b { base https://b.example }", "GET a:/x", "GET b:/y",
        "page: GET ($page.links.next ?? \"/items?n=6\") with profile b repeat until status == 200",
        ":profile b", "rest: GET ($rest.links.next ?? \"/items?n=6\") repeat until status == 200",
      ], answers: [.json("{}"), .json("{}"), .json("{}"), .json("{}")])
    #expect(text.ranges(of: "with profile b\n").count == 2, "\(text)")
    #expect(screen.contains("it sends the same requests"), "\(text)\(screen)")
  }

  @Test func `a variable that begins with another profile needs no number`() async {
    let (one, two) = (Canary.onScreen("first-password"), Canary.onScreen("second-password"))
    let (text, screen) = await saved(
      ["POST https://a.example/x password=\"\(one)\"", "POST https://b.example/x password=\"\(two)\""],
      answers: [.json("{}"), .json("{}")])
    #expect(text.hasPrefix("# Needs in the environment: A_PASSWORD, B_PASSWORD\n"), "\(text)\(screen)")
    #expect(text.contains("secret password-2 = $env.B_PASSWORD for b"), "\(text)")
  }

  @Test func `a variable has the number of its name`() async {
    let (one, two) = (Canary.onScreen("first-password"), Canary.onScreen("second-password"))
    let (text, _) = await saved(
      [
        "let password = 1", "POST https://a.example/x password=\"\(one)\" n:=$password",
        "POST https://a.example/y password=\"\(two)\"",
      ], answers: [.json("{}"), .json("{}")])
    #expect(text.contains("secret password-2 = $env.A_PASSWORD_2 for a"), "\(text)")
    #expect(text.contains("secret password-3 = $env.A_PASSWORD_3 for a"), "\(text)")
  }

  @Test func `what a response that failed brought again comes from the one before it`() async {
    func page(_ token: String, _ status: HTTPResponse.Status = .ok) -> Response {
      Response(
        status: status, headers: [.contentType: "text/html"],
        body: ResponseBody(Array("<form><input name='csrf' value='\(token)'></form>".utf8)))
    }
    let csrf = "csrf=$_.body | xpath(\"string(//input/@value)\")"
    let lines = [
      "GET https://a.example/login", "POST https://a.example/login form user=ann \(csrf)",
      "POST https://a.example/login form user=anna \(csrf)",
    ]
    let same = await saved(lines, answers: [page("t-1"), page("t-1", .unauthorized), .json("{}")])
    #expect(same.screen.contains("what $2 brought is taken from $1, which brought the same"), "\(same.screen)")
    #expect(same.screen.contains("2 steps") && same.screen.contains("it sends the same requests"), "\(same.screen)")
    #expect(!same.text.contains("user: \"ann\"") && same.text.contains("anna"), "\(same.text)")
    let other = await saved(lines, answers: [page("t-1"), page("t-2", .unauthorized), .json("{}")])
    #expect(other.screen.contains("added $2, which failed with 401: its response is needed"), "\(other.screen)")
    #expect(other.screen.contains("it sends the same requests"), "\(other.screen)")
  }

  @Test func `what only looks like the value of a response is written as it was typed`() async {
    let answers = [
      Response(status: .found, headers: [.location: "/get"]), .json(#"{"id":"o-4711"}"#), .json("{}"),
    ]
    let (text, screen) = await saved(
      [
        "GET https://a.example/redirect redirects none", "GET https://a.example/orders",
        "GET https://a.example/to url==/get id==o-4711",
      ], answers: answers)
    #expect(text.contains("\"/get\"") || text.contains("url: /get"), "\(text)\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test(arguments: [
    "curl https://a.example/x -H 'Authorization: Bearer $shop-token'",
    "https a.example/x 'Authorization:Bearer {$shop-token}'", "GET https://a.example/x auth bearer '$shop-token'",
  ])
  func `a name that was typed as a text keeps nothing from being saved`(line: String) async {
    let (text, screen) = await saved(
      [
        "POST https://a.example/token", "profile shop { base https://a.example }",
        "secret shop-token = $1.body.token for shop", line, "GET shop:/me auth bearer $shop-token",
      ], answers: [.json(#"{"token":"t-0123456789abcdef"}"#), .json("{}", status: 401), .json("{}")])
    #expect(text.contains("$shop-token") && text.contains("/me"), "\(text)\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `that an added request failed is said`() async {
    let outcome = await PromptSession(answers: [.json(#"{"csrf":"c-1"}"#, status: 401), .json("{}")]).pipe([
      "POST https://a.example/login user=ann", "POST https://a.example/login csrf=$_.body.csrf", ":save s.wb 2",
    ])
    #expect(outcome.screen.contains("added $1, which failed with 401: its response is needed"), "\(outcome.screen)")
  }
}
