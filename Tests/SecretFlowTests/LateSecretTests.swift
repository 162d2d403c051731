import Formats
import Foundation
import LineEditing
import Prompt
import Requests
import RunStore
import SecretFlow
import Sessions
import Subcommands
import Testing
import UploaderCore

/// A secret is one for the whole run: in blocks parallel to the one that learned of it, and for what was read before.
@Suite struct LateSecretTests {
  private static let grant = "g: POST api:/grant\n"
  private static let at = "secret at = $g.body.access_token for api\n"

  /// A token that one block received, or what it made from a secret, comes back in another.
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

  /// What was read before the script declared it as a secret, or what was made from it.
  private static let readBefore =
    [
      "let t = [$g.body.access_token]\nsecret at = $t[0] for api\nPOST https://other.test/x text ($t[0] | upper)",
      """
      let t = { a: $g.body.access_token, b: $g.body.other }
      secret at = $t.a for api
      POST https://other.test/x text ($t.b | upper)
      """,
      "let h = $g.body.access_token | upper\nlet t = [$g.body.access_token]\nsecret at = $t[0] for api\nPOST https://other.test/x text $h",
      "let t = $g.body.access_token\nPOST https://other.test/x text ($t | upper)\nsecret at = $t for api",
      "let k = \"access_token\"\nlet t = $g.body[$k]\nPOST https://other.test/x text $g.body.other\nsecret at = $t for api",
    ].map { grant + $0 } + [
      "for $i in [1] {\n\(grant)let t = $g.body.access_token\nsecret at = $t for api\n}\nPOST https://other.test/x text ($t[0] | upper)",
      "for $i in [1] {\n\(grant)let t = $g.body.other | upper\nsecret at = $g.body.access_token for api\n}\nPOST https://other.test/x text $t[0]",
    ]

  @Test(arguments: readBefore)
  func `a value read or made before its text became a secret is one`(script: String) async throws {
    try await Self.expectNothingLeaves(script)
  }

  /// If the statement that declares it cannot be foreseen, the response is shown before that statement is reached.
  private static let unforeseen = [
    "for $x in [$g.body] {\nsecret at = $x.access_token for api\nPOST https://other.test/x text ($x.other | upper)\n}",
    "let h = $g.body.other | upper\nfor $x in [$g.body] {\nsecret at = $x.access_token for api\nPOST https://other.test/x text $h\n}",
    "let h = \"{$g.body.other | upper}!\" | lower\nsequence s(x) {\nsecret at = $x for api\n}\nrun s($g.body.other)\nPOST https://other.test/x text $h",
  ].map { grant + $0 }

  @Test(arguments: unforeseen)
  func `what cannot be foreseen does not reach another origin once it is known`(script: String) async throws {
    try await Self.expectNothingLeaves(script, isShownBefore: true)
  }

  @Test(arguments: ["$1.body.other | upper", "[$1.body.other]", "{ a: $1.body.other }", "$1.body.other"])
  func `a value set at the prompt before is a secret`(expression: String) async throws {
    let flow = try FlowWorld()
    let lines =
      Source.declarations().split(separator: "\n").map(String.init) + [
        "POST api:/grant", ":set t = \(expression)", "secret at = $1.body.access_token for api",
        "POST https://other.test/x json $t", "POST https://other.test/x text ($t | json | upper)",
      ]
    var repl = REPL(world: flow.world, editor: ScriptedLineEditor(lines: lines), history: nil)
    _ = await repl.run()
    #expect(flow.ownRequests.count == 1)
    #expect(flow.shown.contains("may go to https://api.test only"), "\(flow.shown)")
    Self.expectNothing(in: flow, "prompt", isShownBefore: true)
  }

  /// What is known before anything is sent, and becomes a secret later: by way of names, arguments, files.
  private static let knownFromTheBeginning = [
    "let key = $env.TOK\nPOST https://other.test/x json { who: $key }\nsecret s = $key for api\nGET api:/x header X-Key: $s",
    "let key = $env.TOK\nPOST https://other.test/x text ($key | upper)\nsecret s = $key for api\nGET api:/x header X-Key: $s",
    "let key = $env.TOK\nsecret s = $key for api\nPOST https://other.test/x text ($key | slice(1, 14))",
    "let key = \"K {$env.TOK}\"\nPOST https://other.test/x text $key\nsecret s = ($key | split(\" \"))[1] for api",
    "let key = $env.TOK\nPOST https://other.test/x text $key\nGET https://api.test/echo auth bearer $key",
    "let key = $env.TOK\nPOST https://other.test/x text \"k={$key}\"\nlet c = \"u:{$key}\"\nsecret s = \"Basic {$c | base64}\" for api",
    """
    sequence call(k) {
      secret s = $k for api
      GET api:/x header X-Key: $s
    }
    let key = $env.TOK
    POST https://other.test/x json { who: $key }
    run call($key)
    """,
    """
    sequence call(k) {
      POST https://other.test/x text ($k | sha256)
      POST https://other.test/x text ($k | upper)
      secret s = $k for api
    }
    run call($env.TOK)
    """,
    """
    let key = $env.TOK
    parallel {
      POST https://other.test/x json { who: $key }
      run call($key)
    }
    sequence call(k) {
      secret s = $k for api
      GET api:/x header X-Key: $s
    }
    """,
    """
    for $key in [$env.TOK] {
      POST https://other.test/x text ($key | upper)
      secret s = $key for api
    }
    """,
  ]

