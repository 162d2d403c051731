import Formats
import Foundation
import Interactive
import LineEditing
import RunStore
import SecretFlow
import Sessions
import Subcommands
import Testing
import UploaderCore

/// A secret is one for the whole run: in blocks that go on beside the one that learned of it, and for what was read before.
@Suite struct LateSecretTests {
  private static let grant = "g: POST api:/grant\n"
  private static let at = "secret at = $g.body.access_token for api\n"

  /// A token that one block was given, or what it made of a secret, comes back in another.
  private static let besideEachOther =
    ["", " | upper", " | slice(3, 20)"].flatMap { pipe in
      [
        """
        for $i in [1, 2] {
          \(grant)  \(at)  POST api:/mirror text $at
          h: GET api:/last
          POST https://other.test/x text ($h.body.old\(pipe)) when $i == 2
        }
        """,
        """
        sequence l() {
          \(grant)  \(at)  POST api:/mirror text $at
        }
        sequence m() {
          GET api:/after-mirror
          h: GET api:/last
          POST https://other.test/x text ($h.body.old\(pipe))
        }
        parallel {
          run l()
          run m()
        }
        """,
      ]
    } + [
      """
      for $i in [1, 2] {
        POST api:/mirror text ($tok | upper)
        h: GET api:/last-made
        POST https://other.test/x text $h.body.made when $i == 2
      }
      """,
      """
      sequence l() { POST api:/mirror text ($tok | upper) }
      sequence m() {
        GET api:/after-mirror
        h: GET api:/last-made
        POST https://other.test/x text $h.body.made
      }
      parallel {
        run l()
        run m()
      }
      """,
    ]

  @Test(arguments: besideEachOther)
  func `what one block of a group knows, the others know`(script: String) async throws {
    try await Self.expectNothingLeaves(script, canRunAtOnce: true)
  }

  /// Runs the script, and takes it step by step in the debugger: nothing of a secret goes to another origin.
  private static func expectNothingLeaves(
    _ statements: String, canRunAtOnce: Bool = false, isShownBefore: Bool = false
  ) async throws {
    let script = Source.declarations() + statements + "\n"
    let run = try FlowWorld(script: script)
    _ = await RunSubcommand(
      world: run.world, style: ReportStyle(.lines, .verbose), recording: .directory(run.store)
    ).run(file: "/work/flow.wb")
    #expect(run.shown.contains("may go to https://api.test only"), "\(run.shown)")
    #expect(!run.ownRequests.isEmpty, "\(run.shown)")
    expectNothing(in: run, "run", isShownBefore: isShownBefore)

    // There one branch waits for nobody else.
    if canRunAtOnce, statements.contains("parallel {") { return }
    let debugged = try FlowWorld(script: script)
    _ = await DebugRun(
      world: debugged.world,
      editor: ScriptedLineEditor(lines: Array(repeating: "n", count: 12) + ["back", "back", "n", "n", "n", "q"]),
      recording: .directory(debugged.store), directory: debugged.store
    ).run(file: "/work/flow.wb")
    #expect(!debugged.ownRequests.isEmpty, "\(debugged.shown)")
    expectNothing(in: debugged, "debug", isShownBefore: isShownBefore)
  }

  private static let pieces = [Source.received, Source.token].flatMap { [$0, $0.uppercased()] }.flatMap { text in
    (0...text.count - 10).map { String(text.dropFirst($0).prefix(10)) }
  }

  private static func expectNothing(in flow: FlowWorld, _ way: String, isShownBefore: Bool = false) {
    let leak = Leak(of: pieces)
    for request in flow.foreignRequests {
      if let (text, _) = leak.found(in: Data(request.text.utf8)).first {
        Issue.record("\(way): \"\(text)\" went elsewhere")
      }
    }
    if !isShownBefore { expectNothing(left: flow, way) }
  }

  private static func expectNothing(left flow: FlowWorld, _ way: String) {
    let leak = Leak(of: pieces)
    // The body that `send` writes is what was asked for.
    for (name, bytes) in flow.leftovers() where name != "the file /work/-" {
      if let (text, around) = leak.found(in: bytes).first {
        Issue.record("\(way): \"\(text)\" in \(name): \(around)")
      }
    }
  }
}
