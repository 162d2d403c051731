import Canaries
import Formats
import Requests
import Testing

@testable import Prompt

/// Whatever the history hides has a name in a saved script.
@Suite struct SavedLoginTests {
  private struct Saved {
    var text: String
    var screen: String
    var variables: [String]
  }

  private func saved(_ lines: [String], files: [String: [UInt8]] = [:]) async -> Saved {
    let session = PromptSession(files: files, answers: lines.map { _ in .json("{}") })
    let outcome = await session.pipe(lines + [":save s.wb"])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    let heading = text.split(separator: "\n").first { $0.hasPrefix("# Needs in the environment: ") } ?? ""
    let variables = heading.dropFirst(28).split(separator: ", ").map { String($0.prefix { $0 != " " }) }
    return Saved(text: text, screen: outcome.screen, variables: variables)
  }

  @Test(arguments: [
    "GET https://a.example/x Authorization:'Bearer tok-81-horse'",
    "http https://a.example/x 'Authorization:Bearer tok-81-horse'",
    "http -v https://a.example/x Authorization:\"Bearer tok-81-horse\"",
    "GET https://a.example/x header Authorization: \"Bearer tok-81-horse\"",
    "curl https://a.example/x -H 'Proxy-Authorization: Bearer tok-81-horse'",
  ])
  func `what a variable holds is the token without its scheme`(line: String) async {
    let saved = await saved([line])
    #expect(saved.text.contains("uthorization: \"Bearer {$token}\"\n"), "\(saved.text)\(saved.screen)")
    #expect(saved.screen.contains("it sends the same requests"), "\(saved.screen)")
  }

  /// What is typed with references in it is no less hidden.
  @Test(arguments: [
    "curl https://a.example/login -d user=ada -d 'password=correct horse' -d csrf=$csrf",
    "curl https://a.example/login -d csrf=$csrf -d 'password=correct horse' -d user=ada",
    "curl https://a.example/login -d \"user=ada&password=correct horse&csrf=$csrf\"",
    "curl https://a.example/login --data-urlencode 'password=correct horse' -d csrf=$csrf",
    "POST https://a.example/login body \"user=ada&password=correct horse&csrf={$csrf}\" as \"application/x-www-form-urlencoded\"",
  ])
  func `a password of two words in a form with references is hidden to its end`(line: String) async {
    let said = Response.json(#"{"said": "correct horse", "words": "correct, or a horse"}"#)
    let session = PromptSession(answers: [said])
    let outcome = await session.pipe([":set csrf = 'tok81tok81'", line, ":save s.wb"])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    for text in [text, outcome.screen.replacing(#""words": "correct, or a horse""#, with: "")] {
      #expect(!text.contains("horse") && !text.contains("correct"), "\(text)")
    }
    #expect(outcome.screen.contains(#""words": "correct, or a horse""#), "\(outcome.screen)")
    #expect(text.contains("A_PASSWORD") && outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("is shorter than"), "\(outcome.screen)")
  }

  @Test func `a password inside of another goes where that goes`() async {
    let session = PromptSession(answers: [.json("{}"), .json("{}")])
    let outcome = await session.pipe([
      "GET https://b.example/x auth basic \"ada\", \"correct horse\"",
      "POST https://a.example/login form user=ada password=\"correct horse battery\"", ":save s.wb",
    ])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.contains(" for b, a\n") && text.contains(" for a\n"), "\(text)")
    #expect(outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
  }

  /// A wrong password would be filled in as the right one.
  @Test func `a password that was refused is called wrong`() async {
    let session = PromptSession(answers: [.json("{}", status: 401), .json("{}"), .json("{}", status: 401)])
    let outcome = await session.pipe([
      "POST https://a.example/login form user=ada password=battery-horse-80 expect 401",
      "POST https://a.example/login form user=ada password=battery-horse-81",
      "POST https://a.example/login form user=ada password=battery-horse-81 expect 401", ":save s.wb",
    ])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.contains("= $env.A_WRONG_PASSWORD for a\n"), "\(text)\(outcome.screen)")
    #expect(text.contains("= $env.A_PASSWORD for a\n"), "\(text)\(outcome.screen)")
    #expect(text.ranges(of: "$env.").count == 2, "\(text)\(outcome.screen)")
  }

