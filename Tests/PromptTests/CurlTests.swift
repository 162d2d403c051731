import Canaries
import HTTPTypes
import RequestSyntax
import Requests
import Subcommands
import Testing
import UploaderCore

@testable import Formats

/// A curl line that is pasted at the prompt, and one that it shows.
@Suite struct CurlTests {
  @Test func `a pasted line runs and its token is not shown`() async {
    let token = Canary.onScreen("pasted-curl")
    let session = PromptSession(answers: [.json("1")])
    let outcome = await session.type(
      "curl https://a.example/x \\\n  -H 'Authorization: Bearer \(token)' -d '{\"a\":1}' -H 'Content-Type: application/json'\n:show request\n"
    )
    #expect(outcome.requests.first?.headers[.authorization] == "Bearer \(token)")
    #expect(outcome.requests.first?.body == [.bytes(Array("{\"a\":1}".utf8))])
    #expect(outcome.requests.first?.headers[.contentType] == "application/json")
    #expect(outcome.screen.ranges(of: token).count == 1, "only the typing shows it: \(outcome.screen)")
  }

  @Test func `a pasted token is a variable in the exported line`() async {
    let secret = Canary.onScreen("curl-variable")
    let session = PromptSession(answers: [.json("1")])
    let outcome = await session.pipe(["curl https://a.example -H 'Authorization: Bearer \(secret)'", ":show curl"])
    #expect(outcome.screen.contains("curl https://a.example \\\n  -H \"Authorization: Bearer ${TOKEN}\"\n"))
  }

  @Test(arguments: ["auth bearer $1.body.access_token", "Authorization:\"Bearer {$1.body.access_token}\""])
  func `a token of a response is a variable, and it is said of which`(clause: String) async {
    let token = Canary.secret("curl-response")
    let answers = [Response.json("{\"access_token\": \"\(token)\"}"), .json("1"), .json("2")]
    let screen = await PromptSession(answers: answers).pipe([
      "GET https://a.example/token", "GET https://a.example/me \(clause)", ":show curl",
      "profile orders { base https://a.example auth bearer $1.body.access_token }", "GET /me", ":show curl",
    ]).screen
    let line = "curl https://a.example/me \\\n  -H \"Authorization: Bearer ${"
    #expect(screen.contains("\(line)TOKEN}\"\n"), "\(screen)")
    #expect(screen.contains("${TOKEN} is a value of $1; :body $1 > file writes all of it"), "\(screen)")
    #expect(screen.ranges(of: line).count == 2 && !screen.contains("TOKEN_2"), "\(screen)")
    #expect(screen.ranges(of: "\(line)TOKEN}").count == 1, "\(screen)")
  }

  @Test func `a cookie of a pasted line is hidden if a server could have set it as a secret`() async {
    let session = Canary.secret("curl-cookie")
    let screen = await PromptSession(answers: [.json("1"), .json("{\"mode\": \"dark\", \"is\": \"\(session)\"}")]).pipe(
      [
        "curl -b 'theme=dark; sid=\(session)' https://a.example/x", "GET https://a.example/anything?mode=dark",
      ]).screen
    #expect(!screen.contains("shorter than") && !screen.contains(session), "\(screen)")
    #expect(screen.contains("\"mode\": \"dark\"") && screen.contains("\"is\": \"••••\""), "\(screen)")
  }

  @Test func `the last request is shown before it is sent again`() async {
    let screen = await PromptSession(answers: [.json("1"), .json("2")]).type(
      "POST https://a.example/x name=zed\n!!\n\u{4}"
    ).screen
    #expect(screen.ranges(of: "POST https://a.example/x name=zed").count >= 2, "\(screen)")
  }

  @Test func `curl is called curl.exe on Windows`() async {
    let session = PromptSession(answers: [.json("1"), .json("2")])
    let outcome = await session.pipe(["curl.exe -d a=1 https://a.example/x"])
    #expect(outcome.requests.first?.method == .post, "\(outcome.screen)")
    let (_, sent) = await session.send(SentWords(["curl.exe", "https://a.example/y"]))
    #expect(sent.requests.first?.url == "https://a.example/y", "\(sent.screen)")
  }

