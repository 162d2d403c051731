import Formats
import Foundation
import HTTPTypes
import LineEditing
import Prompt
import Requests
import SecretFlow
import Sessions
import Subcommands
import Testing
import UploaderCore

/// What a secret, or what a profile sends, was put together from is as secret as the whole.
@Suite struct SecretPartTests {
  private static let api = "profile api { base https://api.test }\n"
  private static let grant = "\(api)g: POST api:/grant\n"
  private static let late = "profile late { base https://api.test "

  /// What the check cannot see: the response has the same text elsewhere.
  private static let putTogether =
    [
      "secret at = \"Bearer {$g.body.access_token}\" for api\nGET api:/x header Authorization: $at",
      "secret at = \"id:{$g.body.access_token}\" | base64 for api\nGET api:/x header Authorization: \"Basic {$at}\"",
      "secret at = [$g.body.access_token, \"x\"] | join(\":\") for api",
      "secret at = { t: $g.body.access_token } | json for api",
      "let u = $g.body.access_token | upper\nsecret at = $u for api",
      "secret at = $g.body.access_token | sha256 for api",
      "let t = $g.body.access_token\n\(late)auth bearer $t }\nGET late:/x",
      "let t = \"pre{$g.body.access_token}\"\nlet u = \"{$t}!\"\n\(late)header X-Key: \"K {$u}\" }\nGET late:/x",
      "let t = $g.body.access_token\n\(late)query k: ($t | upper) }\nGET late:/x",
    ].flatMap { secret in
      ["$g.body.other", "($g.body.other | upper)"].map { "\(grant)\(secret)\nPOST https://other.test/x text \($0)" }
    }
    + [
      // Of what is not a response, an echo comes back.
      "secret s = \"Bearer {$env.TOK}\" for api", "let t = $env.TOK\nsecret s = \"Bearer {$t}\" for api",
      "secret s = [\"Bearer\", file($env.FILE).text | trim] | join(\" \") for api",
      "let t = $env.TOK\n\(late)header Authorization: \"Bearer {$t}\" }",
      "let t = \"pre{$env.TOK}\"\n\(late)auth bearer $t }",
      "let f = file($env.FILE).text | trim\n\(late)header X-Key: \"K {$f}\" }",
      "let p = $env.TOK\nlet c = \"u:{$p}\"\n\(late)header X-Key: \"{$c}\" }",
      "let t = $env.TOK\n\(late)header X-Sig: ($t | sha256) }",
    ].map { "\(api)\($0)\nm: GET api:/last-token\nPOST https://other.test/x text ($m.body.token | upper)" }

  @Test(arguments: putTogether)
  func `what a secret was put together from goes nowhere else and is not shown`(script: String) async throws {
    for way in ["run", "debug"] {
      let flow = try await Self.run(script, way)
      #expect(flow.shown.contains("may go to https://api.test only"), "\(way): \(flow.shown)")
      #expect(!flow.ownRequests.isEmpty)
      #expect(flow.foreignRequests.isEmpty, "\(way)")
      LateSecretTests.expectNothing(in: flow, way)
    }
  }

  /// A `secret` statement in a later block, or in a sequence that is run later.
  private static let inLaterBlocks = [
    "finally {\nsecret at = $g.body.access_token for api\nPOST api:/mirror text $at\n}",
    "parallel {\nsecret at = $g.body.access_token for api\nGET api:/x\n}",
    "parallel {\nsecret at = $g.body.access_token for api\nrun s()\n}\nsequence s() {\nGET api:/x\n}",
    "let t = $g.body.access_token\nsequence s() {\nsecret at = $t for api\nPOST api:/mirror text $at\n}\nrun s()",
    "sequence s(t) {\nsecret at = $t for api\nPOST api:/mirror text $at\n}\nrun s($g.body.access_token)",
    "let t = $g.body.access_token\nsequence s() {\nfinally {\nrun r()\n}\n}\nsequence r() {\nsecret at = $t for api\n}\nrun s()",
    // Only bound there.
    "parallel {\nlet u = $g.body.access_token\nGET api:/x\n}\nsecret at = $u for api",
    "parallel {\nparallel {\nlet u = \"{$g.body.access_token}\"\n}\n}\nlet v = $u\nsecret at = $v for api",
    "sequence s(t) {\nlet u = $t\n}\nr: run s($g.body.access_token)\nsecret at = $r.u for api",
    "let t = $g.body.access_token\nparallel {\nr: run s()\n}\nsequence s() {\nlet u = $t\n}\nsecret at = $r.u for api",
    // The default of a parameter.
    "let t = $g.body.access_token\nsequence s(u = $t) {\nsecret at = $u for api\n}\nrun s()",
    "let t = $g.body.access_token\nsequence s(u = \"{$t}\") {\nsecret at = $u for api\n}\nfinally {\nrun s()\n}",
  ].map { "\(grant)POST https://other.test/x text $g.body.other\n\($0)" }

