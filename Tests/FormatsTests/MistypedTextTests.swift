import Formats
import Testing

/// A line that cannot be read may still have a password in it.
@Suite struct MistypedTextTests {
  private static let secret = "correcthorse9"

  /// `{}` stands for the secret, which is `••••` in what is written down.
  @Test func `a line for curl stays one where what it encodes is hidden`() {
    let line =
      "curl https://a.example/post -d user=bea --data-urlencode 'password=linden tree 44' -d csrf=$csrf | jq .form"
    #expect(TypedSecrets.masked(line) == line.replacing("linden tree 44", with: "••••"))
  }

  @Test(arguments: [
    "GET /basic auth basic \"ann\":\"{}\"", "GET /basic auth basic \"ann\" : \"{}\"",
    "GET /basic auth digest \"ann\":\"{}\"", "GET /basic auth basic (\"ann\":\"{}\")",
    "GET /basic auth basic(\"ann\": \"{}\") expect 200", "GET /basic auth basic \"ann\"; \"{}\"",
    "GET /basic auth basic \"ann\" => \"{}\"", "GET /basic auth basic ann:\"{}\"", "GET /basic auth basic ann : {}",
    "GET /basic auth basic ann : {} timeout 3", "GET /basic auth basic $user : \"{}\"",
    "GET /basic auth basic 'ann':'{}'", "GET /basic auth basic \"ann\":\"{} 2", "GET /basic auth basic \"{}\" \"\"",
    "profile q { base https://a.example auth basic \"ann\":\"{}\" }",
    "profile q { base https://a.example auth digest \"annabel\" / \"{}\" timeout 3 }",
    "profile q {\n  auth basic \"annabel\":\"{}\"\n  base https://a.example\n}",
    ":explain GET /basic auth basic \"ann\":\"{}\"",
    "GET /x auth Basic \"ann\":\"{}\"", "GET /x auth \"ann\":\"{}\"", "GET /x basic \"ann\":\"{}\"",
    "json { user: \"ann\", password \"{}\" }", "POST /x json { user: \"ann\", password \"{}\" }",
    "POST /x json { \"user\": \"ann\", \"password\" \"{}\" }", "POST /x json { user: \"ann\", password {} }",
    "POST /x json { password => \"{}\" }", "POST /x json { password -> \"{}\" }", "POST /x json { password; \"{}\" }",
    "let token \"{}\"", "let token '{}'", "let token {}", ":set token \"{}\"", "secret x \"{}\"", "secret x {}",
    "secret x {} for api", "secret x \"{}\" for api", "let password = \"ask{}", "GET /x header X-Api-Key \"{}\"",
    "GET /x auth basic \"ann\":\"${}\"", "json { password \"${}\" }", "auth basic \"ann\" / \"$pw{}\"",
    "POST /x json { credentials { p \"{}\" } }", "POST /x json { credentials: { user \"annabel\" p \"{}\" } x }",
    "curl --user=ann:{} https://a.example/basic", "curl -u ann {} https://a.example/basic",
    "curl -u ann {} -X POST https://a.example/basic", "curl --user ann {} -s localhost:9311/basic",
    "curl -u ann \"{} 2\" https://a.example/basic", "curl -s -u ann {} :9311/basic",
    "curl -u ann a.{} https://a.example",
    "GET hb:/get auth bearr \"{}\"", "GET /x auth baerer \"{}\" expect 200", "GET /x auth beaer {}",
    "GET /x auth basc \"ann\", \"{}\"", "profile q { base https://a.example auth bearr \"{}\" }",
    "secert t = \"{}\" for hb", "secrte t = {}", "scret t \"{}\"", "GET /x Authorization:Bearr {}",
    "GET /x Authorization: Bearr {}", "GET /x auth sigv4 { key: \"AKIA1234\", secrt: \"{}\" }",
    "GET /x Authorisation:{}", "GET /x Authorisation: Bearer {}", "POST /x password=two {}",
    "POST /x password=two three {}",
    "GET /x X-Api-Key:a {}", "set password {}", "curl --usr ann:{} https://a.example/x",
    "GET /x Cookie: sid=abc9; b={}", "GET /x Cookie:sid=abc9; b={}", "GET /x Cookie: b={}",
    "curl -uann:{}", "http -a ann {} :9311/basic", "http --auth=ann {} POST :9311/basic a=b",
    "http -a ann:{} :9311/basic", "http --auth='ann:two {}' :9311/basic", "--auth=ann:{}", "http --auth={} :9311/",
  ])
  func `a password that is in the wrong place is hidden`(line: String) {
    let line = line.replacing("{}", with: Self.secret)
    let masked = TypedSecrets.masked(line)
    #expect(!masked.contains(Self.secret) && masked.contains(TypedSecrets.mask), "\(masked)")
    let values = TypedSecrets.values(in: line)
    let redacted = values.sorted { $0.count > $1.count }.reduce(line) { $0.replacing($1, with: TypedSecrets.mask) }
    #expect(!redacted.contains(Self.secret), "\(redacted)")
  }

