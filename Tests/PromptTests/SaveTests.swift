import Canaries
import Diagnostics
import HTTPTypes
import Imports
import RequestSyntax
import Requests
import Subcommands
import Testing
import UploaderCore

@testable import Formats

@Suite struct SaveTests {
  /// What `:save s.wb` writes after the lines were typed and got their responses.
  private func saved(
    _ lines: [String], answers: [Response], save: String = ":save s.wb", environment: [String: String] = [:],
    programs: [String: String] = [:]
  ) async -> (text: String, screen: String) {
    let session = PromptSession(
      environment: environment, programs: programs, files: ["profiles.wb": []], answers: answers)
    let outcome = await session.pipe(lines + [save])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    let parsed = Parser.parse(SourceText(name: "s.wb", text: text))
    #expect(SyntaxPrinter.format(parsed.script) == text, "not in the style")
    return (text, outcome.screen)
  }

  @Test(arguments: ["l", "2", "1"])
  func `a step is saved with all its rounds`(chosen: String) async {
    let session = PromptSession(answers: [.json(#"{"next":"https://a.example/2"}"#), .json("{}")])
    let outcome = await session.pipe([
      "l: GET ($l.body.next ?? \"https://a.example/1\") repeat until body.next ?? null == null", ":save s.wb \(chosen)",
    ])
    #expect(outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
  }

  @Test func `an id in a line for curl becomes a reference, and what it got is expected again`() async {
    let (text, screen) = await saved(
      [
        "let SHOP = \"https://a.example\"", "POST https://a.example/orders name=cup",
        "curl -X PATCH $SHOP/orders/58 -d a=1", "curl \"$SHOP/orders/58/lines?n=2\" > f.json",
      ], answers: [.json(#"{"id":58}"#, status: 201), .json("{}"), .json("[]")])
    #expect(text.contains("PATCH $SHOP/orders/{$post-orders.body.id}\n"), "\(text)")
    #expect(text.contains("GET $SHOP/orders/{$post-orders.body.id}/lines?n=2\n"), "\(text)")
    #expect(text.ranges(of: "  expect 200\n").count == 2 && !text.contains("any status"), "\(text)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `a token that nobody used is said to be recorded, unless it is declared`() async {
    let answers = [Response.json(#"{"token":{"value":"0123456789abcdef"}}"#, status: 201), .json("{}")]
    let login = "POST https://a.example/tokens user=ann"
    let said =
      "a run records the token that post-tokens brings, unless it is declared: "
      + "secret name = $post-tokens.body.token.value for …\n"
    let unused = await saved([login], answers: answers)
    #expect(unused.screen.contains(said), "\(unused.screen)")
    let used = await saved([login, "GET https://a.example/me auth bearer $1.body.token.value"], answers: answers)
    #expect(!used.screen.contains("a run records"), "\(used.screen)")
  }

  @Test func `values from responses become references in paths, queries, headers and bodies`() async {
    let (text, screen) = await saved(
      [
        "POST https://a.example/v1/items name=box",
        "GET https://a.example/v1/items/it-4711/parts?cursor=c%2F9x",
        "PUT https://a.example/v1/items/it-4711 If-Match:v7-abcdef json { parent_id: 4711, note: \"see it-4711!\" }",
      ],
      answers: [
        .json(#"{"id":"it-4711","number_id":4711,"cursor":"c/9x"}"#, status: 201, headers: [.eTag: "v7-abcdef"]),
        .json("[]"), .json("{}"),
      ])
    #expect(
      text == """
        profile a {
          base https://a.example
        }

        post-items: POST /v1/items
          json { name: "box" }
          expect 201

        get-parts: GET /v1/items/{$post-items.body.id}/parts?cursor={$post-items.body.cursor}
          expect 200

        put-items: PUT /v1/items/{$post-items.body.id}
          header If-Match: $post-items.headers.etag
          json { parent_id: $post-items.body.number_id, note: "see {$post-items.body.id}!" }
          expect 200

        """)
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  /// At the prompt a name may be declared again, in a file it may not.
  @Test func `a name that was declared again is written once, or gets another name`() async {
    let (text, screen) = await saved(
      [
        ":set id = 1", "GET https://a.example/x/{$id}", ":set id = 1", "GET https://a.example/y/{$id}", ":set id = 2",
        ":set both = $id + 1", "GET https://a.example/z/{$id}/{$both}", ":set both = $id + 2",
        "GET https://a.example/z/{$both}",
      ],
      answers: [.json("{}"), .json("{}"), .json("{}"), .json("{}")])
    #expect(text.ranges(of: "let id = 1").count == 1, "\(text)")
    #expect(text.contains("let id-2 = 2") && text.contains("let both = $id-2 + 1"), "\(text)")
    #expect(text.contains("let both-2 = $id-2 + 2") && text.contains("/z/{$both-2}"), "\(text)")
    #expect(text.contains("/x/{$id}") && text.contains("/y/{$id}") && text.contains("/z/{$id-2}/{$both}"), "\(text)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `what several files declare under the same names is saved as it was sent`() async {
    let http = """
      @host = https://a.example
      @pw = s3cr3t-pass-9

      # @name login
      POST {{host}}/login
      Content-Type: application/json

      {"user": "ann", "password": "{{pw}}"}

      ###
      GET {{host}}/me
      Authorization: Bearer {{login.response.body.token}}

      """
    let hurl = """
      POST https://a.example/login
      {"user": "ann", "password": "s3cr3t-pass-9"}
      HTTP 200
      [Captures]
      token: jsonpath "$.token"

      GET https://a.example/me
      Authorization: Bearer {{token}}
      HTTP 200

      """
    let session = PromptSession(
      files: ["calls.http": Array(http.utf8), "flow.hurl": Array(hurl.utf8)],
      answers: (0..<8).map { .json("{\"token\": \"tk_0000\($0)abcdef\"}") })
    let outcome = await session.pipe(
      [":import flow.hurl", ":import calls.http", ":run flow.hurl", ":run calls.http", ":save s.wb 1.."])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(!outcome.screen.contains("not valid"), "\(outcome.screen)")
    #expect(outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
    #expect(text.ranges(of: "let host =").count == 1 && text.contains("secret token-4 = "), "\(text)")
    // What was run goes with its own profile, too.
    #expect(text.ranges(of: "POST https://a.example/login").count == 2, "\(text)")
    #expect(text.ranges(of: "with profile hurl").count == 4, "\(text)")
    // What the import declared is not declared again for the run of the same file.
    let sources = text.split(separator: "\n").filter { $0.hasPrefix("secret ") && $0.contains("$env.") }
      .map { $0.drop { $0 != "=" } }
    #expect(Set(sources).count == sources.count, "\(text)")
    #expect(!text.contains("s3cr3t-pass") && !outcome.screen.contains("s3cr3t-pass"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("curl -d \"user=u&password=SECRET\" https://a.example/x", "user=u&password={$password}"),
    ("curl -d grant_type=client_credentials -d client_secret=SECRET https://a.example/x", "{$client-secret}"),
    ("curl --data-urlencode \"password=SECRET\" https://a.example/x", "$password"),
    ("POST https://a.example/x text \"user=u&password=SECRET\"", "user=u&password={$password}"),
    (#"POST https://a.example/x text '{"user": "u", "password": "SECRET"}'"#, "{$password}"),
    (#"POST https://a.example/x text '{"password": "SECRET", "pin": 12345}'"#, "text $body"),
    (#"POST https://a.example/x body "password=SECRET""#, "password={$password}"),
    ("GET https://a.example/x#access_token=SECRET", "#access_token={$access-token}"),
  ]) func `what is secret by its name in a body or a fragment is read from the environment`(
    line: String, written: String
  ) async {
    let secret = Canary.onScreen("named-body").filter { $0.isLetter || $0.isNumber }
    let (text, screen) = await saved([line.replacing("SECRET", with: secret)], answers: [.json("{}")])
    #expect(!text.contains(secret), "\(text)")
    #expect(text.contains(written), "\(text)\(screen)")
    #expect(text.contains("# Needs in the environment: A_"), "\(text)\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `what the user typed first stays as it is`() async {
    let (text, _) = await saved(
      ["POST https://a.example/sheets/A-1017 id=A-1017", "GET https://a.example/sheets/A-1017"],
      answers: [.json(#"{"id":"A-1017"}"#), .json("{}")])
    #expect(text.contains("GET /sheets/A-1017\n"))
  }

  @Test func `a token from a login is a secret of its host`() async {
    let (password, token) = (Canary.onScreen("login-password"), Canary.onScreen("login-token"))
    let (text, screen) = await saved(
      [
        "POST https://a.example/login user=ann password=\"\(password)\"",
        "GET https://a.example/me Authorization:\"Bearer \(token)\"",
        "GET https://a.example/you auth bearer \"\(token)\"",
      ],
      answers: [.json(#"{"access_token":"\#(token)"}"#), .json("{}"), .json("{}")])
    #expect(
      text == """
        # Needs in the environment: A_PASSWORD

        profile a {
          base https://a.example
        }

        secret password = $env.A_PASSWORD for a

        post-login: POST /login
          json { user: "ann", password: $password }
          expect 200

        secret token = $post-login.body.access_token for a

        get-me: GET /me
          header Authorization: "Bearer {$token}"
          expect 200

        get-you: GET /you
          auth bearer $token
          expect 200

        """)
    #expect(!text.contains(password) && !text.contains(token))
    #expect(screen.contains("set before it runs: A_PASSWORD"))
  }

  @Test func `what only a number tells apart says what reads it`() async {
    let (first, second) = (Canary.onScreen("first-password"), Canary.onScreen("second-password"))
    let (text, screen) = await saved(
      [
        "POST https://a.example/login user=ann password=\"\(first)\"",
        "POST https://a.example/login user=bob password=\"\(second)\"",
      ], answers: [.json("{}"), .json("{}")])
    let list = "A_PASSWORD (post-login), A_PASSWORD_2 (post-login-2)"
    #expect(text.hasPrefix("# Needs in the environment: \(list)\n"), "\(text)")
    #expect(screen.contains("set before it runs: \(list)\n"), "\(screen)")
  }

  @Test func `a presigned upload is sent where the response says`() async {
    let (text, screen) = await saved(
      [
        "profile api { base https://a.example auth bearer $env.API_TOKEN }",
        "POST /snapshots filesize:=7",
        "POST https://b.s3.example/up multipart { key: \"k/1\", policy: \"eyJ4\", extra: \"x\" }",
        "PUT /snapshots/s-1 state=uploaded",
      ],
      answers: [
        .json(#"{"uid":"s-1","url":"https://b.s3.example/up","fields":{"key":"k/1","policy":"eyJ4"}}"#, status: 201),
        .json("", status: 204), .json("{}"),
      ], environment: ["API_TOKEN": Canary.secret("presigned-upload")])
    #expect(
      text == """
        # Needs in the environment: API_TOKEN

        profile api {
          base https://a.example
          auth bearer $env.API_TOKEN
        }

        post-snapshots: POST /snapshots
          json { filesize: 7 }
          expect 201

        post-up: POST $post-snapshots.body.url
          multipart { ...$post-snapshots.body.fields, extra: "x" }
          expect 204

        put-snapshots: PUT /snapshots/{$post-snapshots.body.uid}
          json { state: "uploaded" }
          expect 200

        """)
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `references are kept by label and what they need comes along`() async {
    let (text, screen) = await saved(
      [
        "first: GET https://a.example/one", "let id = $1.body.id", "GET https://a.example/oops",
        "GET https://a.example/{$id}/{$_.status}", "GET https://a.example/{$first.body.id}",
      ],
      answers: [.json(#"{"id":"x1"}"#), .json("{}", status: 404), .json("{}"), .json("{}")],
      save: ":save s.wb 3..4")
    #expect(
      text == """
        profile a {
          base https://a.example
        }

        first: GET /one
          expect 200

        let id = $first.body.id

        get-oops: GET /oops
          expect 404

        get-a: GET /{$id}/{$get-oops.status}
          expect 200

        get-a-2: GET /{$first.body.id}
          expect 200

        """)
    #expect(screen.contains("added $1") && screen.contains("added $2"))
  }

  @Test func `sending the same request again and again becomes a repeated step`() async {
    let (text, screen) = await saved(
      ["GET https://a.example/jobs", "GET https://a.example/jobs", "GET https://a.example/jobs"],
      answers: [.json(#"{"state":"busy"}"#), .json(#"{"state":"busy"}"#), .json(#"{"state":"ready"}"#)])
    #expect(
      text.contains(
        """
        get-jobs: GET /jobs
          repeat every 1s for 30s until body.state == "ready"
          expect 200
        """))
    #expect(screen.contains("$1, $2 and $3 became one step"))
    #expect(!screen.contains("warning"), "\(screen)")
  }

  @Test func `nobody waits for an identifier that is another each time`() async {
    let session = PromptSession(answers: [
      .json(#"{"uuid":"7e12f01b-291d-4574-a49b-c5bc4b89d6f1"}"#),
      .json(#"{"uuid":"aab1a4a7-10dc-44d4-8a0a-b00b6cb0cd03"}"#),
    ])
    let outcome = await session.type("GET https://a.example/uuid\nGET https://a.example/uuid\n:save x.wb\n\u{4}")
    #expect(!outcome.screen.contains("repeat") && !outcome.screen.contains("became one"), "\(outcome.screen)")
  }

  @Test func `no condition waits for a token by its text`() async {
    let token = Canary.onScreen("awaited-token")
    let (text, screen) = await saved(
      [
        "GET https://a.example/device", "GET https://a.example/device",
        "GET https://a.example/me header Authorization: \"Bearer \(token)\"",
      ],
      answers: [
        .json(#"{"detail":"wait"}"#),
        .json(#"{"access_token":"\#(token)","passphrase":"correct horse battery"}"#), .json("{}"),
      ])
    #expect(!text.isEmpty && !text.contains(token), "\(screen)")
    #expect(!text.contains("until"), "\(text)")
    #expect(text.contains("$get-device.body.access_token"), "\(text)")
  }

  @Test func `no condition waits for a known secret under another name`() async {
    let token = Canary.secret("awaited-echo")
    let (text, screen) = await saved(
      [
        "profile a { base https://a.example auth bearer $env.TOKEN }", "GET https://a.example/device",
        "GET https://a.example/device",
      ], answers: [.json(#"{"state":"wait"}"#), .json("{\"state\":\"\(token)\"}")], environment: ["TOKEN": token])
    #expect(text.contains("GET /device") && !text.contains("until") && !text.contains(token), "\(text)\(screen)")
  }

  @Test func `two tokens of one request are two secrets`() async {
    let tokens = [Canary.onScreen("first-of-two"), Canary.onScreen("second-of-two")]
    let (text, screen) = await saved(
      [
        "GET https://a.example/token", "GET https://a.example/token",
        "GET https://a.example/x header Authorization: \"Bearer \(tokens[0])\"",
        "GET https://a.example/y header Authorization: \"Bearer \(tokens[1])\"",
      ], answers: tokens.map { .json("{\"token\":\"\($0)\"}") } + [.json("{}"), .json("{}")])
    #expect(tokens.allSatisfy { !text.contains($0) })
    #expect(text.contains("secret token = $get-token.body.token for a"), "\(text)")
    #expect(text.contains("secret token-2 = $get-token-2.body.token for a"), "\(text)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `a path that brought another value earlier is not this secret`() {
    let texts = [Canary.secret("path-first"), Canary.secret("path-second")]
    var secrets = SavedSecrets(names: [], environment: [:])
    let names = texts.enumerated().map { index, text in
      secrets.name(
        ofText: text, hint: "token", profile: "a", from: .reference("get", [.member("body"), .member("token")]),
        number: index + 1)
    }
    #expect(names == ["token", "token-2"])
    #expect(secrets.lines.map { SyntaxPrinter.print($0.source) } == ["$get.body.token", "$env.A_TOKEN_2"])
    #expect(secrets.variables == ["A_TOKEN_2": texts[1]])
  }

  @Test func `a variable that holds something else is not taken`() async {
    let token = Canary.onScreen("taken-variable")
    let (text, _) = await saved(
      ["GET https://a.example/x header Authorization: \"Bearer \(token)\""], answers: [.json("{}")],
      environment: ["A_TOKEN": "something else"])
    #expect(text.contains("secret token = $env.A_TOKEN_2 for a"), "\(text)")
  }

  @Test func `a saved script runs no program`() async {
    let token = Canary.secret("saved-program")
    let (text, screen) = await saved(
      [
        "profile a { base https://a.example }", "secret tok = command(\"gh auth token\") for a",
        "GET https://a.example/x header X-Token: $tok",
      ], answers: [.json("{}")], programs: ["gh auth token": token])
    #expect(text.contains("secret tok = $env.A_TOK for a"), "\(text)\(screen)")
    #expect(text.contains("$tok") && !text.contains("gh auth token") && !text.contains(token), "\(text)")
  }

  @Test(arguments: ["\"SECRET\"", "\"SECRET\" | upper"])
  func `a secret that was typed comes from the environment in the file`(value: String) async {
    let typed = Canary.onScreen("typed-secret")
    let written = value.replacing("SECRET", with: typed)
    let (text, screen) = await saved(
      [
        "profile web { base https://a.example }", "secret wp = \(written) for web",
        "POST /signin form { user: \"ann\", password: $wp }",
      ], answers: [.json("{}")])
    #expect(text.contains("secret wp = $env.WEB_WP for web"), "\(text)\(screen)")
    #expect(text.contains("password: $wp") && !text.lowercased().contains(typed.lowercased()), "\(text)")
    #expect(text.hasPrefix("# Needs in the environment: WEB_WP\n"), "\(text)")
    #expect(screen.contains("set before it runs: WEB_WP"), "\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `what set the cookies of a request comes along`() async {
    func answer(_ cookie: String) -> Response { .json("{}", headers: [.setCookie: "\(cookie); Path=/"]) }
    let lines = [
      "profile web { base https://a.example cookies on }", "GET /signin", "POST /signin form a=1", "GET /other",
      "GET /account",
    ]
    let answers = [answer("sid=nobody-12345"), answer("sid=somebody-1234"), answer("theme=dark-as-night"), .json("{}")]
    let (text, screen) = await saved(lines, answers: answers, save: ":save s.wb 4")
    for path in ["GET /signin", "POST /signin", "GET /other", "GET /account"] {
      #expect(text.contains(path), "\(text)\(screen)")
    }
    for number in 1...3 { #expect(screen.contains("added $\(number): its cookie is needed"), "\(screen)") }
    #expect(screen.contains("it sends the same requests"), "\(screen)")
    // One that failed is left out if the cookie is set by another.
    let refused = [
      answer("sid=nobody-12345"), .json("{}", status: 404, headers: [.setCookie: "sid=changed-1234"]), .json("{}"),
    ]
    let (kept, said) = await saved(
      [lines[0], "GET /signin", "GET /nothing", "GET /account"], answers: refused)
    #expect(!kept.contains("/nothing") && said.contains("it sends the same requests"), "\(kept)\(said)")
  }

  @Test func `a cookie of the step's own, or of the profile's, is written, and those that are kept are not`() async {
    let cookie = Response.json("{}", headers: [.setCookie: "sid=somebody-1234; Path=/"])
    let (own, screen) = await saved(
      ["profile web { base https://a.example cookies on }", "GET /login", "GET /me Cookie:theme=dark"],
      answers: [cookie, .json("{}")])
    #expect(own.contains("get-me: GET /me\n  header Cookie: $cookie\n") && !own.contains("sid"), "\(own)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
    let (profile, said) = await saved(
      [
        "profile web { base https://a.example header Cookie: \"theme=dark\" cookies on }", "GET /login", "GET /me",
      ], answers: [cookie, .json("{}")])
    #expect(profile.contains("  header Cookie: $env.WEB_COOKIE\n  cookies on\n"), "\(profile)")
    #expect(said.contains("it sends the same requests"), "\(said)")
  }

  @Test func `a refused login that sets the same cookie again does not come along`() async {
    func answer(_ cookie: String, _ status: Int = 200) -> Response {
      .json("{}", status: status, headers: [.setCookie: "\(cookie); Path=/"])
    }
    let (text, screen) = await saved(
      [
        "profile web { base https://a.example cookies on }", "GET /login", "POST /login form password=hunter2hunter",
        "POST /login form password=hunter3hunter", "GET /account",
      ],
      answers: [answer("sid=nobody-12345"), answer("sid=nobody-12345", 401), answer("sid=somebody-1234"), .json("{}")],
      save: ":save s.wb 4")
    #expect(text.contains("GET /login") && text.ranges(of: "POST /login").count == 1, "\(text)\(screen)")
    #expect(!text.contains("401") && !text.contains("PASSWORD_2"), "\(text)\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `cookies with which steps were sent are kept by the saved profile, whatever it says by now`() async {
    let cookie = Response.json("{}", headers: [.setCookie: "sid=somebody-1234; Path=/"])
    let (text, screen) = await saved(
      [
        "profile web { base https://a.example cookies on }", "GET /login", "POST /login form a=1",
        "profile web { base https://a.example }", "GET /me",
      ], answers: [cookie, .json("{}"), .json("{}")])
    #expect(text.contains("  base https://a.example\n  cookies on\n"), "\(text)")
    #expect(screen.contains("the cookies of web are no longer sent"), "\(screen)")
    // Without them was only what came after that.
    #expect(screen.contains("$3 is not what was sent: profile web keeps cookies, and sends sid along"), "\(screen)")
    #expect(!screen.contains("$2 is not what was sent"), "\(screen)")
  }

  @Test func `a password for two hosts, once from the environment, belongs to both`() async {
    let password = Canary.onScreen("shared-login")
    let (text, screen) = await saved(
      [
        "curl https://a.example/login --json '{\"password\":\"\(password)\"}'",
        "POST https://b.example/login password=$env.LOGIN_PASSWORD",
      ], answers: [.json("{}"), .json("{}")], environment: ["LOGIN_PASSWORD": password])
    #expect(text.contains("secret password = $env.LOGIN_PASSWORD for a, b"), "\(text)\(screen)")
    #expect(screen.contains("it sends the same requests") && !text.contains(password), "\(screen)")
  }

  @Test func `what one response brought is a reference, though a list has it several times later`() async {
    let list = Response.json(#"[{"order": "ord-0001"}, {"order": "ord-0001"}]"#)
    let (text, screen) = await saved(
      ["POST https://a.example/orders", "GET https://a.example/lines", "GET https://a.example/orders/ord-0001"],
      answers: [.json(#"{"order": "ord-0001"}"#), list, .json("1")])
    #expect(text.contains("/orders/{$post-orders.body.order}"), "\(text)\(screen)")
  }

  /// `/login` is what anybody types, `/orders/12` is what the response brought.
  @Test(arguments: [("/login", 302, false), ("/orders/12", 302, true), ("/login", 201, true)])
  func `where a redirect leads may be what was typed`(location: String, status: Int, isReference: Bool) async {
    let answer = Response.json("{}", status: status, headers: [.location: location])
    let outcome = await PromptSession(answers: [answer, .json("{}")]).pipe([
      "first: POST https://a.example/x redirects none", "GET https://a.example\(location)", ":save s.wb",
    ])
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.contains("GET $first.location") == isReference, "\(text)\(outcome.screen)")
  }

  /// A profile is for the requests before it, too.
  @Test(arguments: [("", false), ("profile dev { origin https://a.example cookies on }", true)])
  func `a cookie that would go along is said`(profile: String, isSaid: Bool) async {
    let set = Response.json("{}", headers: [.setCookie: "flavour=oat; Path=/x"])
    let outcome = await PromptSession(answers: [set, .json("{}"), .json("{}"), .json("{}")]).pipe([
      "GET https://a.example/x/set", "GET https://a.example/x/1", profile, "GET https://a.example/x/2",
      "GET https://a.example/y", ":save s.wb",
    ])
    for number in 1...4 {
      let warning = "$\(number) is not what was sent: profile dev keeps cookies, and sends flavour along"
      #expect(outcome.screen.contains(warning) == (isSaid && [2, 3].contains(number)), "\(outcome.screen)")
    }
    #expect(outcome.screen.contains("it sends the same requests") == !isSaid, "\(outcome.screen)")
  }

  @Test func `what is saved again needs the same variables`() async {
    let outcome = await PromptSession(answers: [.json("{}"), .json("{}")]).pipe([
      "GET http://localhost:8411/x auth basic \"ada\", \"correct-horse-81\"",
      "GET http://127.0.0.1:8412/x auth basic \"ada\", \"battery-staple-9\"", ":save s.wb",
      "profile dev { origin http://localhost:8411 }", ":save s.wb!",
    ])
    let heading = "# Needs in the environment: LOCAL_8412_PASSWORD, LOCAL_PASSWORD\n"
    #expect(outcome.screen.ranges(of: heading).count == 2, "\(outcome.screen)")
  }

  @Test func `what a list has several times under one name is what was typed`() async {
    let list = Response.json(#"[{"sku": "KETTLE-1L", "trace": "trc-1f"}, {"sku": "KETTLE-1L", "trace": "trc-2f"}]"#)
    let (text, screen) = await saved(
      ["GET https://a.example/orders", "POST https://a.example/orders sku=KETTLE-1L trace=trc-2f"],
      answers: [list, .json("1")])
    #expect(text.contains("sku: \"KETTLE-1L\", trace: $get-orders.body[1].trace"), "\(text)\(screen)")
  }

  @Test func `a text that was typed and becomes a reference is said, unless it identifies something`() async {
    let answer = Response.json(#"{"id": "a-long-id-1", "items": [{"sku": "KETTLE-1L", "name": "kettle-1l-red"}]}"#)
    let (text, screen) = await saved(
      [
        "GET https://a.example/orders", "POST https://a.example/orders sku=KETTLE-1L",
        "POST https://a.example/x id=a-long-id-1",
        "POST https://a.example/y sku=KETTLE-1L name=kettle-1l-red",
      ], answers: [answer, .json("{}"), .json("{}"), .json("{}")])
    #expect(text.ranges(of: "$get-orders.body.items[0].sku").count == 2, "\(text)")
    #expect(screen.contains("$2: \"KETTLE-1L\" is taken from the earlier response that has it, too"), "\(screen)")
    #expect(screen.contains("$4: \"KETTLE-1L\" and 1 more are taken from the earlier responses"), "\(screen)")
    #expect(!screen.contains("$3:"), "\(screen)")
  }

  @Test func `the file is written over with a ! after its name, and the command with one says so`() async {
    let (_, screen) = await saved(["GET https://a.example/x"], answers: [.json("{}")], save: ":save! s.wb 1..1")
    #expect(screen.contains("did you mean :save s.wb! 1..1?"), "\(screen)")
  }

  @Test func `what was taken to be a secret is nowhere in the file`() async {
    let token = Canary.onScreen("said-twice")
    let (text, screen) = await saved(
      [
        "GET https://a.example/x header Authorization: \"Bearer \(token)\"",
        "GET https://a.example/y expect ($1.body.note ?? \"x\(token)\") != \"\"",
      ], answers: [.json("{}"), .json("{}")])
    #expect(text.contains("get-x:") && !text.contains(token) && !text.contains("/y"), "\(text)\(screen)")
    #expect(screen.contains("left out $2, which would contain the value of"), "\(screen)")
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test func `what keeps a failure names all responses, also where one would write a secret`() async {
    let (_, screen) = await saved(
      [
        "POST https://a.example/login password=secret", "POST https://a.example/secret/items a=1",
        "GET https://a.example/b", "GET https://a.example/c",
      ], answers: [.json("{}"), .json("{}"), .json("{}", status: 404), .json("{}")])
    #expect(screen.contains("left out $2, which would contain the value of \"password\""), "\(screen)")
    #expect(screen.contains("to keep it: :save s.wb! 1..4 3\n"), "\(screen)")
  }

  @Test func `a failure is left out unless it is named`() async {
    let lines = ["GET https://a.example/a", "GET https://a.example/b"]
    let answers: [Response] = [.json("{}"), .json("{}", status: 404)]
    let (text, screen) = await saved(lines, answers: answers)
    #expect(!text.contains("/b") && screen.contains("left out $2, which failed with 404"))
    #expect(await saved(lines, answers: answers, save: ":save s.wb 1 2").text.contains("expect 404"))
  }

  @Test func `a failure that another step needs is added, and not left out`() async {
    let lines = ["GET https://a.example/a", "GET https://a.example/b", "GET https://a.example/{$1.body.id}"]
    let answers: [Response] = [.json(#"{"id":"i-7"}"#, status: 412), .json("{}", status: 404), .json("{}")]
    let (text, screen) = await saved(lines, answers: answers)
    #expect(text.contains("GET /a") && !text.contains("/b"), "\(text)\(screen)")
    #expect(screen.contains("added $1, which failed with 412: its response is needed"), "\(screen)")
    #expect(screen.contains("left out $2, which failed with 404\n  to keep it"), "\(screen)")
    #expect(!screen.contains("left out $1"), "\(screen)")
  }

  @Test func `a pasted curl line is saved as JSON without its token`() async {
    let token = Canary.onScreen("saved-curl")
    let (text, screen) = await saved(
      [
        "curl https://a.example/x -H 'Authorization: Bearer \(token)' -H 'Content-Type: application/json' -d '{\"a\": [1.0]}'"
      ], answers: [.json("{}")])
    #expect(text.contains("json { a: [1.0] }"), "\(text)")
    #expect(text.contains("secret token = $env.A_TOKEN for a"))
    #expect(!text.contains(token))
    #expect(screen.contains("it sends the same requests"), "\(screen)")
  }

  @Test(arguments: [
    (":save", "error: a file is missing"), (":save s.wb 9", "error: there is no \"9\""),
    (":save s.wb x", "error: \"x\" is not the number"), (":save profiles.wb", "error: profiles.wb already exists"),
  ]) func `what cannot be saved is reported`(command: String, message: String) async {
    let (_, screen) = await saved(["GET https://a.example/a"], answers: [.json("{}")], save: command)
    #expect(screen.contains(message), "\(screen)")
  }

  @Test(arguments: [
    ("a.png", "", "", "a.png"), ("a.png", "", "out", "../a.png"), ("out/a.png", "", "out", "a.png"),
    ("a.png", "in", "", "in/a.png"), ("/x/a.png", "in", "out", "/x/a.png"),
    ("../a.png", "", "out/deep", "../../../a.png"), ("a.png", "in", "/tmp", "/home/me/in/a.png"),
    ("../a.png", "", "../out", "/home/a.png"),
  ]) func `paths are written as the file sees them`(path: String, directory: String, place: String, expected: String) {
    #expect(RelativePath.path(of: path, in: directory, seenFrom: place, workingDirectory: "/home/me") == expected)
  }
}
