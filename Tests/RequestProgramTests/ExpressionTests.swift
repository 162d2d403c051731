import Diagnostics
import RequestProgram
import RequestSyntax
import Requests
import Testing

struct ExpressionTests {
  /// The value of an expression after one exchange, `$one`, as compact JSON text.
  private func value(_ expression: String) -> String {
    var harness = ScriptHarness(variables: ["NAME": "value"])
    harness.answer = { _, _ in
      .make(
        200,
        json:
          "{\"a\": {\"b\": [1, 2, 3]}, \"s\": \"text\", \"n\": null, \"list\": [{\"id\": 1, \"k\": \"x\"}, {\"id\": 2}]}",
        headers: [
          ("ETag", "\"e\""), ("Set-Cookie", "sid=1; Path=/"), ("Set-Cookie", "b=2"), ("X-M", "1"), ("X-M", "2"),
        ])
    }
    let outcome = harness.run("one: GET http://a.test/\nPOST http://a.test/ json [\(expression)]")
    return outcome.requests.count == 2
      ? String(outcome.requests[1].bodyText?.dropFirst().dropLast() ?? "") : outcome.text
  }

  @Test(arguments: [
    ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("7 / 2", "3.5"), ("6 / 2", "3"), ("1.50", "1.50"), ("-1.0", "-1.0"),
    ("9007199254740993 + 1", "9007199254740994"), ("10 - 3 - 2", "5"), ("2m + 30s == 150s", "true"),
    ("1 == 1.0", "true"), ("1 == \"1\"", "false"), ("\"a\" < \"b\"", "true"), ("2 < 10", "true"),
    ("not 1 == 2 and true or false", "true"), ("if 1 < 2 then \"y\" else \"n\"", "\"y\""),
    ("\"abc\" contains \"b\"", "true"), ("\"abc\" starts-with \"ab\"", "true"), ("\"abc\" ends-with \"b\"", "false"),
    ("\"a1\" matches '[0-9]'", "true"), ("2 in [1, 2]", "true"), ("\"k\" in { k: 1 }", "true"),
    ("$one.body.a.b[-1]", "3"), ("$one.body.a.b[0:2]", "[1,2]"), ("$one.body.a.b[::-1]", "[3,2,1]"),
    ("$one.body.list[*].id", "[1,2]"), ("$one.body..id", "[1,2]"), ("$one.body.list[*].k", "[\"x\"]"),
    ("$one.body.list[?@.id == 1].k", "[\"x\"]"), ("$one.body.list[?@.id > $one.body.a.b[0]].id | first", "2"),
    ("$one.body['s']", "\"text\""), ("$one.body.a.b[1,0]", "[2,1]"), ("$one.body.zip ?? 5", "5"),
    ("$one.body.n ?? \"null\"", "\"null\""), ("$one.body.a.b[9] ?? \"none\"", "\"none\""),
    ("$one.headers.etag", "\"\\\"e\\\"\""), ("$one.headers[\"ETAG\"]", "\"\\\"e\\\"\""),
    ("$one.headers.x-m", "\"1, 2\""),
    ("$one.headers.set-cookie", "[\"sid=1; Path=/\",\"b=2\"]"), ("$one.cookies.sid", "\"1\""), ("$one.status", "200"),
    ("$one.request.method", "\"GET\""), ("$one.time.total < 1s", "true"), ("$one.body | count", "4"),
    ("$env.NAME", "\"value\""), ("\"{$one.status}-{$one.body.s | upper}\"", "\"200-TEXT\""), ("'{$x}'", "\"{$x}\""),
    ("\"\\{$x}\"", "\"{$x}\""), ("\"{ a }\"", "\"{ a }\""), ("4KiB", "4096"), ("5MB", "5000000"),
    ("[1, ...[2, 3]]", "[1,2,3]"), ("[3, 1, 2] | sort", "[1,2,3]"),
    ("[\"b\", \"a\", \"b\"] | unique | join(\"-\")", "\"b-a\""),
    ("\"a,b\" | split(\",\")", "[\"a\",\"b\"]"), ("\"aXbX\" | replace(\"X\", \"-\")", "\"a-b-\""),
    ("\"id=42;\" | regex('id=(\\d+)')", "\"42\""), ("\"ab\" | regex('z') ?? \"none\"", "\"none\""),
    ("[] | first ?? 0", "0"),
    ("[1, 2] | last", "2"), ("\" x \" | trim", "\"x\""), ("\"hi\" | base64", "\"aGk=\""),
    ("\"aGk=\" | base64-decode", "\"hi\""),
    ("\"a b/\" | url-encode", "\"a%20b%2F\""), ("\"a%20b\" | url-decode", "\"a b\""),
    ("\"abc\" | sha256", "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\""),
    ("\"abc\" | md5", "\"900150983cd24fb0d6963f7d28e17f72\""),
    ("\"abc\" | md5 | base64", "\"kAFQmDzST7DWlj99KOF/cg==\""),
    (
      "\"what do ya want for nothing?\" | hmac-sha256(\"Jefe\")",
      "\"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843\""
    ),
    ("{ b: 1, a: [2] } | json", "\"{\\\"b\\\":1,\\\"a\\\":[2]}\""), ("\"[1]\" | parse-json", "[1]"),
    ("\"a,b\\n1,\\\"x, y\\\"\\n\" | parse-csv", "[{\"a\":\"1\",\"b\":\"x, y\"}]"),
    ("{ a: 1, b: 2 } | without(\"a\")", "{\"b\":2}"),
    ("\" 1e2 \" | to-number", "1e2"), ("1.0 | to-string", "\"1.0\""), ("\"abcdef\" | slice(1, 3)", "\"bcd\""),
    ("uuid() matches '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'", "true"),
    ("uuid() == uuid()", "false"), ("now() | date", "\"2026-01-02T03:00:00Z\""),
    ("now() | date(\"%a, %d %b %Y %T.%L %%\")", "\"Fri, 02 Jan 2026 03:00:00.000 %\""),
    ("\"1969-12-31T23:59:58.5+01:00\" | date(\"%F %H:%M:%S.%L %s %y\")", "\"1969-12-31 22:59:58.500 -3602 69\""),
    ("\"2024-02-29T23:59:60Z\" | date", "\"2024-03-01T00:00:00Z\""),
    ("random(3, 9) in [3, 4, 5, 6, 7, 8, 9]", "true"), ("random(5, 5)", "5"),
    ("{ a: 1 } is { a: int }", "true"), ("\"2024-02-29T10:00:00Z\" is datetime", "true"),
    ("\"2023-02-29T10:00:00Z\" is datetime", "false"), ("\"ftp://x\" is url", "false"),
  ])
  func `an expression has its value`(expression: String, expected: String) {
    #expect(value(expression) == expected)
  }

