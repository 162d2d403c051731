import Foundation

extension Construct {
  static let bodies: [Construct] = [
    Construct(
      "clause json", "POST {url}/ json { a: 1.0, \"b c\": [1, ...[2, null]], ...{ d: true } }",
      sends: "Content-Type: application/json", "{\"a\":1.0,\"b c\":[1,2,null],\"d\":true}",
      wrong: "POST {url}/ json { a: file(\"a.txt\") }",
      says: "expected a JSON value, found a file"),
    Construct(
      "clause form", "POST {url}/ form { a: \"x y&\", b: [1, 2] }", sends: "application/x-www-form-urlencoded",
      "\r\n\r\na=x+y%26&b=1&b=2", wrong: "POST {url}/ form \"a=1\"", says: "expected an object, found a string"),
    Construct(
      "clause multipart",
      "POST {url}/ multipart { z: 1, a: file(\"a.txt\") as \"image/png\" named \"x \\\"y.png\", m: [\"p\", \"q\"] }",
      sends: "multipart/form-data; boundary=BOUNDARY",
      "name=\"z\"\r\n\r\n1\r\n--BOUNDARY\r\nContent-Disposition: form-data; name=\"a\"; filename=\"x %22y.png\"\r\nContent-Type: image/png\r\n\r\nhello file\r\n",
      "name=\"m\"\r\n\r\np\r\n", "name=\"m\"\r\n\r\nq\r\n", wrong: "POST {url}/ multipart { a: { b: 1 } }",
      says: "found an object"),
    Construct(
      "clause text", "POST {url}/ text \"\"\"\n    one {$env.NAME}\n      two\n    \"\"\"",
      sends: "text/plain; charset=utf-8",
      "\r\n\r\none value\n  two", wrong: "POST {url}/ text [1]", says: "found an array"),
    Construct(
      "clause body", "PUT {url}/ body file(\"a.txt\")\nPUT {url}/ body \"raw\" as \"a/b\"", sends: "text/plain",
      "\r\n\r\nhello file",
      "Content-Type: a/b", "\r\n\r\nraw", wrong: "PUT {url}/ body { a: 1 }",
      says: "expected a file, bytes or text, found an object"),
    Construct(
      "clause graphql", "POST {url}/ graphql \"\"\"\n  query Q($a: Int) { x(a: $a) }\n  \"\"\" variables { a: 1 }",
      sends: "{\"query\":\"query Q($a: Int) { x(a: $a) }\",\"variables\":{\"a\":1}}",
      wrong: "POST {url}/ graphql { a: 1 }",
      says: "expected"),
  ]

