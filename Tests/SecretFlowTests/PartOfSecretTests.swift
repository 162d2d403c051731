import Canaries
import Formats
import Foundation
import Prompt
import RunStore
import SecretFlow
import Sessions
import Subcommands
import Testing

/// Not even a piece of a secret is left where it is cut, overlaps with what was made from it, or is a name.
@Suite struct PartOfSecretTests {
  /// A text that a server turns into the name of a header field.
  static let fieldName = "Flow-Field-Name-0123456789"

  /// It contains characters that JSON and URLs escape.
  static let quoted = Canary.secret("q\"uoted-part\\0123456789")

  private static let texts = [
    quoted, Source.key, Source.token, Source.token.uppercased(), fieldName, fieldName.lowercased(),
  ]
  /// Ten bytes of one of them are found wherever they are.
  private static let pieces = texts.flatMap { text in
    (0...text.count - 10).map { String(text.dropFirst($0).prefix(10)) }
  }

  private static func padding(_ count: Int) -> String { String(repeating: "-", count: count) }

  /// What is sent after the login, and what a run of it leaves on the screen and in the store.
  private static let scripts = [
    // What was made from a secret overlaps with the secret.
    "GET api:/x header X-Part: (\"Bearer {$tok}\" | slice(0, 15)) header X-Whole: \"Bearer {$tok}\"",
    "let p = \"Bearer {$tok}\" | split(\"~\")\nGET api:/x header X-Part: $p[0] header X-Whole: \"Bearer {$tok}\"",
    "POST api:/mirror text \"token={$tok}\" header X-Part: (\"token={$tok}\" | slice(0, 16))",
    // A text that contains the secret and a piece of it.
    "GET api:/x header X-Twice: (\"{$tok}{$tok}\" | slice(0, 35))",
    "GET api:/x header X-Twice: (\"{$tok}x{$tok}x{$tok}\" | slice(3, 50))",
    // What is shown is cut.
    "POST api:/mirror text \"\(padding(82)){$tok}\" expect body == 1",
    "POST api:/mirror json { a: \"\(padding(42)){$tok}\" } expect body is { a: int }",
    "POST api:/mirror json { a: \"\(padding(42)){$tok}\" } expect body is { b: int }",
    "m: POST api:/mirror text \"\(padding(102)){$tok}\"\nGET api:/x/{$m.body.none}",
    // The name of a member.
    "POST api:/mirror json { \"{$tok}\": 1 } expect body is {}",
    "let k = \"\\{\\\"{$tok}\\\": \\\"longvalue123456\\\"}\" | upper | parse-json\nPOST api:/mirror json $k expect body == 1",
    "let k = \"\\{\\\"{$tok}\\\": \\\"longvalue123456\\\"}\" | upper | parse-json\nGET api:/x expect $k is { a: int }",
    // The name of a header field and of a cookie, a media type.
    "n: GET api:/names",
    "n: GET api:/names\nPOST https://other.test/x json $n.headers",
    "n: GET api:/names\nPOST https://other.test/x json $n.cookies",
    "POST api:/mirror multipart { a: \"x\" as \"text/{$tok}\" }",
    // Reserved characters stay as they are.
    "GET api:/x?q={+$quoted}",
    // JSON in JSON.
    "POST api:/mirror json { a: $quoted } expect body == 1",
    "POST api:/mirror json { a: $quoted } expect body is { a: int }",
    "POST api:/mirror text $quoted expect text == 1",
  ]

  @Test(arguments: scripts)
  func `not a piece is left on the screen or in the store`(statements: String) async throws {
    let flow = try FlowWorld()
    flow.put(
      Source.declarations() + "secret field = $env.FIELD for api\nsecret quoted = $env.QUOTED for api\n" + Source.login
        + statements + "\n",
      at: "/work/flow.wb")
    await RunSubcommand.everyWay(flow)
    Self.expectNothing(left: flow)
    #expect(flow.ownRequests.count > 2, "\(flow.shown)")
  }

  @Test(arguments: ["upper", "slice(2, 12)", "sha256", "trim"])
  func `what is set on the command line is searched for secrets`(pipe: String) async throws {
    for statements in [
      "let k = \"a\"\nPOST https://other.test/x text ($k | \(pipe))",
      "sequence s(k: string) { POST https://other.test/x text ($k | \(pipe)) }\nrun s(\"a\")",
    ] {
      let flow = try FlowWorld()
      flow.put(Source.declarations() + Source.login + statements + "\n", at: "/work/flow.wb")
      _ = await RunSubcommand(
        world: flow.world, style: ReportStyle(.lines, .verbose), options: ScriptOptions(settings: ["k": Source.key]),
        recording: .directory(flow.store)
      ).run(file: "/work/flow.wb")
      Self.expectNothing(left: flow)
      #expect(flow.foreignRequests.isEmpty)
      #expect(flow.shown.contains("may go to https://api.test only"), "\(flow.shown)")
    }
  }

  private static func expectNothing(left flow: FlowWorld) {
    let leak = Leak(of: pieces)
    for (name, bytes) in flow.leftovers() {
      // A run that failed keeps the cookies it received, in order to continue.
      let bytes = Data(String(decoding: bytes, as: UTF8.self).replacing(Source.sid, with: "").utf8)
      if let (text, around) = leak.found(in: bytes).first { Issue.record("\"\(text)\" in \(name): \(around)") }
    }
    for request in flow.foreignRequests {
      if let (text, around) = leak.found(in: Data(request.text.utf8)).first {
        Issue.record("\"\(text)\" went elsewhere: \(around)")
      }
    }
  }
}

extension RunSubcommand {
  /// Runs the script with each verbosity, and shows what was recorded of it.
  fileprivate static func everyWay(_ flow: FlowWorld) async {
    let world = flow.world
    for style in [ReportStyle(), ReportStyle(.lines, .verbose), ReportStyle(.json, .verbose)] {
      _ = await RunSubcommand(
        world: world, style: style, options: ScriptOptions(keepsGoing: true), recording: .directory(flow.store)
      ).run(file: "/work/flow.wb")
    }
    let runs = StoredRuns(world: world, directory: flow.store)
    _ = runs.list(limit: nil, json: true)
    _ = runs.list(limit: nil, json: false)
    for part in [ShownRecord.overview, .request, .response, .body, .har] {
      _ = runs.show("last", step: nil, part: part, showsTries: true)
    }
  }
}
