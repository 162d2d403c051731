import Formats
import HTTPTypes
import Presentation
import Requests
import Sessions
import Subcommands
import Testing
import UploaderCore

@testable import Prompt

@Suite struct SentWordsTests {
  private static func sent(_ words: [String], data: [String] = [], isForm: Bool = false) async -> TransportRequest? {
    let words = SentWords(words, data: data, isForm: isForm)
    return await PromptSession(answers: [.json("1")]).send(words).outcome.requests.first
  }

  @Test(arguments: [
    (["title=a b"], "{\"title\":\"a b\"}"), (["note=hi header X: 1"], "{\"note\":\"hi header X: 1\"}"),
    (["note=done # really"], "{\"note\":\"done # really\"}"), (["a=\"q\""], "{\"a\":\"\\\"q\\\"\"}"),
    (["a=$HOME"], "{\"a\":\"$HOME\"}"), (["a={x}"], "{\"a\":\"{x}\"}"), (["a={$x}"], "{\"a\":\"{$x}\"}"),
    (["a=1", "header", "X-A:", "b"], "{\"a\":\"1\"}"), (["form", "a=1", "b=x y"], "a=1&b=x+y"),
    (["form", "{ a: 1 }"], "a=1"), (["json", "{ a: 1 }"], "{\"a\":1}"), (["{\"a\": 1}"], "{\"a\": 1}"),
  ])
  func `a word is one item with its own value, up to the first clause`(words: [String], body: String) async {
    let sent = await Self.sent(["POST", "https://a.example/x"] + words)
    #expect(sent?.body == [.bytes(Array(body.utf8))])
  }

  /// One word is as at the prompt, and several are as they are.
  @Test(arguments: [
    (["GET https://a.example/ X:\"id $env.NAME\""], "id ann"), (["GET https://a.example/ X:'$env.NAME'"], "$env.NAME"),
    (["GET https://a.example/ X:\"$env.NOTHING\""], "$env.NOTHING"),
    (["GET", "https://a.example/", "X:\"$env.NAME\""], "\"$env.NAME\""),
  ])
  func `a variable in double quotes is its value in one word`(words: [String], sent: String) async throws {
    let session = PromptSession(environment: ["NAME": "ann"], answers: [.json("1")])
    let outcome = await session.send(SentWords(words, data: [], isForm: false)).outcome
    #expect(outcome.requests.first?.headers[try #require(HTTPField.Name("X"))] == sent, "\(outcome.screen)")
  }

  @Test(arguments: [
    (["https://a.example/x"], "GET", "https://a.example/x"),
    (["https://a.example/x", "a=1"], "POST", "https://a.example/x"),
    (["get", ":8080/x", "q==1"], "GET", "http://localhost:8080/x?q=1"),
    (["localhost:8080", "q==1"], "GET", "http://localhost:8080?q=1"),
    ([":/x", "a=1"], "POST", "http://localhost/x"),
    (["GET https://a.example/x query q: 1"], "GET", "https://a.example/x?q=1"),
    (["GET", "https://a.example/?q=ä€", "X-A:1"], "GET", "https://a.example/?q=%C3%A4%E2%82%AC"),
    (["GET https://a.example/?q=ä"], "GET", "https://a.example/?q=%C3%A4"),
    (["let", "q", "=", "1", "\nGET", "https://a.example/{$q}"], "GET", "https://a.example/1"),
  ])
  func `the method and the address are understood`(words: [String], method: String, url: String) async {
    let sent = await Self.sent(words)
    #expect(sent?.method.rawValue == method && sent?.url == url)
  }

