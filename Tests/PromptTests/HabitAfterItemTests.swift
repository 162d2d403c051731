import Canaries
import Foundation
import HTTPTypes
import Requests
import Sessions
import Testing
import UploaderCore

@testable import Prompt

/// What other tools' lines mean after items, in `:explain`, and for files and tokens.
@Suite struct HabitAfterItemTests {
  @Test(arguments: [
    ("X-A:b @FILE", "{\"from\": 1}"), ("X-A:b < FILE", "{\"from\": 1}"), ("q==1 X-A:b < FILE", "{\"from\": 1}"),
    ("X-A:b {\"name\":\"z\",\"size\":1}", "{\"name\":\"z\",\"size\":1}"),
  ])
  func `a body as other tools take it may come after items`(rest: String, body: String) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    try Data("{\"from\": 1}".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let outcome = await PromptSession(answers: [.json("{}")]).pipe([
      "PUT https://a.example/x \(rest.replacing("FILE", with: file.path))"
    ])
    let request = try #require(outcome.requests.first, "\(outcome.screen)")
    #expect(HTTPField.Name("X-A").map { request.headers[$0] } == "b")
    let sent = (request.body ?? []).map { segment -> String in
      switch segment {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .file: "{\"from\": 1}"
      }
    }
    #expect(sent.joined() == body, "\(outcome.screen)")
  }

  @Test(arguments: [
    "POST https://a.example/x {\"a\":1}", "POST https://a.example/x X-A:b {\"a\":1}", "http POST a.example/x a:=1",
    "curl https://a.example/x -H 'Content-Type: application/json' -d '{\"a\":1}'", "post https://a.example/x a:=1",
    "https://a.example/x a:=1",
  ])
  func `what the prompt takes can be explained before it is sent`(line: String) async {
    let outcome = await PromptSession(answers: []).pipe([":explain \(line)"])
    #expect(outcome.requests.isEmpty && outcome.code == .success, "\(outcome.screen)")
    #expect(outcome.screen.contains("POST") && outcome.screen.contains("a.example/x"), "\(outcome.screen)")
  }

  @Test(
    arguments: [
      ("http POST a.example/x t=$1.body.t | upper", "{\"t\":\"AB\"}"),
      ("http POST a.example/x t=$1.body.t | replace(\"a\", \"b\") | upper", "{\"t\":\"BB\"}"),
      ("http POST a.example/x n=1 t=($1.body.t | upper)", "{\"n\":\"1\",\"t\":\"AB\"}"),
      ("http POST a.example/x t[a]=$1.body.t | replace(\"a\", \"b\")", nil),
      ("http a.example/x X-A:$1.body.t | replace(\"a\", \"b\")", nil),
      ("http -f POST a.example/x t=$1.body.t | upper", "t=AB"),
      ("curl a.example/x -d t=$1.body.t | replace(\"a\", \"b\")", nil),
    ] as [(String, String?)])
  func `the last item is computed, and what is not is not sent`(line: String, body: String?) async {
    let outcome = await PromptSession(answers: [.json("{\"t\":\"ab\"}"), .json("1")]).pipe([
      "GET https://a.example/t", line,
    ])
    let sent = outcome.requests.dropFirst().map(\.body)
    #expect(sent == (body.map { [[.bytes(Array($0.utf8))]] } ?? []), "\(outcome.screen)")
  }

  @Test func `a download replaces no file`() async {
    let outcome = await PromptSession(
      files: ["items": Array("precious".utf8), "items-1": Array("more".utf8)], answers: [.json("{}"), .json("{}")]
    ).pipe(["http -d a.example/items", "http -d -o items a.example/items"])
    #expect(outcome.written.keys.sorted() == ["items", "items-2"], "\(outcome.screen)")
    #expect(outcome.screen.contains("save body to \"items-2\""), "\(outcome.screen)")
  }

  /// What cannot be read, a directory or a file that is very large, has the name nevertheless.
  @Test func `a name counts as taken whatever has it`() async {
    let outcome = await PromptSession(files: ["items/a.json": []], answers: [.json("{}")]).pipe([
      "http -d a.example/items"
    ])
    #expect(outcome.written.keys.sorted() == ["items-1"], "\(outcome.screen)")
  }

  @Test func `send downloads to a free name, too`() async {
    let session = PromptSession(files: ["items": Array("precious".utf8)], answers: [.json("{}")])
    let sent = await session.send("http --download a.example/items")
    #expect(
      sent.outcome.written.keys.contains("items-1") && sent.outcome.written["items"] == nil, "\(sent.outcome.screen)")
  }

  // MARK: A token of a response in an Authorization header

  private static let token = Canary.onScreen("header-token")

  private static let signIn = "POST https://a.example/token user=ann"

  @Test(arguments: [
    "GET https://a.example/x Authorization:\"Bearer {$1.body.access_token}\"",
    "GET https://a.example/x header Authorization: $1.body.access_token",
  ])
  func `a token in a header is a secret of that origin, and saved as one`(line: String) async {
    let session = PromptSession(
      answers: [.json("{\"access_token\": \"\(Self.token)\"}"), .json("{}"), .json("{}")])
    let outcome = await session.pipe([
      Self.signIn, line, ":show $2 request", ":show $2 curl", "GET https://b.example/?x={$1.body.access_token}",
      ":save s.wb",
    ])
    #expect(outcome.requests.count == 2, "\(outcome.screen)")
    let shown = outcome.screen.components(separatedBy: "$2").dropFirst().joined()
    #expect(!shown.contains(Self.token), "\(outcome.screen)")
    #expect(outcome.screen.contains("may go to https://a.example only, not to https://b.example"), "\(outcome.screen)")
    #expect(outcome.screen.contains("to send it there, too, declare it for a profile"), "\(outcome.screen)")
    let saved = String(decoding: outcome.written["s.wb"] ?? [], as: UTF8.self)
    #expect(saved.contains("secret "), "\(saved)\(outcome.screen)")
    #expect(!saved.contains(Self.token))
  }

  @Test func `two origins that are given the same token in a header get it`() async {
    let session = PromptSession(
      answers: [.json("{\"access_token\": \"\(Self.token)\"}"), .json("{}"), .json("{}")])
    let outcome = await session.pipe([
      Self.signIn, "GET https://a.example/x header Authorization: \"Bearer {$1.body.access_token}\"",
      "GET https://b.example/x header Authorization: \"Bearer {$1.body.access_token}\"",
    ])
    #expect(outcome.requests.count == 3, "\(outcome.screen)")
  }
}