  /// Texts with a login, in the ways they come in.
  static let contents = [
    #"mutation { login(password: "SECRET") { name } }"#, #"{"password":"SECRET"}"#, #"{"password":"SECRET"} {"a":1}"#,
    #"{"a":1}{"api_key": "SECRET"}"#, "password: SECRET", "user: u, password: SECRET", #"{password: "SECRET"}"#,
    #"payload={"password":"SECRET"}"#, "user=u;password=SECRET", #"[["token", 1], {"note": ["x"], "pwd":"SECRET"}]"#,
    #"{"inner": "{\"password\":\"SECRET\"}"}"#, "Authorization: Bearer SECRET", "see https://u:SECRET@h.example/x",
    "see https://h.example/x?access_token=SECRET&page=1",
  ]

  /// Of what `-F` is given, curl leaves out what is after a semicolon.
  static let ways: [@Sendable (String) -> [String]] = [
    { ["POST https://a.example/x text '\($0)'"] }, { ["POST https://a.example/x body '\($0)'"] },
    { ["POST https://a.example/x json { note: '\($0)', list: ['\($0)'] }"] },
    { ["POST https://a.example/x form { d: '\($0)' }"] }, { ["POST https://a.example/x multipart { d: '\($0)' }"] },
    { ["POST https://a.example/x graphql '\($0)'"] },
    { ["POST https://a.example/x graphql 'query { a }' variables { d: '\($0)' }"] },
    { ["GET https://a.example/x header X-Note: '\($0)'"] }, { ["GET https://a.example/x query note: '\($0)'"] },
    { ["GET https://a.example/x expect text != '\($0)'"] }, { ["POST https://a.example/x d='\($0)'"] },
    { [":set b = '\($0)'", "POST https://a.example/x text $b"] },
    { [":set b = { note: '\($0)' }", "POST https://a.example/x json $b"] },
    { ["let b = ['\($0)']", "let c = { list: $b }", "POST https://a.example/x json $c"] },
    { ["curl https://a.example/x --data-raw '\($0)'"] }, { ["curl https://a.example/x --form-string 'd=\($0)'"] },
    { ["curl https://a.example/x -H 'X-Note: \($0)'"] },
    { ["curl https://a.example/x -H 'Content-Type: application/json' -d '\($0)'"] },
  ]