  static let clauses: [Construct] = [
    Construct(
      "clause header", "GET {url}/\n  header X-A: \"b c\"\n  header { X-B: [1, 2], \"X-C\": $env.NAME }",
      sends: "X-A: b c\r\n", "X-B: 1\r\n", "X-B: 2\r\n",
      "X-C: value\r\n", wrong: "GET {url}/ header Accept: text/html, */*",
      says: "a value with spaces is quoted: 'text/html, */*'"),
    Construct(
      "clause query", "GET {url}/?a=1\n  query b: \"c&d\"\n  query { e: [2, 3] }", sends: "GET /?a=1&b=c%26d&e=2&e=3 ",
      wrong: "GET {url}/ query { a: { b: 1 } }", says: "found an object"),
    Construct(
      "clause auth bearer", "GET {url}/ auth bearer $env.WORD",
      sends: "Authorization: Bearer \(ConstructSecret.environment)\r\n",
      wrong: "GET {url}/ auth bearer \"a\", \"b\"",
      says: "auth bearer takes one token"),
    Construct(
      "clause auth basic", "GET {url}/ auth basic \"ann\", $env.WORD",
      sends: "Authorization: Basic \(basic("ann", ConstructSecret.environment))\r\n",
      wrong: "GET {url}/ auth basic \"ann\"",
      says: "auth basic takes a user and a password"),
    Construct(
      "clause auth digest", "GET {url}/ auth digest \"ann\", $env.WORD", sends: "GET / HTTP/1.1\r\n",
      never: ConstructSecret.environment, wrong: "GET {url}/ auth digest \"ann\"",
      says: "auth digest takes a user and a password"),
    Construct(
      "clause auth sigv4",
      "PUT {url}/ text \"x\"\n  auth sigv4 { key: \"AKIA1\", secret: $env.WORD, token: $env.USER_NAME, region: \"eu-west-1\", service: \"s3\" }",
      sends: "AWS4-HMAC-SHA256 Credential=AKIA1/20260102/eu-west-1/s3/aws4_request, SignedHeaders=",
      "x-amz-content-sha256: 2d711642b726b044",
      "x-amz-security-token: user", never: ConstructSecret.environment,
      wrong: "GET {url}/ auth sigv4 { key: \"a\", secret: \"\(ConstructSecret.literal)\", service: \"s3\" }",
      says: "auth sigv4 has no region"),
    Construct(
      "clause auth none",
      "profile p { base {url} auth bearer \"\(ConstructSecret.literal)\" }\nGET p:/in\nGET p:/out auth none",
      sends: "GET /out HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n",
      wrong: "GET {url}/ auth negotiate \"a\"",
      says: "expected none, bearer, basic, digest, oauth or a signer such as sigv4"),
    Construct(
      "clause expect", "GET {url}/status/404\n  expect 404 | 2xx\n  expect status > 400\nGET {url}/after",
      sends: "GET /after",
      wrong: "GET {url}/\n  expect 201\n  expect body.s == \"none\"", says: "status should be 201, and is 200"),
    Construct(
      "clause when", "GET {url}/never when 1 == 2\nGET {url}/after when true", sends: "GET /after", never: "GET /never",
      wrong: "GET {url}/ when 1", says: "expected true or false, found a number"),
    Construct(
      "clause repeat",
      "wait: GET {url}/pending\n  repeat every 1s for 1m until body.state == \"ready\"\nPOST {url}/ json $wait.rounds[*].body.state",
      sends: "[\"pending\",\"pending\",\"ready\"]", wrong: "GET {url}/ repeat every 1s for 2s until body.s == \"none\"",
      says: "within 2s"),
    Construct(
      "clause repeat, with the round before",
      "page: GET ($page.body.next ?? \"{url}/page/1\")\n  repeat until body.next ?? null == null\nPOST {url}/ json $page.rounds | count",
      sends: "GET /page/1 ", "GET /page/2 ", "GET /page/3 ", "\r\n\r\n3", wrong: "page: GET {url}/{$page.status}",
      says: "$page"),
    Construct(
      "clause stream", "one: GET {url}/ stream\nPOST {url}/ json $one.body.s", sends: "\r\n\r\n\"text\"",
      wrong: "GET {url}/ stream until 1", says: "expected true or false, found a number"),
    Construct(
      "clause retry", "GET {url}/busy retry 3 on 503\nGET {url}/after", sends: "GET /after",
      wrong: "GET {url}/status/503 retry none", says: "status should be 2xx or 3xx, and is 503"),
    Construct(
      "clause retry, the same bytes",
      "POST {url}/busy retry 3 on 5xx\n  header Idempotency-Key: uuid()\nGET {url}/after",
      sends: "Idempotency-Key: ", "GET /after",
      wrong: "GET {url}/ retry 2 on fast", says: "a status such as 429 or 5xx"),
    Construct(
      "clause timeout", "GET {url}/ timeout 5s", sends: "GET / ", wrong: "GET {url}/ timeout 10", says: "add a unit"),
    Construct(
      "clause wait", "GET {url}/ wait 5s\nPOST {url}/ json [now() | date] wait (2 * 1s)",
      sends: "\r\n\r\n[\"2026-01-02T03:00:05Z\"]",
      wrong: "GET {url}/ wait 5", says: "add a unit"),
    Construct(
      "clause limit", "GET {url}/?limit=1 limit 64GiB\nGET {url}/ limit==5 limit (2 * 1KiB)\nGET {url}/after limit 1MB",
      sends: "GET /after", wrong: "GET {url}/ limit \"1GiB\"", says: "write it without quotes: 64GiB"),
    Construct(
      "clause limit, in time", "GET {url}/ limit 1KiB", sends: "GET / ", wrong: "GET {url}/ limit 5m",
      says: "size units are"),
    Construct(
      "clause redirects", "GET {url}/redirect\nGET {url}/redirect redirects none\n  expect 302\nGET {url}/after",
      sends: "GET /landed ", "GET /after ",
      wrong: "GET {url}/redirect redirects none expect 200", says: "status should be 200, and is 302"),
    Construct(
      "clause save", "GET {url}/text save body to \"saved.txt\"\nPUT {url}/ body file(\"saved.txt\")",
      sends: "\r\n\r\n<UploadId>u-1</UploadId>",
      wrong: "one: GET {url}/\nGET {url}/ save body to \"{$one.body.path}\"", says: "cannot be a part of a file's path"
    ),
    Construct(
      "clause effect", "POST {url}/busy retry 3 on 503\n  effect idempotent\nGET {url}/after", sends: "GET /after",
      wrong: "GET {url}/busy retry 3 on 503\n  effect once", says: "status should be 2xx or 3xx, and is 503"),
    Construct(
      "clause with",
      "profile p { base {url}/v1 header X-P: 1 }\nprofile q { base {url}/v2 header X-P: 2 }\nGET /x with profile q\nGET {url}/y with profile p",
      sends: "GET /v2/x ", "X-P: 2\r\n",
      "GET /y ", "X-P: 1\r\n",
      wrong: "GET {url}/ with profile r", says: "there is no profile \"r\""),
  ]

