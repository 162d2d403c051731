import Canaries
import Diagnostics
import Formats
import Foundation
import HTTPTypes
import RequestSyntax
import Requests
import Sessions
import Testing
import UploaderCore

@testable import Prompt

/// Items that HTTPie has and a script does not, and headers that are left out: at the prompt, saved, exported.
@Suite struct TypedItemTests {
  @Test(arguments: [
    ("a[]=1 a[]:=2", "{\"a\":[\"1\",2]}"), ("user[name]=x user[age]:=-1", "{\"user\":{\"name\":\"x\",\"age\":-1}}"),
    ("a[0][b]:=1", "{\"a\":[{\"b\":1}]}"), ("a\\=b=1", "{\"a=b\":\"1\"}"), ("form a[]=1 a[]=2", "a%5B%5D=1&a%5B%5D=2"),
    ("arr:='[1,2]' o:=\"{}\"", "{\"arr\":[1,2],\"o\":{}}"), ("arr='[1,2]'", "{\"arr\":\"[1,2]\"}"),
    ("\"note=hi there\" x=1", "{\"note\":\"hi there\",\"x\":\"1\"}"),
    ("'a[]=1' 'a[]:=[2]' \"b=x-{1 + 1}\"", "{\"a\":[\"1\",[2]],\"b\":\"x-{1 + 1}\"}"),
    ("'tags:=[1, 2]'", "{\"tags\":[1,2]}"), ("form \"note=hi there\" a=1", "note=hi+there&a=1"),
    ("'{\"a\":1}'", "{\"a\":1}"), ("o:='[{\"x\":1}]' t[]=g", "{\"o\":[{\"x\":1}],\"t\":[\"g\"]}"),
    ("o:='[1,2]' user[name]=ann s='[1]'", "{\"o\":[1,2],\"user\":{\"name\":\"ann\"},\"s\":\"[1]\"}"),
    ("Accept: o:='{\"x\":1}'", "{\"o\":{\"x\":1}}"), ("a='O'\\''Neil' b=1", "{\"a\":\"O'Neil\",\"b\":\"1\"}"),
    ("'a=O'\\''Neil' b=''\\'''", "{\"a\":\"O'Neil\",\"b\":\"'\"}"),
    ("json { a: 'O'\\''{$x}' }", "{\"a\":\"O'{$x}\"}"),
  ])
  func `typed items mean what HTTPie means`(items: String, body: String) async {
    let outcome = await PromptSession(answers: [.json("1")]).pipe(["POST https://a.example/x \(items)"])
    #expect(outcome.requests.first?.body == [.bytes(Array(body.utf8))], "\(outcome.screen)")
  }

  @Test func `an item in quotes is a query, a header, or has a value in it`() async {
    let outcome = await PromptSession(answers: [.json("{\"id\":7}"), .json("1")]).pipe([
      "GET https://a.example/x \"q==a b\" 'X-Note: hi there'", "POST https://a.example/x \"id=n-{$1.body.id}\"",
    ])
    #expect(outcome.requests.first?.url == "https://a.example/x?q=a%20b", "\(outcome.screen)")
    #expect(outcome.requests.first?.headers[HTTPField.Name("X-Note") ?? .accept] == "hi there")
    #expect(outcome.requests.last?.body == [.bytes(Array("{\"id\":\"n-7\"}".utf8))])
  }

  /// White space is cut off at the ends of the whole value only.
  @Test(arguments: [
    ("\"X-Note: {$n}\"", "ann"), ("\"X-Note: one {$n}\"", "one ann"), ("\"X-Note:one {$n}\"", "one ann"),
    ("\"X-Note: {$n} two {$n} \"", "ann two ann"), ("\"X-Note: one {$n} two\"", "one ann two"),
    ("\"X-Note: one \"", "one"),
  ])
  func `a quoted header keeps the spaces around its references`(item: String, value: String) async {
    let outcome = await PromptSession(answers: [.json("1")]).pipe([
      "let n = \"ann\"", "GET https://a.example/x \(item)",
    ])
    #expect(outcome.requests.first?.headers[HTTPField.Name("X-Note") ?? .accept] == value, "\(outcome.screen)")
  }

