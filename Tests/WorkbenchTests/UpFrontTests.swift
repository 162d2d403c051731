import Foundation
import LoopbackServer
import Testing

/// What is certain to go wrong is said before anything is sent, and no advice is given that cannot help.
@Suite(.timeLimit(.minutes(2))) struct UpFrontTests {
  private let state: TemporaryFile

  init() throws { state = try TemporaryFile("", name: "state") }

  private func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(headers: ["Content-Type: application/json"], body: #"{"items": [], "id": 7}"#)
      }
    }
  }

  private func workbench(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> Workbench.Outcome
  {
    try await Workbench.run(
      arguments, environment: environment.merging(["XDG_STATE_HOME": state.path + ".d", "NO_COLOR": "1"]) { $1 })
  }

  static let certain = [
    "GET {}/2 header X-Colour: $env.COLOUR_MISSING", "GET {}/2 colour=={$env.COLOUR_MISSING}",
    "let colour = $env.COLOUR_MISSING\nGET {}/2?c={$colour}", "POST {}/2 json { a: [\"{$env.COLOUR_MISSING}\"] }",
    "parallel {\nGET {}/2\nGET {}/3?c={$env.COLOUR_MISSING}\n}",
    "for $i in [1, 2] {\nGET {}/2?c={$env.COLOUR_MISSING}\n}", "finally {\nGET {}/2?c={$env.COLOUR_MISSING}\n}",
    "sequence s(c = $env.COLOUR_MISSING) {\nGET {}/2?c={$c}\n}\nrun s()",
    "sequence s() {\nGET {}/2?c={$env.COLOUR_MISSING}\n}\nrun s()", "GET {}/2 expect body.id == $env.COLOUR_MISSING",
  ]

  @Test(arguments: certain) func `a variable that is missing is found before anything is sent`(step: String)
    async throws
  {
    let server = try server()
    let script = try TemporaryFile("GET \(server.url)/1\n\(step.replacing("{}", with: server.url))\n", name: "env.wb")
    for command in ["run", "test", "debug"] {
      let outcome = try await workbench([command, script.path])
      #expect(outcome.code != 0 && server.requests.isEmpty, "\(command) \(outcome)")
      let said = outcome.output + outcome.errors
      #expect(said.contains("the environment has no \"COLOUR_MISSING\""), "\(command) \(outcome)")
      #expect(!said.contains("continue with"), "\(command) \(outcome)")
    }
    let added = try await workbench(["queue", "add", script.path])
    #expect(added.code != 0 && added.errors.contains("COLOUR_MISSING"), "\(added)")
    #expect(try await workbench(["check", script.path]).code == 0)
  }

  static let uncertain = [
    "GET {}/2 header X-Colour: $env.COLOUR_MISSING when 1 == 2", "GET {}/2?c={$env.COLOUR_MISSING ?? \"red\"}",
    "a: GET {}/2\nfor $i in $a.body.items {\nGET {}/3?c={$env.COLOUR_MISSING}\n}",
    "GET {}/2?c={if 1 == 2 then $env.COLOUR_MISSING else 1}",
    "sequence s() {\nGET {}/2?c={$env.COLOUR_MISSING}\n}\nGET {}/2",
    "sequence s(c = $env.COLOUR_MISSING) {\nGET {}/2?c={$c}\n}\nrun s(\"red\")",
  ]

  @Test(arguments: uncertain) func `what may not be needed is no reason to refuse`(step: String) async throws {
    let server = try server()
    let script = try TemporaryFile("GET \(server.url)/1\n\(step.replacing("{}", with: server.url))\n", name: "env.wb")
    let outcome = try await workbench(["run", script.path])
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `a value that is set is not looked for, and what is wrong with it is on the command line`() async throws {
    let server = try server()
    let script = try TemporaryFile(
      "let colour = $env.COLOUR_MISSING\nsequence one(id: int) {\nGET \(server.url)/{$id}?c={$colour}\n}\n",
      name: "set.wb")
    let set = ["run", script.path, "one", "--set", "colour=red", "--set"]
    let fine = try await workbench(set + ["id=3"])
    #expect(fine.code == 0 && server.requests.count == 1, "\(fine)")
    let wrong = try await workbench(set + ["id=x"])
    #expect(wrong.code != 0 && server.requests.count == 1, "\(wrong)")
    #expect(
      wrong.errors.contains("parameter \"id\" is an int, not \"x\"\n --> command line:1:4")
        && wrong.errors.contains("id=x"),
      "\(wrong.errors)")
    #expect(!wrong.errors.contains("continue with"), "\(wrong.errors)")
  }

  @Test func `what stops a run before it sends anything does not offer to continue it`() async throws {
    let server = try server()
    let script = try TemporaryFile("PUT \(server.url)/1 body file(\"no-such.png\")\n", name: "file.wb")
    let outcome = try await workbench(["run", script.path])
    #expect(outcome.code == 25 && !outcome.errors.contains("continue with"), "\(outcome)")
    let inside = try TemporaryFile(
      "sequence s() {\nPUT \(server.url)/1 body file(\"no-such.png\")\n}\nrun s()\n", name: "inside.wb")
    let within = try await workbench(["run", inside.path])
    #expect(within.code == 25 && !within.errors.contains("continue with"), "\(within)")
    let later = try TemporaryFile(
      "GET \(server.url)/1\nPUT \(server.url)/1 body file(\"no-such.png\")\n", name: "later.wb")
    let stopped = try await workbench(["run", later.path])
    #expect(stopped.code == 25 && stopped.errors.contains("continue with: workbench resume"), "\(stopped)")
  }

  @Test func `what a secret is called, and a variable that is meant elsewhere, are not suggested`() async throws {
    let server = try server()
    let script = try TemporaryFile(
      """
      profile api { base \(server.url) }
      secret password = $env.APP_PASSWORD for api
      secret first = $env.NOPE_A for api
      GET /1 header X: $first
      GET /2 header X: $password
      """, name: "names.wb")
    let variables = ["APP_PASSWORD": "horse-battery-9", "NOPE_A": "staple-11"]
    #expect(try await workbench(["run", script.path], variables).code == 0)
    let replayed = try await workbench(["replay", "last"])
    #expect(!replayed.errors.contains("did you mean"), "\(replayed)")
    let other = try TemporaryFile(
      try script.read().replacing("$env.APP_PASSWORD", with: "$env.NOPE_B"), name: "other.wb")
    let outcome = try await workbench(["run", other.path], variables)
    #expect(outcome.errors.contains("has no \"NOPE_B\""), "\(outcome)")
    #expect(!outcome.errors.contains("did you mean"), "\(outcome)")
  }

  @Test func `a directory is checked, all of it`() async throws {
    let directory = try TemporaryFile("", name: "dir").path + ".d"
    try FileManager.default.createDirectory(atPath: directory + "/sub", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try Data("GET http://a.test/ expekt 200\n".utf8).write(to: URL(filePath: directory + "/sub/wrong.wb"))
    try Data("let a = 1\n".utf8).write(to: URL(filePath: directory + "/fine.wb"))
    let outcome = try await workbench(["check", directory])
    #expect(outcome.code == 2 && outcome.errors.contains("sub/wrong.wb:1:"), "\(outcome)")
    try FileManager.default.removeItem(atPath: directory + "/sub/wrong.wb")
    #expect(try await workbench(["check", directory]).code == 0)
    try FileManager.default.removeItem(atPath: directory + "/fine.wb")
    let empty = try await workbench(["check", directory])
    #expect(empty.code == 25 && empty.errors.contains("there is no script in"), "\(empty)")
  }

  @Test(arguments: [
    ("POST {}/1 multipart { file: file(\"no-such.pdf\") }", true), ("POST {}/1 f@no-such.pdf", true),
    ("sequence s() {\nPUT {}/1 body file(\"no-such.pdf\")\n}", true),
    ("GET {}/1 save body to \"made.json\"\nPUT {}/2 body file(\"no-such.pdf\")", true),
    ("GET {}/1 save body to \"out/{$env.HOME}.json\"\nPUT {}/2 body file(\"no-such.pdf\")", true),
    ("GET {}/1 save body to \"no-such.pdf\"\nPUT {}/2 body file(\"./no-such.pdf\")", false),
    ("GET {}/1 save body to \"no-{$env.HOME}.pdf\"\nPUT {}/2 body file(\"no-such.pdf\")", false),
    ("let n = \"no-such.pdf\"\nPUT {}/1 body file($n)", false), ("PUT {}/1 body file(\"there.wb\")", false),
  ])
  func `a file that is not there is remarked on by check, and is no reason to refuse`(step: String, isNoted: Bool)
    async throws
  {
    let server = try server()
    let script = try TemporaryFile(step.replacing("{}", with: server.url) + "\n", name: "there.wb")
    let outcome = try await workbench(["check", script.path])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("warning: there is no file \"no-such.pdf\"") == isNoted, "\(outcome)")
    #expect(isNoted || outcome.errors.isEmpty, "\(outcome)")
  }

  @Test func `the name of a file in place of the file is a warning, where there is such a file`() async throws {
    let server = try server()
    let image = try TemporaryFile("bytes", name: "image.png")
    let name = "../" + image.path.split(separator: "/").suffix(2).joined(separator: "/")
    let script = try TemporaryFile(
      "POST \(server.url)/1 multipart { key: \"\(name)\", file: \"\(name)\" }\n", name: "text.wb")
    for command in ["check", "run"] {
      let outcome = try await workbench([command, script.path])
      #expect(outcome.code == 0, "\(outcome)")
      #expect(
        outcome.errors.contains("warning: the text \"\(name)\" is sent, and not the file of that name")
          && outcome.errors.contains("write file(\"\(name)\") for the file"), "\(outcome)")
    }
    let other = try TemporaryFile("POST \(server.url)/1 multipart { file: \"no-such.png\" }\n", name: "other.wb")
    #expect(try await workbench(["check", other.path]).errors.isEmpty)
  }

  @Test(arguments: ["http", "hurl"])
  func `hints about a file of another tool can be followed`(format: String) async throws {
    let server = try server()
    let isHurl = format == "hurl"
    let variable = isHurl ? "{{tok}}" : "{{$processEnv SOME_TOKEN}}"
    let file = try TemporaryFile(
      "GET \(server.url)/1\nAuthorization: Bearer \(variable)\n", name: "a.\(format)")
    let environment = ["SOME_TOKEN": "some-token-0123456789", "HURL_VARIABLE_tok": "some-token-0123456789"]
    func use(_ name: String) throws -> TemporaryFile {
      try TemporaryFile("profile \(name) { base \(server.url) auth bearer $env.SOME_TOKEN }\n", name: "dev.wb")
    }
    let alone = try await workbench(["check", file.path], environment)
    let hint = "to bind it to an origin: --use FILE, with secret name = $env.SOME_TOKEN for http"
    #expect(alone.errors.contains(hint) == !isHurl, "\(alone.errors)")
    let own = try use("api")
    let both = try await workbench(["run", file.path, "--use", own.path], environment)
    let advice = "in the file for --use, call the profile \"\(format)\": it then counts in place of this file's own"
    #expect(both.code == 2 && both.errors.contains(advice), "\(both.errors)")
    let same = try use(format)
    let followed = try await workbench(["run", file.path, "--use", same.path], environment)
    #expect(followed.code == 0 && followed.errors.isEmpty, "\(followed)")
  }

  @Test func `mistakes in one's own profiles do not concern a whole URL`() async throws {
    let server = try server()
    let home = state.path + ".home"
    try FileManager.default.createDirectory(atPath: home + "/workbench", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    try Data("profile mine {\n  bace http://a.test\n}\n".utf8).write(to: URL(filePath: home + "/workbench/profiles.wb"))
    let environment = ["XDG_CONFIG_HOME": home]
    let sent = try await workbench(["send", "GET", "\(server.url)/1"], environment)
    #expect(sent.code == 0 && server.requests.count == 1, "\(sent)")
    #expect(
      sent.errors.contains("warning: ") && sent.errors.contains("profiles.wb:2:")
        && sent.errors.contains("until this is fixed, none of your own profiles is used"), "\(sent.errors)")
    let named = try await workbench(["send", "--profile", "mine", "GET", "/1"], environment)
    #expect(named.code == 2, "\(named)")
    let doctor = try await workbench(["doctor"], environment)
    #expect((doctor.output + doctor.errors).contains("has mistakes, so it is not used"), "\(doctor)")
  }
}
