import Diagnostics
import Imports
import RequestProgram
import RequestSyntax
import Testing

@testable import Formats

/// A file of curl lines as a script: what of the shell and of curl it can say, and what it says of the rest.
@Suite struct CurlFileTests {
  private static func imported(_ text: String) throws -> (script: String, notes: [String]) {
    let imported = CurlFile.read(SourceText(name: "x.sh", text: text))
    let script = SyntaxPrinter.format(imported.script)
    let parsed = Parser.parse(SourceText(name: "x.wb", text: script))
    #expect(parsed.errors.isEmpty && SyntaxPrinter.format(parsed.script) == script, "\(script)")
    var program = Program()
    let faults = program.add(parsed).filter { $0.severity == .error && !$0.message.contains("cannot read") }
    #expect(faults.isEmpty, "\(faults.map(\.message)): \(script)")
    return (script, imported.notes.map(\.message))
  }

  private static let profile = "profile curl {\n  origin http://h.example\n  redirects none\n  retry none\n}\n\n"

  @Test(arguments: [
    ("curl h.example", "GET http://h.example\n  expect any status\n"),
    (
      "curl -f h.example/{one,two}/[01-02]",
      "GET http://h.example/one/01\nGET http://h.example/one/02\n"
        + "GET http://h.example/two/01\nGET http://h.example/two/02\n"
    ),
    ("curl -f h.example/{id}", "GET http://h.example/id\n"),
    ("curl -f h.example/a h.example/b", "GET http://h.example/a\nGET http://h.example/b\n"),
    (
      "curl -f h.example/a --next -f -d x=1 h.example/b",
      "GET http://h.example/a\n\nPOST http://h.example/b\n  body \"x=1\" as \"application/x-www-form-urlencoded\"\n"
    ),
    ("curl -f h.example/a && curl -f h.example/b", "GET http://h.example/a\nGET http://h.example/b\n"),
    ("curl -f h.example | jq '.[0]' | head -1", "GET http://h.example  # | jq '.[0]' | head -1\n"),
    ("curl -f h.example | sh -s dev", "GET http://h.example  # not run: | sh -s dev\n"),
    ("curl -f h.example | jq . > x", "GET http://h.example  # not run: | jq . > x\n"),
    ("curl -f h.example |\n  jq .", "GET http://h.example  # | jq .\n"),
    ("curl -f --digest -u u:word h.example", "GET http://h.example\n  auth digest \"u\", \"word\"\n"),
    (
      "curl -f --data-binary @- h.example <<EOF | jq .\n{\n  a\n}\nEOF",
      "POST http://h.example\n  body \"{\\n  a\\n}\\n\" as \"application/x-www-form-urlencoded\"  # | jq .\n"
    ),
    (
      "curl -f -d @- h.example <<< 'a=1'",
      "POST http://h.example\n  body \"a=1\" as \"application/x-www-form-urlencoded\"\n"
    ),
    ("curl -f h.example/x >/dev/null 2>&1", "GET http://h.example/x\n"),
    (
      "curl -f -b a=1 -H 'Cookie: b=2' -A x -H 'User-Agent: y' h.example",
      "  header { Cookie: \"b=2\", \"User-Agent\": \"y\" }\n"
    ),
    ("curl -f -b a=1 -b b=2 h.example", "  header Cookie: \"a=1;b=2\"\n"),
    ("curl -f -H 'X-A: 1' -H 'x-a: 2' h.example", "  header X-A: [\"1\", \"2\"]\n"),
    ("curl -f -F 'a=x;y' -F 'b=\"x;y\"' h.example", "  multipart { a: \"x\", b: \"x;y\" }\n"),
    (
      "curl -f -H 'Host: h.example' -H 'Content-Length: 3' -d a=1 h.example",
      "POST http://h.example\n  body \"a=1\" as \"application/x-www-form-urlencoded\"\n  header { Host: \"h.example\" }\n"
    ),
  ])
  func `a line is what curl would send`(line: String, steps: String) throws {
    let (script, notes) = try Self.imported(line + "\n")
    #expect(script.contains(steps), "\(script)")
    #expect(script.contains("origin http://h.example\n") && notes.isEmpty, "\(notes)")
  }

