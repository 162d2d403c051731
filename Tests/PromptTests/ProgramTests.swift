import Canaries
import HTTPTypes
import Requests
import Sessions
import Testing
import UploaderCore

/// The way out of the prompt: programs after `|`.
@Suite struct ProgramTests {
  private func session(_ answers: Response...) -> PromptSession {
    var session = PromptSession()
    session.answers = answers
    session.program = { command, input in "<\(command)> \(String(decoding: input, as: UTF8.self))" }
    return session
  }

  @Test func `!! sends the request again, through the same program`() async {
    let outcome = await session(.json("{\"a\": 1}"), .json("{\"a\": 2}"), .json("{\"a\": 3}")).pipe([
      "GET https://a.test/x | jq .a", "!!", "GET https://a.test/y", "!!",
    ])
    #expect(outcome.requests.map(\.url).map { $0.suffix(1) } == ["x", "x", "y", "y"], "\(outcome.screen)")
    #expect(outcome.screen.ranges(of: "<jq .a>").count == 2, "\(outcome.screen)")
  }

  @Test(arguments: ["| jq .a", "|jq .a", ":body | jq .a", ":body $1 | jq .a"])
  func `a program gets the body as it is`(line: String) async {
    let outcome = await session(.json("{\"a\": 1}")).pipe(["GET https://a.test/x", line])
    #expect(outcome.screen.hasSuffix("<jq .a> {\"a\": 1}\n"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("$1.body.items[*].id | jq length", "<jq length> [\n  1,\n  2\n]\n"),
    ("$1.body.items[*].id | count", "\n2\n"),
    ("$1.body.items[*].id | unique | jq .", "<jq .> [\n  1,\n  2\n]\n"),
    (":print $1.body.items | jq -c .[0]", "<jq -c .[0]> [\n  {\n    \"id\": 1\n  },\n  {\n    \"id\": 2\n  }\n]\n"),
  ])
  func `a value goes through a program, too`(line: String, end: String) async {
    var session = session(.json("{\"items\": [{\"id\": 1}, {\"id\": 2}]}"))
    session.environment = ["PATH": "/bin"]
    session.files["/bin/jq"] = []
    let outcome = await session.pipe(["GET https://a.test/x", line])
    #expect(outcome.screen.hasSuffix(end), "\(outcome.screen)")
  }

  @Test func `a sum is not a checksum`() async {
    var session = session(.json("{\"items\": [1, 2]}"))
    session.environment = ["PATH": "/bin"]
    session.files["/bin/sum"] = []
    let outcome = await session.pipe(["GET https://a.test/x", "$1.body.items[*] | sum"])
    #expect(
      outcome.screen.hasSuffix("\n3\n") && !outcome.screen.contains("<sum>"), "\(outcome.screen)")
  }

  @Test func `a secret of a value is hidden from the program, as it is on the screen`() async {
    let secret = Canary.secret("value-through-program")
    var session = session(.json("{\"echo\": \"\(secret)\"}"))
    session.environment = ["TOKEN": secret, "PATH": "/bin"]
    session.files["/bin/cat"] = []
    let outcome = await session.pipe([
      "profile a { base https://a.test auth bearer $env.TOKEN }", "GET /x", "$1.body.echo | cat",
    ])
    #expect(!outcome.screen.contains(secret) && outcome.screen.contains("<cat> "), "\(outcome.screen)")
  }

  @Test(arguments: [
    "curl -s https://a.test/x | jq .a", "http https://a.test/x | jq .a", "$ curl https://a.test/x|jq .a",
    "curl 'https://a.test/x?b=|' | jq .a", "GET https://a.test/x | jq .a",
    "POST https://a.test/x a=(\"b\" | upper) | jq .a", "GET https://a.test/x header X: \"b\" | upper | jq .a",
  ])
  func `a request keeps its program`(line: String) async {
    let outcome = await session(.json("{\"a\": 1}")).pipe([line])
    #expect(outcome.screen.hasSuffix("  json\n<jq .a> {\"a\": 1}\n"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("without:"))
  }

  @Test(arguments: [
    ("GET https://a.test/x -i | cat", true), ("GET https://a.test/x -v | cat", false),
    ("curl -i https://a.test/x | cat", true), ("http --print=hb https://a.test/x | cat", true),
  ])
  func `the head goes before the body, and that of -v beside it`(line: String, isBefore: Bool) async {
    let outcome = await session(.json("{}", headers: [.eTag: "\"e\""])).pipe([line])
    let parts = outcome.screen.split(separator: "<cat> ", omittingEmptySubsequences: false)
    #expect(parts.count == 2, "\(outcome.screen)")
    let (screen, piped) = (String(parts.first ?? ""), String(parts.last ?? ""))
    let isFirst = isBefore ? piped.hasPrefix("HTTP/1.1 200 OK\n") : screen.contains("$1  200 OK  a.test")
    #expect(isFirst, "\(outcome.screen)")
    #expect((isBefore ? piped : screen).contains("ETag: \"e\"\n"), "\(outcome.screen)")
    #expect(!(isBefore ? screen : piped).contains("ETag"), "\(outcome.screen)")
    #expect(piped.hasSuffix(isBefore ? "\n\n{}\n" : "{}\n"), "\(outcome.screen)")
  }

  @Test func `with 2>&1 that of -v goes with the body, as in a shell`() async {
    let outcome = await session(.json("{}", headers: [.eTag: "\"e\""])).pipe(["curl -sv https://a.test/x 2>&1 | cat"])
    let parts = outcome.screen.split(separator: "<cat> ", omittingEmptySubsequences: false)
    #expect(parts.count == 2 && parts[1].contains("ETag: \"e\"\n") && !parts[0].contains("ETag"), "\(outcome.screen)")
  }

  @Test(arguments: [
    "GET https://a.test/x -I | cat", "HEAD https://a.test/x | cat", "http --print=h https://a.test/x | cat",
  ])
  func `a program reads nothing but the head where that is asked for`(line: String) async {
    let outcome = await session(.json("{}", headers: [.eTag: "\"e\""])).pipe([line])
    #expect(outcome.screen.hasSuffix("ETag: \"e\"\n") && !outcome.screen.contains("{}"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("GET https://a.test/x | sort", "sort"), ("GET https://a.test/x | base64 -w 0", "base64 -w 0"),
    ("/x | sort", "sort"), ("GET :80/x | file -", "file -"), ("GET https://a.test/x | sort | head", "sort | head"),
    ("POST https://a.test/x json { a: 1 } | sort", "sort"), ("POST https://a.test/x a=b | base64", "base64"),
    ("GET https://a.test/x header X: \"b\" | upper | sort", "sort"), ("a: POST https://a.test/x k=v | jq .", "jq ."),
    ("a: GET /x | sort", "sort"), ("https://a.test/x | sort", "sort"), ("get /x | jq .a", "jq .a"),
    ("localhost:80/x | jq .a", "jq .a"), (":80/x | sort", "sort"), ("-i GET /x | head -3", "head -3"),
    ("-v get /x | jq .a", "jq .a"), ("https://a.test/x a=b | jq .a", "jq .a"),
  ])
  func `a program is one where a function would have nothing to do`(line: String, command: String) async {
    var session = session(.json("{\"a\": 1}"))
    session.environment = ["PATH": "/nowhere:/bin"]
    for name in ["sort", "base64", "file"] { session.files["/bin/\(name)"] = [] }
    let outcome = await session.pipe(["profile api { base https://a.test }", line])
    // With -i, the head comes before it.
    let start = outcome.screen.firstRange(of: "<\(command)> ")?.upperBound ?? outcome.screen.endIndex
    #expect(outcome.screen[start...].hasSuffix("{\"a\": 1}\n"), "\(outcome.screen)")
  }

  @Test func `a response has its own body sent through a program`() async {
    var session = session(.json("{\"a\": 1}"), .json("{\"a\": 2}"))
    session.environment = ["PATH": "/bin"]
    session.files["/bin/jq"] = []
    let outcome = await session.pipe([
      "u: GET https://a.test/x", "GET https://a.test/x", "$u.body | jq .a", "$u | jq .a", "$1.body.a | jq .",
      "$2.body.a | jq .", "$1.body | flatten",
    ])
    #expect(outcome.screen.ranges(of: "<jq .a> {\"a\": 1}\n").count == 2, "\(outcome.screen)")
    #expect(outcome.screen.contains("<jq .> 1\n<jq .> 2\n"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("| flatten\n ="), "\(outcome.screen)")
  }

  @Test func `a function is applied to what can be its value`() async throws {
    var session = session(.json("{}"), .json("{}"))
    session.environment = ["PATH": "/bin"]
    session.files = ["/bin/base64": [], "/bin/sort": []]
    let outcome = await session.pipe([
      "GET https://a.test/x header X: \"b\" | base64", "POST https://a.test/x json [2, 1] | sort",
      "GET https://a.test/x | count",
    ])
    #expect(outcome.requests.first?.headers[try #require(HTTPField.Name("X"))] == "Yg==")
    #expect(outcome.requests.count == 2)
    // There is no such program.
    #expect(outcome.screen.contains("on the next line: $_.body | count"), "\(outcome.screen)")
  }

  @Test func `a function of the language is no program`() async {
    let called = await session(.json(#"{"a": 1}"#)).pipe(["let a = \"x\" | match(\"x\")"])
    #expect(called.screen.contains("regex does that") && !called.screen.contains("type it next"), "\(called.screen)")
  }

  @Test func `that the body is empty is said if the program says nothing`() async {
    var session = session(Response(status: .noContent), Response(status: .noContent))
    session.program = { command, _ in command == "wc" ? "0\n" : "" }
    let screen = await session.pipe(["GET https://a.test/x", "| jq .", "| wc"]).screen
    #expect(screen.ranges(of: "the body is empty\n").count == 1 && screen.hasSuffix("0\n"), "\(screen)")
  }

  @Test func `a program gets nothing of a line that fails`() async {
    let outcome = await session(.json("{\"a\": 1}")).pipe(["GET https://a.test/x", "curl --nope https://a.test | jq ."])
    #expect(!outcome.screen.contains("<jq .>"), "\(outcome.screen)")
    #expect(outcome.code == .failed)
  }

  @Test func `the debugger has the same way out`() async {
    var session = session(.json("{\"a\": 1}"))
    session.files["chain.wb"] = Array("GET https://a.test/x\n".utf8)
    let outcome = await session.debug("| jq .", "n", "| jq .", "|")
    #expect(outcome.screen.contains("debug> | jq .\nerror: there is no response yet"), "\(outcome.screen)")
    #expect(outcome.screen.contains("debug> | jq .\n<jq .> {\"a\": 1}\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("a program is missing after"))
  }

  @Test func `a program gets what is shown`() async {
    let outcome = await session(.json("{}", headers: [.eTag: "\"e\""])).pipe([
      "GET https://a.test/x", ":show headers | grep -i etag",
    ])
    #expect(
      outcome.screen.contains("<grep -i etag> Content-Type: application/json\nETag: \"e\"\n"), "\(outcome.screen)")
  }

  @Test(arguments: [
    (":diff $1 $2 | head -1", "<head -1> body.a  1 → 2\n"), (":timing | wc", "<wc> $1 200 GET /x"),
    (":vars | cat", "<cat> $id  7\n"), (":cookies | grep x", "<grep x> "), (":lint | cat", "<cat> "),
  ])
  func `a program gets what any list shows`(command: String, screen: String) async {
    let outcome = await session(.json("{\"a\":1}"), .json("{\"a\":2}")).pipe([
      "GET https://a.test/x", "GET https://a.test/x", ":set id = 7", command,
    ])
    #expect(outcome.screen.contains(screen), "\(outcome.screen)")
  }

  @Test func `a response may be named after its part`() async {
    let outcome = await session(.json("{}", headers: [.eTag: "\"e\""]), .json("{}")).pipe([
      "GET https://a.test/x", "GET https://a.test/x", ":show headers $1 | grep -i etag",
    ])
    #expect(outcome.screen.contains("ETag: \"e\"\n"), "\(outcome.screen)")
  }

  @Test func `a | after a quotation mark of a shell is a bar`() async {
    let outcome = await session(.json("{}")).pipe(["POST https://a.test/x a='O'\\''Neil' | jq ."])
    #expect(outcome.screen.hasSuffix("<jq .> {}\n"), "\(outcome.screen)")
  }

  @Test func `a | in quotes is the program's`() async {
    let outcome = await session(.json("{}")).pipe(["GET https://a.test/x", "| jq '.a | .b' | head"])
    #expect(outcome.screen.hasSuffix("<jq '.a | .b' | head> {}\n"))
  }

  @Test func `what a program writes is cleaned`() async {
    let canary = Canary.secret("program-output")
    var session = session(.json("{\"a\": \"\(canary)\"}"))
    session.environment = ["TOKEN": canary]
    session.program = { _, input in "\u{1B}[2J" + String(decoding: input, as: UTF8.self) }
    let outcome = await session.pipe([
      "profile api { base https://a.test auth bearer $env.TOKEN }", "GET https://a.test/x", "| cat",
    ])
    #expect(outcome.screen.hasSuffix("␛[2J{\"a\": \"••••\"}\n"), "\(outcome.screen)")
  }

  @Test func `a program that takes the terminal gets what would be shown`() async {
    let canary = Canary.secret("program-input")
    var session = session(.json("{\"a\": \"\(canary)\"}"))
    session.environment = ["TOKEN": canary]
    // Whatever a pager writes goes to the terminal as it is.
    session.program = { command, input in String(decoding: input, as: UTF8.self).contains(canary) ? "raw" : "clean" }
    for (line, shown) in [("| less", "clean"), ("| grep x | /usr/bin/less -R", "clean"), ("| cat", "raw")] {
      let outcome = await session.pipe([
        "profile api { base https://a.test auth bearer $env.TOKEN }", "GET https://a.test/x", line,
      ])
      #expect(outcome.screen.hasSuffix("\(shown)\n"), "\(line): \(outcome.screen)")
    }
  }

  @Test(arguments: [("|", "a program is missing"), ("| jq .", "there is no response yet")])
  func `what is missing is said`(line: String, message: String) async {
    let lines = line == "|" ? ["GET https://a.test/x", line] : [line]
    let outcome = await session(.json("{}")).pipe(lines)
    #expect(outcome.screen.contains(message), "\(outcome.screen)")
    #expect(outcome.code == .failed)
  }

  @Test(arguments: [
    ("jq '{a: .id}' }", "jq '.[] | {a: .id}'"), ("jq -c .id | sort }", "jq -c '.[] | .id' | sort"),
    ("jq . }", "jq '.[]'"),
    ("jq }", "jq"), ("jq --arg a b .id }", "jq --arg a b .id"), ("grep x }", "grep x"),
  ])
  func `the program is typed without the end of a loop, for an array of responses`(program: String, typed: String) async
  {
    let outcome = await session(.json("{}")).pipe(["for $i in [1] { GET https://a.test/{$i} | \(program)"])
    let advice = "a block runs no programs: label its request, o: GET …, then type $o[*].body | \(typed)\n"
    #expect(outcome.screen.contains(advice), "\(outcome.screen)")
  }

  @Test func `a page of help goes through a program`() async {
    let outcome = await session(.json("{}")).pipe([":help loop | grep -c repeat", ":help nothing | grep x"])
    #expect(outcome.screen.contains("<grep -c repeat> A block in braces"), "\(outcome.screen)")
    #expect(outcome.screen.contains("there is no help on \"nothing\""), "\(outcome.screen)")
  }

  @Test(arguments: [":print $1.body | jq", "let a = $1.body | jq"])
  func `the language's own pipe says what to type`(line: String) async {
    let outcome = await session(.json("{}")).pipe(["GET https://a.test/x", line])
    #expect(outcome.screen.contains("type it next: | jq"), "\(outcome.screen)")
  }

  @Test func `where no program may be run it says what to do instead`() async {
    var session = session(.json("{}"))
    session.program = nil
    let outcome = await session.pipe(["GET https://a.test/x", "| jq ."])
    #expect(outcome.screen.contains("no program can be run here"))
    #expect(outcome.screen.contains(":body > file"))
  }

  @Test func `a response is shown by its name alone`() async {
    let outcome = await session(.json("{\"a\": 1}", headers: [.eTag: "\"e\""])).pipe(["x: GET https://a.test/x", "$x"])
    #expect(outcome.screen.hasSuffix("ETag: \"e\"\n{\n  \"a\": 1\n}\n"), "\(outcome.screen)")
  }

  @Test func `the rounds of a request are listed, and each is shown, by their names alone`() async {
    var session = session(.json("{\"n\": 1}"))
    session.answers.append(.json("{\"n\": 2}"))
    let outcome = await session.pipe([
      "x: GET https://a.test/x repeat until body.n == 2", "$x.rounds", "$x.rounds[0]",
    ])
    #expect(outcome.screen.contains("$x.rounds[0].body its body\n"), "\(outcome.screen)")
    #expect(outcome.screen.hasSuffix("{\n  \"n\": 1\n}\n"), "\(outcome.screen)")
  }

  @Test func `what calls itself JSON and is not is remarked on`() async {
    let outcome = await session(.json("{\"a\": 1,}")).pipe(["GET https://a.test/x"])
    #expect(outcome.screen.contains("{\"a\": 1,}\n    its type says JSON, but it is not: "), "\(outcome.screen)")
  }

  @Test(arguments: [
    "HEAD https://a.test/x", "OPTIONS https://a.test/x", "curl -I https://a.test/x", "curl -si https://a.test/x",
    "http -v a.test/x", "http --headers a.test/x", "curl -v https://a.test/x",
    "http --print=h a.test/x", "http --print Hh a.test/x", "http -p hb a.test/x", "http -fvphb POST a.test/x a=1",
  ])
  func `headers are shown where they are asked for`(line: String) async {
    let outcome = await session(.json("{}", headers: [.eTag: "\"e\""])).pipe([line])
    #expect(outcome.screen.contains("ETag: \"e\"\n"), "\(outcome.screen)")
  }

  @Test(arguments: ["curl -s -H 'v: i' https://a.test/x", "http --print=b a.test/x"])
  func `and nowhere else`(line: String) async {
    let outcome = await session(.json("{}", headers: [.eTag: "\"e\""])).pipe([line])
    #expect(!outcome.screen.contains("ETag"))
  }

  @Test(arguments: [
    ["http -v POST a.test/x name=ann"], ["http --print=HB POST a.test/x name=ann"],
    ["curl -v https://a.test/x --json '{\"name\":\"ann\"}'"], ["POST https://a.test/x name=ann", ":show request"],
  ])
  func `the body that was sent is shown with the request`(lines: [String]) async {
    var session = session(.json("{}"))
    session.sentBodySize = { _ in 14 }
    let screen = await session.pipe(lines).screen
    #expect(screen.contains("\n\n{\"name\":\"ann\"}\n(14 B sent)\n"), "\(screen)")
  }

  @Test(arguments: [
    "http -v --multipart POST a.test/x a=1 b=22", "POST https://a.test/x multipart a=1 b=22 -v",
    "curl -v https://a.test/x -F a=1 -F b=22",
  ])
  func `of a form its parts are listed with the request`(line: String) async {
    var session = session(.json("{}"))
    session.sentBodySize = { _ in 300 }
    let screen = await session.pipe([line]).screen
    #expect(screen.contains("(300 B sent)\n  a  1 B\n  b  2 B\n"), "\(screen)")
  }

  @Test func `a body that is no text is shown by its size`() async {
    var session = session(.json("{}"))
    session.sentBodySize = { _ in 4 }
    let screen = await session.pipe([
      "POST https://a.test/x body (\"AAECAw==\" | base64-decode)", ":show request", ":show wire",
    ]).screen
    #expect(screen.matches(of: /\(binary: 4 B\)/).count == 2, "\(screen)")
  }

  /// As HTTPie 3.2.4: the last of `--print` and its short forms counts, and more than `--verbose`.
  @Test(arguments: [
    ("-p H", "H"), ("-pB", "B"), ("--print=HB", "HB"), ("-p Hh", "Hh"), ("-p=Hb", "Hb"), ("-m", "m"), ("-hv", "h"),
    ("-vb", "b"), ("-vp b", "b"), ("-h -b", "b"), ("-b -pH", "H"), ("-v", "HBhb"),
  ])
  func `what is printed is what the letters name, and nothing else`(options: String, letters: String) async {
    var session = session(.json("{\"answer\":1}", headers: [.eTag: "\"e\""]))
    session.sentBodySize = { _ in 14 }
    let screen = await session.pipe(["http \(options) POST a.test/x name=ann"]).screen
    #expect(
      screen.contains("Content-Type: application/json\n\n") == (letters.contains("H") && letters != "H"), "\(screen)")
    #expect(screen.contains("POST http://a.test/x\n") == letters.contains("H"), "\(screen)")
    #expect(screen.contains("{\"name\":\"ann\"}") == letters.contains("B"), "\(screen)")
    #expect(screen.contains("ETag:") == letters.contains("h"), "\(screen)")
    #expect(screen.contains("200 OK") == letters.contains { "hbm".contains($0) }, "\(screen)")
    #expect(screen.contains("answer") == letters.contains("b"), "\(screen)")
  }

  @Test(arguments: ["http --print=x a.test/x", "http -p= a.test/x"])
  func `HTTPie prints no such part`(line: String) async {
    let outcome = await session(.json("{}")).pipe([line])
    #expect(outcome.requests.isEmpty, "\(outcome.screen)")
  }
}
