import Diagnostics
import JSONValue
import RequestProgram
import Requests
import Testing

/// Small things that scripts of other tools need.
@Suite struct LanguageGapTests {
  static func value(of text: String, document: String = "null") throws -> String {
    let (expression, found) = DocumentExpression.parse(SourceText(name: "test", text: text))
    let message = found.map(\.message).joined(separator: "; ")
    let parsed = try #require(expression, "\(text): \(message)")
    var environment = ProgramEnvironment(variables: [:])
    environment.patience = .seconds(60)
    let json = try JSON(parsing: Array(document.utf8))
    let printed = try parsed.value(of: json, in: environment, at: StepSeed(time: .seconds(86_400))).printed
    guard let value = try? JSON(parsing: Array(printed.utf8)) else { return printed }
    return value.string ?? String(decoding: JSONPrinter.compact.print(value), as: UTF8.self)
  }

  @Test(arguments: [
    ("[7] | unwrap", "7"), ("[7, 8] | unwrap", "[7,8]"), ("[] | unwrap ?? \"none\"", "none"),
    ("range(1, 3)", "[1,2,3]"), ("range(3, 1)", "[]"), ("range(-1, 0)", "[-1,0]"),
    ("\"1.9\" | to-int", "1"), ("-7.5 | to-int", "-7"), ("\"12\" | to-int", "12"),
    ("\"aé\" | hex", "61c3a9"), ("\"<<???>>\" | base64-url", "PDw_Pz8-Pg"),
    ("\"a<b&'c'\" | html-escape", "a&lt;b&amp;&#x27;c&#x27;"),
    ("\"Foo &#xA9; &#x1D306; &amp;amp; &nope;\" | html-unescape", "Foo © 𝌆 &amp; &nope;"),
    ("\"a1b22\" | replace-regex('\\d+', \"-\")", "a-b-"), ("\"abc\" | replace-regex('', \"-\")", "-a-b-c-"),
    ("\"https://a.test/?x=%C3%A9&y=a+b\" | query-param(\"y\")", "a b"),
    ("(\"https://a.test/?x=1\" | query-param(\"z\")) ?? \"none\"", "none"),
    ("\"4Q==\" | base64-decode | to-text(\"iso-8859-1\")", "á"), ("\"w6E=\" | base64-decode | to-text", "á"),
    ("\"xOO6w8rAvec=\" | base64-decode | to-text(\"gb2312\")", "你好世界"),
    ("\"a\\nb\" matches '(?s)a.b'", "true"), ("\"a\\nb\" matches 'a.b'", "false"),
    ("(\"AQID\" | base64-decode) starts-with (\"AQ==\" | base64-decode)", "true"),
    ("(\"AQID\" | base64-decode) ends-with (\"Aw==\" | base64-decode)", "true"),
    ("(\"AQID\" | base64-decode) contains (\"Ag==\" | base64-decode)", "true"),
    ("(\"gIGC\" | base64-decode) contains (\"gw==\" | base64-decode)", "false"),
    ("1.0 is float", "true"), ("1 is float", "false"), ("1e2 is float", "true"), ("\"1.0\" is float", "false"),
    ("every $i in [1, 2] satisfies $i > 0", "true"), ("every $i in [] satisfies $i > 0", "true"),
    ("some $i in [1, 2] satisfies $i > 1 and $i < 3", "true"), ("some $i in [] satisfies true", "false"),
    ("(every $i in [1] satisfies $i == 1) and (some $j in [2] satisfies $j == 2)", "true"),
    ("\"31.01.2026 10:00\" | to-time(\"%d.%m.%Y %H:%M\") | date", "2026-01-31T10:00:00Z"),
    ("\"2026-01-31T10:00:00+02:00\" | to-time | date(\"%H:%M:%S.%f %z\")", "08:00:00.000000 +0000"),
    ("(\"2026-01-31T10:00:00Z\" | to-time) > (\"2026-01-30T10:00:00Z\" | to-time)", "true"),
    ("((\"2026-01-31T10:00:00Z\" | to-time) - (\"2026-01-30T10:00:00Z\" | to-time)) / 24h", "1"),
    ("\"Wed, 21 Oct 2015 07:28:00 GMT\" | to-time(\"%a, %d %b %Y %H:%M:%S GMT\") | date(\"%Y\")", "2015"),
  ])
  func `a function or an operator`(text: String, expected: String) throws {
    #expect(try Self.value(of: text) == expected, "\(text)")
  }