  @Test func `a quoted item hides its value in the history as any other`() {
    let secret = Canary.secret("quoted-item")
    #expect(TypedSecrets.masked("POST /login \"password=\(secret)\"") == "POST /login \"password=••••\"")
  }

  /// `{}` stands for the secret.
  @Test(arguments: [
    "POST :8080/x Authorization:Bearer {}", "POST /x Authorization:Basic {}", "POST /x authorization: Token {} a=b",
    "GET /x auth basic bob {}", "GET /x auth basic bob:{}", "GET /x auth basic bob \"{}\"",
    "GET /x auth basic \"bob\", \"{}\"", "GET /x auth basic bob:{} expect 200",
    "POST /x --auth {}", "POST /x -a bob:{}", "POST /x pass={}", "POST /x DB_PASS={}", "POST /x user_pw={}",
    "secret x = \"{}\"", "secret x=\"{}\"", "secret x = \"{}", "POST /x auth={}", "GET /x?auth={}",
    "POST /g graphql \"query($p: String) { a }\" variables { password: \"{}\" }",
    "POST /g graphql \"query($p: String) { a }\" { password: \"{}\" }",
    "POST /g graphql \"mutation { login(password: \\\"{}\\\") { id } }\"",
    "POST /g graphql '{ a }' variables '{\"password\": \"{}\"}'", "GET /x auth digest \"bob\" \"{}\"",
    "POST /x text '<password>{}</password>'",
  ])
  func `a line that nobody finished properly hides its secret`(line: String) {
    let secret = Canary.secret("unfinished-line")
    let masked = TypedSecrets.masked(line.replacing("{}", with: secret))
    #expect(!masked.contains(secret) && masked.contains("••••"), "\(masked)")
  }

  @Test(arguments: [
    "GET /x Authorization:$tok title=news", "GET /x?pass_count=12", "GET /x auth basic $u, $p",
    "POST /x auth:=true", "secret x = $env.X for api", "secret x = ask(\"x\") for api",
    "secret x = command(\"pass show x\") for api", "secret x = file(\"x\").text for api",
  ])
  func `what is not secret stays`(line: String) {
    #expect(TypedSecrets.masked(line) == line)
  }