  @Test(arguments: [
    ("GET https://a.example/me Authorization:Bearer $1.body.access_token", "write auth bearer $1.body.access_token"),
    ("GET https://a.example/me X-A:one $1.body.id", "a value with spaces is quoted: \"one {$1.body.id}\""),
  ])
  func `the hint quotes a reference so that it is one`(line: String, hint: String) async {
    let screen = await PromptSession(answers: [.json("{}")]).pipe(["GET https://a.example", line]).screen
    #expect(screen.contains(hint), "\(screen)")
  }

  @Test func `the password in the line is that of the step`() async {
    let (own, step) = (Canary.secret("curl-profile"), Canary.secret("curl-step"))
    let session = PromptSession(
      environment: ["OWN": own, "STEP": step], answers: [Response](repeating: .json("{}"), count: 2))
    let outcome = await session.pipe([
      "profile web { base https://a.example auth basic \"ann\", $env.OWN }", "GET /x", ":show curl",
      "GET /x auth basic \"bob\", $env.STEP", ":show curl",
    ])
    let lines = outcome.screen.split(separator: "\n").filter { $0.hasPrefix("  -") }
    #expect(lines.first == "  -u \"ann:${OWN}\"", "\(outcome.screen)")
    #expect(lines.count == 2 && lines.last?.contains("ann") == false, "\(outcome.screen)")
  }

