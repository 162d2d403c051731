import HTTPTypes
import OfflineTransport
import Requests
import Sessions
import Testing
import UploaderCore

@testable import Prompt

/// What is written to a file is said, and is not shown instead.
@Suite struct SavedBodyTests {
  @Test(arguments: [
    (#"{"a":"it\u0027s", "b": 1}"#, #"body "{\"a\":\"it\\u0027s\", \"b\": 1}" as"#),
    (#"{"a":1,"a":2}"#, #"body "{\"a\":1,\"a\":2}" as"#),
    (#"{"a": 1.0}"#, "json { a: 1.0 }"),
    (#"{"a":"it's", "b": [ 1 ]}"#, #"json { a: "it's", b: [1] }"#),
  ])
  func `JSON that is written in another way is saved as it was sent`(body: String, saved: String) async {
    let quoted = "$'\(body.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    let line = "curl https://a.example/x -H 'Content-Type: application/json' --data-raw \(quoted)"
    let outcome = await PromptSession(answers: [.json("{}")]).pipe([line, ":save s.wb"])
    let text = String(decoding: outcome.written["s.wb"] ?? [], as: UTF8.self)
    #expect(text.contains(saved), "\(text) \(outcome.screen)")
    #expect(outcome.screen.contains("it sends the same requests"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("GET https://a.example/x > items.json", "items.json"),
    ("GET https://a.example/x save body to \"b.json\"", "b.json"),
    ("http --download https://a.example/img", "img"), ("curl -O https://a.example/img", "img"),
    ("curl -o f.json https://a.example/img", "f.json"),
  ])
  func `the prompt names the file and its bytes`(line: String, path: String) async {
    let outcome = await PromptSession(answers: [.json("{\"shown\": 1}")]).type("\(line)\n\u{4}")
    #expect(outcome.written[path]?.count == 12, "\(outcome.screen)")
    #expect(outcome.screen.contains("json\n    \(path): 12 bytes\n"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("shown"), "\(outcome.screen)")
  }

  @Test func `of a failure everything is shown, and that no file was written`() async {
    let missing = Response(
      status: .notFound, headers: [.contentType: "application/json"], body: ResponseBody(Array("{\"why\": 1}".utf8)))
    let outcome = await PromptSession(answers: [missing]).type("GET https://a.example/x > items.json\n\u{4}")
    #expect(outcome.written.isEmpty && outcome.screen.contains("\"why\""), "\(outcome.screen)")
    #expect(outcome.screen.contains("items.json: not written"), "\(outcome.screen)")
  }

  @Test func `send says where the body of an error is`() async {
    let missing = Response(status: .notFound, body: ResponseBody(Array("no such item".utf8)))
    let outcome = await PromptSession(answers: [missing]).send("GET https://a.example/x", output: "f.json").outcome
    #expect(outcome.written["f.json"]?.count == 12)
    #expect(outcome.screen.contains("the body of this response is in f.json: 12 bytes\n"), "\(outcome.screen)")
    let fine = await PromptSession(answers: [.json("1")]).send("GET https://a.example/x", output: "f.json").outcome
    #expect(fine.screen == "", "\(fine.screen)")
  }

  private static func ended(_ type: String) -> PromptSession {
    var session = PromptSession()
    let response = Response(status: .ok, headers: [.contentType: type])
    let end = ResponseEnding.broken(TransportError(.cancelled, requestWasSent: true))
    session.streams = StreamingTransport([.init(response, ["data: 1\n\n", "data: 2\n\n"], ending: end)])
    return session
  }

  @Test func `of a stream that was ended, what came is in the file`() async {
    let typed = await Self.ended("text/event-stream").type("GET https://a.example/x > e.txt\n\u{4}")
    #expect(typed.written["e.txt"]?.count == 18, "\(typed.screen)")
    #expect(typed.screen.contains("    e.txt: 18 bytes, what came before it was stopped\n"), "\(typed.screen)")
    for (line, output) in [
      ("GET https://a.example/x", "e.txt"), ("GET https://a.example/x save body to \"e.txt\"", nil),
    ] {
      let (code, sent) = await Self.ended("text/event-stream").send(line, output: output)
      #expect(code == .interrupted && sent.written["e.txt"]?.count == 18, "\(line) \(code) \(sent.screen)")
      #expect(sent.screen.contains("before it was stopped"), "\(line) \(sent.screen)")
    }
    var script = Self.ended("text/event-stream")
    script.files["chain.wb"] = Array("GET https://a.example/x save body to \"e.txt\"\n".utf8)
    let run = await script.runScript()
    #expect(run.written["e.txt"]?.count == 18, "\(run.screen)")
    #expect(run.screen.contains("    e.txt: 18 bytes, what came before it was stopped\n"), "\(run.screen)")
  }

  @Test func `a part of anything else does not replace a file`() async {
    let typed = await Self.ended("application/zip").type("GET https://a.example/x > e.zip\n\u{4}")
    #expect(typed.written.isEmpty && !typed.screen.contains("e.zip: "), "\(typed.screen)")
    let (code, sent) = await Self.ended("application/zip").send("GET https://a.example/x", output: "e.zip")
    #expect(code == .interrupted && sent.written.isEmpty, "\(sent.screen)")
    #expect(sent.screen.contains("e.zip was not written\n"), "\(sent.screen)")
  }
}