  @Test(arguments: ["f=@bin", "\"f=@bin\"", "q==@bin", "X-A:@bin"])
  func `a file that is not text is an error that says how it is sent`(item: String) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "bin-\(UUID().uuidString)").path
    try Data([0x61, 0xFF, 0x00]).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = await PromptSession(answers: [.json("1")]).pipe([
      "POST https://a.example/x \(item.replacing("bin", with: path))"
    ])
    #expect(outcome.requests.isEmpty)
    #expect(outcome.screen.contains("\"\(path)\" is not UTF-8 text: byte 1 is not"), "\(outcome.screen)")
    #expect(outcome.screen.contains("name@\(path)"))
  }

  @Test(arguments: ["json { dup: 1, \"dup\": 2 }", "{\"dup\":1,\"dup\":2}"])
  func `a member that is there twice is remarked on`(body: String) async {
    let outcome = await PromptSession(answers: [.json("1")]).pipe(["POST https://a.example/x \(body)"])
    #expect(outcome.screen.contains("warning: \"dup\" is there twice, and only the last is sent"), "\(outcome.screen)")
    let form = await PromptSession(answers: [.json("1")]).pipe(["POST https://a.example/x form { dup: 1, dup: 2 }"])
    #expect(!form.screen.contains("warning"), "\(form.screen)")
  }

  @Test(arguments: [("{body.page}.json", true), ("{$_.status}.json", false), ("a{}.json", false)])
  func `braces without a value in a file's name are remarked on`(name: String, isRemarked: Bool) async {
    let outcome = await PromptSession(answers: [.json("1"), .json("1")]).pipe([
      "GET https://a.example/x", "GET https://a.example/x save body to \"\(name)\"",
    ])
    #expect(outcome.screen.contains("a value begins with $") == isRemarked, "\(outcome.screen)")
  }

  @Test(arguments: [
    ("items:='[{\"a\":1]'", "items:= takes: expected \",\" or \"}\" at character 8"),
    ("o:='{\"a\"}' n=1", "o:= takes: expected \":\" at character 5"),
  ])
  func `broken JSON in quotes is an error`(items: String, message: String) async {
    let outcome = await PromptSession(answers: [.json("1")]).pipe(["POST https://a.example/x \(items)"])
    #expect(outcome.requests.isEmpty && outcome.screen.contains(message), "\(outcome.screen)")
  }

  @Test func `JSON in quotes is JSON, and is saved as such`() async {
    let outcome = await PromptSession(answers: [.json("1")]).pipe([
      "POST https://a.example/x n=1 arr:='[1,2]'", ":save s.wb",
    ])
    #expect(!outcome.screen.contains("warning: arr is a text"), "\(outcome.screen)")
    let text = outcome.written["s.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(text.contains("json { n: \"1\", arr: [1, 2] }"), "\(text)\(outcome.screen)")
    #expect(outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
  }

  @Test func `headers are left out and sent empty`() async {
    let outcome = await PromptSession(answers: [.json("1"), .json("1")]).pipe([
      "profile a { base https://a.example header X-P: 1 header Accept: text/plain }", "GET /x X-P: User-Agent: X-E;",
      "GET /x header { \"X-P\": null }", ":show curl",
    ])
    let request = outcome.requests.first
    #expect(request?.headers.contains(HTTPField.Name("X-P") ?? .accept) == false)
    #expect(request?.headers[.accept] == "text/plain" && request?.headers[HTTPField.Name("X-E") ?? .accept] == "")
    #expect(request?.omittedHeaders == [HTTPField.Name("X-P"), .userAgent].compactMap { $0 })
    #expect(outcome.requests.last?.headers.contains(HTTPField.Name("X-P") ?? .accept) == false)
    #expect(outcome.screen.contains("-H X-P:"), "\(outcome.screen)")
  }

  @Test func `what was typed is saved as clauses, and the saved script sends the same`() async {
    let outcome = await PromptSession(answers: [.json("1")]).pipe([
      "POST https://a.example/x a[]=1 b[c]=2 Accept-Encoding: X-E;", ":save x.wb",
    ])
    let script = outcome.written["x.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(script.contains("json { a: [\"1\"], b: { c: \"2\" } }"), "\(outcome.screen)\n\(script)")
    #expect(
      script.contains("header Accept-Encoding:\n") && script.contains("header \"X-E\": \"\"")
        || script.contains("header X-E: \"\""))
    #expect(outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("a[]=1", "write json { a: [\"1\"] } for what HTTPie means, json { \"a[]\": \"1\" } for what is written"),
    ("f=@t.txt", "write json { f: file(\"t.txt\").text } for what HTTPie means, json { f: \"@t.txt\" } for"),
    (
      "f@x;type=a/b",
      "write multipart { f: file(\"x\") as \"a/b\" } for what HTTPie means, multipart { f: file(\"x;type=a/b\") }"
    ),
    ("X-A:", "write header X-A: for what HTTPie means, header X-A: \"\" for what is written"),
  ])
  func `in a script they are errors that offer either clause`(item: String, label: String) {
    let parsed = Parser.parse(.init(name: "a.wb", text: "POST https://a.example/x \(item)\n"))
    #expect(parsed.diagnostics.map { $0.label ?? "" }.joined().contains(label), "\(parsed.diagnostics)")
    #expect(Parser.parse(.init(name: "a.wb", text: "POST https://a.example/x \(item)\n"), items: .typed).errors.isEmpty)
  }

  @Test(arguments: [
    "POST https://a.example/x a=1 b:=-2 f@x.png X-A:b q==1", "POST https://a.example/x form a[]=1",
    "POST https://a.example/x a[]=1 f@x.png", "GET https://a.example/x filter[name]==x",
    "GET https://a.example/x header Accept-Encoding:",
  ])
  func `what means the same in both is not an error`(text: String) {
    #expect(Parser.parse(.init(name: "a.wb", text: text + "\n")).errors.isEmpty)
  }

  @Test func `Authorization with nothing after it sends no credential, as in HTTPie`() async {
    let outcome = await PromptSession(answers: [.json("1"), .json("2"), .json("3")]).pipe([
      "profile web { base https://a.example auth bearer \"tok-live-1234567\" }", "GET /x Authorization:",
      "http https://a.example/x authorization:", "GET /y",
    ])
    let sent = outcome.requests.map { $0.headers.contains(.authorization) }
    #expect(sent == [false, false, true], "\(outcome.screen)")
  }

  @Test(arguments: [
    ("GET https://a.example/x header Authorization:", "to send none: auth none"),
    ("GET https://a.example/x header Host:", "Host cannot be left out"),
    ("GET https://a.example/x header { \"content-length\": null }", "cannot be left out"),
    ("POST https://a.example/x Transfer-Encoding:", "Transfer-Encoding cannot be left out"),
    ("GET https://a.example/x header { X: null, \"x\": \"1\" }", "header X is given and left out"),
    ("let n = null\nGET https://a.example/x header { X: $n }", "null"),
  ])
  func `what cannot be left out is an error`(text: String, error: String) async {
    let (code, outcome) = await PromptSession(answers: [.json("1")]).send(text)
    #expect(code == .usage || code == .failed)
    #expect(outcome.requests.isEmpty && outcome.screen.contains(error), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("GET :8080/x", "http://localhost:8080/x"), (":8080/x", "http://localhost:8080/x"), (":/x", "http://localhost/x"),
    ("http :8080/x", "http://localhost:8080/x"), ("localhost:8080", "http://localhost:8080"),
    ("POST https://a.example '{\"a\":1}'", "https://a.example"),
    ("GET https://a.example/x\nAccept: text/plain\nX-A: 1", "https://a.example/x"),
  ])
  func `addresses of this machine and pasted requests are understood`(line: String, url: String) async {
    let outcome = await PromptSession(answers: [.json("1")]).type(line + "\n")
    #expect(outcome.requests.map(\.url) == [url], "\(outcome.screen)")
  }

  @Test func `a pasted piece of an http file is a script`() throws {
    guard case .script(let meaning)? = ForeignInput("@host = https://a.example\nGET {{host}}/x") else {
      Issue.record("it is not understood")
      return
    }
    let text = SyntaxPrinter.print(meaning.script)
    #expect(text.contains("let host = \"https://a.example\"") && text.contains("GET $host/x"), "\(text)")
  }

  @Test(arguments: [
    ("GET /x --session me", "a profile with cookies on"), ("-X POST /x -d a=1", "POST /path …"),
    ("-H 'A: b' GET /x", "GET /path -H …"),
    ("curl \"https://a.example\" ^\n  -H \"A: b\"", "copy the request \"as cURL (bash)\""),
  ])
  func `other pastes say what to type`(line: String, advice: String) async {
    let outcome = await PromptSession().pipe([line])
    #expect(outcome.screen.contains(advice) && outcome.requests.isEmpty, "\(outcome.screen)")
  }

  @Test func `a page of help is about profiles`() async {
    let outcome = await PromptSession().pipe([":help profile"])
    #expect(outcome.screen.contains("profile api { base https://api.example.com }"), "\(outcome.screen)")
  }
}