  /// TLS and Unix sockets have their own servers, in other tests.
  static let settings: [Construct] = [
    Construct(
      "setting base", "let host = \"{url}\"\nprofile p { base $host }\nGET p:/x", sends: "GET /x ",
      wrong: "profile p { base ftp://x }\nGET p:/", says: "base"),
    Construct(
      "setting origin", "profile p {\n  origin http://*.nowhere.test\n  origin {url}\n  header X-P: 1\n}\nGET {url}/",
      sends: "X-P: 1\r\n",
      wrong: "profile p { origin http://a.test/x }", says: "an origin has no path"),
    Construct(
      "setting auth", "profile p { base {url} auth basic $env.USER_NAME, $env.WORD }\nGET p:/",
      sends: "Basic \(basic("user", ConstructSecret.environment))",
      wrong: "profile p { base {url} auth basic $env.WORD }",
      says: "auth basic takes"),
    Construct(
      "setting auth sigv4",
      "profile s3 {\n  base {url}\n  auth sigv4 { key: \"AKIA1\", secret: $env.WORD, region: \"r-1\", service: \"s3\" }\n}\nGET s3:/key?uploads",
      sends: "Credential=AKIA1/20260102/r-1/s3/aws4_request", never: ConstructSecret.environment,
      wrong: "profile p { base {url} auth sigv4 { kye: \"a\" } }", says: "did you mean key?"),
    Construct(
      "setting header", "profile p { base {url} header X-A: b header { X-B: [1, 2] } }\nGET p:/\nGET p:/ X-A:own",
      sends: "X-A: b\r\n", "X-B: 2\r\n", "X-A: own\r\n", wrong: "profile p { base {url} header \"a b\": c }",
      says: "header"),
    Construct(
      "setting query", "profile p { base {url} query key: $env.WORD }\nGET p:/?a=1",
      sends: "GET /?a=1&key=\(ConstructSecret.environment.replacing("+", with: "%2B").replacing("/", with: "%2F")) ",
      wrong: "profile p { base {url} query key: [[1]] }\nGET p:/", says: "an array"),
    Construct(
      "setting timeout", "profile p { base {url} timeout 5s }\nGET p:/", sends: "GET / ",
      wrong: "profile p { base {url} timeout 5 }", says: "add a unit"),
    Construct(
      "setting retry", "profile p { base {url} retry 3 on 503 }\nGET p:/busy\nGET p:/after", sends: "GET /after",
      wrong: "profile p { base {url} retry none }\nGET p:/busy", says: "and is 503"),
    Construct(
      "setting limit", "profile p { base {url} limit 1MiB }\nGET p:/", sends: "GET / ",
      wrong: "profile p { base {url} limit 1B }\nGET p:/big-enough", says: "bodyBytes(limit: 1)"),
    Construct(
      "setting redirects", "profile p { base {url} redirects none }\nGET p:/redirect expect 302\nGET p:/after",
      sends: "GET /after", never: "GET /landed", wrong: "profile p { base {url} redirects many }", says: "redirects"),
    Construct(
      "setting cookies", "profile p { base {url} cookies on }\nGET p:/\nGET p:/after\nGET {url}/other with profile p",
      sends: "GET /after ", "Cookie: sid=1; b=2\r\n", wrong: "profile p { base {url} cookies maybe }", says: "on or off"
    ),
    Construct(
      "setting http", "profile p { base {url} http 1.1 }\nGET p:/x", sends: "GET /x HTTP/1.1\r\n",
      wrong: "profile p { base {url} http 3 }", says: "http"),
    Construct(
      "setting proxy", "profile p { base http://far.test proxy {url} }\nGET p:/x",
      sends: "GET http://far.test/x HTTP/1.1\r\nHost: far.test\r\n",
      wrong: "profile p { base {url} proxy ftp://x }", says: "proxy"),
    Construct(
      "setting resolve", "profile p {\n  base http://far.test:{port}\n  resolve far.test: 127.0.0.1\n}\nGET p:/x",
      sends: "GET /x HTTP/1.1\r\nHost: far.test:{port}\r\n",
      wrong: "profile p {\n  base {url}\n  resolve far.test: a/b\n}", says: "resolve"),
  ]

