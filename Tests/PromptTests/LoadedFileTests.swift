import Requests
import Sessions
import Testing
import UploaderCore

/// `:load` of files that are not scripts.
@Suite struct LoadedFileTests {
  private static func session() -> PromptSession {
    var session = PromptSession(answers: [.json("1"), .json("2")])
    session.environment = ["OUTSIDE_OWN": "own"]
    session.files = [
      "v.yaml": Array("outside-name: 7\ntags: [a]\n\"two words\": 1\n".utf8),
      ".env": Array("OUTSIDE_VARIABLE=from-file\nOUTSIDE_OWN=other\n".utf8),
      "bad.json": Array("[1]".utf8),
    ]
    return session
  }

  @Test func `their names have values, and Tab knows them`() async {
    let outcome = await Self.session().type(
      ":load v.yaml\n:load .env\nGET https://a.example/{$outside-\t}\nGET https://a.example/{$env.OUTSIDE_V\t}\n")
    #expect(outcome.screen.contains("outside-name, tags\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("OUTSIDE_OWN (from the environment), OUTSIDE_VARIABLE\n"), "\(outcome.screen)")
    #expect(
      outcome.requests.map(\.url) == ["https://a.example/7", "https://a.example/from-file"], "\(outcome.screen)")
  }

  @Test(arguments: [
    (":import pm.json", "pm.json is neither a curl line nor a .hurl or .http file"),
    (":import lines.sh", "workbench import curl lines.sh makes a script"),
    (":run pm.json", "this is JSON, not a script: --vars pm.json"),
  ])
  func `what another file is for is said`(line: String, advice: String) async {
    var session = Self.session()
    session.files["pm.json"] = Array("{\"info\": {}}\n".utf8)
    session.files["lines.sh"] = Array("curl https://a.example/1\ncurl https://a.example/2\n".utf8)
    let outcome = await session.pipe([line])
    #expect(outcome.screen.contains(advice), "\(outcome.screen)")
  }

  @Test(arguments: [":import a.http", ":import http a.http", ":import hurl  b.hurl"])
  func `what the file to import is may be said before it`(line: String) async {
    var session = PromptSession(answers: [.json("1")])
    session.files = [
      "a.http": Array("GET https://a.example/x\n".utf8), "b.hurl": Array("GET https://a.example/x\n".utf8),
    ]
    let outcome = await session.pipe([line])
    #expect(outcome.requests.map(\.url) == ["https://a.example/x"], "\(outcome.screen)")
  }

  @Test(arguments: [":import api.http", ":run api.http"])
  func `a variable that is misspelt in a file is said where it is in the file`(line: String) async {
    var session = PromptSession(answers: [.json("1")])
    session.files["api.http"] = Array(
      "@token = abcdefgh-token\n\nGET https://a.example/x\nAuthorization: Bearer {{tokn}}\n".utf8)
    let outcome = await session.pipe([line])
    #expect(outcome.requests.isEmpty && outcome.screen.contains(" --> api.http:4:23\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("did you mean {{token}}? if not: :load .env gives those"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("<input") && !outcome.screen.contains("export"), "\(outcome.screen)")
  }

  @Test func `a variable of the process stays what it is`() async {
    let outcome = await Self.session().pipe([":load .env", "GET https://a.example/{$env.OUTSIDE_OWN}"])
    #expect(outcome.requests.map(\.url) == ["https://a.example/own"], "\(outcome.screen)")
  }

  @Test func `a profile that lacked its variable gets it`() async {
    let outcome = await Self.session().pipe([
      ":load .env", "profile api { base https://a.example header X-Key: $env.OUTSIDE_VARIABLE }", "GET /x",
    ])
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
    #expect(!outcome.screen.contains("from-file"), "\(outcome.screen)")
  }

  @Test func `of a script whose names come from its steps, it says how to run it`() async {
    var session = Self.session()
    let script = """
      profile api { base https://a.example auth bearer $token }
      login: POST /login auth none
      secret token = $login.body.token for api
      sequence again() { x: GET /x }
      """
    session.files["chain.wb"] = Array(script.utf8)
    let outcome = await session.pipe([":load chain.wb", ":vars"])
    let screen = outcome.screen
    #expect(
      screen.contains("error: $token is made from the response to login, and :load leaves the steps"), "\(screen)")
    #expect(screen.contains(":run chain.wb\n") && screen.contains("There are no names yet"), "\(screen)")
  }

  @Test func `what is wrong with a file is said, and changes nothing`() async {
    let outcome = await Self.session().pipe([":load bad.json", ":load none.env", ":vars"])
    #expect(outcome.screen.contains("error: bad.json: this is not a map of names and values\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("error: cannot read \"none.env\""), "\(outcome.screen)")
    #expect(outcome.code == .failed)
  }
}