  /// A later step is given it as its own `auth`.
  private static let givenLater = [
    "GET https://api.test/x auth bearer $g.body.access_token",
    "GET https://api.test/x auth basic \"ann\", $g.body.access_token",
    "let t = $g.body.access_token\nlet u = \"pre{$t}\"\nGET api:/x auth bearer $u",
    "let host = \"https://api.test\"\nlet t = $g.body.access_token\nGET $host/x auth bearer $t",
    "GET api:/x auth sigv4 { key: \"AKIA0\", secret: $g.body.access_token, region: \"r\", service: \"s\" }",
    // A header that is an `auth` written out.
    "GET api:/x header Authorization: $g.body.access_token",
    "GET api:/x header Authorization: \"Bearer {$g.body.access_token}\"",
    "GET api:/x Authorization:\"Bearer {$g.body.access_token}\"",
    "GET api:/x header { Authorization: \"Token {$g.body.access_token}\" }",
    "GET https://api.test/x header Proxy-Authorization: \"Bearer {$g.body.access_token}\"",
    "let t = \"ann:{$g.body.access_token}\" | base64\nGET api:/x header Authorization: \"Basic {$t}\"",
    "sequence s(t) {\nGET api:/x header Authorization: \"Bearer {$t}\"\n}\nrun s($g.body.access_token)",
    "parallel {\nGET api:/x auth bearer $g.body.access_token\nGET api:/y\n}",
    "finally {\nGET api:/x auth bearer $g.body.access_token\n}",
    "sequence s(t) {\nGET api:/x auth bearer $t\n}\nrun s($g.body.access_token)",
  ].map { "\(grant)POST https://other.test/x text $g.body.other\n\($0)" }

