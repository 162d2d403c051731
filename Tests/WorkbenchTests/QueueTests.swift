import Canaries
import Eventually
import Foundation
import JSONValue
import LoopbackServer
import RunStore
import Sandbox
import Testing

/// The queue as its users see it: a command, and several processes of it.
@Suite(.timeLimit(.minutes(10))) struct QueueTests {
  private static let token = Canary.secret("queue")

  private static let script = """
    let api-url = "http://127.0.0.1:1"
    let title = "nothing"

    profile api {
      base $api-url
      auth bearer $env.API_TOKEN
    }

    confirm: POST api:/jobs
      json { title: $title }
      expect 201
    """

  @Test func `what is added without a network is performed when there is one`() async throws {
    let script = try TemporaryFile(Self.script, name: "confirm.wb")
    let store = ["--store", script.path + ".d"]
    let environment = ["API_TOKEN": Self.token]
    func workbench(_ arguments: [String]) async throws -> Workbench.Outcome {
      try await Workbench.run(["queue"] + arguments + store, environment: environment)
    }
    // Nobody listens there, and no test gets that port.
    let unused = "http://127.0.0.1:1"
    let first = try await workbench(["add", script.path, "--set", "api-url=\(unused)", "--key", "k"])
    #expect(first.code == 0 && first.output == "1\n")
    let offline = try await workbench(["run"])
    #expect(offline.code == 21)
    #expect(offline.errors.contains("queue: 0 done, 1 left"))
    #expect(try await workbench(["list"]).output.hasPrefix("1  waits  \(script.path)  key k"))
    #expect(try await workbench(["drop", "1"]).code == 0)

    var options = SandboxOptions()
    options.token = environment["API_TOKEN"]
    try await Sandbox.run(options) { endpoints in
      let added = try await workbench(
        ["add", script.path, "--set", "api-url=\(endpoints.api)", "--set", "title=Glazier", "--key", "k"])
      #expect(added.output == "2\n")
      // A later edit makes another script.
      try script.write("GET \(endpoints.api)/nothing\n  expect 200")
      let online = try await workbench(["run"])
      #expect(online.code == 0, "\(online.errors)")
      #expect(online.output.contains("operation 2  done"))
    }
    #expect(try await workbench(["list"]).errors.contains("nothing is waiting"))
    let wrong = try await workbench(["add", script.path, "--set", "nonsense=1"])
    #expect(wrong.code == 2 && wrong.errors.contains("nonsense"))
    #expect(try await workbench(["retry", "7"]).code == 2)
  }

  @Test func `what comes after a failed operation with its key is told apart from what is left`() async throws {
    let script = try TemporaryFile(Self.script, name: "confirm.wb")
    let store = ["--store", script.path + ".d"]
    try await Sandbox.run(SandboxOptions()) { endpoints in
      func workbench(_ arguments: [String]) async throws -> Workbench.Outcome {
        try await Workbench.run(["queue"] + arguments + store, environment: ["API_TOKEN": Self.token])
      }
      // There is nothing below that path.
      for title in ["Carpenter", "Mason", "Glazier"] {
        let settings = ["--set", "api-url=\(endpoints.api)/nothing", "--set", "title=\(title)", "--key", "k"]
        #expect(try await workbench(["add", script.path] + settings).code == 0)
      }
      let run = try await workbench(["run"])
      #expect(run.errors.contains("queue: 0 done, 1 failed, 2 wait for it\n"), "\(run.errors)")
    }
  }

  @Test func `what a worker was killed at says what is known of it`() async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.waitForClose() }
    }
    let script = try TemporaryFile("create: POST \(server.url)/items id=1\n  expect 201\n", name: "create.wb")
    let store = ["--store", script.path + ".d"]
    #expect(try await Workbench.run(["queue", "add", script.path] + store).code == 0)
    let killed = try await Workbench.run(["queue", "run"] + store) { process in
      while server.requests.isEmpty { usleep(1_000) }
      kill(process, SIGKILL)
    }
    #expect(killed.code == -SIGKILL)
    let outcome = try await Workbench.run(["queue", "run"] + store)
    #expect(outcome.code == 24)
    #expect(
      outcome.output.contains(
        "operation 1  failed: step \"create\": it was sent, and its response is not known: it may have taken effect"),
      "\(outcome)")
    #expect(
      outcome.errors.contains("it was not sent again") && !outcome.errors.contains("nothing was sent"), "\(outcome)")
    #expect(server.requests.count == 1)
  }

  @Test func `eight processes drain a thousand operations, two are killed, and each is confirmed once`() async throws {
    let log = try TemporaryFile("", name: "log.received")
    let directory = log.path + ".d"
    var options = SandboxOptions()
    options.logFile = log.path
    options.token = Self.token
    try await Sandbox.run(options) { endpoints in
      let store = try RunStore(at: directory)
      let count = 1_000
      for number in 0..<count {
        _ = try store.add(
          RunSetup(
            kind: "script", name: "confirm.wb",
            parameters: [
              "directory": "/", "is-queued": true,
              "settings": ["api-url": .string("\(endpoints.api)"), "title": .string("job \(number)")],
            ], texts: [RunText(name: "confirm.wb", text: Self.script)]),
          key: "key \(number % 300)")
      }
      let processes = try (0..<8).map { _ in try Self.start(["queue", "run", "--quiet", "--store", directory]) }
      defer { for process in processes where process.isRunning { kill(process.processIdentifier, SIGKILL) } }
      // While it is running.
      for (victim, limit) in [(processes[0], 700), (processes[1], 400)] {
        try await Self.wait(for: store) { try store.operations().count <= limit }
        #expect(kill(victim.processIdentifier, SIGKILL) == 0)
      }
      try await Self.wait(for: store) { !processes.contains(where: \.isRunning) }

      // Each killed process may have had one under way whose response is unknown, with those of its key waiting after
      // it.
      let dead = try store.operations().filter { $0.state == .dead }
      #expect(dead.count <= 2)
      let keys = Set(dead.map(\.key))
      #expect(try store.operations().allSatisfy { keys.contains($0.key) })
      let seen = try Self.titles(in: log)
      #expect(seen.values.allSatisfy { $0 == 1 })
      for operation in try store.operations() where operation.state == .waiting { #expect(operation.attempts == 0) }

      // People look, and decide.
      for operation in dead {
        let run = try #require(operation.run)
        let title = try #require(try store.setup(of: try store.run(run)).parameters["settings"]?["title"]?.string)
        let digest = Self.digest(of: title)
        let decision = seen[digest] == 1 ? ["--done", "confirm=201"] : ["--again", "confirm"]
        let outcome = try await Workbench.run(
          ["resume", run, "--store", directory] + decision, environment: ["API_TOKEN": endpoints.token])
        #expect(outcome.code == 0, "\(outcome.errors)")
      }
      let last = try await Workbench.run(
        ["queue", "run", "--quiet", "--store", directory], environment: ["API_TOKEN": endpoints.token])
      #expect(last.code == 0, "\(last.errors)")
      let all = try Self.titles(in: log)
      #expect(all.count == count && all.values.allSatisfy { $0 == 1 })
      #expect(try store.operations().isEmpty)
      print("\(count) operations, \(dead.count) of them decided by hand, each confirmed once")
    }
  }

  /// Waits until the condition holds. However busy the machine is, something is done now and then.
  private static func wait(for store: RunStore, until isSo: () throws -> Bool) async throws {
    var (left, moved) = (try store.operations().count, ContinuousClock.now)
    let isOver = try await eventually(within: .seconds(3_600), every: .milliseconds(20)) {
      let count = try store.operations().count
      if count != left { (left, moved) = (count, .now) }
      try #require(.now - moved < .seconds(30), "nothing was done for half a minute, and \(count) operations are left")
      return try isSo()
    }
    #expect(isOver)
  }

  /// How often each body was sent to confirm.
  private static func titles(in log: TemporaryFile) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for line in try log.read().split(separator: "\n") {
      let record = try JSON(parsing: String(line))
      if let digest = record["sha256"]?.string { counts[digest, default: 0] += 1 }
    }
    return counts
  }

  private static func digest(of title: String) -> String {
    Digest.sha256(Data(#"{"title":"\#(title)"}"#.utf8))
  }

  private static func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = Workbench.executable
    process.arguments = arguments
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "API_TOKEN": Self.token,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