  @Test func `a variable is one of the environment, and one that is called like a secret is a secret`() throws {
    let (script, notes) = try Self.imported(
      """
      curl -f "http://$HOST/items/${ID}?q=$ID" -H "Authorization: Bearer $API_TOKEN" \\
        -d "{\\"id\\": \\"$ID\\", \\"price\\": \\"\\$5\\"}" -H 'X-Raw: $ID'
      curl -fG "$BASE/search" --data-urlencode "q=a $ID"

      """)
    #expect(notes.isEmpty)
    for line in [
      "let host = $env.HOST\nlet id = $env.ID\nlet base = $env.BASE\n", "  origin \"http://{$host}\"\n",
      "  base $base\n",
      "secret api_token = $env.API_TOKEN for curl\n", "POST \"http://{$host}/items/{$id}?q={$id}\"\n",
      "  body \"{\\\"id\\\": \\\"{$id}\\\", \\\"price\\\": \\\"$5\\\"}\" as", "  auth bearer $api_token\n",
      "  header X-Raw: \"$ID\"\n", "GET \"{$base}/search?q=a+{",
    ] { #expect(script.contains(line), "\(line): \(script)") }
  }

  @Test func `what only a profile says is in one`() throws {
    let (script, notes) = try Self.imported(
      """
      curl -fk https://a.example/x
      curl -fL https://a.example/y --cacert ca.pem
      curl -f -c jar https://a.example/login
      curl -f -b jar https://a.example/me

      """)
    #expect(notes.isEmpty)
    #expect(script.contains("tls { insecure: true }") && script.contains("tls { ca: \"ca.pem\" }"), "\(script)")
    #expect(script.contains("GET https://a.example/y\n  with profile curl-2"), "\(script)")
    #expect(script.contains("GET https://a.example/me\n  redirects none\n  with profile curl-3"), "\(script)")
    #expect(script.contains("cookies on"), "\(script)")
  }

  @Test(arguments: [
    ("curl \"h.example/$(date)\"", "\"$\" is for a shell to replace"),
    ("curl \"h.example/${A%.*}\"", "\"${A\" is for a shell to replace"),
    ("curl h.example/$1", "\"$1\" is for a shell to replace"),
    ("curl $login.body.url", "$login.body.url is a value of a response, and a curl line knows none"),
    (
      "curl h.example -H \"A: Bearer $1.body.token\"",
      "$1.body.token is a value of a response, and a curl line knows none"
    ),
    (
      "curl \"h.example/{$login.body.user.id}\"",
      "$login.body.user.id is a value of a response, and a curl line knows none"
    ),
    ("curl http://<host>:80/x", "\"<\" would give the command a text to read, and there is none here"),
    (
      "curl http://r\u{e4}ksm\u{f6}rg\u{e5}s.example",
      "\"http://r\u{e4}ksm\u{f6}rg\u{e5}s.example\" is not where a request can go: a host is ASCII, and not empty"
    ),
    ("curl ftp://h.example/x", "a URL begins with http:// or https://"),
    ("curl -F \"f=@$FILE\" h.example", "\"$FILE\" is for a shell to replace"),
    ("curl -X \"$METHOD\" h.example", "\"$\" is for a shell to replace"),
    ("curl h.example/[1-1000]", "\"h.example/[1-1000]\" is a pattern for several URLs to curl"),
    (
      "curl 'h.example/[1-1000000000]/[1-1000000000]'",
      "\"h.example/[1-1000000000]/[1-1000000000]\" is a pattern for several URLs to curl"
    ),
    (
      "curl 'h.example/[1-99999999999999999999]'",
      "\"h.example/[1-99999999999999999999]\" is a pattern for several URLs to curl"
    ),
    ("curl h.example | sh || true", "what follows the curl line is left out: | sh || true"),
    (
      "curl h.example | jq -r .u | xargs curl", "what follows the curl line is left out: | jq -r .u | xargs curl"
    ),
    ("curl h.example | sh -c 'curl x'", "what follows the curl line is left out: | sh -c 'curl x'"),
    ("curl -b jar h.example", "the cookies in jar are not read"),
    ("curl -F 'f=@a,b' h.example", "-F with several files is not understood here"),
    (
      "curl -d x -H 'Content-Type: a/b' -H 'content-type: c/d' h.example",
      "a second Content-Type is not understood here"
    ),
    ("curl -X get h.example", "the method get is sent as GET"),
    ("curl -H 'Host: other' h.example", "Host says \"other\", but the request goes to h.example"),
    ("curl -H 'Content-Length: 9' -d a=1 h.example", "Content-Length says \"9\", but the body has 3 bytes"),
    ("curl -H 'Transfer-Encoding: chunked' -d a=1 h.example", "the body is sent with its length, not in chunks"),
    ("curl -H 'Host:' h.example", "Host cannot be left out"),
    (
      "curl -H 'Connection: Upgrade' h.example",
      "Connection names \"upgrade\", which does not concern the connection alone"
    ),
  ])
  func `what it cannot say is a note, and the lines after it are read`(line: String, note: String) throws {
    let (script, notes) = try Self.imported(line + "\ncurl -f h.example/next\n")
    #expect(notes == [note], "\(script)")
    #expect(script.contains("GET http://h.example/next\n"), "\(script)")
  }

  @Test func `a text without an end is all that follows, as a shell has it, and it is said`() throws {
    let (script, notes) = try Self.imported("curl -f h.example -d @- <<END\na=b\ncurl h.example/next\n")
    #expect(notes == ["the text after <<END has no end, so it is all that follows"], "\(script)")
    #expect(script.contains("a=bcurl h.example/next") && !script.contains("GET"), "\(script)")
  }

  @Test(.timeLimit(.minutes(1))) func `a command without an end takes no time`() {
    for line in ["curl http://h.example/ \\\n", "'\n", "curl http://h.example/ | jq . \\\n"] {
      let source = SourceText(name: "x.sh", text: "curl '" + String(repeating: line, count: 5_001))
      #expect(!CurlFile.read(source).notes.isEmpty)
    }
  }

  @Test func `an exact import says of itself what curl says`() {
    let lines = "curl h.example\ncurl --compressed h.example/x\n"
    let exact = CurlFile.read(SourceText(name: "x.sh", text: lines), isExact: true)
    let script = SyntaxPrinter.format(exact.script)
    #expect(script.contains("  header Accept-Encoding:\n  header User-Agent: \"curl/8.0.0\"\n}"), "\(script)")
    #expect(script.contains("/x\n  header Accept-Encoding: \"deflate, gzip\"\n"), "\(script)")
  }

  @Test func `a command of several lines that is refused is refused as one`() throws {
    let (script, notes) = try Self.imported(
      "curl -X POST \\\n  -d '{\n  \"a\": 1\n}' \\\n  \"h.example/$(date)\"\ncurl -f h.example/next\n")
    #expect(notes == ["\"$\" is for a shell to replace"] && script.contains("GET http://h.example/next\n"), "\(script)")
  }
}