  @Test(arguments: givenLater)
  func `what a later step's own auth is given is a secret from the response on`(script: String) async throws {
    for way in ["run", "debug"] {
      let flow = try await Self.run(script, way)
      #expect(
        flow.shown.contains("the credential of a step may go to https://api.test"), "\(way): \(flow.shown)")
      #expect(!flow.ownRequests.isEmpty && flow.foreignRequests.isEmpty, "\(way)")
      LateSecretTests.expectNothing(in: flow, way)
    }
  }

  /// What one origin was given is not given to another by a step that is sent there with it, before or afterwards.
  @Test(arguments: [
    "GET https://other.test/x auth bearer $g.body.access_token\nrun s($g.body.access_token)",
    "run s($g.body.access_token)\nGET https://other.test/x auth bearer $g.body.access_token",
    "parallel {\nGET https://other.test/x auth bearer $g.body.access_token\nGET api:/y\n}\nrun s($g.body.access_token)",
  ])
  func `what two steps of two origins are given belongs to the first`(steps: String) async throws {
    let script =
      "\(Self.grant)GET api:/x auth bearer $g.body.access_token\n\(steps)\n"
      + "sequence s(t) {\nPOST https://other.test/x text ($t | upper)\nPOST https://other.test/y text $t\n}"
    for way in ["run", "debug"] {
      let flow = try await Self.run(script, way)
      #expect(
        flow.shown.contains("the credential of $2 may go to https://api.test only")
          || flow.shown.contains("the credential of a step may go to https://api.test only"),
        "\(way): \(flow.shown)")
      #expect(flow.foreignRequests.allSatisfy { $0.headers[.authorization] != nil }, "\(way): \(flow.shown)")
    }
  }

  /// Who asks is not secret in a header whose fields say it.
  @Test func `of fields in a header only all of them are a secret`() async throws {
    let flow = try await Self.run(
      "\(Self.grant)GET api:/x header Authorization: \"Sig id=\\\"{$g.body.other}\\\", sig=\\\"1\\\"\"\n"
        + "POST https://other.test/x text \"n{$g.body.other}\"",
      "run")
    #expect(flow.foreignRequests.count == 1, "\(flow.shown)")
  }

  @Test(arguments: inLaterBlocks)
  func `what a later block declares as a secret is one from the response on`(script: String) async throws {
    for way in ["run", "debug"] {
      let flow = try await Self.run(script, way)
      #expect(flow.shown.contains("may go to https://api.test only"), "\(way): \(flow.shown)")
      #expect(flow.foreignRequests.isEmpty, "\(way)")
      LateSecretTests.expectNothing(in: flow, way)
    }
  }

  @Test func `sequences that run each other are looked into without an end in sight`() async throws {
    let flow = try await Self.run(
      "\(Self.grant)sequence a(n) {\nsecret x = $n for api\nrun a($n) when false\nrun a($n) when false\n}\nrun a($g.body.access_token)\n",
      "run")
    #expect(flow.ownRequests.count == 1, "\(flow.shown)")
    LateSecretTests.expectNothing(in: flow, "run")
  }

  @Test func `a value set in the debugger for a step's own auth is not recorded`() async throws {
    let flow = try FlowWorld(
      script: "let v = \"\"\n\(Self.api)GET api:/first\nGET api:/second auth bearer \"x{$v}\"\nGET api:/third\n")
    _ = await DebugRun(
      world: flow.world,
      editor: ScriptedLineEditor(lines: ["n", "set v = \"\(Source.token)\"", "n", "n", "q"]),
      recording: .directory(flow.store), directory: flow.store
    ).run(file: "/work/flow.wb")
    #expect(flow.ownRequests.contains { $0.headers[.authorization] == "Bearer x\(Source.token)" }, "\(flow.shown)")
    // The screen shows what is typed.
    for (name, bytes) in flow.leftovers() where name != "the screen" {
      #expect(Leak(of: [Source.token]).found(in: bytes).isEmpty, "\(name)")
    }
  }

  /// What the check sees, as it says it.
  private static let seen: [(script: String, message: String)] = [
    (
      "\(grant)secret at = \"Bearer {$g.body.access_token}\" for api\nPOST https://other.test/x text $g.body.access_token",
      "$g.body.access_token is a part of $at, which may go to https://api.test only"
    ),
    (
      "\(grant)secret at = \"{$g.body[\"id\"]}:{$g.body.access_token}\" | base64 for api\nPOST https://other.test/x text $g.body.id",
      "$g.body.id is a part of $at, which"
    ),
    (
      "\(grant)let t = $g.body\nsecret at = \"Bearer {$t.access_token}\" for api\nPOST https://other.test/x json $g.body",
      "$g.body is a part of $at, which"
    ),
    (
      "\(api)secret at = \"Bearer {$env.TOK}\" for api\nPOST https://other.test/x text ($env.TOK | upper)",
      "$env.TOK is a part of $at, which"
    ),
    (
      "\(api)secret at = $env.TOK for api\nPOST https://other.test/x text ($env.TOK | upper)",
      "the secret $at may go to https://api.test only"
    ),
    (
      "let t = $env.TOK\n\(late)header X-Key: \"K {$t}\" }\nPOST https://other.test/x text $env.TOK",
      "$env.TOK is a part of late's X-Key, which"
    ),
    (
      "\(grant)let t = $g.body.access_token\n\(late)auth bearer $t }\nPOST https://other.test/x text $g.body.access_token",
      "the secret late's credential may go to https://api.test only"
    ),
    (
      "\(grant)POST https://other.test/x text $g.body.access_token\nGET api:/x auth bearer $g.body.access_token",
      "the secret a step's own auth may go to https://api.test only"
    ),
    (
      "\(grant)let t = $g.body\nPOST https://other.test/x json $g.body\nGET api:/x auth basic \"ann\", \"x{$t.access_token}\"",
      "$g.body is a part of a step's own auth, which may go to https://api.test only"
    ),
  ]

  @Test(arguments: seen.indices)
  func `check reports a part that goes elsewhere`(index: Int) async throws {
    let flow = try await Self.run(Self.seen[index].script, "run")
    #expect(flow.shown.contains(Self.seen[index].message), "\(flow.shown)")
    #expect(flow.ownRequests.isEmpty && flow.foreignRequests.isEmpty)
  }

  /// Which is what the user said.
  private static let allowed = [
    // A short part is an identifier.
    "\(grant)let i = $g.body.id\nsecret at = \"{$i}:{$g.body.access_token}\" for api\nPOST https://other.test/x text $i",
    // The same part in secrets of two profiles.
    """
    profile api { base https://api.test }
    profile other { base https://other.test }
    secret a = "{$env.TOK}:one" | base64 for api
    secret b = "{$env.TOK}:two" | base64 for other
    GET api:/x header Authorization: "Basic {$a}"
    GET other:/x header Authorization: "Basic {$b}"
    """,
    """
    let t = $env.TOK
    profile api { base https://api.test header Authorization: ("{$t}:one" | base64) }
    profile other { base https://other.test header Authorization: ("{$t}:two" | base64) }
    secret x = "{$t}:three" for api
    GET api:/x
    GET other:/x
    """,
    // What another step is given, and what is not known before the run.
    "\(grant)GET api:/x auth bearer $g.body.access_token\nPOST https://other.test/x auth bearer $g.body.access_token",
    "\(grant)let u = $env.NONE ?? \"https://other.test\"\nGET $u/x auth bearer $g.body.access_token\nGET https://other.test/x header X-Key: $g.body.access_token when false",
    // A label in a sequence is another one.
    "\(grant)GET api:/x auth bearer $g.body.access_token when false\nsequence s() {\ng: GET api:/x\nPOST https://other.test/x text $g.body.access_token when false\nPOST https://other.test/x\n}\nrun s()",
    // The path of a file is not in its content.
    "\(api)let p = $env.FILE\nlet f = file($p).text | trim\nsecret s = \"K {$f}\" for api\nGET api:/x header X-Key: $s\nPOST https://other.test/x text $p",
  ]

  @Test(arguments: allowed)
  func `what is declared for an origin may go there`(script: String) async throws {
    let flow = try await Self.run(script, "run")
    #expect(!flow.ownRequests.isEmpty && flow.foreignRequests.count == 1, "\(flow.shown)")
    LateSecretTests.expectNothing(left: flow, "run")
  }

  /// A step's own credential, however much is signed with another secret in between.
  @Test func `the credential of a step is not forgotten`() async throws {
    let items = (0..<200).map(String.init).joined(separator: ",")
    let flow = try await Self.run(
      """
      profile q { base https://api.test }
      secret k = $env.KEY for q
      GET https://api.test/echo auth bearer $env.TOK
      for $j in ("\(items)" | split(",")) {
        GET q:/x header X-Sig: ("n{$j}" | hmac-sha256($k))
      }
      POST https://other.test/x text ($env.TOK ?? "")
      """, "run")
    #expect(flow.ownRequests.count == 201)
    #expect(flow.foreignRequests.isEmpty, "\(flow.shown.suffix(300))")
    LateSecretTests.expectNothing(left: flow, "run")
  }

  /// `curl -u KEY:` sends the key as the user.
  @Test(arguments: [
    "GET https://api.test/echo auth basic $env.TOK, \"\"", "GET https://api.test/echo auth basic \"{$env.TOK}\", \"x\"",
    "let t = $env.TOK\nprofile late { base https://api.test auth basic $t, \"\" }\na: GET late:/echo",
    "profile late { base https://api.test auth basic $env.TOK, \"\" }\na: GET late:/echo",
  ])
  func `a user without a password is the secret`(step: String) async throws {
    let step = step.contains("a: ") ? step : "a: \(step)"
    for sent in ["$a.request.headers.authorization", "($a.body.sent | upper)"] {
      let flow = try await Self.run("\(step)\nPOST https://other.test/x text \(sent)", "run")
      #expect(flow.ownRequests.count == 1, "\(flow.shown)")
      #expect(flow.ownRequests.first?.headers[.authorization]?.hasPrefix("Basic ") == true)
      #expect(flow.foreignRequests.isEmpty, "\(flow.shown)")
      let pair = Base64Text.encode("\(Source.token):")
      #expect(!flow.shown.contains(pair.dropLast(8)), "\(flow.shown)")
      LateSecretTests.expectNothing(left: flow, "run")
    }
  }

  /// Both ends of it say something about the password, and are not a part of any form of it.
  @Test(arguments: 4...9) func `what a user and a password are encoded as is a secret`(count: Int) async throws {
    let password = String(Source.token.suffix(count))
    let steps = [
      "a: GET https://api.test/echo auth basic \"ann\", \"\(password)\"",
      "let t = ($env.TOK ?? \"\" | slice(\(Source.token.count - count), \(count)))\na: GET https://api.test/echo auth basic \"ann\", $t",
      "profile late { base https://api.test auth basic \"ann\", \"\(password)\" }\na: GET late:/echo",
    ]
    let pair = Base64Text.encode("ann:\(password)")
    for step in steps {
      for sent in ["$a.request.headers.authorization", "$a.body.sent", "($a.body.sent | lower)"] {
        let flow = try await Self.run("\(step)\nPOST https://other.test/x text \(sent)", "run")
        #expect(flow.ownRequests.count == 1, "\(flow.shown)")
        #expect(flow.ownRequests.first?.headers[.authorization] == "Basic \(pair)")
        #expect(flow.foreignRequests.isEmpty, "\(flow.shown)")
        #expect(!flow.shown.contains(pair.prefix(6)), "\(flow.shown)")
      }
    }
  }

  /// A profile that reads what a response brings is complete once the response is there.
  @Test(arguments: [
    "let t = $g.body.access_token\n\(late)auth bearer $t }\nGET late:/x",
    "\(late)auth bearer $u }\nlet t = $g.body.access_token\nlet u = \"{$t}\"\nGET late:/x",
    "r: run s()\nsequence s() {\nh: GET api:/last\nlet t = $h.body.old\n}\nlet u = $r.t\n\(late)auth bearer $u }\nGET late:/x",
  ])
  func `a profile may read a let of a response`(script: String) async throws {
    let flow = try await Self.run("\(Self.grant)\(script)", "run")
    #expect(flow.ownRequests.last?.headers[.authorization] == "Bearer \(Source.received)", "\(flow.shown)")
    #expect(flow.ownRequests.last?.url == "https://api.test/x")
  }

  @Test func `a step before the let that its profile needs is not sent`() async throws {
    let flow = try await Self.run(
      "\(Self.grant)\(Self.late)auth bearer $t }\nGET late:/x\nlet t = $g.body.access_token\n", "run")
    #expect(flow.ownRequests.count == 1, "\(flow.shown)")
  }

  private static func run(_ script: String, _ way: String) async throws -> FlowWorld {
    let flow = try FlowWorld(script: script + "\n")
    if way == "run" {
      _ = await RunSubcommand(
        world: flow.world, style: ReportStyle(.lines, .verbose), recording: .directory(flow.store)
      ).run(file: "/work/flow.wb")
    } else {
      _ = await DebugRun(
        world: flow.world, editor: ScriptedLineEditor(lines: Array(repeating: "n", count: 12) + ["q"]),
        recording: .directory(flow.store), directory: flow.store
      ).run(file: "/work/flow.wb")
    }
    return flow
  }
}