  @Test(arguments: [
    ("$one.body.snap", "$one.body has no \"snap\""), ("$one.body.list[5].id", "$one.body.list has no element [5]"),
    ("1 + \"a\"", "+ adds numbers"),
    ("$one.body.list[0] + $one.body.a", "expected a number, found an object"),
    ("1 < \"a\"", "a number and a string cannot be ordered"),
    ("if 1 then 2 else 3", "expected true or false, found a number"), ("1 / 0", "division by zero"),
    ("\"x\" | to-number", "\"x\" is not a number"), ("[] | first", "an empty array has no first element"),
    ("\"{$one.body.a}\"", "expected text, a number, or true or false, found an object"),
    ("\"!\" | base64-decode", "this is not valid base64"), ("\"{\" | parse-json", "this is not valid JSON"),
    ("now() | date(\"%Q\")", "date takes a format of %Y"), ("\"soon\" | date", "expected a time such as now()"),
    ("$env.NOPE", "the environment has no \"NOPE\""), ("file(\"/no/such\").size", "cannot read \"/no/such\""),
  ])
  func `an expression without a value gives the reason`(expression: String, message: String) {
    #expect(value(expression).hasPrefix("error: \(message)"))
  }

  @Test(arguments: ["multipart", "form"])
  func `a member of an object that is spread is named`(body: String) {
    var harness = ScriptHarness()
    harness.answer = { _, _ in .make(201, json: "{\"post\": {\"url\": \"http://x\", \"fields\": {\"k\": \"v\"}}}") }
    let outcome = harness.run("one: POST http://a.test/\nPOST http://a.test/ \(body) { ...$one.body.post, a: 1 }\n")
    let message = "error: expected text, a number, or true or false in \"fields\", found an object; "
    #expect(outcome.text.contains("\(message)did you mean ...$one.body.post.fields?"), "\(outcome.text)")
  }

  @Test func `a missing member is shown with what was there`() {
    var harness = ScriptHarness()
    harness.answer = { _, _ in .make(201, json: "{\"snapshot\": {\"uid\": \"s-1\", \"upload_url\": \"http://x\"}}") }
    let outcome = harness.run("allocate: POST http://a.test/\nupload:\n  POST $allocate.body.snapshot.url\n")
    #expect(
      outcome.text == """
        error: $allocate.body.snapshot has no "url"
         --> test.wb:3:32
          |
        3 |   POST $allocate.body.snapshot.url
          |                                ^^^ did you mean "upload_url"?
          = step "allocate" returned 201 with {"snapshot":{"uid":"s-1","upload_url":"http://x"}}

        """)
  }
}
