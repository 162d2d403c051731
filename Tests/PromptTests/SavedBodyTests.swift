import HTTPTypes
import Requests
import Testing

@testable import Prompt

/// What is written to a file is said, and is not shown instead.
@Suite struct SavedBodyTests {
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

  @Test func `of a failure everything is shown, and no file is named`() async {
    let missing = Response(
      status: .notFound, headers: [.contentType: "application/json"], body: ResponseBody(Array("{\"why\": 1}".utf8)))
    let outcome = await PromptSession(answers: [missing]).type("GET https://a.example/x > items.json\n\u{4}")
    #expect(outcome.written.isEmpty && outcome.screen.contains("\"why\""), "\(outcome.screen)")
    #expect(!outcome.screen.contains("items.json: "), "\(outcome.screen)")
  }

  @Test func `send says where the body of an error is`() async {
    let missing = Response(status: .notFound, body: ResponseBody(Array("no such item".utf8)))
    let outcome = await PromptSession(answers: [missing]).send("GET https://a.example/x", output: "f.json").outcome
    #expect(outcome.written["f.json"]?.count == 12)
    #expect(outcome.screen.contains("the body of this response is in f.json: 12 bytes\n"), "\(outcome.screen)")
    let fine = await PromptSession(answers: [.json("1")]).send("GET https://a.example/x", output: "f.json").outcome
    #expect(fine.screen == "", "\(fine.screen)")
  }
}
