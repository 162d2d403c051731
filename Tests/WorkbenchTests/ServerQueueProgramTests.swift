import Canaries
import Eventually
import Foundation
import LoopbackServer
import PseudoTerminal
import RealServers
import Synchronization
import Testing

/// The queue on a server as its users see it: workers that are stopped, and scripts that need this machine.
@Suite(.timeLimit(.minutes(5))) struct ServerQueueProgramTests {
  private static func start(_ arguments: [String], output: URL) throws -> Process {
    let process = Process()
    process.executableURL = Workbench.executable
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(SanitizerOptions.inherited) { $1 }
    let file = try FileHandle(forWritingTo: output)
    (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, file, file)
    try process.run()
    return process
  }

  private static func queue(_ arguments: [String], _ address: String) async throws -> Workbench.Outcome {
    try await Workbench.run(["queue"] + arguments + ["--store", address])
  }

  @Test func `a stopped worker's operation is another's after its lease, and it is told so when it continues`()
    async throws
  {
    guard let address = try PostgresServer.shared?.database() else { return }
    let come = Mutex<[ContinuousClock.Instant]>([])
    // The first gets no response: whoever asked is stopped by then.
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        let count = come.withLock { come in
          come.append(.now)
          return come.count
        }
        if count == 1 { return try connection.waitForClose() }
        try connection.respond()
      }
    }
    let script = try TemporaryFile("look: GET \(server.url)/\n  timeout 60s\n  expect 200\n", name: "look.wb")
    #expect(try await Self.queue(["migrate"], address).code == 0)
    #expect(try await Self.queue(["add", script.path], address).output == "1\n")
    let outputs = try [TemporaryFile("", name: "one"), TemporaryFile("", name: "two")]
    let work = ["queue", "work", "--store", address]
    let first = try Self.start(work, output: outputs[0].url)
    defer { kill(first.processIdentifier, SIGKILL) }
    #expect(try await eventually { come.withLock { $0.count == 1 } })
    kill(first.processIdentifier, SIGSTOP)
    let stopped = ContinuousClock.now
    let second = try Self.start(work, output: outputs[1].url)
    defer { kill(second.processIdentifier, SIGKILL) }
    #expect(try await eventually { come.withLock { $0.count == 2 } })
    let taken = (come.withLock { $0.last } ?? stopped + .seconds(60)) - stopped
    // It cannot have been renewed later than it was stopped.
    #expect(taken <= .seconds(15 + 2), "taken over after \(taken)")
    #expect(try await eventually { try outputs[1].read().contains("operation 1  done") })
    kill(first.processIdentifier, SIGCONT)
    #expect(try await eventually { try outputs[0].read().contains("operation 1 is no longer this process's") })
    #expect(try await Self.queue(["list"], address).errors.contains("nothing is waiting"))
    #expect(come.withLock { $0.count == 2 })
  }

  @Test func `what the server says is printed without secrets`() async throws {
    guard let server = PostgresServer.shared else { return }
    let address = try server.database()
    // No canaries: the database's own files have them.
    let (token, password) = ("t0ld-by-the-database-1", "t0ld-by-the-database-2")
    #expect(try await Self.queue(["migrate"], address).code == 0)
    #expect(
      try server.execute(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          RAISE EXCEPTION 'not now: \(token) \(password)' USING DETAIL = '\(token)', HINT = '\(password)'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON workbench.operations FOR EACH ROW EXECUTE FUNCTION refuse();
        """, in: address))
    let script = try TemporaryFile(
      "profile api {\n  base http://127.0.0.1:1\n  auth bearer $env.API_TOKEN\n}\nGET api:/\n", name: "told.wb")
    let outcome = try await Workbench.run(
      ["queue", "add", script.path, "--store", address], environment: ["API_TOKEN": token, "PGPASSWORD": password])
    #expect(outcome.code == 25 && outcome.errors.contains("not now"), "\(outcome)")
    #expect(!outcome.written.contains(token) && !outcome.written.contains(password), "\(outcome)")
  }

  @Test(arguments: [
    "postgres://h:x/d", "postgres://h:70000/d", "postgres://h/d?foo=1", "postgres://h/d?sslmode=on",
    "postgres://[::1/d",
    "postgres://h/%zz", "postgres://a:hunter22@h/d", "postgres://ann@h:hunter22@127.0.0.1/d", "mysql://h/d",
    "postgres://h/d?password=hunter22",
  ])
  func `an address that can be none is an error of usage, and nothing of it is quoted`(address: String) async throws {
    if address.contains("[") || address.contains("%") || address.contains("foo"), PostgresServer.shared == nil {
      return
    }
    for arguments in [["queue", "list"], ["queue", "work", "--until-empty"], ["queue", "status"]] {
      let outcome = try await Workbench.run(arguments + ["--store", address])
      #expect(outcome.code == 2, "\(outcome)")
      #expect(outcome.errors.hasPrefix("error: the place of the store: "), "\(outcome)")
      #expect(!outcome.written.contains("hunter22"), "\(outcome)")
    }
    let script = try TemporaryFile("GET http://127.0.0.1:1/\n", name: "get.wb")
    let run = try await Workbench.run(["run", script.path, "--store", address])
    #expect(run.code == 2, "\(run)")
  }

  @Test func `a script that reads files of this machine is not for others, unless they have them`() async throws {
    guard let address = try PostgresServer.shared?.database() else { return }
    #expect(try await Self.queue(["migrate"], address).code == 0)
    let script = try TemporaryFile(
      """
      sequence put(what: file) {
        PUT http://127.0.0.1:1/
          body $what
      }
      POST http://127.0.0.1:1/
        body file("sheet.bin")
      """, name: "put.wb")
    try Data("x".utf8).write(to: script.url.deletingLastPathComponent().appending(path: "sheet.bin"))
    let refused = try await Self.queue(["add", script.path], address)
    #expect(refused.code == 2 && refused.errors.contains("file(\"sheet.bin\")"), "\(refused)")
    #expect(refused.errors.contains("--shared-files"))
    let named = try await Self.queue(["add", script.path, "put", "--set", "what=sheet.bin"], address)
    #expect(named.code == 2 && named.errors.contains("$what"), "\(named)")
    #expect(try await Self.queue(["add", script.path, "--shared-files"], address).output == "1\n")
    let local = try await Workbench.run(["queue", "add", script.path, "--store", script.path + ".d"])
    #expect(local.code == 0, "\(local)")
  }
}

/// Everything fails that can, for a minute.
@Suite(.timeLimit(.minutes(10))) struct QueueChaosTests {
  @Test func `whatever fails, nothing happens twice, each key keeps its order, and nothing is lost`() async throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Scripts/queue-chaos").path
    func chaos(_ argument: String) async throws -> Workbench.Outcome {
      try await Workbench.run(
        shell: ["-c", "exec '\(script)' \(argument)"], input: TemporaryFile("", name: "input"),
        environment: [
          "WORKBENCH": Workbench.executable.path,
          "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin",
        ])
    }
    let can = try await chaos("--can")
    guard can.code == 0 else {
      print("SKIPPED: the workers of a queue are not made to fail here: \(can.output)\(can.written)")
      return
    }
    let outcome = try await chaos("60")
    print(outcome.output)
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.written)")
  }
}
