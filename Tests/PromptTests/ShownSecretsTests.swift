import Canaries
import HTTPTypes
import Requests
import Subcommands
import Testing
import UploaderCore

@testable import Prompt

/// What the prompt does not show, and what it reports about that.
@Suite struct ShownSecretsTests {
  @Test func `a short secret is warned about once, and a shorter one is not sent`() async {
    let session = PromptSession(
      environment: ["PIN": "814263", "KEY": "814"], answers: [.json(#"{"pin":"814263"}"#), .json("{}")])
    let outcome = await session.pipe([
      "profile a { base https://a.example auth bearer $env.PIN }", "GET a:/x", "GET a:/y",
      "profile b { base https://b.example auth bearer $env.KEY }", "GET b:/z",
    ])
    let warning = "warning: the secret \"PIN\" is shorter than 8 bytes\n = wherever the same text appears, it is hidden"
    #expect(outcome.screen.ranges(of: warning).count == 1, "\(outcome.screen)")
    #expect(outcome.screen.contains("\"pin\": \"••••\""))
    #expect(outcome.screen.contains("error: the secret \"KEY\" is shorter than 4 bytes"), "\(outcome.screen)")
    #expect(outcome.screen.contains("use let in place of secret"), "\(outcome.screen)")
    #expect(outcome.requests.map(\.url) == ["https://a.example/x", "https://a.example/y"])
  }

  @Test func `of short texts that were typed, one is warned of`() async {
    let outcome = await PromptSession(answers: [.json("1"), .json("1"), .json("1")]).pipe([
      "GET https://a.example/x Authorization:\"Bearer nope\"", "GET https://a.example/y -u ann:pw-12",
      "POST https://a.example/login password=four",
    ])
    #expect(outcome.screen.ranges(of: "is shorter than 8 bytes").count == 1, "\(outcome.screen)")
    #expect(!outcome.screen.contains("pw-12") && !outcome.screen.contains("four"), "\(outcome.screen)")
  }

  @Test(arguments: ["basic", "digest"])
  func `a very short password in a request is sent by each scheme`(scheme: String) async {
    let session = PromptSession(environment: ["KEY": "814"], answers: [.json("{}"), .json("{}")])
    let outcome = await session.pipe([
      "GET https://a.example/x auth \(scheme) \"ann\", \"pw\"", "let key = $env.KEY",
      "GET https://a.example/y auth \(scheme) \"ann\", $key", ":show request",
    ])
    #expect(outcome.requests.map(\.url) == ["https://a.example/x", "https://a.example/y"], "\(outcome.screen)")
    #expect(!outcome.screen.contains("pw") && !outcome.screen.contains("814"), "\(outcome.screen)")
  }

  @Test(arguments: [
    "curl -b 'theme=dark; sid=0123456789abcdef' https://a.example/x",
    "GET https://a.example/x Cookie:'theme=dark; sid=0123456789abcdef'",
  ])
  func `a short cookie that is typed is a word, and a long one a secret`(line: String) async {
    let answer = Response.json(#"{"mode":"dark","sid":"0123456789abcdef"}"#)
    let outcome = await PromptSession(answers: [answer, answer]).pipe([line, ":show"])
    #expect(outcome.screen.contains("\"dark\"") && !outcome.screen.contains("warning"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("0123456789abcdef"), "\(outcome.screen)")
  }

  @Test func `of a header, the credential is what is short`() async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe([
      "GET https://a.example/x Authorization:\"Bearer abc123\""
    ])
    let warning = "the credential in Authorization is shorter than 8 bytes"
    #expect(outcome.screen.contains(warning), "\(outcome.screen)")
  }

  @Test func `a password that curl's line and its request have is warned about once`() async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe([
      "curl -u ann:pw1234 https://a.example/x"
    ])
    #expect(outcome.screen.ranges(of: "is shorter than 8 bytes").count == 1, "\(outcome.screen)")
  }

  @Test func `what a request's own auth was given is called by the request in a warning`() async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe([
      "GET https://a.example/x auth basic \"ann\", \"pw1234\""
    ])
    #expect(
      outcome.screen.contains("warning: the credential of $1 is shorter than 8 bytes"),
      "\(outcome.screen)")
    #expect(!outcome.screen.contains("credential of a step"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("GET https://a.example/x auth basic \"ann\", \"hunter2-horse\"", "$1"),
    ("in: GET https://a.example/x auth basic \"ann\", \"hunter2-horse\"", "step \"in\""),
  ])
  func `who was given a password that may go nowhere else is said`(request: String, name: String) async {
    let other = "tok: POST https://b.example/token json { note: \"hunter2-horse\" }"
    let message =
      "step \"tok\": the credential of \(name) may go to https://a.example only, not to https://b.example\n"
    var session = PromptSession(answers: [.json("{}")])
    session.files["chain.wb"] = Array("\(request)\n\(other)\n".utf8)
    for screen in [
      await session.pipe([request, other]).screen, await session.runScript().screen,
      await session.send("\(request)\n\(other)").outcome.screen,
    ] { #expect(screen.contains(message), "\(screen)") }
  }

  /// Nor is a later request that is sent there with it.
  @Test(arguments: [
    ":explain GET https://b.example/x auth bearer $1.body.access_token",
    ":explain GET https://b.example/x auth bearer $1.body.access_token\nGET https://b.example/x auth bearer $1.body.access_token",
    "GET https://b.example/x?t={$1.body.access_token} auth bearer $1.body.access_token\nDELETE https://b.example/x auth bearer $1.body.access_token",
  ])
  func `what belongs to one origin may not go to another because a request there is given it, or explained`(
    lines: String
  ) async {
    let token = Canary.secret("given-twice")
    let elsewhere = "GET https://b.example/anything?t={$1.body.access_token}"
    let session = PromptSession(
      answers: [.json("{\"access_token\":\"\(token)\"}")] + Array(repeating: .json("{}"), count: 6))
    let outcome = await session.pipe(
      ["POST https://a.example/token", "GET https://a.example/me auth bearer $1.body.access_token", elsewhere]
        + lines.split(separator: "\n").map(String.init) + [elsewhere])
    let message = "the credential of $2 may go to https://a.example only, not to https://b.example"
    #expect(outcome.screen.ranges(of: message).count == 2, "\(outcome.screen)")
    #expect(!outcome.requests.contains { $0.url.contains("anything") }, "\(outcome.screen)")
  }

  /// An `auth` and a header that is one, written out: whichever comes first, at the prompt and in a script.
  @Test(arguments: [
    "auth bearer $tok.body.access_token", "header Authorization: \"Bearer {$tok.body.access_token}\"",
  ])
  func `steps at two origins may be given the same token, and no other there may send it`(own: String) async {
    let token = Canary.secret("given-to-two")
    for other in [
      "auth bearer $tok.body.access_token", "header Authorization: \"Bearer {$tok.body.access_token}\"",
      "header Authorization: \"Token {$tok.body.access_token}\"",
    ] {
      let lines = [
        "tok: POST https://a.example/token", "GET https://a.example/me \(own)", "GET https://b.example/me \(other)",
      ]
      let elsewhere = "GET https://b.example/anything?t={$tok.body.access_token}"
      var session = PromptSession(
        answers: [.json("{\"access_token\":\"\(token)\"}")] + Array(repeating: .json("{}"), count: 3))
      session.files["chain.wb"] = Array(lines.joined(separator: "\n").utf8)
      let typed = await session.pipe(lines + [elsewhere])
      #expect(
        typed.screen.contains("may go to https://a.example only, not to https://b.example"), "\(typed.screen)")
      for outcome in [typed, await session.runScript()] {
        let urls = outcome.requests.map(\.url)
        #expect(
          urls == ["https://a.example/token", "https://a.example/me", "https://b.example/me"],
          "\(own), \(other): \(outcome.screen)")
      }
    }
  }

  @Test func `an explained request gives nobody a secret`() async {
    let outcome = await PromptSession(
      environment: ["WORD": Canary.secret("explained-first")], answers: [.json("{}")]
    ).pipe([":explain GET https://b.example/x auth bearer $env.WORD", "GET https://a.example/x?t={$env.WORD}"])
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
  }

  @Test func `a copied line names the variable that the credential was read from`() async {
    let session = PromptSession(
      environment: ["API_TOKEN": Canary.secret("copied-variable"), "OTHER": "x"], answers: [.json("{}")])
    let outcome = await session.pipe(["GET https://a.example/me auth bearer $env.API_TOKEN", ":show curl"])
    #expect(outcome.screen.contains("\"Authorization: Bearer ${API_TOKEN}\""), "\(outcome.screen)")
    #expect(!outcome.screen.contains("looks like a secret"), "\(outcome.screen)")
  }

  /// A line with a mistake is shown, and it may have a password that nobody declared.
  @Test(arguments: [
    "POST https://a.example/x password=SECRET {", "GET https://a.example/?token=SECRET jso {a: 1}",
    "POST https://a.example/x json { password: \"SECRET\", a: $nope }", "let password = \"SECRET",
    "GET https://a.example/x auth basic \"u\", \"SECRET\" foo",
    "GET https://a.example/x header Authorization: Bearer SECRET x",
    ":set token = \"SECRET\" |", ":explain POST https://a.example/x password=SECRET {",
    "GET https://a.example/x auth bearer SECRET", ":repeat $1 every 1s until token == \"SECRET\" x",
    "POST https://a.example/x json { password: \"é\\u0065SECRET\" } }",
  ])
  func `a mistake is shown without the password in its line`(line: String) async {
    let secret = Canary.secret("mistyped")
    let outcome = await PromptSession(answers: [.json("{}"), .json("{}")]).pipe([
      "GET https://a.example/", line.replacing("SECRET", with: secret),
    ])
    #expect(outcome.screen.contains("error: "), "\(outcome.screen)")
    #expect(!outcome.screen.contains(secret), "\(outcome.screen)")
  }

  /// No request has made it known yet, so nothing but the value itself knows what it was made from.
  @Test(arguments: ["$env.TOK | upper", "$tok | sha256", "$tok | split(\"-\")", "$tok | slice(0, 3)", "$made | upper"])
  func `what is made of a secret is hidden before anything is sent`(expression: String) async {
    let token = Canary.secret("made-and-shown")
    let session = PromptSession(environment: ["TOK": token], answers: [.json("{}")])
    let outcome = await session.pipe([
      "profile a { base https://a.example }", "secret tok = $env.TOK for a", ":set made = $tok | slice(0, 12)",
      ":print \(expression)", ":set v = \(expression)", ":print $v", ":vars",
    ])
    let shown = outcome.screen.split(separator: "\n").filter { !$0.hasPrefix("profile") }.joined(separator: "\n")
    #expect(shown.contains("••••"), "\(shown)")
    for piece in [token.uppercased(), String(token.prefix(3)), String(token.prefix(12))] {
      #expect(!shown.contains(piece), "\(shown)")
    }
    #expect(shown.firstMatch(of: /[0-9a-f]{16}/) == nil, "\(shown)")
  }

  @Test func `a password that is a word is not hidden inside of longer words`() async {
    let session = PromptSession(answers: [.json(#"{"password":"pass","bypass":"my pass, pass1"}"#)])
    let outcome = await session.pipe(["http -a user:pass POST https://a.example/login password=pass"])
    #expect(outcome.screen.contains("POST https://a.example/login password=••••\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("\"password\": \"••••\""), "\(outcome.screen)")
    #expect(outcome.screen.contains("\"bypass\": \"my ••••, ••••1\""), "\(outcome.screen)")
  }

  @Test func `a typed password that is a word keeps no honest request from being sent`() async {
    let session = PromptSession(answers: [
      .json(#"{"said":"pass"}"#), .json(#"{"kind":"bypass"}"#), .json("{}"), .json("{}"),
    ])
    let outcome = await session.pipe([
      "http -a user:pass POST https://a.example/login password=pass", "GET https://b.example/passenger",
      "let kind = $2.body.kind", "POST https://b.example/x seat=passenger kind=$kind",
      "POST https://b.example/x a=$1.body.said", "POST https://b.example/x a=pass",
    ])
    #expect(outcome.requests.count == 4, "\(outcome.screen)")
    #expect(outcome.screen.contains("may go to https://a.example only, not to https://b.example"))
  }

  @Test func `what makes a longer word of a secret is secret`() async {
    let session = PromptSession(environment: ["PIN": "hunter"], answers: [.json(#"{"a":"nhuntero","b":"hunters"}"#)])
    let outcome = await session.pipe([
      "profile a { base https://a.example }", "secret pin = $env.PIN for a", "let glued = \"x{$pin}\"",
      ":print $glued", "POST a:/l{$pin}?q=m{$pin} body \"n{$pin}o\"", "POST https://b.example/x a=$glued",
      ":show request",
    ])
    #expect(outcome.requests.map(\.url) == ["https://a.example/lhunter?q=mhunter"], "\(outcome.screen)")
    #expect(outcome.screen.contains("\"b\": \"hunters\""), "\(outcome.screen)")
    for word in ["xhunter", "lhunter", "mhunter", "nhunter"] { #expect(!outcome.screen.contains(word), "\(word)") }
    #expect(!outcome.screen.contains("\"pin | …\" is shorter"))
  }

  @Test func `a name whose let failed has no value, and no step is blamed`() async {
    let outcome = await PromptSession(answers: [.json("{}"), .json("{}")]).pipe([
      "GET https://a.example/", "let token = $1.body.access", "$token", "GET https://a.example/ header { X-T: $token }",
    ])
    #expect(outcome.screen.contains("error: $token has no value: what gives it one failed, or did not run"))
    #expect(!outcome.screen.contains("step \"token\"") && outcome.requests.count == 1, "\(outcome.screen)")
  }

  @Test func `a saved script is shown as it was written, whatever the password`() async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe([
      "POST https://a.example/login password=secret", ":save login.wb",
    ])
    #expect(outcome.screen.contains("secret password = $env."), "\(outcome.screen)")
    #expect(outcome.screen.contains("/login\n  json { password: $password }\n"), "\(outcome.screen)")
  }

  @Test func `in a copied curl line two texts made from one secret are two variables, and that is reported`() async {
    let token = Canary.secret("made-in-curl")
    let session = PromptSession(environment: ["TOK": token], answers: [.json("{}")])
    let outcome = await session.pipe([
      "profile a { base https://a.example }", "secret tok = $env.TOK for a",
      "GET a:/x?d={$tok | sha256} header { X-Up: ($tok | upper), X-Raw: $tok }", ":show curl",
    ])
    #expect(
      outcome.screen.contains(
        """
        curl "https://a.example/x?d=${TOK_MADE_2}" \\
          -H "X-Up: ${TOK_MADE}" \\
          -H "X-Raw: ${TOK}"
        ${TOK_MADE} is what the request made of a secret: set it yourself
        ${TOK_MADE_2} is what the request made of a secret: set it yourself
        """), "\(outcome.screen)")
  }

  @Test func `a presigned form is shown without what signs it, and sent whole`() async {
    let (policy, signature) = (Canary.secret("form-policy"), Canary.secret("form-signature"))
    let url = "https://b.s3.example/up"
    let answer = """
      {"url": "\(url)", "get": "\(url)?X-Amz-Expires=60&X-Amz-Signature=\(signature)",
      "fields": {"key": "k", "policy": "\(policy)", "x-amz-signature": "\(signature)", "x-amz-date": "2026"}}
      """
    let session = PromptSession(answers: [.json(answer), .json("{}"), .json("{}")])
    let outcome = await session.pipe([
      "GET https://a.example/allocate", ":body", ":show wire", ":print $1.body.get", ":print $1.body.fields",
      "POST $1.body.url multipart { ...$1.body.fields }", ":show request", ":show curl", "GET $1.body.get",
      ":show wire",
      ":diff $2 $3", ":body $1 > whole.json",
    ])
    #expect(outcome.screen.contains("\"policy\": \"••••\""), "\(outcome.screen)")
    #expect(outcome.screen.contains("GET /up?X-Amz-Expires=60&X-Amz-Signature=•••• HTTP/1.1\n"), "\(outcome.screen)")
    #expect(!outcome.screen.contains(policy) && !outcome.screen.contains(signature))
    #expect(outcome.requests.count == 3)
    #expect(outcome.requests.last?.url == "\(url)?X-Amz-Expires=60&X-Amz-Signature=\(signature)")
    #expect(outcome.written["whole.json"] == Array(answer.utf8))
  }

  @Test func `what would be sent is explained without what signs it, and with all that comes after it`() async throws {
    let (policy, signature) = (Canary.secret("explained-policy"), Canary.secret("explained-signature"))
    let key = Canary.secret("explained-key")
    let answer = """
      {"url": "https://b.s3.example/up", "fields": {"key": "snapshots/s-000000000001", "content-type": "image/png",
      "x-amz-credential": "\(key)/20260102/eu-west-1/s3/aws4_request", "policy": "\(policy)",
      "x-amz-signature": "\(signature)", "x-amz-security-token": "\(key)"}}
      """
    let session = PromptSession(answers: [.json(answer)])
    let outcome = await session.pipe([
      "GET https://a.example/allocate",
      ":explain POST $1.body.url multipart { ...$1.body.fields, file: \"x\" }",
      ":explain PATCH https://a.example/x json { a: 1, ...$1.body.fields }",
      ":explain PUT https://a.example/x header { x-amz-security-token: $1.body.fields.x-amz-security-token } "
        + "multipart { policy: $1.body.fields.policy, x-amz-signature: $1.body.fields.x-amz-signature }",
    ])
    for name in ["x-amz-credential", "policy", "x-amz-signature", "x-amz-security-token"] {
      let row = try Regex("part \(name) +••••\n")
      #expect(outcome.screen.contains(row), "\(outcome.screen)")
    }
    for secret in [policy, signature, key] { #expect(!outcome.screen.contains(secret), "\(outcome.screen)") }
    #expect(outcome.screen.ranges(of: "sent once: it is not sent again").count == 2, "\(outcome.screen)")
    let rows = /\n  body +\{"a":1,.*…  ← \d+ B\n  \$1\.body\.fields +\{.*…\n/
    #expect(outcome.screen.contains(rows), "\(outcome.screen)")
  }

  @Test
  func `a large body is printed whole, with its numbers as they were sent, without any secret, wherever it is cut`()
    async
  {
    let token = Canary.secret("printed-in-pieces")
    let items = (0..<5_000).map { "{\"n\":\($0),\"size\":1.50,\"text\":\"a\\u00e9\",\"token\":\"\(token)\"}" }
    let session = PromptSession(
      environment: ["TOKEN": token], answers: [.json("{\"items\":[\(items.joined(separator: ","))]}")])
    let outcome = await session.pipe([
      "profile a { base https://a.example auth bearer $env.TOKEN }", "GET a:/x", ":print $1.body",
      ":print $1.body.items[-1]", ":print $_.body.items[7].n", ":print $1.body.none",
    ])
    let shown = outcome.screen.split(separator: "\n", omittingEmptySubsequences: false)
    // The response's beginning is also shown when it arrives.
    #expect(shown.count { $0.contains("\"token\": \"••••\"") } > 5_000)
    #expect(!outcome.screen.contains(token))
    #expect(
      outcome.screen.contains(
        """
            {
              "n": 4999,
              "size": 1.50,
              "text": "aé",
              "token": "••••"
            }
          ]
        }
        {
          "n": 4999,
          "size": 1.50,
          "text": "aé",
          "token": "••••"
        }
        7
        error: $1.body has no "none"
        """), "\(shown.suffix(40).joined(separator: "\n"))")
  }

  @Test func `a written credential that a refusal repeats is hidden there`() async {
    let token = Canary.secret("written-header")
    let script = "GET https://a.example/x\n  header Authorization: \"Bearer \(token)\"\n"
    let body = "<Error><ArgumentName>Authorization</ArgumentName><ArgumentValue>Bearer \(token)</ArgumentValue></Error>"
    let refused = Response(
      status: .badRequest, headers: [.contentType: "application/xml"], body: ResponseBody(Array(body.utf8)))
    let outcome = await PromptSession(files: ["chain.wb": Array(script.utf8)], answers: [refused]).runScript()
    #expect(outcome.screen.contains("<ArgumentValue>Bearer ••••"), "\(outcome.screen)")
    #expect(!outcome.screen.contains(token))
  }
}
