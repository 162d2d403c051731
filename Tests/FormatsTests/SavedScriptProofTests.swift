import Diagnostics
import HTTPTypes
import OfflineTransport
import RequestProgram
import RequestSyntax
import Requests
import Testing
import UploaderCore

@testable import Formats

/// What the proof reports about a script that asks for something other than what was sent.
@Suite struct SavedScriptProofTests {
  private static let sent = """
    POST https://a.example/items
      header Authorization: "Negotiate one"
      json { id: 1 }
      expect 201
    """

  private func differences(
    of text: String, cookie: String? = nil, authorization: String = "Negotiate one"
  ) throws -> [String] {
    let origin = try Origin("https://a.example")
    let head = RequestHead(.post, .url("https://a.example/items")) { $0.headers = [.authorization: authorization] }
    var headers: HTTPFields = [
      .authorization: authorization, .contentType: "application/json", .userAgent: "workbench",
    ]
    headers[.cookie] = cookie
    let exchange = Exchange(
      description: .inMemory(
        InMemoryRequestDescription(head, body: .init(Array(#"{"id":1}"#.utf8), contentType: "application/json"))),
      request: SentRequest(
        method: .post, url: "https://a.example/items", origin: origin,
        headers: headers),
      response: Response(status: .created))
    let script = Parser.parse(SourceText(name: "s.wb", text: text)).script
    let proof = SavedScriptProof(
      ScriptSaver.Script(pieces: [script], steps: [SavedStep(1, exchange, log: SessionLog())]),
      environment: ProgramEnvironment(), transport: SilentTransport())
    return proof.differences(file: "s.wb", directory: "", from: [exchange]).map(\.sentence)
  }

  @Test func `a script that asks for what was sent has none`() throws {
    #expect(try differences(of: Self.sent) == [])
  }

  /// A digest is another each time.
  @Test func `of a digest the user is compared`() throws {
    let sent = #"Digest username="an \"n", realm="x", nonce="1", uri="/items", cnonce="2", response="3""#
    func differences(_ user: String) throws -> [String] {
      try self.differences(
        of: Self.sent.replacing(
          #"header Authorization: "Negotiate one""#, with: "auth digest \(user), $env.PW ?? \"x\""),
        authorization: sent)
    }
    #expect(try differences(#"'an "n'"#) == [])
    #expect(try differences("\"bob\"") == ["$1 is not what was sent: another authorization"])
  }

  @Test func `a cookie that nothing sets is missing`() throws {
    #expect(
      try differences(of: Self.sent, cookie: "sid=abc; b=1") == [
        "$1 is not what was sent: its profile keeps no cookies",
        "$1 is not what was sent: no response here sets the cookie b, sid",
      ])
  }

  @Test(arguments: [
    ("POST", "PUT", "$1 is not what was sent: another method"),
    ("/items", "/item", "$1 is not what was sent: https://a.example/item instead of https://a.example/items"),
    ("/items", "/items?x=1", "$1 is not what was sent: https://a.example/items?x=1 instead of https://a.example/items"),
    ("/items", "/%69tems", "$1 is not what was sent: its URL has %69 in place of i, which most servers read alike"),
    (
      "/items", "/items%2Fx",
      "$1 is not what was sent: https://a.example/items%2Fx instead of https://a.example/items"
    ),
    ("id: 1", "id: 2", "$1 is not what was sent: another body"),
    ("  json { id: 1 }\n", "", "$1 is not what was sent: another body"),
    ("one", "two", "$1 is not what was sent: another authorization"),
    ("  header Authorization: \"Negotiate one\"\n", "", "$1 is not what was sent: another authorization"),
    ("  expect 201", "  header X-Team: red\n  expect 201", "$1 is not what was sent: another x-team"),
    ("json { id: 1 }", "body '{\"id\":1}' as \"text/plain\"", "$1 is not what was sent: another content-type"),
    ("201", "200", "$1: the script expects what its response is not, and stops there"),
    (sent, "let x = 1", "$1 is not sent"),
  ])
  func `differences are reported`(part: String, other: String, sentence: String) throws {
    let text = Self.sent.replacing(part, with: other)
    #expect(text != Self.sent)
    #expect(try differences(of: text) == [sentence])
  }
}

/// Knows what a URL means.
private struct SilentTransport: OfflineTransport {
  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    throw TransportError(.other(reason: "nothing is sent here"))
  }
}