  @Test func `curl encodes a secret of a form`() async {
    let secret = "curl-form-4711!9"
    let session = PromptSession(environment: ["WP": secret], answers: [Response](repeating: .json("{}"), count: 4))
    let outcome = await session.pipe([
      "profile web { base https://a.example }", "secret wp = $env.WP for web",
      "POST /x form pw=$wp a=1", ":show curl", "GET /x q==1 pw==$wp", ":show curl",
      "POST /x form pw=\"{$wp} 2\"", ":show curl",
      "POST /{$wp}/x", ":show curl",
    ])
    #expect(
      outcome.screen.contains(
        "x-www-form-urlencoded' \\\n  --data-urlencode \"pw=${WP}\" \\\n  --data-raw 'a=1'\n"),
      "\(outcome.screen)")
    #expect(
      outcome.screen.contains(
        "curl 'https://a.example/x?q=1' \\\n  -G \\\n  --data-urlencode \"pw=${WP}\"\ncurl may encode"),
      "\(outcome.screen)")
    #expect(
      outcome.screen.contains(
        "--data-urlencode \"pw=${WP} 2\"\ncurl may encode it in other bytes"),
      "\(outcome.screen)")
    #expect(
      outcome.screen.hasSuffix("a form of \"wp\" is hidden, ••••: the line cannot be sent as it is\n"),
      "\(outcome.screen)")
  }

  @Test(arguments: [
    "curl -X DELETE https://a.example/x", "curl -g 'https://a.example/x?f[0]=1'", "curl -I https://a.example",
    "curl https://a.example \\\n  -H 'Content-Type: text/x' \\\n  -H 'X-A: it'\\''s $5' \\\n  --data-raw 'a\nb {$c}'",
  ]) func `show curl returns the same line`(line: String) async {
    let session = PromptSession(answers: [.json("")])
    let outcome = await session.type("\(line)\n:show curl\n")
    #expect(outcome.screen.contains("\n\(line)\n(none) $2"), "\(outcome.screen)")
  }

  @Test func `what signs a form or a URL is a variable, and the line says that it has to be set`() async {
    let (policy, signature) = (Canary.secret("curl-policy"), Canary.secret("curl-signature"))
    let answer = """
      {"url": "https://b.example/up", "get": "https://b.example/up?X-Amz-Expires=60&X-Amz-Signature=\(signature)",
      "fields": {"key": "k", "policy": "\(policy)", "x-amz-signature": "\(signature)"}}
      """
    let session = PromptSession(
      answers: [.json("{}"), .json(answer)] + [Response](repeating: .json("{}"), count: 4))
    let outcome = await session.pipe([
      "GET https://a.example/other", "GET https://a.example/allocate",
      "POST $2.body.url multipart { ...$2.body.fields }", ":show curl",
      "PUT $2.body.get text \"x\"", ":show curl", "POST https://a.example/x json { ...$2.body.fields }", ":show curl",
      "POST https://a.example/x multipart { signature: \"John Hancock\" }", ":show curl",
    ])
    #expect(
      outcome.screen.contains(
        """
          --form-string 'key=k' \\
          --form-string "policy=${POLICY}" \\
          --form-string "x-amz-signature=${X_AMZ_SIGNATURE}"
        ${POLICY}, ${X_AMZ_SIGNATURE} sign the request: set them yourself, from $2, which brought them; \
        :body $2 > file writes all of it

        """), "\(outcome.screen)")
    #expect(
      outcome.screen.contains("\"https://b.example/up?X-Amz-Expires=60&X-Amz-Signature=${X_AMZ_SIGNATURE}\""),
      "\(outcome.screen)")
    #expect(outcome.screen.contains("${X_AMZ_SIGNATURE} signs the request: set it yourself"), "\(outcome.screen)")
    #expect(outcome.screen.ranges(of: "the line cannot be sent as it is").count == 1, "\(outcome.screen)")
    #expect(outcome.screen.contains("--form-string 'signature=John Hancock'\n"), "\(outcome.screen)")
    #expect(!outcome.screen.contains(policy) && !outcome.screen.contains(signature))
  }

  @Test func `a kept cookie says where its value comes from`() async {
    let sid = Canary.secret("curl-cookie")
    var answer = Response.json("{}")
    answer.headers[.setCookie] = "sid=\(sid); Path=/"
    let session = PromptSession(answers: [answer, .json("{}")])
    let outcome = await session.pipe([
      "profile a { base https://a.example cookies on }", "GET /login", "GET /me", ":show curl",
    ])
    #expect(outcome.screen.contains("Cookie: sid=${SID}"), "\(outcome.screen)")
    #expect(outcome.screen.contains("${SID} is the cookie \"sid\", which $1 set"), "\(outcome.screen)")
  }

  @Test func `a zero byte in a part's name, file name or type is reported, since no argument can hold one`() async {
    let session = PromptSession(answers: [.json("1")])
    let outcome = await session.pipe([
      #"POST https://a.example/ multipart { "a\u0000b": "x", c: "y" named "d\u0000", e: "z" }"#, ":show curl",
    ])
    for number in 1...2 {
      #expect(
        outcome.screen.contains("part \(number) has a zero byte in its name, file name or type"), "\(outcome.screen)")
    }
    #expect(!outcome.screen.contains("part 3 has"))
  }

  @Test(arguments: [
    ("curl -k https://a.example/x", "-k"), ("https --verify=no a.example/x", "--verify=no"),
    ("GET https://a.example/x -k", "-k"), ("GET /x -k", "-k"), ("GET p:/x --insecure", "-k"),
  ])
  func `any certificate will do where the profile says so`(line: String, option: String) async {
    let sentence = "\(option) is refused: only a profile says which certificates are accepted"
    let profile = "profile p { base https://a.example tls { insecure: true } }"
    let outcome = await PromptSession(answers: [.json("1")]).pipe([line, ":explain \(line)", profile, line])
    #expect(outcome.screen.ranges(of: sentence).count == 2, "\(outcome.screen)")
    #expect(outcome.requests.count == 1, "\(outcome.screen)")
    let isPath = !line.contains("a.example")
    let other = isPath ? "profile p { base https://a.example }" : profile.replacing("a.", with: "b.")
    let elsewhere = await PromptSession(answers: [.json("1")]).pipe([other, line])
    #expect(elsewhere.requests.isEmpty && elsewhere.screen.contains(sentence), "\(elsewhere.screen)")
    #expect(await PromptSession(answers: [.json("1")]).send(line).outcome.requests.isEmpty)
  }

  @Test(arguments: [
    ("curl --resolve a.example:443:127.0.0.1 https://a.example/x", "resolve a.example: 127.0.0.1"),
    ("curl --connect-to a.example:443:b.example:444 https://a.example/x", "resolve a.example: b.example:444"),
    ("curl --unix-socket /run/x https://a.example/x", "unix-socket /run/x"),
    ("curl -x ann:pass-word@p.example:3128 https://a.example/x", "proxy http://ann:other@p.example:3128"),
    ("http --proxy all:http://p.example:3128 https://a.example/x", "proxy http://p.example:3128"),
    ("curl --tlsv1.3 https://a.example/x", "tls { minimum: \"1.3\" }"),
    ("GET /x --resolve a.example:443:127.0.0.1", "resolve a.example: 127.0.0.1"),
  ])
  func `a line connects as it says where the profile says the same`(line: String, setting: String) async {
    let sentence = "a profile says how connections are made"
    let outcome = await PromptSession(answers: [.json("1")]).pipe([
      "profile p { base https://a.example }", line, "profile p { \(setting) }", line,
    ])
    #expect(outcome.screen.ranges(of: sentence).count == 1, "\(outcome.screen)")
    #expect(outcome.screen.contains("type profile p { \(setting.prefix(6))"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("pass-word"))
    #expect(outcome.requests.map(\.url) == ["https://a.example/x"], "\(outcome.screen)")
  }

  @Test func `what is about TLS is not asked of a profile without it, nor what is so anyway`() async {
    for line in ["curl --cacert no.pem http://a.example/x", "curl --tlsv1.2 https://a.example/x"] {
      let outcome = await PromptSession(answers: [.json("1")]).pipe([line])
      #expect(outcome.requests.count == 1, "\(outcome.screen)")
    }
  }

  @Test func `the hint for a jar of cookies names the profile that is there`() async {
    let lines = ["profile local { base https://a.example }", "curl -c jar https://a.example/x"]
    let outcome = await PromptSession(answers: [.json("1")]).pipe(lines)
    #expect(outcome.screen.contains("type profile local { cookies on }, then the line again"), "\(outcome.screen)")
    let mended = await PromptSession(answers: [.json("1")]).pipe(lines + ["profile local { cookies on }", lines[1]])
    #expect(mended.requests.map(\.url) == ["https://a.example/x"], "\(mended.screen)")
  }

  @Test func `with -v each redirect is shown with what was sent and what came`() async {
    var found = Response(status: .found)
    found.headers[.location] = "/y"
    let session = PromptSession(answers: [found, .json("{}")])
    let typed = await session.pipe(["curl -v -L https://a.example/x"])
    let sent = await session.send("curl -v -L https://a.example/x")
    for screen in [typed.screen, sent.outcome.screen] {
      let first = screen.firstRange(of: "GET https://a.example/x\n")?.lowerBound ?? screen.endIndex
      let hop = screen.firstRange(of: "HTTP/1.1 302 Found\nLocation: /y\n")?.lowerBound ?? screen.endIndex
      let last = screen.firstRange(of: "GET https://a.example/y\n")?.lowerBound ?? screen.endIndex
      #expect(first < hop && hop < last && last < screen.endIndex, "\(screen)")
    }
    let quiet = await session.pipe(["curl -i -L https://a.example/x"])
    #expect(!quiet.screen.contains("302 Found"), "\(quiet.screen)")
  }

  @Test func `a body for /dev/null is not shown with -v either`() async {
    let outcome = await PromptSession(answers: [.json("{\"said\":1}")]).pipe([
      "curl -v -o /dev/null https://a.example/x"
    ])
    #expect(outcome.screen.contains("Content-Type"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("said"), "\(outcome.screen)")
  }

  @Test func `a token that a name has of a response goes to the profile that takes it`() async {
    let outcome = await PromptSession(answers: [.json(#"{"token":"t-0123456789"}"#), .json("1"), .json("2")]).pipe([
      "POST https://a.example/token", "let token = $_.body.token",
      "curl https://b.example/x -H \"Authorization: Bearer $token\"",
      "profile a { base https://a.example auth bearer $token }", "GET /me",
    ])
    #expect(outcome.requests.map(\.url).last == "https://a.example/me", "\(outcome.screen)")
    #expect(outcome.requests.last?.headers[.authorization] == "Bearer t-0123456789", "\(outcome.screen)")
  }

  /// The profile's secret is made from a name, which is made from a response.
  @Test(arguments: [":save s.wb", ":save s.wb 1..3", ":save s.wb 3"])
  func `a profile with such a token is saved after the response that brought it`(save: String) async throws {
    let outcome = await PromptSession(answers: [.json(#"{"token":"t-0123456789"}"#), .json("1"), .json("2")]).pipe([
      "POST https://a.example/token", "let token = $_.body.token", "GET https://a.example/x auth bearer $token",
      "profile a { base https://a.example auth bearer $token }", "GET /me", save,
    ])
    let text = String(decoding: outcome.written["s.wb"] ?? [], as: UTF8.self)
    let order = ["/token", "let token = $post-token.body.token", "secret a-token = $token for a", "/me"].map {
      text.firstRange(of: $0)?.lowerBound
    }
    try #require(!order.contains(nil), "\(text)\(outcome.screen)")
    #expect(order.compactMap(\.self) == order.compactMap(\.self).sorted(), "\(text)")
    #expect(outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
  }

  @Test(arguments: [
    "curl https://a.example/x -H \"Authorization: Bearer $shop-token\"",
    "curl https://a.example/x -H \"Authorization: Bearer {$shop-token}\"",
    "curl https://a.example/x -H \"Authorization: Bearer $tok\"",
  ])
  func `a name with a hyphen is one in a line for curl`(line: String) async {
    let outcome = await PromptSession(answers: [.json(#"{"token":"t-0123456789"}"#), .json("1")]).pipe([
      "POST https://a.example/token", "let shop-token = $1.body.token", "let tok = $1.body.token", line,
    ])
    #expect(outcome.requests.last?.headers[.authorization] == "Bearer t-0123456789", "\(outcome.screen)")
  }

  @Test(arguments: [
    ("-w '%{http_code} %{method}\\n'", "200 GET\n"), ("-w '%{content_type}'", "application/json\n"),
    ("-w '%{speed_upload}'", "-w knows no %{speed_upload} here"),
  ])
  func `what -w asks for is written after the response`(option: String, text: String) async {
    let outcome = await PromptSession(answers: [.json("[1]")]).pipe([
      "curl -s -o /dev/null \(option) https://a.example/x"
    ])
    #expect(outcome.requests.count == 1 && outcome.screen.contains(text), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("curl -c jar -b jar https://a.example/x", "-c jar"), ("curl -b jar https://a.example/x", "-b jar"),
    ("https --session=ann a.example/x", "--session=ann"),
  ])
  func `a jar of cookies is the profile's, where it keeps them`(line: String, option: String) async {
    let kept = Response(status: .ok, headers: [.setCookie: "sid=4"])
    let outcome = await PromptSession(answers: [kept, .json("1")]).pipe([
      "profile p { base https://a.example }", line, "profile p { cookies on }", line, line,
    ])
    #expect(
      outcome.screen.ranges(of: "\(option) is refused: only a profile keeps cookies").count == 1, "\(outcome.screen)")
    #expect(outcome.screen.contains("\(option): the profile keeps the cookies, and no file"), "\(outcome.screen)")
    #expect(outcome.requests.map { $0.headers[.cookie] } == [nil, "sid=4"], "\(outcome.screen)")
    #expect(outcome.written["jar"] == nil)
  }

  @Test(arguments: [
    ("curl -c jar -b jar https://a.example/x", "profile a {\n  base https://a.example\n  cookies on\n}\n"),
    ("https --session=ann a.example/x", "profile ann {\n  base https://a.example\n  cookies on\n}\n"),
    ("https --session=./s.json a.example/x", "profile a {\n  base https://a.example\n  cookies on\n}\n"),
  ])
  func `a jar for a URL that no profile claims makes the profile`(line: String, profile: String) async {
    let kept = Response(status: .ok, headers: [.setCookie: "sid=4"])
    let outcome = await PromptSession(answers: [kept, .json("1"), .json("2")]).pipe([line, line, "GET /y"])
    #expect(outcome.screen.ranges(of: profile).count == 1, "\(outcome.screen)")
    #expect(outcome.requests.map { $0.headers[.cookie] } == [nil, "sid=4", "sid=4"], "\(outcome.screen)")
    // Where paths go to another one, they still do.
    let beside = await PromptSession(answers: [kept, .json("1")]).pipe([
      "profile other { base https://b.example }", line, "GET /y",
    ])
    #expect(beside.requests.map(\.url) == ["https://a.example/x", "https://b.example/y"], "\(beside.screen)")
  }

  @Test(arguments: [("", 1), ("-L ", 2), ("--max-redirs 3 ", 1), ("-L --max-redirs 3 ", 2)])
  func `a redirect is followed as curl does`(options: String, requests: Int) async {
    let moved = Response(status: .found, headers: [.location: "/there"])
    let line = "curl \(options)https://a.example/x"
    let typed = await PromptSession(answers: [moved, .json("1")]).pipe([line])
    #expect(typed.requests.count == requests, "\(typed.screen)")
    let isFollowed = requests == 2
    #expect(typed.screen.contains("redirects none") != isFollowed, "\(typed.screen)")
    #expect(typed.screen.contains("leads to /there") != isFollowed, "\(typed.screen)")
    #expect(await PromptSession(answers: [moved, .json("1")]).send(line).outcome.requests.count == requests)
  }
}
