import Canaries
import Foundation
import LoopbackServer
import Synchronization
import Testing

/// `--vars`, `--env-file` and `--use`, through every command that has them.
@Suite(.timeLimit(.minutes(2))) struct OutsideValuesTests {
  private static let token = Canary.secret("outside-env")
  private static let fromEnvironment = Canary.secret("outside-process")

  /// A folder with a script and the files, and a server that keeps what it was asked.
  private final class Place: Sendable {
    let directory: TemporaryFile
    let server: LoopbackServer
    private let received: Bodies
    var path: String { directory.url.deletingLastPathComponent().path }
    var store: String { "\(path)/store" }

    init(status: String = "200 OK") throws {
      directory = try TemporaryFile("", name: "here")
      let received = Bodies()
      self.received = received
      server = try LoopbackServer { connection in
        while let request = try connection.readRequest() {
          received.texts.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
          try connection.respond(status, headers: ["Content-Type: application/json"], body: #"{"id": 7}"#)
        }
      }
      try put(
        "script.wb",
        """
        let host = "http://127.0.0.1:1"
        let size = 1
        let tags = []
        profile api { base $host auth bearer $env.OUTSIDE_TOKEN }
        sequence one(sheet: string, count: int = 1) {
          POST api:/{$sheet} json { count: $count, size: $size, tags: $tags }
        }
        run one("A-1")

        """)
      try put(
        "staging.wb",
        """
        let host = "\(server.url)"
        profile api { base $host auth bearer $env.OUTSIDE_TOKEN header X-Stage: staging }

        """)
      try put("values.yaml", "size: 7\ntags: [a, b]\nsheet: 103\ncount: \"4\"\nunknown: 1\nsome text: 2\n")
      try put("values.json", "{\"host\": \"\(server.url)\", \"size\": 8}")
      try put(".env", "OUTSIDE_TOKEN='\(OutsideValuesTests.token)'\n")
    }

    func put(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }

    func run(
      _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) async throws -> Workbench.Outcome {
      try await Workbench.run(arguments, input: input, environment: environment, directory: path)
    }

    var requests: [String] { server.requests }
    var bodies: [String] { received.texts.withLock { $0 } }
  }

  private final class Bodies: Sendable {
    let texts = Mutex<[String]>([])
  }

  private static func isAuthorized(_ request: String, _ token: String = token) -> Bool {
    request.lowercased().contains("authorization: bearer \(token)".lowercased())
  }

  private static let all = ["--use", "staging.wb", "--vars", "values.yaml", "--env-file", ".env"]

  @Test func `a run takes all three, and --set wins`() async throws {
    let place = try Place()
    let outcome = try await place.run(
      "run", "script.wb", "--use", "staging.wb", "--vars", "values.yaml", "--env-file", ".env", "--set", "size=9", "-v")
    #expect(outcome.code == 0, "\(outcome)")
    let request = try #require(place.requests.first)
    #expect(request.hasPrefix("POST /103 "))
    #expect(request.lowercased().contains("x-stage: staging"))
    #expect(Self.isAuthorized(request))
    #expect(place.bodies == [#"{"count":4,"size":9,"tags":["a","b"]}"#])
    #expect(!(outcome.output + outcome.errors).contains(Self.token))
  }

  @Test func `a request from the command line takes it like a script`() async throws {
    let place = try Place()
    try place.put("kinds.wb", "let n = 600\nlet on = true\n")
    let line = "POST \(place.server.url)/x json { n: $n, on: $on, text: $text }"
    let given = ["--use", "kinds.wb", "--set", "n=5", "--set", "on=false", "--set", "text=7"]
    let sent = try await Workbench.run(["send"] + given + [line], directory: place.path)
    #expect(sent.code == 0, "\(sent)")
    let wrong = try await Workbench.run(
      ["send", "--use", "kinds.wb", "--set", "n=five", line], directory: place.path)
    #expect(wrong.code == 2 && wrong.errors.contains("\"n\" is a number in the script, not \"five\""), "\(wrong)")
    let typed = try await Workbench.run(["prompt"] + given, input: line + "\n", directory: place.path)
    #expect(typed.code == 0, "\(typed)")
    #expect(place.bodies == Array(repeating: #"{"n":5,"on":false,"text":"7"}"#, count: 2))
  }

  @Test func `a file says by itself what is a text`() async throws {
    let place = try Place()
    try place.put("texts.json", #"{"host": "\#(place.server.url)", "size": "5", "tags": "none"}"#)
    let outcome = try await place.run("run", "script.wb", "--vars", "texts.json", "--env-file", ".env")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(place.bodies == [#"{"count":1,"size":"5","tags":"none"}"#])
  }

  @Test(arguments: ["run", "debug"])
  func `the command that continues a run has the files that it was given`(way: String) async throws {
    let place = try Place(status: "500 Internal Server Error")
    let files = ["--use", "staging.wb", "--vars", "values.yaml", "--env-file", ".env"]
    let failed = try await Workbench.run(
      [way, "script.wb", "--store", place.store] + files, input: "n\nq\n", directory: place.path)
    #expect(failed.code != 0)
    let count = place.requests.count
    let line = failed.errors.split(separator: "\n").first { $0.hasPrefix("continue with: ") }
    let command = try #require(line, "\(failed)").split(separator: " ").dropFirst(3).map(String.init)
    #expect(Array(command.suffix(6)) == ["--vars", "values.yaml", "--env-file", ".env", "--use", "staging.wb"])
    let resumed = try await Workbench.run(command, input: "r\nq\n", directory: place.path)
    #expect(!resumed.errors.contains("the environment has no"), "\(resumed)")
    #expect(place.requests.allSatisfy { Self.isAuthorized($0) } && place.requests.count > count, "\(place.requests)")
  }

  @Test func `the parameters of a sequence are converted as with --set`() async throws {
    let place = try Place()
    let outcome = try await place.run(
      "run", "script.wb", "one", "--use", "staging.wb", "--vars", "values.yaml", "--env-file", ".env", "-v")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(place.requests.first?.hasPrefix("POST /103 ") == true)
    #expect(place.bodies == [#"{"count":4,"size":7,"tags":["a","b"]}"#])
  }

  @Test func `the process's own variable counts before one from a file`() async throws {
    let place = try Place()
    let outcome = try await place.run(
      "run", "script.wb", "--use", "staging.wb", "--env-file", ".env",
      environment: ["OUTSIDE_TOKEN": Self.fromEnvironment])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(Self.isAuthorized(try #require(place.requests.first), Self.fromEnvironment))
  }

  @Test func `the last of several files counts`() async throws {
    let place = try Place()
    let outcome = try await place.run(
      "run", "script.wb", "--vars", "values.yaml", "--vars", "values.json", "--env-file", ".env", "-v")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(place.bodies == [#"{"count":4,"size":8,"tags":["a","b"]}"#])
  }

  @Test func `a name that the script lacks is allowed in a file, and not in --set`() async throws {
    let place = try Place()
    let outcome = try await place.run("run", "script.wb", "--set", "unknown=1", "--env-file", ".env")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("unknown"))
    #expect(place.requests.isEmpty)
  }

  @Test func `a secret of the script stays one if an environment gives it another value`() async throws {
    let place = try Place()
    try place.put(
      "login.wb",
      """
      profile api { base \(place.server.url) }
      secret password = $env.OWN for api
      login: POST api:/login json { password: $password, made: $password | upper }

      """)
    try place.put("dev.wb", "let password = \"hunter2-Zq-dev\"\n")
    let outcome = try await place.run("run", "login.wb", "--use", "dev.wb", "-v", "--json")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(place.bodies.first?.contains("hunter2-Zq-dev") == true)
    let shown = try await place.run("show", "last", "login", "--request")
    for text in ["hunter2-Zq-dev", "HUNTER2-ZQ-DEV"] {
      #expect(!(outcome.output + outcome.errors + shown.output).contains(text), "\(outcome) \(shown)")
    }
  }

  @Test func `check uses an environment`() async throws {
    let place = try Place()
    try place.put("needs.wb", "GET api:/x?size={$size}\n")
    #expect(try await place.run("check", "needs.wb").code == 2)
    try place.put("sizes.wb", "let size = 3\nprofile api { base https://a.test }\n")
    let outcome = try await place.run("check", "needs.wb", "--use", "sizes.wb")
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `only the user's own profiles may run programs`() async throws {
    let place = try TemporaryFile(
      "secret key = command(\"echo no\") for api\nprofile api { base http://a.test auth bearer $key }\n",
      name: "profiles.wb")
    let folder = place.url.deletingLastPathComponent().appending(path: "workbench")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let own = folder.appending(path: "profiles.wb").path
    try FileManager.default.copyItem(atPath: place.path, toPath: own)
    let environment = ["XDG_CONFIG_HOME": place.url.deletingLastPathComponent().path]
    #expect(try await Workbench.run(["check", own], environment: environment).code == 0)
    #expect(try await Workbench.run(["check", place.path], environment: environment).code == 2)
  }

  @Test func `an environment only declares, and runs no programs`() async throws {
    let place = try Place()
    try place.put("steps.wb", "GET \(place.server.url)/steps\n")
    let steps = try await place.run("run", "script.wb", "--use", "steps.wb", "--env-file", ".env")
    #expect(steps.code == 2)
    #expect(steps.errors.contains("an environment declares, and does nothing else"), "\(steps.errors)")
    try place.put(
      "command.wb",
      "secret key = command(\"echo no\") for api\nprofile api { base \(place.server.url) auth bearer $key }\n")
    let command = try await place.run("run", "script.wb", "--use", "command.wb")
    #expect(command.code == 2)
    #expect(command.errors.contains("command"), "\(command.errors)")
    #expect(try await place.run("send", "GET /x", "--use", "command.wb").code == 2)
    #expect(place.requests.isEmpty)
  }

  @Test func `send and the prompt take them`() async throws {
    let place = try Place()
    let sent = try await place.run(
      "send", "--use", "staging.wb", "--vars", "values.yaml", "--env-file", ".env", "GET /{$sheet}?size={$size}")
    #expect(sent.code == 0, "\(sent)")
    let typed = try await place.run(
      "prompt", "--use", "staging.wb", "--vars", "values.yaml", "--env-file", ".env", "--set", "sheet=B",
      input: "GET /{$sheet}?size={$size}\n")
    #expect(typed.code == 0, "\(typed)")
    let loaded = try await place.run(
      input: ":load .env\n:load staging.wb\n:load values.yaml\nGET /{$sheet}?size={$size}\n")
    #expect(loaded.code == 0, "\(loaded)")
    #expect(loaded.output.contains("OUTSIDE_TOKEN\n"), "\(loaded.output)")
    #expect(loaded.errors.contains("\"some text\""), "\(loaded)")
    let requests = place.requests
    #expect(requests.count == 3)
    #expect(requests.allSatisfy { Self.isAuthorized($0) && $0.lowercased().contains("x-stage: staging") })
    #expect(
      requests.map { $0.prefix { !$0.isNewline } } == [
        "GET /103?size=7 HTTP/1.1", "GET /B?size=7 HTTP/1.1", "GET /103?size=7 HTTP/1.1",
      ])
    #expect(![sent, typed, loaded].contains { ($0.output + $0.errors).contains(Self.token) })
  }

  @Test func `the debugger takes them`() async throws {
    let place = try Place()
    let outcome = try await place.run(
      "debug", "script.wb", "--use", "staging.wb", "--vars", "values.yaml", "--env-file", ".env", "--no-record",
      input: "n\nn\nq\n")
    #expect(outcome.code == 0, "\(outcome)")
    let request = try #require(place.requests.first)
    #expect(Self.isAuthorized(request) && request.lowercased().contains("x-stage: staging"))
  }

  @Test func `a queued run keeps the values, and finds its environment again`() async throws {
    let place = try Place()
    let added = try await place.run(
      "queue", "add", "script.wb", "--use", "staging.wb", "--vars", "values.yaml", "--env-file", ".env",
      "--store", "store")
    #expect(added.code == 0, "\(added)")
    #expect(place.requests.isEmpty)
    try FileManager.default.removeItem(atPath: "\(place.path)/values.yaml")
    let run = try await place.run("queue", "run", "-v", "--env-file", ".env", "--store", "store")
    #expect(run.code == 0, "\(run)")
    #expect(place.bodies == [#"{"count":4,"size":7,"tags":["a","b"]}"#])
    #expect(place.requests.first?.lowercased().contains("x-stage: staging") == true)
    try Self.expectNothingSecret(in: place.store)
  }

  @Test func `what failed is resumed and replayed with what it was given`() async throws {
    let place = try Place(status: "503 Service Unavailable")
    let failed = try await place.run(
      "run", "script.wb", "--use", "staging.wb", "--vars", "values.yaml", "--env-file", ".env", "--store", "store")
    #expect(failed.code == 1, "\(failed)")
    let resumed = try await place.run("resume", "last", "--env-file", ".env", "--store", "store", "-v")
    #expect(place.bodies.count >= 2 && Set(place.bodies) == [#"{"count":4,"size":7,"tags":["a","b"]}"#], "\(resumed)")
    let replayed = try await place.run("replay", "last", "--store", "store", "-v")
    #expect(replayed.errors.contains("got 503"), "\(replayed)")
    #expect(place.requests.allSatisfy { $0.lowercased().contains("x-stage: staging") })
    let other = try await place.run(
      "replay", "last", "--store", "store", "--vars", "values.json", "-v")
    #expect(other.code != 0, "another size is another request: \(other)")
    try Self.expectNothingSecret(in: place.store)
  }

  @Test func `a value that a secret is made from is not recorded`() async throws {
    let place = try Place(status: "503 Service Unavailable")
    try place.put(
      "secret.wb",
      """
      let given = ""
      secret key = $given for api
      profile api { base \(place.server.url) auth bearer $key }
      GET api:/x

      """)
    try place.put("key.given", "given: \(Self.token)\nunused: \(Self.token)\n")
    let failed = try await place.run("run", "secret.wb", "--vars", "key.given", "--store", "store")
    #expect(failed.code == 1, "\(failed)")
    try Self.expectNothingSecret(in: place.store)
    let resumed = try await place.run("resume", "last", "--store", "store")
    #expect(resumed.code == 2)
    #expect(resumed.errors.contains("given"), "\(resumed)")
    let again = try await place.run("resume", "last", "--vars", "key.given", "--store", "store")
    #expect(again.code == 1, "\(again)")
    #expect(place.requests.allSatisfy { Self.isAuthorized($0) })
    let queued = try await place.run("queue", "add", "secret.wb", "--vars", "key.given", "--store", "store")
    #expect(queued.code == 2, "\(queued)")
    try Self.expectNothingSecret(in: place.store)
  }

  @Test(arguments: [
    (["--vars", "missing.yaml"], 25, "missing.yaml"), (["--env-file", "missing.env"], 25, "missing.env"),
    (["--use", "missing.wb"], 25, "missing.wb"), (["--vars", "bad.yaml"], 2, "bad.yaml:3: "),
    (["--env-file", "bad.env"], 2, "bad.env:1: this is not NAME=value"), (["--use", "bad.wb"], 2, "bad.wb"),
    (["--vars", "-", "--env-file", "-"], 2, "Standard input can be one file, not several."),
  ]) func `a file that cannot be taken is named, and nothing is sent`(
    arguments: [String], code: Int32, message: String
  ) async throws {
    let place = try Place()
    try place.put("bad.yaml", "a: 1\nb: [\n")
    try place.put("bad.env", "no\n")
    try place.put("bad.wb", "let = 3\n")
    let outcome = try await Workbench.run(["run", "script.wb"] + arguments, directory: place.path)
    #expect(outcome.code == code, "\(outcome)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(place.requests.isEmpty)
  }

  @Test func `a file of 100 MB is refused`() async throws {
    let place = try Place()
    try place.put("large.yaml", "a: \(String(repeating: "x", count: 100_000_000))\n")
    let outcome = try await place.run("run", "script.wb", "--vars", "large.yaml")
    #expect(outcome.code == 2)
    #expect(outcome.errors == "error: large.yaml: this is more than 1 MiB of YAML\n = write it as JSON\n")
  }

  /// Neither raw nor in any row of the database.
  private static func expectNothingSecret(in store: String) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: store) {
      let bytes = FileManager.default.contents(atPath: "\(store)/\(name)") ?? Data()
      #expect(bytes.firstRange(of: Data(token.utf8)) == nil, "\(name)")
    }
  }

  @Test(arguments: [["run"], ["test"], ["bulk", "--rows", "rows.csv"], ["debug"], ["queue"]])
  func `a value for a name that the script does not declare is pointed out`(command: [String]) async throws {
    let script = try TemporaryFile("GET https://a.invalid/{$user}\n", name: "script.wb")
    let directory = script.url.deletingLastPathComponent()
    for (name, text) in [("v.json", "{\"user\": \"ann\"}"), ("rows.csv", "id\n1\n")] {
      try Data(text.utf8).write(to: directory.appending(path: name))
    }
    let words = command == ["queue"] ? ["queue", "add"] : [command[0]]
    let arguments = words + ["script.wb"] + command.dropFirst() + ["--vars", "v.json"]
    let outcome = try await Workbench.run(arguments, directory: directory.path)
    #expect(outcome.code != 0 && outcome.errors.contains("with a declaration of its own: let user = …"), "\(outcome)")
  }
}