  static let secrets: [Construct] =
    [
      ("environment", "$env.WORD", ConstructSecret.environment, "$env.NOPE", "the environment has no \"NOPE\""),
      (
        "file", "file(\"token.given\").text | trim", ConstructSecret.file, "file(\"none.txt\").text",
        "No such file or directory"
      ),
      ("ask", "ask(\"password\")", "\(ConstructSecret.asked)-password", "ask()", "ask takes 1 argument"),
      (
        "command", "command(\"gh auth token\")", "\(ConstructSecret.command)-gh auth token", "command(\"false\")",
        "\"false\" ended with exit code 1"
      ),
      ("answer", "$one.body.token", ConstructSecret.answer, "$one.body.tokne", "did you mean \"token\"?"),
      ("literal", "\"\(ConstructSecret.literal)\"", ConstructSecret.literal, "\"abc\"", "shorter than 4 bytes"),
    ].map { source, expression, text, wrong, says in
      func script(_ expression: String) -> String {
        "profile p { base {url} auth bearer $s }\none: GET {url}/ auth none\nsecret s = \(expression) for p\nGET p:/after"
      }
      return Construct(
        "secret from \(source)", script(expression), sends: "Authorization: Bearer \(text)\r\n", wrong: script(wrong),
        says: says)
    } + [
      Construct(
        "secret elsewhere", "profile p { base {url} }\nsecret s = \"\(ConstructSecret.literal)\" for p\nGET p:/ X-S:$s",
        sends: "X-S: \(ConstructSecret.literal)",
        wrong:
          "profile p { origin http://elsewhere.test }\nsecret s = \"\(ConstructSecret.literal)\" for p\nlet there = \"{url}\"\nGET $there/{$s | base64 | url-encode}",
        says: "the secret s may not go to {url}")
    ]

  private static func basic(_ user: String, _ password: String) -> String {
    Data("\(user):\(password)".utf8).base64EncodedString()
  }
}