  /// What is not hidden helps to find the line again.
  @Test(arguments: [
    ("GET /basic auth basic \"ann\":\"{}\"", "GET /basic auth basic \"ann\":\"••••\""),
    (
      "profile q { base https://a.example auth basic \"ann\":\"{}\" cookies on }",
      "profile q { base https://a.example auth basic \"ann\":\"••••\" cookies on }"
    ),
    ("GET /x auth basic \"ann\":\"{}\" header A: \"b\"", "GET /x auth basic \"ann\":\"••••\" header A: \"b\""),
    ("json { password \"{}\", name \"x\" }", "json { password \"••••\", name \"x\" }"),
    ("curl -u ann {} https://a.example/x", "curl -u ann •••• https://a.example/x"),
    ("curl --user=ann:{} https://a.example/x", "curl --user=ann:•••• https://a.example/x"),
    ("http --auth=ann:{} :9802/x", "http --auth=ann:•••• :9802/x"),
    ("xh --auth='ann:{}' --auth-type=digest :/x", "xh --auth='ann:••••' --auth-type=digest :/x"),
    ("GET :9802/bearer auth bearer \"{}\"", "GET :9802/bearer auth bearer \"••••\""),
    ("GET http://a.example/bearer\n  auth bearer \"{}\"", "GET http://a.example/bearer\n  auth bearer \"••••\""),
    ("GET :9802/bearer Authorization:'Bearer {}'", "GET :9802/bearer Authorization:'••••'"),
    ("token: POST shop:/token password={}", "token: POST shop:/token password=••••"),
    ("post-token: GET /x\nnew-token: PUT $put.body.url", "post-token: GET /x\nnew-token: PUT $put.body.url"),
    ("parallel { token: GET :9802/x X-Api-Key:{} }", "parallel { token: GET :9802/x X-Api-Key:•••• }"),
    ("token: run sign-in(password: \"{}\")", "token: run sign-in(password: \"••••\")"),
    ("token: POST", "token: ••••"), ("password: GET {}", "password: •••• {}".replacing("{}", with: secret)),
  ])
  func `only the password is hidden`(line: String, masked: String) {
    #expect(TypedSecrets.masked(line.replacing("{}", with: Self.secret)) == masked)
  }

  /// A line of the history can be sent again when the password is typed again, whatever word that is.
  @Test(arguments: [
    ("http -a ann:pw :9802/basic-auth/ann/pw", "http -a ann:•••• :9802/basic-auth/ann/pw"),
    ("http --auth=ann:pw :9802/basic-auth/ann/pw", "http --auth=ann:•••• :9802/basic-auth/ann/pw"),
    ("http -a ann:password :9802/x", "http -a ann:•••• :9802/x"),
    ("curl -u admin:secret :8080", "curl -u admin:•••• :8080"),
    ("http -A bearer -a token :/x", "http -A bearer -a •••• :/x"),
  ])
  func `what follows a password is not its value`(line: String, masked: String) {
    #expect(TypedSecrets.masked(line) == masked)
  }

  @Test(arguments: ["token :12345678", "{ \"pin\" :1234 }", "pin :1234", "password :/x9", "pw :abcd"])
  func `what follows a name is its value`(text: String) {
    #expect(TypedSecrets.masked(text).contains(TypedSecrets.mask), "\(text)")
  }

  @Test(arguments: [(["-a", "ann:pw"], "ann:pw"), (["--auth=ann:pw"], "ann:pw"), (["-u", "ann:pass"], "pass")])
  func `a short password of a command line is hidden with its user`(words: [String], value: String) {
    #expect(TypedSecrets.values(inWords: words) == [value])
  }

  @Test(arguments: [
    "GET /x auth basic $user, $password header A: \"b\"",
    "GET /x auth basic \"ann\", ask(\"password\") header A: \"b\"",
    "GET /x auth basic $user : $password", "GET /x Authorization:$t page==2 |", "GET /x X-Api-Key:$k foo",
    "GET /x auth none foo", "GET /x Authorization:$t $u", "auth basic \"ann\", $env.PASSWORD",
    "  auth basic \"ann\", ask(\"password\")",
    "GET /x expect body.token is string expect body.note == \"x\"", "POST /x json { token: $t, note: \"x\" }",
    "json { name \"ann\", note \"x\" }", "let name \"ann\"", "secret token", "secret token for api", "let token",
    "json { token $t }", "json { token: string, note \"x\" }", "say \"enter the token\" \"x\"", "say $token \"x\"",
    "curl -u ann https://a.example/x", "curl -u ann a.example -H 'Referer: https://b.example'",
    "curl -u ann -X POST https://a.example", "curl --user-agent a:b https://a.example",
    "curl -A 'a b' https://a.example",
    "http :9311/x a=b", "GET :9802/bearer Accept:text/html x=1", "GET /bearer | jq .",
    "the password is on a card, and the token too", "",
  ])
  func `what is no secret stays`(line: String) {
    #expect(TypedSecrets.masked(line) == line)
  }

  @Test(.timeLimit(.minutes(1))) func `long lines take no time`() {
    let lines = ["a", "a ", "-u a ", "-u a b ", "token - ", "auth basic ", "password ", "\"", "\"a\" ", "( "]
    for line in lines { _ = TypedSecrets.values(in: "x " + String(repeating: line, count: 20_000 / line.utf8.count)) }
  }

  @Test(arguments: [
    ("curl -d 'user=ann&pass=a b' a.example", "curl -d 'user=ann&pass=••••' a.example"),
    ("curl -d \"pass=a b&x=1\" a.example", "curl -d \"pass=••••&x=1\" a.example"),
    ("body \"a=1&password=correct horse&b=2\"", "body \"a=1&password=••••&b=2\""),
    ("http a.example/x?a=1&password=abc user=ann", "http a.example/x?a=1&password=•••• user=ann"),
  ])
  func `a field of a form is hidden to its end`(line: String, masked: String) {
    #expect(TypedSecrets.masked(line) == masked)
  }
}