  @Test func `a variable of the shell in single quotes is named as one`() async {
    let sent = await PromptSession().send("GET $H/get")
    #expect(
      sent.code == .usage
        && sent.outcome.screen.contains(
          "a shell replaces $H in double quotes only; a variable of the environment is $env.H"),
      "\(sent.outcome.screen)")
  }

  @Test func `headers and logins are curl's`() async {
    let words = SentWords(
      ["post", "https://a.example/x"], data: ["{\"a\":1}"],
      options: ["-H", "Content-Type: application/json", "-H", "X-A: b c", "-u", "ann:secret-word"])
    let sent = await PromptSession(answers: [.json("1")]).send(words).outcome.requests.first
    #expect(sent?.method == .post && sent?.body == [.bytes(Array("{\"a\":1}".utf8))])
    #expect(sent?.headers[.contentType] == "application/json" && sent?.headers[HTTPField.Name("X-A")!] == "b c")
    #expect(sent?.headers[.authorization] == "Basic YW5uOnNlY3JldC13b3Jk")
  }

  @Test(arguments: [
    (["https://a.example/x"], ["-I"], "HEAD"), (["https://a.example/x"], ["-X", "PUT"], "PUT"),
    (["GET", "https://a.example/x", "q==1"], ["-H", "A: b"], "GET"), (["GET https://a.example/x q==1"], ["-I"], "GET"),
    (["https://a.example/x", "a=1", "expect", "200"], ["-H", "A: b"], "POST"),
  ])
  func `options of curl go with any request`(words: [String], options: [String], method: String) async {
    let (code, outcome) = await PromptSession(answers: [.json("1")]).send(SentWords(words, options: options))
    #expect(code == .success && outcome.requests.first?.method.rawValue == method, "\(outcome.screen)")
    if options[0] == "-H" { #expect(outcome.requests.first?.headers[HTTPField.Name("A")!] == "b") }
  }

  @Test func `of two bodies none is chosen`() async {
    let (code, outcome) = await PromptSession(answers: []).send(
      SentWords(["POST", "https://a.example/x", "a=1"], data: ["b=2"]))
    #expect(code == .usage && outcome.screen.contains("the request has two bodies"), "\(outcome.screen)")
  }

  @Test func `data is curl's`() async {
    let sent = await Self.sent(["https://a.example/x", "X-A:1"], data: ["a=1", "b=2"])
    #expect(sent?.method == .post && sent?.body == [.bytes(Array("a=1&b=2".utf8))])
    #expect(sent?.headers[.contentType] == "application/x-www-form-urlencoded")
    let form = await Self.sent(["POST", "https://a.example/x", "a=1"], isForm: true)
    #expect(form?.body == [.bytes(Array("a=1".utf8))])
  }

  private static let userOfURL = ["http://bob:Url-pass%2116@127.0.0.1/x", "https://bob:Url-pass%2116@a.example/x?b=1"]

  @Test(arguments: userOfURL.flatMap { [["curl", $0], ["GET", $0], [$0], ["http", $0], ["GET \($0)"]] })
  func `a user and a password in a URL are a credential`(words: [String]) async {
    let (code, outcome) = await PromptSession(answers: [.json("{}")]).send(SentWords(words), isVerbose: true)
    #expect(code == .success, "\(outcome.screen)")
    Self.checkUser(outcome)
  }

  @Test(
    arguments: userOfURL.flatMap {
      ["curl \($0)", "GET \($0)", "x: GET \($0)", $0, "http \($0)", ":explain GET \($0)"]
    })
  func `so they are at the prompt`(line: String) async {
    let outcome = await PromptSession(answers: [.json("{}")]).pipe([line])
    if line.hasPrefix(":") {
      #expect(outcome.screen.contains("Basic ••••"), "\(outcome.screen)")
      #expect(!outcome.screen.contains("Url-pass"), "\(outcome.screen)")
    } else {
      Self.checkUser(outcome)
    }
  }

  private static func checkUser(_ outcome: PromptSession.Outcome) {
    let request = outcome.requests.first
    #expect(request?.headers[.authorization] == "Basic Ym9iOlVybC1wYXNzITE2", "\(outcome.screen)")
    #expect(request?.url.contains("@") == false)
    #expect(!outcome.screen.contains("Url-pass"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ["curl", "-u", "ann:Other-pass-1", "http://bob:Url-pass-16@a.example/"],
    ["GET", "http://bob:Url-pass-16@a.example/", "auth", "basic", "\"ann\",", "\"Other-pass-1\""],
  ])
  func `what a request says itself counts before its URL`(words: [String]) async {
    let (_, outcome) = await PromptSession(answers: [.json("{}")]).send(SentWords(words))
    #expect(outcome.requests.first?.headers[.authorization] == "Basic YW5uOk90aGVyLXBhc3MtMQ==", "\(outcome.screen)")
  }

  @Test(arguments: [
    (["Accept:", "text/plain"], "\"text/plain\" is not a request item", "'Accept: text/plain'"),
    (["Cookie:", "sid=abc"], "the value of Cookie ends at the space", "write Cookie:\"…\""),
    (["Cookie:a=1;", "sid=abc"], "sid=… is an item of its own", "write Cookie:\"…\""),
    (["Cache-Control:", "max-age=0"], "max-age=… is an item of its own", "after the other items"),
    (["Referer:", "http://a.b/c?d=e"], "http:… is an item of its own", "write Referer:\"…\""),
    (["n:=abc"], "\"abc\" is not JSON", "for a text: n=…"),
    (["hello world"], "\"hello world\" is not a request item", "a text as the body: 'text \"…\"'"),
    (["a=1", "a[b]=2"], "\"a[b]\" needs an object at \"a\"", "one kind of value"),
    (["a[=1"], "the key \"a[\" cannot be read", "such as a[]=1"), (["f@"], "\"f@\" names no file", "after the @"),
    (["X;b"], "\"X;b\" has a value", "X:b"),
  ])
  func `what is not an item is an error that says what to write`(words: [String], error: String, advice: String) async {
    let (code, outcome) = await PromptSession().send(SentWords(["POST", "https://a.example/x"] + words))
    #expect(code == .usage && outcome.requests.isEmpty)
    #expect(outcome.screen.contains(error) && outcome.screen.contains(advice), "\(outcome.screen)")
  }

  // MARK: Standard input

  @Test(arguments: [
    ("POST https://a.example/x", "{\"a\":1}", "application/json"),
    ("PUT https://a.example/x", "text", "text/plain; charset=utf-8"),
    ("PATCH https://a.example/x header Content-Type: a/b", "{}", "a/b"),
    ("http --form POST https://a.example/x", "a=1&b=2", "application/x-www-form-urlencoded"),
  ])
  func `a pipe is the body of a request that has none`(request: String, input: String, type: String) async {
    let session = PromptSession(answers: [.json("1")], input: Array(input.utf8))
    let sent = await session.send(request).outcome.requests.first
    #expect(sent?.body == [.bytes(Array(input.utf8))] && sent?.headers[.contentType] == type)
  }

  @Test(arguments: [
    "GET https://a.example/x", "DELETE https://a.example/x", "HEAD https://a.example/x", "POST https://a.example/x a=1",
    "POST https://a.example/x form { a: 1 }", "let a = 1\nPOST https://a.example/x",
  ])
  func `a pipe is not read for any other`(request: String) async {
    var session = PromptSession(answers: [.json("1")], input: Array("no".utf8))
    session.isSlow = true
    let (_, outcome) = await session.send(request)
    #expect(outcome.requests.first?.body != [.bytes(Array("no".utf8))] && !outcome.screen.contains("waiting"))
  }

  @Test(arguments: [(["form"], false), ([], true)])
  func `a form without fields is what the pipe brings`(words: [String], isForm: Bool) async throws {
    var session = PromptSession(answers: [.json("1"), .json("2")], input: Array("a=1&b=2".utf8))
    let given = SentWords(["POST", "https://a.example/x"] + words, isForm: isForm)
    let sent = try #require(await session.send(given).outcome.requests.first)
    #expect(sent.body == [.bytes(Array("a=1&b=2".utf8))])
    #expect(sent.headers[.contentType] == "application/x-www-form-urlencoded")
    session.input = []
    let empty = try #require(await session.send(given).outcome.requests.first)
    #expect(empty.headers[.contentType] == "application/x-www-form-urlencoded")
  }

  @Test(arguments: [
    ["POST", "https://a.example/x", "multipart"], ["http", "--multipart", "POST", "https://a.example/"],
  ])
  func `a body in parts has fields`(words: [String]) async {
    let session = PromptSession(answers: [.json("1")], input: Array("a=1".utf8))
    let (code, outcome) = await session.send(SentWords(words))
    #expect(code == .usage && outcome.requests.isEmpty)
    #expect(outcome.screen.contains("multipart name=text file@photo.png"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("POST https://a.example/x", "2\n3\n", true), ("POST https://a.example/x", "2\n", true),
    ("http --form POST https://a.example/x", "2\n3\n", true), ("http --form POST https://a.example/x", "2\n", true),
    ("http --form POST https://a.example/x", "a=1&b=2\n", false),
    ("POST https://a.example/x", "{\"a\": 1}\n", false), ("POST https://a.example/x", "<a/>", false),
    ("POST https://a.example/x Content-Type:text/csv", "a,b", false),
    ("POST https://a.example/x header Content-Type: text/csv", "a,b", false),
  ])
  func `what may have been the list of a loop is remarked on`(request: String, input: String, isNoted: Bool) async {
    var session = PromptSession(answers: [.json("1")], input: Array(input.utf8))
    let (_, outcome) = await session.send(request)
    let remark = "read \(input.utf8.count) bytes of standard input as the body; --ignore-stdin leaves it alone\n"
    #expect(outcome.screen.contains(remark) == isNoted, "\(outcome.screen)")
    session.isQuiet = true
    #expect(await !session.send(request).outcome.screen.contains("--ignore-stdin"))
  }

  @Test func `an empty pipe is no body, --ignore-stdin reads none, and a slow one is remarked on`() async {
    var session = PromptSession(answers: [.json("1")], input: [])
    #expect(await session.send("POST https://a.example/x").outcome.requests.first?.body == nil)
    session.input = Array("x".utf8)
    session.isSlow = true
    let (_, outcome) = await session.send("POST https://a.example/x")
    #expect(outcome.screen.hasPrefix("waiting for the body from standard input; --ignore-stdin does without\n"))
    session.readsInput = false
    #expect(await session.send("POST https://a.example/x").outcome.requests.first?.body == nil)
  }

  @Test(arguments: [
    (["curl", "-d", "@-", "https://a.example/x"], "POST"), (["curl -d @- https://a.example/x"], "POST"),
    (["DELETE https://a.example/x -d @-"], "DELETE"),
    (["curl", "-X", "PUT", "https://a.example/x", "--data-binary", "@-"], "PUT"),
    (["curl", "-T", "-", "https://a.example/x/"], "PUT"), (["POST https://a.example/x -T -"], "POST"),
  ])
  func `what curl reads comes through the pipe`(words: [String], method: String) async {
    var session = PromptSession(answers: [.json("1")])
    session.input = [0xFF] + Array("a\r\nb\0".utf8)
    let (code, outcome) = await session.send(SentWords(words))
    let isBinary = words.contains { $0 == "--data-binary" || $0.contains("-T") }
    #expect(outcome.requests.first?.url.hasSuffix("-") == false)
    #expect(code == .success && outcome.requests.first?.method.rawValue == method, "\(outcome.screen)")
    #expect(outcome.requests.first?.body == [.bytes(isBinary ? session.input ?? [] : [0xFF] + Array("ab".utf8))])
    let data = await session.send(SentWords(["DELETE", "https://a.example/x"], data: ["@-"])).outcome
    #expect(data.requests.first?.body == [.bytes([0xFF] + Array("ab".utf8))])
    session.input = nil
    let without = await session.send(SentWords(words)).outcome
    #expect(without.screen.contains("there is no standard input to send from here"))
  }

  @Test(arguments: [
    ("f=@-", "; filename=\"-\"\r\n\r\n"),
    ("f=@-;filename=a.png", "; filename=\"a.png\"\r\ncontent-type: image/png\r\n\r\n"), ("f=<-", "\r\n\r\n"),
  ])
  func `a part of a form comes through the pipe`(part: String, head: String) async {
    var session = PromptSession(answers: [.json("1")])
    session.input = [0xFF] + Array("a\r\n".utf8)
    let (code, outcome) = await session.send(SentWords(["curl", "https://a.example/x", "-F", part]))
    let body = (outcome.requests.first?.body ?? []).flatMap { segment -> [UInt8] in
      if case .bytes(let bytes) = segment { bytes } else { [] }
    }
    #expect(code == .success, "\(outcome.screen)")
    let sent = String(decoding: body, as: UTF8.self)
    #expect(sent.lowercased().contains("name=\"f\"\(head)\u{FFFD}a\r\n\r\n--"), "\(sent)")
  }

  @Test(arguments: [
    (["http", "a.example/x"], "with POST it is the body"), (["https://a.example/x"], "with POST it is the body"),
    (["https://a.example/x", "q==1"], "with POST"), (["http", "GET", "a.example/x"], "with POST"),
    (["http DELETE a.example/x"], "send DELETE URL -d @- makes it the body"), (["http", "a.example/x", "a=1"], nil),
    (["http", "-I", "a.example/x"], nil), (["GET", "https://a.example/x"], nil),
    (["curl", "https://a.example/x"], nil),
  ])
  func `standard input that HTTPie would send is not left without a word`(words: [String], remark: String?) async {
    var session = PromptSession(answers: [.json("1")])
    session.input = Array("b=1".utf8)
    let outcome = await session.send(SentWords(words)).outcome
    #expect(outcome.screen.contains("standard input was not read") == (remark != nil), "\(outcome.screen)")
    #expect(outcome.screen.contains(remark ?? ""), "\(outcome.screen)")
    session.isQuiet = true
    #expect(!(await session.send(SentWords(words)).outcome.screen.contains("not read")))
  }

  @Test(arguments: [
    (["--json", "a.example"], "GET", "application/json", "application/json, */*;q=0.5"),
    (["--json", "a.example", "Accept:x/y", "content-type:a/b"], "GET", "a/b", "x/y"),
    (["--json", "a.example", "a=1"], "POST", "application/json", "application/json, */*;q=0.5"),
    (["--raw", "", "a.example"], "POST", nil, nil),
  ])
  func `options of HTTPie`(words: [String], method: String, type: String?, accept: String?) async {
    let session = PromptSession(answers: [.json("1")])
    let sent = await session.send(SentWords(["http"] + words)).outcome.requests.first
    #expect(sent?.method.rawValue == method && sent?.headers[.contentType] == type && sent?.headers[.accept] == accept)
  }

  @Test func `dot segments are resolved as HTTPie does`() async {
    let session = PromptSession(answers: [.json("1")])
    func url(_ words: String...) async -> String? {
      await session.send(SentWords(["http"] + words)).outcome.requests.first?.url
    }
    #expect(await url("a.example/x/../y") == "http://a.example/y")
    #expect(await url("--path-as-is", "a.example/x/../y") == "http://a.example/x/../y")
    #expect(await url("--default-scheme=https", "a.example/y") == "https://a.example/y")
    let outcome = await session.send(SentWords(["http", "--boundary=x", "a.example"])).outcome
    #expect(outcome.screen.contains("leave it out: a boundary is chosen"))
  }
}