  @Test(arguments: contents) func aLoginInATextIsReadFromTheEnvironment(content: String) async {
    let secret = Canary.onScreen("saved-login").filter { $0.isLetter || $0.isNumber }
    for way in Self.ways {
      let lines = way(content.replacing("SECRET", with: secret))
      let saved = await saved(lines)
      #expect(
        lines.allSatisfy { line in !line.contains(secret) || !TypedSecrets.masked(line).contains(secret) }, "\(lines)")
      #expect(!saved.text.isEmpty && !saved.text.contains(secret), "\(lines)\n\(saved.text)\(saved.screen)")
      #expect(saved.variables.count == 1, "\(lines)\n\(saved.text)")
      #expect(saved.screen.contains("it sends the same requests"), "\(lines)\n\(saved.text)\(saved.screen)")
    }
  }

  @Test(arguments: [
    [":set b = { password: \"SECRET\" }", "POST https://a.example/x json $b"],
    [":set password = \"SECRET\"", "POST https://a.example/x p=$password"],
    ["GET https://a.example/x auth basic \"SECRET\", \"\""], ["curl -u SECRET: https://a.example/x"],
    ["curl -u ann:SECRET https://a.example/x"], ["curl https://a.example/x -d '{\"password\": \"SECRET\"}'"],
    ["GET https://a.example/x auth sigv4 { key: \"AKEXAMPLE\", secret: \"SECRET\", region: \"eu\", service: \"s3\" }"],
    ["POST https://a.example/x json { credentials: { user: \"SECRET\", n: [\"SECRET\"] } }"],
    ["GET https://a.example/y", "GET https://a.example/x expect ($1.body.token ?? \"SECRET\") == \"SECRET\""],
    ["GET https://a.example/x expect (body.token ?? \"x\") != \"SECRET\""],
    ["GET https://a.example/x # password: SECRET"],
    ["POST https://a.example/x json { password: (\"SECRET\" | lower) }"],
    ["POST https://a.example/x text \"user {1} password: SECRET\""],
  ]) func aLoginInAStatementIsReadFromTheEnvironment(lines: [String]) async {
    let secret = Canary.onScreen("saved-statement").filter { $0.isLetter || $0.isNumber }.lowercased()
    let saved = await saved(lines.map { $0.replacing("SECRET", with: secret) })
    #expect(!saved.text.isEmpty && !saved.text.contains(secret), "\(saved.text)\(saved.screen)")
    #expect(saved.screen.contains("it sends the same requests"), "\(saved.text)\(saved.screen)")
  }

  @Test func twoPasswordsAreTwoNames() async {
    let secrets = ["first-login", "second-login"].map { Canary.onScreen($0).filter { $0.isLetter || $0.isNumber } }
    let saved = await saved([
      ":set b = { password: \"\(secrets[0])\" }", "POST https://a.example/x json $b",
      "POST https://a.example/y text 'password: \(secrets[1]), again password: \(secrets[0])'",
      "POST https://a.example/z text 'password: \(secrets[1])'",
    ])
    #expect(saved.variables == ["A_PASSWORD", "A_PASSWORD_2"], "\(saved.text)\(saved.screen)")
    #expect(secrets.allSatisfy { !saved.text.contains($0) }, "\(saved.text)")
    #expect(saved.screen.contains("it sends the same requests"), "\(saved.text)\(saved.screen)")
  }

  @Test func aPasswordForTwoHostsBelongsToBoth() async {
    let secret = Canary.onScreen("two-hosts").filter { $0.isLetter || $0.isNumber }
    let saved = await saved([
      ":set b = { password: \"\(secret)\" }", "POST https://a.example/x json $b", "POST https://b.example/x json $b",
    ])
    #expect(saved.text.contains("secret password = $env.A_PASSWORD for a, b"), "\(saved.text)\(saved.screen)")
    #expect(saved.screen.contains("it sends the same requests"), "\(saved.text)\(saved.screen)")
  }

  @Test(arguments: [
    ("password=$env.API_PW", "json { password: $api-pw }"), ("form password=$env.API_PW", "form { password: $api-pw }"),
    ("X-Key:$env.API_PW", "header X-Key: $api-pw"), ("text \"password={$env.API_PW}\"", "text \"password={$api-pw}\""),
    ("auth basic \"ann\", $env.API_PW", "auth basic \"ann\", $env.API_PW"),
  ])
  func `a variable that looks like a secret is saved as one`(typed: String, written: String) async {
    let session = PromptSession(
      environment: ["API_PW": Canary.onScreen("variable")], answers: [.json("{}"), .json("{}"), .json("{}")])
    let outcome = await session.pipe([
      "POST https://a.example/x \(typed)", "POST https://a.example/y \(typed)", "POST https://b.example/z \(typed)",
      ":save s.wb",
    ])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.contains(written), "\(text)\(outcome.screen)")
    #expect(text.contains("secret api-pw = $env.API_PW for a, b\n") != typed.hasPrefix("auth"), "\(text)")
    #expect(outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
    #expect(outcome.screen.ranges(of: "looks like a secret").count == (typed.hasPrefix("auth") ? 0 : 1))
  }

  @Test func aNumberIsSentAsANumber() async {
    let saved = await saved(["POST https://a.example/x json { pin: 918273, n: 1 }"])
    #expect(!saved.text.contains("918273") && saved.variables == ["A_PIN"], "\(saved.text)\(saved.screen)")
    #expect(saved.screen.contains("it sends the same requests"), "\(saved.text)\(saved.screen)")
  }

  @Test(arguments: [
    "POST https://a.example/x graphql 'mutation($password: String!) { login(password: $password) { token } }'",
    "POST https://a.example/x json { token_type: \"Bearer\", max_tokens: 100 }",
    "GET https://a.example/x expect body is { token: string }",
    "POST https://a.example/x text \"password={$env.WORD}\"",
  ]) func whatIsNoSecretIsKept(line: String) async {
    let session = PromptSession(environment: ["WORD": Canary.onScreen("kept")], answers: [.json(#"{"token":"x"}"#)])
    let outcome = await session.pipe([line, ":save s.wb"])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.contains("/x") && !text.contains("secret "), "\(text)\(outcome.screen)")
    #expect(TypedSecrets.masked(line) == line)
  }
}
