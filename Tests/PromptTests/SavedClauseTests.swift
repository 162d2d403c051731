import Canaries
import HTTPTypes
import Requests
import Testing
import UploaderCore

/// What `:save` keeps of a step, wherever it was written, and which requests it considers the same.
@Suite struct SavedClauseTests {
  private func saved(
    _ lines: [String], answers: [Response], files: [String: String] = [:], environment: [String: String] = [:]
  ) async -> (text: String, screen: String) {
    var session = PromptSession(environment: environment, answers: answers)
    session.files = files.mapValues { Array($0.utf8) }.merging(["profiles.wb": []]) { $1 }
    let outcome = await session.pipe(lines + [":save s.wb"])
    return (outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? "", outcome.screen)
  }

  private static let step = """
    POST https://a.example/items/{$x}
        # as often as this
        json { id: $x }
        timeout 500ms
        retry 3 on 5xx
        effect once
        limit 10KiB
        redirects none
        expect 201 | 202
        expect body.id == $x
        save body to "out-{$x}.json"
    """

  private static let written = """
    post-one: POST /items/one
      json { id: "one" }
      # as often as this
      timeout 500ms
      retry 3 on 5xx
      effect once
      limit 10KiB
      redirects none
      expect 201 | 202
      expect body.id == "one"
      save body to "out-one.json"
    """