  @Test func `a dollar sign in a filter is the document`() throws {
    let document = #"{"two": 2, "a": [{"n": 1}, {"n": 2}], "b": {"c": [{"n": 2}]}}"#
    #expect(try Self.value(of: "$.a[?@.n == $.two]", document: document) == #"[{"n":2}]"#)
    #expect(try Self.value(of: "$.b.c[?@.n == $.two].n | unwrap", document: document) == "2")
    #expect(try Self.value(of: "$.a[?@.n == $['two']] | count", document: document) == "1")
  }

  @Test(arguments: [
    ("expect some $i in body satisfies $i.n == 2", true), ("expect some $i in body satisfies $i.n == 3", false),
    ("expect every $i in body satisfies $i.n > 0 expect every $i in body satisfies $i.n < 9", true),
    ("expect every $i in body satisfies $i.n > 1", false),
    ("expect some $i in [{ m: 2 }, { n: 2 }] satisfies $i.n == 2", true),
    ("expect some $i in [{ m: 2 }, { n: 2 }] satisfies $i.n == 3", false),
    ("expect every $i in [{ m: 2 }, { n: 2 }] satisfies $i.n == 2", false),
    ("expect status == 200 and (some $i in body satisfies $i.n == 2)", true),
    ("repeat 1 times until some $i in body satisfies $i.n == 2", true),
    ("repeat 1 times until some $i in body satisfies $i.n == 3", false),
    ("stream until some $i in body satisfies $i.n == 2", true),
    ("stream until some $i in body satisfies $i.n == 3", false),
    ("when some $i in [1, 2] satisfies $i == 2", true),
    ("query q: (some $i in [1, 2] satisfies $i == 2)", true),
  ])
  func `a condition about every item, or some, has its own name in a clause`(clause: String, holds: Bool) {
    var harness = ScriptHarness()
    harness.answer = { _, _ in .make(200, json: "[{\"n\": 1}, {\"n\": 2}]") }
    let outcome = harness.run("GET http://a.test/ \(clause)\n")
    #expect(outcome.text == "")
    #expect(outcome.requests.count == 1)
    #expect(outcome.unmet.isEmpty == holds, "\(outcome.unmet)")
  }

  @Test func `that name is known nowhere else`() {
    let outcome = ScriptHarness().run(
      "GET http://a.test/ expect some $i in body satisfies $i == 1 query q: $i\n")
    #expect(outcome.text.contains("$i, which names nothing"))
  }

  @Test func `what is missing has no shape`() throws {
    #expect(try Self.value(of: "$.nope is any", document: "{}") == "false")
    #expect(try Self.value(of: "not $.nope is any", document: "{}") == "true")
    #expect(try Self.value(of: "$.a is any", document: #"{"a": null}"#) == "true")
  }

  @Test(arguments: [
    "range(1, 2000000)", "\"/w==\" | base64-decode | to-text(\"utf-8\")", "\"a\" | to-time(\"%Y\")", "\"x\" | to-int",
  ])
  func `a value that cannot be made is an error`(text: String) {
    #expect(throws: (any Error).self) { try Self.value(of: text) }
  }

  @Test(arguments: ["\"a\" | to-text(\"no-such\")", "\"a\" | to-time(\"%Q\")", "\"<a/>\" | xpath(\"//[\")"])
  func `the check finds a wrong argument`(text: String) {
    let (expression, found) = DocumentExpression.parse(SourceText(name: "test", text: text))
    #expect(expression == nil || !found.isEmpty)
  }
}
