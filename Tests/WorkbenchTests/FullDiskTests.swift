import Foundation
import GRDB
import LoopbackServer
import Synchronization
import Testing

#if os(Linux)
  import Glibc

  /// A disk that is full by the time the response arrives: what became of a step is known nevertheless. It is a real
  /// disk, which takes the right to mount one.
  @Suite(
    .enabled(
      if: SmallDisk.isAllowed, "a file system can not be mounted here (it takes root): NOTHING OF THIS IS TESTED"),
    .timeLimit(.minutes(2)))
  struct FullDiskTests {
    /// How the server fills the disk while a step is in flight.
    enum Filling: CaseIterable, CustomTestStringConvertible {
      case once
      /// It also takes what becomes free.
      case always
      /// The space in SQLite's log is gone, too: another process emptied it.
      case log

      var testDescription: String { "\(self)" }
    }

    private static func script(_ url: String) -> String {
      """
      create: POST \(url)/create
        expect 201
      confirm: POST \(url)/confirm
        json { id: $create.body.id }
        expect 201
      """
    }

    /// Responds to a request to create something once the disk is full.
    private static func server(
      _ disk: SmallDisk, _ filling: Filling, size: Int, _ store: String
    ) throws -> LoopbackServer {
      try LoopbackServer { connection in
        while let (head, _) = try connection.readRequest() {
          let isFirst = head.hasPrefix("POST /create")
          if isFirst {
            if filling == .log {
              try DatabaseQueue(path: "\(store)/runs.sqlite").inDatabase {
                try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
              }
            }
            try disk.fill()
            if filling == .always { disk.keepFull() }
          }
          let padding = String(repeating: "-", count: isFirst ? size : 0)
          try connection.respond(
            "201 Created", headers: ["Content-Type: application/json"], body: "{\"id\": 7, \"padding\": \"\(padding)\"}"
          )
        }
      }
    }

    @Test(arguments: Filling.allCases)
    func `a response that came when the disk was full is known, and the next step is sent if its response can be, too`(
      _ filling: Filling
    )
      async throws
    {
      let disk = try SmallDisk(size: 4 << 20)
      let store = "\(disk.path)/store"
      let server = try Self.server(disk, filling, size: 20_000, store)
      let script = try TemporaryFile(Self.script(server.url), name: "full.wb")
      let failed = try await Workbench.run(["run", script.path, "--store", store])
      if failed.code != 0 {
        #expect(failed.code == 1 || failed.code == 25, "\(failed)")
        #expect(
          failed.errors.contains("No space left on device") || failed.errors.contains("disk is full"), "\(failed)")
        #expect(server.requests.count == 1)
      }
      // Without the space in the log there is what was reserved, and that is then used up.
      #expect(filling != .log || failed.code != 0)

      try disk.empty()
      let shown = try await Workbench.run(["show", "last", "create", "--body", "--store", store])
      #expect(shown.output.contains("\"id\": 7") && shown.output.utf8.count > 20_000, "\(shown)")
      let resumed = try await Workbench.run(["resume", "last", "--store", store])
      #expect(resumed.code == 0 || failed.code == 0, "\(resumed)")
      let lines = server.requests.map { String($0.prefix { !$0.isNewline }) }
      #expect(lines == ["POST /create HTTP/1.1", "POST /confirm HTTP/1.1"])
    }

    @Test func `a response too large for the remaining space is known without its body`() async throws {
      let disk = try SmallDisk(size: 4 << 20)
      let store = "\(disk.path)/store"
      let server = try Self.server(disk, .always, size: 2 << 20, store)
      let script = try TemporaryFile(Self.script(server.url), name: "full.wb")
      let failed = try await Workbench.run(["run", script.path, "--store", store])
      #expect(failed.code != 0 && server.requests.count == 1, "\(failed)")

      try disk.empty()
      let shown = try await Workbench.run(["show", "last", "--store", store])
      #expect(shown.output.contains("201 Created"), "\(shown)")
      #expect(shown.output.contains("which were not kept: the disk was full"), "\(shown)")
      let asked = try await Workbench.run(["resume", "last", "--store", store])
      #expect(asked.code == 24, "\(asked)")
      #expect(asked.errors.contains("the disk was full when its response came"), "\(asked.errors)")
      #expect(asked.errors.contains("--done create[=STATUS,BODY-FILE]"), "\(asked.errors)")
      let debugged = try await Workbench.run(["debug", "--run", "last", "--store", store], input: "q\n")
      #expect(debugged.output.contains("the body of the response to this step was not kept"), "\(debugged)")
      #expect(!debugged.output.contains("k takes that response"), "\(debugged)")
      let body = try TemporaryFile("{\"id\": 7}", name: "body.json")
      let done = try await Workbench.run(
        ["resume", "last", "--done", "create=201,\(body.path)", "--store", store])
      #expect(done.code == 0, "\(done)")
      #expect(server.requests.count == 2)
    }

    @Test func `a response is kept only as far as it leaves a reserve on the disk, and the next request works`()
      async throws
    {
      let disk = try SmallDisk(size: 16 << 20)
      let beside = try TemporaryFile("", name: "store")
      defer { withExtendedLifetime(beside) {} }
      let store = beside.url.deletingLastPathComponent().path
      let least = Least()
      let server = try LoopbackServer { connection in
        while let (head, _) = try connection.readRequest() {
          guard head.hasPrefix("GET /large") else {
            try connection.respond(body: "fine")
            continue
          }
          try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(64 << 20)\r\n\r\n")
          let piece = [UInt8](repeating: 7, count: 1 << 18)
          for _ in 0..<256 {
            try connection.send(piece)
            var status = statvfs()
            guard statvfs(disk.path, &status) == 0 else { return }
            least.see(Int(status.f_bavail) * Int(status.f_frsize))
          }
        }
      }
      let script = try TemporaryFile("GET \(server.url)/large\n  limit 64GiB\n", name: "large.wb")
      let failed = try await Workbench.run(
        ["run", script.path, "--store", store], environment: ["TMPDIR": disk.path])
      #expect(failed.code == 21, "\(failed)")
      #expect(
        failed.errors.contains("a body that does not fit into \(disk.path): less than 1.05 MB"), "\(failed.errors)")
      #expect(failed.errors.contains("a directory with more space: TMPDIR=/path"), "\(failed.errors)")
      // A sixteenth of it stayed free, and all of it is free again.
      #expect(least.value >= 1 << 20)
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
      let small = try TemporaryFile("GET \(server.url)/small\n", name: "small.wb")
      let next = try await Workbench.run(["run", small.path, "--store", store], environment: ["TMPDIR": disk.path])
      #expect(next.code == 0, "\(next)")
    }

    @Test func `if the disk is full before, nothing is sent`() async throws {
      let disk = try SmallDisk(size: 4 << 20)
      let store = "\(disk.path)/store"
      let server = try Self.server(disk, .once, size: 0, store)
      let script = try TemporaryFile(Self.script(server.url), name: "full.wb")
      _ = try await Workbench.run(["runs", "--store", store])
      try disk.fill()
      let failed = try await Workbench.run(["run", script.path, "--store", store])
      #expect(failed.code == 25, "\(failed)")
      #expect(server.requests.isEmpty)
    }
  }

  /// The smallest number seen.
  private final class Least: Sendable {
    private let seen = Mutex(Int.max)

    var value: Int { seen.withLock { $0 } }

    func see(_ number: Int) { seen.withLock { $0 = min($0, number) } }
  }

  /// A separate file system, in memory, that is gone when nobody holds it.
  /// Where the rows of `bulk` go is full: the run ends at once, and is continued.
  @Suite(
    .enabled(
      if: SmallDisk.isAllowed, "a file system can not be mounted here (it takes root): NOTHING OF THIS IS TESTED"),
    .timeLimit(.minutes(2)))
  struct FullRowsTests {
    @Test func `a run over rows ends when their file cannot be written, and is continued elsewhere`() async throws {
      let disk = try SmallDisk(size: 256 << 10)
      let place = try TemporaryFile("", name: "place")
      let directory = place.url.deletingLastPathComponent()
      let server = try LoopbackServer { connection in
        while try connection.readRequest() != nil { try connection.respond("201 Created") }
      }
      let count = 4_000
      let text = "\(String(repeating: "x", count: 400))"
      try Data(
        "sequence add(id, text) {\n  POST \(server.url)/items/{$id}\n    expect 201\n}\n".utf8
      ).write(to: directory.appending(path: "items.wb"))
      try Data(("id,text\n" + (1...count).map { "\($0),\(text)\n" }.joined()).utf8)
        .write(to: directory.appending(path: "rows.csv"))
      func bulk(_ arguments: [String]) async throws -> Workbench.Outcome {
        try await Workbench.run(
          ["bulk"] + arguments, environment: ["XDG_STATE_HOME": directory.path], directory: directory.path)
      }
      let out = "\(disk.path)/out.jsonl"
      let outcome = try await bulk([
        "items.wb", "add", "--rows", "rows.csv", "--jobs", "4", "--out", out, "--select", "text=$text",
      ])
      #expect(outcome.code == 25, "\(outcome)")
      #expect(outcome.errors.contains("error: cannot write \(out): the disk is full"), "\(outcome.errors)")
      #expect(outcome.errors.contains("no more rows begin"))
      let sent = server.requests.count
      // Of 256 KiB there is space for about 500 rows; what is written together is 64 KiB.
      #expect(sent < 1_000, "\(sent)")
      let command = try #require(
        outcome.errors.firstMatch(of: /continue with: workbench bulk (--resume \w+) --out (.+)/))
      #expect(command.2 == out)
      let resume = command.1.split(separator: " ").map(String.init)
      let again = try await bulk(resume + ["--jobs", "4", "--out", "out.jsonl"])
      #expect(again.code == 0, "\(again)")
      #expect(server.requests.count == count)
      let written = try String(contentsOf: directory.appending(path: "out.jsonl"), encoding: .utf8)
      #expect(written.split(separator: "\n").count { $0.contains("\"state\":\"done\"") && $0.contains(text) } == count)
    }
  }

  private final class SmallDisk: Sendable {
    let path: String
    private let isFilling = Mutex(false)

    static let isAllowed: Bool = {
      guard geteuid() == 0, let disk = try? SmallDisk(size: 1 << 16) else { return false }
      return FileManager.default.fileExists(atPath: disk.path)
    }()

    /// - Parameter size: in bytes.
    init(size: Int) throws {
      path = NSTemporaryDirectory() + "small-disk-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard mount("tmpfs", path, "tmpfs", 0, "size=\(size)") == 0 else {
        let failure = errno
        rmdir(path)
        throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EPERM)
      }
    }

    /// Takes all the space there is.
    func fill() throws {
      let descriptor = open("\(path)/filling", O_WRONLY | O_CREAT | O_APPEND, 0o600)
      guard descriptor >= 0 else { throw POSIXError(.ENOSPC) }
      defer { close(descriptor) }
      let bytes = [UInt8](repeating: 1, count: 4_096)
      while write(descriptor, bytes, bytes.count) > 0 {}
    }

    /// Takes what becomes free for as long as this exists.
    func keepFull() {
      isFilling.withLock { $0 = true }
      Thread.detachNewThread { [weak self] in
        while let disk = self, disk.isFilling.withLock({ $0 }) {
          try? disk.fill()
          usleep(100)
        }
      }
    }

    func empty() throws {
      isFilling.withLock { $0 = false }
      usleep(50_000)
      unlink("\(path)/filling")
    }

    deinit {
      umount2(path, Int32(MNT_DETACH))
      rmdir(path)
    }
  }
#endif