  @Test(arguments: [
    ["for $x in [\"one\"] {\n  \(step)\n}"], ["sequence up(x) {\n  \(step)\n}", "run up(\"one\")"],
    ["use \"up.wb\"", "run up(\"one\")"],
    ["sequence up() {\n  let x = \"one\"\n  for $y in [1] {\n  \(step)\n  }\n}", "run up()"],
  ])
  func `a step keeps each of its clauses, whatever block it was in`(lines: [String]) async {
    let (text, screen) = await saved(
      lines, answers: [.json(#"{"id":"one"}"#, status: 201)],
      files: ["up.wb": "sequence up(x) {\n  \(Self.step)\n}"])
    #expect(text == "profile a {\n  base https://a.example\n}\n\n\(Self.written)\n", "\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `a clause that cannot be written is reported`() async {
    let token = Canary.secret("lost-clause")
    let (text, screen) = await saved(
      [
        "profile a { base https://a.example auth bearer $env.TOKEN }",
        "sequence up(t) {\n  GET /x expect body.of != $t\n}", "run up($env.TOKEN)",
      ], answers: [.json(#"{"of":"other"}"#)], environment: ["TOKEN": token])
    #expect(text.contains("GET /x\n  expect 200"), "\(text)\(screen)")
    #expect(screen.contains("$1: left out, since its names are known only in its block: expect body.of != $t"))
  }

  @Test func `a user and a password stay a user and a password`() async {
    let password = Canary.onScreen("saved-basic")
    let (text, screen) = await saved(
      ["for $user in [\"ann\"] {\n  GET https://a.example/x auth basic $user, \"\(password)\"\n}"],
      answers: [.json("{}")])
    #expect(text.contains("  auth basic \"ann\", $password\n"), "\(text)\(screen)")
    #expect(!text.contains(password) && !text.contains("Authorization"))
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `a step that repeats in a block is one step`() async {
    let (text, screen) = await saved(
      ["for $x in [1] {\n  GET https://a.example/job repeat every 5ms until body.done\n}"],
      answers: [.json(#"{"done":false}"#), .json(#"{"done":true}"#)])
    #expect(text.hasSuffix("get-job: GET /job\n  repeat every 5ms until body.done\n  expect 200\n"), "\(text)\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `a comment stays`() async {
    let (text, _) = await saved(
      ["GET https://a.example/x  # why\n  # and this\n  timeout 90s  # because"], answers: [.json("{}")])
    #expect(text.hasSuffix("GET /x  # why\n  # and this\n  timeout 90s  # because\n  expect 200\n"), "\(text)")
  }

  // MARK: Loops

  private static let rounds = """
    profile a {
      base https://a.example
    }

    it-1: GET /items/7
      expect 200

    it-2: GET /items/8
      expect 200

    let it = [$it-1, $it-2]

    post-echo: POST /echo
      json { SENT }
      expect 200

    """

  @Test(arguments: [
    ("ids:=$it[*].body.id", "ids: $it[*].body.id"), ("first:=$it[0].body.name", "first: $it[0].body.name"),
    ("last=$it[-1].body.name", "last: $it[-1].body.name"), ("json { n: $it | count }", "n: $it | count"),
  ])
  func `after a loop, its label stays the responses of all rounds`(typed: String, written: String) async {
    let (text, screen) = await saved(
      [
        "profile a { base https://a.example }", "for $i in [7, 8] { it: GET /items/{$i} }", "POST /echo \(typed)",
      ],
      answers: [.json(#"{"id":7,"name":"x"}"#), .json(#"{"id":8,"name":"y"}"#), .json("{}")])
    #expect(text == Self.rounds.replacing("SENT", with: written), "\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `a name and a loop in a loop keep them, too, and the rounds are added`() async {
    let (text, screen) = await saved(
      [
        "for $i in [1, 2] { for $j in [3, 4] { it: GET https://a.example/{$i}/{$j} } }",
        "let last = $it[1][*].body.n", "POST https://a.example/echo ns:=$last",
      ],
      answers: (1...4).map { .json(#"{"n":\#($0 * 11)}"#) } + [.json("{}")])
    #expect(text.contains("let it = [[$it-1, $it-2], [$it-3, $it-4]]\nlet last = $it[1][*].body.n\n"), "\(text)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  // MARK: What is the same request

  private static func redirect(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location])
  }

  @Test func `a request that was redirected is not the request it was redirected to`() async {
    let (text, screen) = await saved(
      ["POST https://a.example/login user=ann", "GET https://a.example/home"],
      answers: [Self.redirect("/home"), .json("{}"), .json("{}")])
    #expect(
      text.contains("post-login: POST /login\n  json { user: \"ann\" }") && text.contains("get-home: GET /home"),
      "\(text)\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test(arguments: [
    ("header Authorization: \"Bearer {one}\"", "header Authorization: \"Bearer {two}\""),
    ("auth bearer \"{one}\"", "auth bearer \"{two}\""), ("auth basic \"u\", \"{one}\"", "auth basic \"u\", \"{two}\""),
    ("header X-Api-Key: {one}", "header X-Api-Key: {two}"),
    ("header Cookie: \"sid={one}\"", "header Cookie: \"sid={two}\""),
    ("header Accept: text/plain", "header Accept: text/html"), ("", "header Accept: text/html"),
    ("timeout 1s", "timeout 2s"),
  ])
  func `requests with different content are two`(one: String, two: String) async {
    let secrets = [Canary.onScreen("one-request"), Canary.onScreen("other-request")]
    let lines = [one, two].map {
      "GET https://a.example/me \($0.replacing("{one}", with: secrets[0]).replacing("{two}", with: secrets[1]))"
    }
    let (text, screen) = await saved(lines, answers: [.json("{}"), .json("{}")])
    #expect(text.contains("get-me: GET /me") && text.contains("get-me-2: GET /me"), "\(text)\(screen)")
    #expect(!screen.contains("saved once"))
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test(arguments: ["X-Request-Id: {n}", "traceparent: {n}", "Date: {n}"])
  func `a field that changes on its own does not make a different request`(field: String) async {
    let lines = ["1", "2"].map { "GET https://a.example/me header \(field.replacing("{n}", with: $0))" }
    let (_, screen) = await saved(lines, answers: [.json("{}"), .json("{}")])
    #expect(screen.contains("$1 and $2 are the same request: saved once"), "\(screen)")
  }
}
