import Diagnostics
import RequestProgram
import RequestSyntax
import Testing

struct CheckTests {
  private func messages(_ script: String, _ severity: Diagnostic.Severity = .error) -> [String] {
    var program = Program()
    return program.add(Parser.parse(SourceText(name: "test.wb", text: script))).filter { $0.severity == severity }
      .map { "\($0.message)\($0.label.map { " (\($0))" } ?? "")" }
  }

  @Test(arguments: [
    (
      "allocate: GET http://a/\nupload: POST $alocate.body.url",
      "step \"upload\" uses $alocate, which names no step (did you mean $allocate?)"
    ),
    ("a: GET $b.body.url\nb: GET http://a/", "step \"a\" uses $b before it runs ($b comes later)"),
    ("a: GET $a.body.url", "step \"a\" uses its own answer (only a step with repeat has a round before)"),
    ("GET http://a/{$2.status}", "there is no $2 here (no request is written before it)"),
    ("GET http://a/{$_.status}", "$_ is the last exchange at the prompt; a script names its steps"),
    ("a: GET http://a/\na: GET http://b/", "there is a step \"a\" already (a name has one meaning in a sequence)"),
    ("let a = 1\nlet a = 2", "there is a name \"a\" already (a name has one meaning in a sequence)"),
    ("run nope()", "there is no sequence \"nope\""),
    ("sequence upload() { GET http://a/ }\nrun uplaod()", "there is no sequence \"uplaod\" (did you mean upload?)"),
    ("sequence s(a) { GET http://a/{$a} }\nrun s(b: 1)", "sequence \"s\" needs a value for \"a\" (add a: …)"),
    ("sequence s(a) { GET http://a/{$a} }\nrun s(1, a: 2)", "\"a\" is given twice"),
    ("sequence s(a) { GET http://a/{$a} }\nrun s(1, 2)", "sequence \"s\" takes 1 argument"),
    (
      "sequence s(a: integer) { GET http://a/{$a} }",
      "\"integer\" is no type (there are any, string, int, number, bool, url, datetime, object, …)"
    ),
    ("let a = 1 | cuont", "there is no function \"cuont\" (did you mean count?)"),
    ("let a = count(1)", "count takes its input by a pipe (write … | count)"),
    ("let a = 1 | uuid", "uuid takes no input (write uuid(…) by itself)"),
    ("let a = \"x\" | replace(\"y\")", "replace takes 2 arguments"),
    ("let a = \"x\" matches '('", "the regular expression is not valid"),
    (
      "let a = command(\"ls\")", "a script never runs a program (command(…) is for the prompt and your own profiles.wb)"
    ),
    ("GET api:/x", "there is no profile \"api\""),
    (
      "profile api { base http://a }\nGET http://a/ with profile apo", "there is no profile \"apo\" (did you mean api?)"
    ),
    ("GET /x", "a path needs a profile with a base (write a whole URL, or a profile)"),
    ("profile a { base http://a }\nprofile b { base http://b }\nGET /x", "2 profiles have a base (say which: a:/…)"),
    ("profile a { base htp://a }", "\"htp://a\" is no origin (it begins with http:// or https://)"),
    (
      "profile a { base $1.status }",
      "a profile can not read $1, which needs an answer (a secret may: secret name = … for profile)"
    ),
    ("GET http://a/ name=x", "a GET has no body (for the query, write name==…)"),
    ("POST http://a/ json {} text \"x\"", "a request has one body (there is another above)"),
    ("POST http://a/ a=1 json {}", "a request has one body (there is another above)"),
    (
      "GET example.com/x",
      "\"example.com/x\" is no target (a target is a URL, a path /…, profile:/path, a reference, or in parentheses)"
    ),
    (
      "let b = \"http://a\"\nGET {$b}/x",
      "a target in braces would be encoded as one piece of a path (write the reference without braces, or an expression in parentheses)"
    ),
    (
      "let h = \"a\"\nGET http://{$h}/x",
      "a host is not put together in a target (write the whole URL as a string: \"http://{$host}/…\")"
    ),
    ("GET http://a/ auth basic \"u\"", "auth basic takes a user and a password (auth basic user, password)"),
    ("a: GET http://a/\nlet b = $a.body[?@.x = 1]", "the filter is not valid"),
    ("a: GET http://a/\nlet b = $a.body[?@.x == $aa]", "there is no $aa (did you mean $a?)"),
    ("for $x in [1] { GET http://a/ }\nGET http://a/{$x}", "this step uses $x, which names no step"),
    ("use \"x.wb\"", "use is not supported yet"),
    ("profile a { base http://a proxy http://p }", "proxy is not supported yet"),
  ])
  func `a mistake is found before anything is sent`(script: String, message: String) {
    #expect(messages(script).first?.hasPrefix(message) == true)
  }

  @Test func `all mistakes are found`() {
    #expect(messages("a: GET $b.x\nGET api:/x json $c\nrun d()").count == 4)
  }

  @Test(arguments: [
    ("sequence s(a, b) { GET http://a/{$a} }", "sequence \"s\" never uses \"b\""),
    ("GET http://a/ json {}", "a GET with a body is understood by few servers"),
    (
      "GET http://a/{$env.API_TOKEN}",
      "$env.API_TOKEN looks like a secret and is used as plain text (secret name = $env.API_TOKEN for profile)"
    ),
  ])
  func `what is odd is a warning`(script: String, message: String) {
    #expect(messages(script) == [])
    #expect(messages(script, .warning) == [message])
  }

  @Test(arguments: [
    "profile p { base http://a\n auth bearer $env.TOKEN }\nGET /x json { t: $env.OTHER } expect 2xx",
    "sequence s(a: file = file(\"x\")) { one: PUT http://a/ body $a\n run s(a: $a) when $one.status == 200 }",
    "p: GET ($p.body.next ?? \"http://a/\") repeat until body.next ?? null == null\nlet ids = $p.rounds[*].body.id | unique",
    "let a = 1\nsequence s() { GET http://a/{$a} }\nrun s()",
    "for $x in [1] parallel 2 { a: GET http://a/{$x}\n let b = $a.status }\nGET http://a/ json [$a[*].status, $b]",
    "parallel { a: GET http://a/\n b: GET http://a/ }\nGET http://a/{$a.status}/{$b.status}",
    "GET http://a/\nfinally { GET http://a/{$1.status} }",
    "x: run s()\nsequence s() { a: GET http://a/\n let id = $a.body.id }\nGET http://b/{$x.id}",
  ])
  func `what is right passes`(script: String) {
    #expect(messages(script) == [])
    #expect(messages(script, .warning).filter { !$0.contains("body") } == [])
  }
}
