import HTTPTypes
import Requests
import Testing
import UploaderCore

@testable import Interactive

@Suite struct CommandTests {
  private static let setup = [
    "profile api {", "  base https://a.example", "  auth bearer $env.API_TOKEN", "}",
    "make: POST /things json { name: \"x\" }",
  ]

  /// What is printed for the commands after one request was answered.
  private func screen(_ commands: String..., files: [String: [UInt8]] = [:]) async -> PromptSession.Outcome {
    let session = PromptSession(
      environment: ["API_TOKEN": "hunter2hunter2"], files: files,
      answers: [.json(#"{"id":7,"echo":"hunter2hunter2"}"#, status: 201), .json("2"), .json("3")])
    var outcome = await session.pipe(Self.setup + commands)
    let head = #"""
      $1 make  201 Created  a.example  0 µs  32 B  json
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
    (":show time", "total       0 µs\n"),
    (":show $1 body", "{\n  \"id\": 7,\n  \"echo\": \"••••\"\n}\n"),
    (":print $1.body.id + 1", "8\n"),
    (":print $1.body", "{\n  \"id\": 7,\n  \"echo\": \"••••\"\n}\n"),
    (":set id = $1.body.id\n:vars", "$id  7\n$make  $1, 201\n"),
    (":vars", "$make  $1, 201\n"),
    (":show $4", "error: there is no answer \"$4\"\n = the last is $1\n"),
    (
      ":show $1 nonsense",
      "error: \"nonsense\" is no one part of an answer\n = the parts are request, response, headers, body, time, curl\n"
    ),
    (":load none.wb", "error: can not read \"none.wb\": No such file or directory\n"),
    (":print", "error: an expression is missing\n = :print $1.body.items | count\n"),
    (":p 1", "error: \":p\" could be :print, :profile\n"),
    (
      ":show curl",
      """
      curl https://a.example/things \\
        -H 'Content-Type: application/json' \\
        -H "Authorization: Bearer ${API_TOKEN}" \\
        --data-raw '{"name":"x"}'

      """
    ),
  ]) func commandsLookAtWhatThereIs(command: String, expected: String) async {
    #expect(await screen(command).screen == expected)
  }

  @Test func aBodyIsWrittenByteForByte() async {
    let outcome = await screen(":body $1 > out.json")
    #expect(outcome.screen == "out.json: 32 bytes\n")
    #expect(outcome.written == ["out.json": Array(#"{"id":7,"echo":"hunter2hunter2"}"#.utf8)])
  }

  @Test func loadTakesDeclarationsAndRunTheStepsToo() async {
    let script = Array("let n = 5\nGET api:/n/{$n}\n".utf8)
    let loaded = await screen(":load s.wb", ":print $n", files: ["s.wb": script])
    #expect(loaded.requests.count == 1)
    let ran = await screen(":run s.wb", files: ["s.wb": script])
    #expect(ran.requests.map(\.url) == ["https://a.example/things", "https://a.example/n/5"])
  }

  @Test func everyCommandHasHelp() async {
    for command in Command.allCases {
      let outcome = await PromptSession().pipe([":help \(command.rawValue)"])
      #expect(outcome.screen == "\(command.usage)\n  \(command.summary)\n  \(command.example)\n")
      #expect((try? Command.parse(command.example))?.command == command)
    }
  }
}
