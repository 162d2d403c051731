import Canaries
import HTTPTypes
import Requests
import Subcommands
import Testing
import UploaderCore

@testable import Prompt

@Suite struct CommandTests {
  private static let token = Canary.secret("commands")
  /// A response with the token in it.
  private static let echo = #"{"id":7,"echo":"\#(token)"}"#

  private static let setup = [
    "profile api {", "  base https://a.example", "  auth bearer $env.API_TOKEN", "}",
    "make: POST /things json { name: \"x\" }",
  ]

  /// What is printed for the commands after one request got its response.
  private func screen(_ commands: String..., files: [String: [UInt8]] = [:]) async -> PromptSession.Outcome {
    let session = PromptSession(
      environment: ["API_TOKEN": Self.token], files: files,
      answers: [.json(Self.echo, status: 201), .json("2"), .json("3")])
    var outcome = await session.pipe(Self.setup + commands)
    let head = #"""
      $1 make  201 Created  a.example  0 µs  \#(Self.echo.utf8.count) B  json
      {
        "id": 7,
        "echo": "••••"
      }

      """#
    #expect(outcome.screen.hasPrefix(head))
    outcome.screen.removeFirst(min(head.count, outcome.screen.count))
    return outcome
  }

  @Test(arguments: [
    (":show $1 headers", "Content-Type: application/json\n"),
    (":sh $make req", "POST https://a.example/things\nContent-Type: application/json\nAuthorization: Bearer ••••\n"),
    (":show make headers", "Content-Type: application/json\n"),
    (":show time", "total" + String(repeating: " ", count: 46) + "0 µs\n"),
    (":show wb", "make: POST /things\n  json { name: \"x\" }\n"),
    (
      ":show wire",
      """
      POST /things HTTP/1.1
      Content-Type: application/json
      Authorization: Bearer ••••

      {"name":"x"}

      HTTP/1.1 201 Created
      Content-Type: application/json

      {
        "id": 7,
        "echo": "••••"
      }

      """
    ),
    ("$1.body.id", "7\n"),
    (":cookies", "No server has set a cookie.\n"),
    (":diff", "error: there are not two responses yet\n"),
    (":edit", "error: there is no terminal for an editor here\n"),
    (
      ":repeat $1 sometimes",
      "error: \"sometimes\" is not what :repeat takes\n = :repeat $3 every 2s until body.state == \"ready\"\n"
    ),
    (
      ":explain PUT /things/{$1.body.id} name=y X-A:b",
      """
      PUT https://a.example/things/7
        profile        api  ← https://a.example
        content-type   application/json  ← the body
        x-a            b  ← this request
        authorization  Bearer ••••  ← credential of api
        body           {"name":"y"}  ← 12 B
        $1.body.id     7

      """
    ),
    (
      ":explain GET https://b.example/",
      """
      GET https://b.example/
        profile  anonymous  ← no profile claims https://b.example
        withheld authorization: it belongs to https://a.example

      """
    ),
    (
      ":explain",
      """
      POST https://a.example/things
        profile        api  ← https://a.example
        content-type   application/json  ← the body
        authorization  Bearer ••••  ← credential of api
        body           {"name":"x"}  ← 12 B
        sent once: it is not sent again once it may have arrived

      """
    ),
    (
      ":set id = $1.body.id\n:set host = \"https://b.example\"\n:explain GET $host/{$id}",
      """
      GET https://b.example/7
        profile  anonymous  ← no profile claims https://b.example
        $host    "https://b.example"  ← line 1 of <input 4>
        $id      7  ← body.id of the response from https://a.example/things
        withheld authorization: it belongs to https://a.example

      """
    ),
    (":explain $4", "error: there is no response \"$4\"\n = the last is $1\n"),
    (":show $1 body", "{\n  \"id\": 7,\n  \"echo\": \"••••\"\n}\n"),
    (":print $1.body.id + 1", "8\n"),
    (":print $1.body", "{\n  \"id\": 7,\n  \"echo\": \"••••\"\n}\n"),
    (":set id = $1.body.id\n:vars", "$id  7\n$make  $1, 201\n"),
    (":vars", "$make  $1, 201\n"),
    (":show $4", "error: there is no response \"$4\"\n = the last is $1\n"),
    (
      ":show $1 nonsense",
      "error: \"nonsense\" does not name one part of a response\n = the parts are request, response, headers, body, wire, time, curl, wb\n"
    ),
    (":load none.wb", "error: cannot read \"none.wb\": No such file or directory\n"),
    (":print", "error: an expression is missing\n = :print $1.body.items | count\n"),
    (":e 1", "error: \":e\" could be :explain, :edit\n"),
    (":get /x", "error: there is no command \":get\"\n = a request has no colon: GET /path\n"),
    (":hlep", "error: there is no command \":hlep\"\n = did you mean :help?\n"),
    (
      ":show curl",
      """
      curl https://a.example/things \\
        -H 'Content-Type: application/json' \\
        -H "Authorization: Bearer ${API_TOKEN}" \\
        --data-raw '{"name":"x"}'

      """
    ),
  ]) func `commands show what there is`(command: String, expected: String) async {
    #expect(await screen(command).screen == expected)
  }

  @Test func `a body is written byte for byte`() async {
    let outcome = await screen(":body $1 > out.json")
    #expect(outcome.screen == "out.json: \(Self.echo.utf8.count) bytes\n")
    #expect(outcome.written == ["out.json": Array(Self.echo.utf8)])
  }

  @Test func `load takes declarations and run takes the steps too`() async {
    let script = Array("let n = 5\nGET api:/n/{$n}\n".utf8)
    let loaded = await screen(":load s.wb", ":print $n", files: ["s.wb": script])
    #expect(loaded.requests.count == 1)
    let ran = await screen(":run s.wb", files: ["s.wb": script])
    #expect(ran.requests.map(\.url) == ["https://a.example/things", "https://a.example/n/5"])
  }

  @Test func `a token of the profile and the same one of the request do not differ`() async {
    let secret = Canary.secret("difference")
    let session = PromptSession(environment: ["TOKEN": secret], answers: [.json("1"), .json("1"), .json("1")])
    let outcome = await session.pipe([
      "profile a { base https://a.example auth bearer $env.TOKEN }", "GET /x",
      "GET /x header { Authorization: \"Bearer {$env.TOKEN}\" }", ":diff", "GET /x auth none header X: \"1\"",
      ":diff $1 $3",
    ])
    #expect(outcome.screen.contains("no difference\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("sent x") && !outcome.screen.contains(secret), "\(outcome.screen)")
  }

  @Test func `differences are named field by field`() async {
    let session = PromptSession(answers: [
      .json(#"{"state":"busy","items":[1,2],"same":true}"#, status: 201, headers: [.eTag: "a"]),
      .json(#"{"state":"ready","items":[1],"new":null,"same":true}"#),
    ])
    let outcome = await session.pipe(["GET https://a.example/1", "GET https://a.example/2", ":diff"])
    #expect(
      outcome.screen.hasSuffix(
        """
        url            https://a.example/1 → https://a.example/2
        status         201 Created → 200 OK
        header etag    a → (none)
        body.state     "busy" → "ready"
        body.items[1]  2 → (none)
        body.new       (none) → null

        """), "\(outcome.screen)")
  }

  @Test func `JSON and a text are not compared line by line`() async {
    let session = PromptSession(answers: [
      .json(#"{"a":1}"#),
      Response(
        status: .ok, headers: [.contentType: "text/plain; charset=utf-8"], body: .init(Array("one\ntwo\n".utf8))),
      .json("{\"a\":1}\n{\"a\":2}"),
    ])
    let outcome = await session.pipe([
      "GET https://a.example/", "GET https://a.example/", ":diff", "GET https://a.example/", ":diff $1 $3",
    ])
    #expect(outcome.screen.contains("JSON, 7 bytes → text/plain, 8 bytes\n"), "\(outcome.screen)")
    #expect(
      outcome.screen.hasSuffix("JSON, 7 bytes → not JSON, though its type says so, 15 bytes\n"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("line 1"), "\(outcome.screen)")
  }

  @Test func `JSON lines in place of JSON are recognized`() async {
    let lines = "{\"a\":1}\n{\"a\":2}\n"
    let session = PromptSession(answers: [.json(lines), .json("{}", status: 422)])
    let outcome = await session.pipe([
      "GET https://a.example/", "$1.body.a", "$1.text | split(\"\\n\") | first | parse-json",
      "POST https://a.example/ body \"{\\\"a\\\":1}\\n{\\\"a\\\":2}\" as \"application/json\"",
    ])
    let fact = "another value follows, as in JSON lines (ndjson) at line 2, column 1"
    #expect(
      outcome.screen.contains(
        """
            its type says JSON, but it is not: \(fact)
            $1.text | split("\\n") has the lines, and parse-json reads one

        """), "\(outcome.screen)")
    #expect(outcome.screen.contains("\(fact): .text | split(\"\\n\") has the lines"), "\(outcome.screen)")
    #expect(outcome.screen.contains("\"a\": 1\n"), "\(outcome.screen)")
    #expect(
      outcome.screen.contains("the type of the body that was sent says JSON, but it is not: \(fact)"),
      "\(outcome.screen)")
    #expect(outcome.screen.contains("JSON lines are sent with body … as \"application/x-ndjson\""), "\(outcome.screen)")
  }

  @Test func `a request is repeated as it was typed`() async {
    let session = PromptSession(answers: [
      .json(#"{"id":5}"#), .json(#"{"state":"busy"}"#), .json(#"{"state":"busy"}"#), .json(#"{"state":"ready"}"#),
    ])
    let outcome = await session.pipe([
      "POST https://a.example/jobs", "GET https://a.example/jobs/{$_.body.id}",
      ":repeat $2 every 1s until body.state == \"ready\"",
    ])
    #expect(outcome.requests.map(\.url).suffix(3) == Array(repeating: "https://a.example/jobs/5", count: 3))
    #expect(outcome.screen.contains("$3  200 OK  a.example  0 µs  16 B  json\n$4  200 OK"), "\(outcome.screen)")
  }

  @Test func `a repetition says once what its condition does not find`() async {
    let session = PromptSession(answers: [.json(#"{"status":"a"}"#), .json(#"{"status":"b"}"#), .json(#"{"state":1}"#)])
    let screen = await session.pipe(["GET https://a.example/ repeat every 1s until body.state == 1"]).screen
    #expect(screen.ranges(of: "yet").count == 1, "\(screen)")
    #expect(screen.contains("body has no \"state\" yet: it has \"status\"\n"), "\(screen)")
    let found = PromptSession(answers: [.json(#"{"state":0}"#), .json(#"{"state":1}"#)])
    let quiet = await found.pipe(["GET https://a.example/ repeat every 1s until body.state == 1"]).screen
    #expect(!quiet.contains("yet"), "\(quiet)")
  }

  @Test(arguments: [
    (":repeat $1", ["https://a.example/1"]), (":repeat $1 every 1s until status == 200", ["https://a.example/1"]),
    (":repeat", ["https://a.example/2"]), (":repeat 1", []), (":repeat 2 times", []),
  ])
  func `a request is named that is repeated, and how often is no number`(line: String, urls: [String]) async {
    let session = PromptSession(answers: Array(repeating: .json("{}"), count: 3))
    let outcome = await session.pipe(["GET https://a.example/1", "GET https://a.example/2", line])
    #expect(outcome.requests.dropFirst(2).map(\.url) == urls, "\(outcome.screen)")
  }

  @Test func `a round that was made from the one before is repeated as it was sent`() async {
    let next = "https://a.example/2"
    let session = PromptSession(answers: [.json(#"{"next":"\#(next)"}"#), .json("{}"), .json("{}"), .json("{}")])
    let outcome = await session.pipe([
      "l: GET ($l.body.next ?? \"https://a.example/1\") repeat until body.next ?? null == null", ":show $2 wb",
      ":repeat $2", ":repeat $1",
    ])
    #expect(
      outcome.requests.map(\.url) == ["https://a.example/1", next, next, "https://a.example/1"], "\(outcome.screen)")
    #expect(outcome.screen.contains("l: GET https://a.example/2\n"), "\(outcome.screen)")
  }

  @Test func `a profile is declared with a colon before it, too`() async {
    let outcome = await PromptSession(answers: [.json("1")]).pipe([":profile a { base https://a.example }", "GET /x"])
    #expect(outcome.requests.map(\.url) == ["https://a.example/x"], "\(outcome.screen)")
  }

  @Test func `without a profile in use, those that there are are listed`() async {
    let profiles = "profile one { base https://a.example }\nprofile two { base https://b.example }"
    let session = PromptSession(
      environment: ["HOME": "/home/ann"],
      files: ["/home/ann/.config/workbench/profiles.wb": Array(profiles.utf8)])
    let outcome = await session.pipe(["GET /x"])
    #expect(outcome.screen.contains(" = there are: one, two\n"), "\(outcome.screen)")
  }

  @Test func `the user's own profiles are loaded at the start`() async {
    let own = Canary.secret("own-profiles")
    var session = PromptSession(
      environment: ["HOME": "/home/ann", "K": own],
      files: [
        "/home/ann/.config/workbench/profiles.wb": Array(
          "profile own { base https://o.example auth bearer $env.K }\nGET /never".utf8)
      ],
      answers: [.json("1")])
    let outcome = await session.pipe(["GET /x"])
    #expect(outcome.requests.map(\.url) == ["https://o.example/x"])
    #expect(outcome.requests.first?.headers[.authorization] == "Bearer \(own)")
    session.environment["XDG_CONFIG_HOME"] = "/elsewhere"
    #expect(await session.pipe(["GET /x"]).requests.isEmpty)
  }

  @Test func `every command has help`() async {
    for command in Command.allCases {
      let outcome = await PromptSession().pipe([":help \(command.rawValue)"])
      #expect(outcome.screen.hasPrefix("\(command.usage)\n  \(command.summary)\n  \(command.example)\n"))
      #expect((try? Command.parse(command.example.dropFirst()))?.command == command)
    }
    #expect(Set(Command.groups.flatMap(\.commands)) == Set(Command.allCases))
    #expect(Command.groups.flatMap(\.commands).count == Command.allCases.count)
    // A line of the list fits in 80 columns.
    #expect(Command.allCases.allSatisfy { $0.usage.count <= 26 && $0.summary.count <= 50 })
  }

  @Test func `what help shows can be typed`() async {
    let token = Canary.onScreen("help")
    for topic in HelpTopic.allCases where topic != .keys && topic != .send {
      // What they look at, or send, is tested where that is.
      let looked = ["@note.txt", "/events", "links.next", ".rounds", "| jq", "| less", "xpath", ":load", "workbench "]
      let session = PromptSession(
        environment: ["TOKEN": token, "PASSWORD": token],
        files: ["a.png": [1], "a.json": Array("{}".utf8)],
        answers: Array(
          repeating: .json(#"{"id":7,"done":true,"token":"\#(token)","items":[{"id":1,"name":"a","price":5}]}"#),
          count: 4))
      for line in topic.lines where !looked.contains(where: line.text.contains) {
        let outcome = await session.pipe(
          ["profile api { base https://a.example }", "GET https://a.example/first", line.text])
        // Nobody can be asked here, and programs read files of their own.
        let isAsking = line.text.contains("ask(") && outcome.screen.contains("error: the secret \"token\" is missing")
        let isReading = line.text.contains("a.") && outcome.screen.contains("No such file or directory")
        #expect(!outcome.screen.contains("error:") || isAsking || isReading, "\(line.text): \(outcome.screen)")
      }
      let shown = await session.pipe([":help \(topic.rawValue)"])
      #expect(shown.screen.contains("\(topic.title)\n  \(topic.lines[0].text)"))
      #expect(shown.screen.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(shown.screen)")
    }
    for (word, topic) in [
      ("|", HelpTopic.programs), ("httpie", .curl), ("send", .send), ("links", .response), ("use", .outside),
    ] {
      #expect(await PromptSession().pipe([":help \(word)"]).screen.hasPrefix(topic.title))
    }
    #expect(await PromptSession().pipe([":help nonsense"]).screen.hasPrefix("error: there is no help on"))
  }
}