  @Test(arguments: knownFromTheBeginning)
  func `what is known when a block begins is the secret that it becomes later`(statements: String) async throws {
    let script = "profile api { base https://api.test }\n\(statements)\n"
    let run = try FlowWorld(script: script)
    _ = await RunSubcommand(
      world: run.world, style: ReportStyle(.lines, .verbose), recording: .directory(run.store)
    ).run(file: "/work/flow.wb")
    #expect(
      run.shown.contains("https://api.test only") || run.shown.contains("not to https://other.test"), "\(run.shown)")
    Self.expectNothing(in: run, "run")
    let debugged = try FlowWorld(script: script)
    _ = await DebugRun(
      world: debugged.world, editor: ScriptedLineEditor(lines: Array(repeating: "n", count: 6) + ["q"]),
      recording: .directory(debugged.store), directory: debugged.store
    ).run(file: "/work/flow.wb")
    Self.expectNothing(in: debugged, "debug")
  }

  @Test func `a setting is the secret that it becomes later`() async throws {
    let run = try FlowWorld(
      script: """
        profile api { base https://api.test }
        let v = ""
        POST https://other.test/x text ($v | upper)
        secret s = $v for api

        """)
    _ = await RunSubcommand(
      world: run.world, style: ReportStyle(.lines, .verbose), options: ScriptOptions(settings: ["v": Source.token]),
      recording: .directory(run.store)
    ).run(file: "/work/flow.wb")
    #expect(run.foreignRequests.isEmpty)
    Self.expectNothing(in: run, "run")
  }

  /// A block around the one that reads it declares it, directly or through other names.
  private static let declaredOutside = [
    """
    parallel {
      g: POST api:/grant
      GET api:/nope
    }
    secret at = $g.body.access_token for api
    finally {
      h: GET api:/last
      POST https://other.test/x text $h.body.old
    }
    """,
    "parallel {\ng: POST api:/grant\n}\nsecret at = $g.body.access_token for api\nPOST https://other.test/x text $g.body.other",
    "for $i in [1, 2] {\ng: POST api:/grant\n}\nsecret at = $g[0].body.access_token for api\nPOST https://other.test/x text $g[0].body.other",
    """
    sequence login() {
      g: POST api:/grant
      let token = $g.body.access_token
    }
    r: run login()
    secret at = $r.token for api
    h: GET api:/last
    POST https://other.test/x text ($h.body.old | upper)
    """,
    """
    sequence login() {
      for $i in [1] {
        g: POST api:/grant
        let inner = $g.body.list
      }
      let token = $inner[0][0]
    }
    parallel {
      r: run login()
    }
    let t = "{$r.token}"
    secret at = $t for api
    let u = $r.token
    POST https://other.test/x text ($u | upper)
    """,
    "g: POST api:/grant\nlet t = $g.body.access_token\nsecret at = $t for api\nPOST https://other.test/x text $t",
  ]

  @Test(arguments: declaredOutside)
  func `what an outer block declares as a secret is one from the response on`(script: String) async throws {
    try await Self.expectNothingLeaves(script)
  }

  /// Without a profile nobody declares what `auth` is given.
  private static let ownCredentials = [
    "auth bearer $env.TOK", "auth basic \"ann\", $env.TOK", "auth bearer \"{$env.TOK}\"",
    "auth sigv4 { key: \"AKIA0\", secret: $env.TOK, token: $env.TOK, region: \"r\", service: \"s\" }",
  ]

  @Test(arguments: ownCredentials)
  func `what a step's own auth is given is a secret for its origin`(clause: String) async throws {
    let step = "GET https://api.test/echo \(clause)"
    let flow = try FlowWorld(
      script:
        "\(step)\na: \(step)\nGET https://third.test/x \(clause)\nPOST https://other.test/x text (($env.TOK ?? \"\") | upper)\n"
    )
    _ = await RunSubcommand(
      world: flow.world, style: ReportStyle(.lines, .verbose), recording: .directory(flow.store)
    ).run(file: "/work/flow.wb")
    #expect(flow.shown.contains("not to https://other.test"), "\(flow.shown)")
    #expect(!flow.foreignRequests.contains { $0.url.contains("other.test") })
    #expect(flow.foreignRequests.count == 1, "the same credential may be given to another step")
    _ = await ResumeSubcommand(world: flow.world, style: ReportStyle(.lines, .verbose), directory: flow.store).run(
      "last")
    _ = await SendSubcommand(world: flow.world, parts: [.everything, .beside]).run(step)
    Self.expectNothing(left: flow, "auth")
  }

  /// Runs the script, and steps through it in the debugger: nothing of a secret goes to another origin.
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

  static func expectNothing(in flow: FlowWorld, _ way: String, isShownBefore: Bool = false) {
    let leak = Leak(of: pieces)
    for request in flow.foreignRequests {
      if let (text, _) = leak.found(in: Data(request.text.utf8)).first {
        Issue.record("\(way): \"\(text)\" went elsewhere")
      }
    }
    if !isShownBefore { expectNothing(left: flow, way) }
  }

  static func expectNothing(left flow: FlowWorld, _ way: String) {
    let leak = Leak(of: pieces)
    // The body that `send` writes is what was asked for.
    for (name, bytes) in flow.leftovers() where name != "the file /work/-" {
      if let (text, around) = leak.found(in: bytes).first {
        Issue.record("\(way): \"\(text)\" in \(name): \(around)")
      }
    }
  }
}
