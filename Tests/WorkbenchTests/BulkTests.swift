import Canaries
import Foundation
import JSONValue
import LoopbackServer
import Synchronization
import Testing

/// `workbench bulk`: a sequence for each row of a file.
@Suite(.timeLimit(.minutes(5))) struct BulkTests {
  /// What was posted, in order, by its path.
  private final class Posted: Sendable {
    private let paths = Mutex<[String]>([])

    func note(_ head: String) {
      let words = head.split(separator: " ")
      if words.first == "POST" { paths.withLock { $0.append(String(words[1])) } }
    }

    var all: [String] { paths.withLock { $0 } }
    /// Those that came more than once.
    var repeated: [String] { Dictionary(grouping: all) { $0 }.filter { $1.count > 1 }.keys.sorted() }
  }

  /// 404 below `/none`, 500 below `/bad`, a broken connection below `/cut`, else 200.
  private static func server(_ posted: Posted = Posted(), pause: Duration = .zero) throws -> LoopbackServer {
    try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        posted.note(request.head)
        if request.head.contains("/cut") { return }
        if pause > .zero { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
        let status =
          request.head.contains("/none") ? "404 Not Found" : request.head.contains("/bad") ? "500 Oops" : "200 OK"
        let path = request.head.split(separator: " ")[1]
        try connection.respond(
          status, headers: ["Content-Type: application/json", "Set-Cookie: sid=cookie-that-is-long"],
          body: "{\"path\": \"\(path)\", \"cookie\": \(request.head.lowercased().contains("cookie:"))}")
      }
    }
  }

  private static func script(_ url: String) -> String {
    """
    profile api {
      base "\(url)"
      cookies on
      retry 1
    }
    let kind = "plain"
    sequence fetch(id) {
      item: GET /items/{$id}?kind={$kind}
        expect 200
      other: GET /other
        expect 200
    }
    sequence add(id) {
      create: POST /items/{$id} id={$id}
        expect 200
    }
    sequence pay(id) {
      create: POST /items/{$id} id={$id}
        expect 200
      settle: GET /bad
        expect 200
    }
    """
  }

  private static func place(_ url: String, rows: String, name: String = "rows.csv") throws -> TemporaryFile {
    let place = try TemporaryFile("", name: "place")
    let directory = place.url.deletingLastPathComponent()
    try Data(script(url).utf8).write(to: directory.appending(path: "items.wb"))
    try Data(rows.utf8).write(to: directory.appending(path: name))
    return place
  }

  private static func run(
    _ arguments: [String], in place: TemporaryFile, input: String = "", environment: [String: String] = [:],
    during: (@Sendable (pid_t) -> Void)? = nil
  ) async throws -> Workbench.Outcome {
    let directory = place.url.deletingLastPathComponent().path
    return try await Workbench.run(
      arguments, input: input, environment: environment.merging(["XDG_STATE_HOME": directory]) { $1 },
      directory: directory, during: during)
  }

  private static func read(_ name: String, _ place: TemporaryFile) throws -> String {
    try String(contentsOf: place.url.deletingLastPathComponent().appending(path: name), encoding: .utf8)
  }

  private static func write(_ text: String, _ name: String, _ place: TemporaryFile) throws {
    try Data(text.utf8).write(to: place.url.deletingLastPathComponent().appending(path: name))
  }

  /// The identifier in the command that is suggested.
  private static func id(_ outcome: Workbench.Outcome) throws -> String {
    let found = try #require(outcome.errors.firstMatch(of: /--resume (\w+)/), "\(outcome.errors)")
    return String(found.1)
  }

  // MARK: Rows

  @Test func `each row is a run of its own, and its outcome is written`() async throws {
    let server = try Self.server()
    let place = try Self.place(server.url, rows: "id,kind\n1,a\n\"2,x\",b\nnone,c\n4\n5,e\n")
    let outcome = try await Self.run(
      [
        "bulk", "items.wb", "fetch", "--rows", "rows.csv", "--jobs", "2", "--out", "out.jsonl", "--select",
        "path=$item.body.path", "--select", "cookie=$item.body.cookie", "--select", "id=$id", "--failed", "failed.csv",
      ], in: place)
    #expect(outcome.code == 1, "\(outcome.errors)")
    #expect(outcome.output.contains("5 rows: 3 done, 2 failed"), "\(outcome.output)")
    let lines = try Self.read("out.jsonl", place).split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    let byRow = Dictionary(lines.map { ($0["row"]?.int ?? 0, $0) }) { $1 }
    #expect(byRow.count == 5)
    #expect(byRow[2]?["path"]?.string == "/items/2%2Cx?kind=b")
    #expect(byRow[2]?["id"]?.string == "2,x")
    // No row has another's cookies.
    #expect(byRow.values.compactMap { $0["cookie"]?.bool } == [false, false, false])
    #expect(byRow[3]?["status"]?.int == 404)
    #expect(byRow[4]?["failure"]?.string == "it has 1 field, but there are 2 columns")
    let failed = try Self.read("failed.csv", place)
    #expect(failed.hasPrefix("id,kind,workbench-error\n"))
    #expect(failed.contains("none,c,\"step \"\"item\"\": expected status 200, got 404\"\n"))

    // What failed is an input again, with the same columns whatever was tried in between.
    let again = try await Self.run(
      ["bulk", "items.wb", "fetch", "--rows", "failed.csv", "--failed", "again.csv"], in: place)
    #expect(again.output.contains("2 rows: 2 failed"), "\(again.written)")
    #expect(try Self.read("again.csv", place).hasPrefix("id,kind,workbench-error\n"))
  }

  @Test func `a column is of the kind of the let that it replaces`() async throws {
    let bodies = Mutex<[String]>([])
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        bodies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
        try connection.respond()
      }
    }
    let place = try Self.place(server.url, rows: "id,n\n1,5\n2,many\n3,7\n")
    try Self.write(
      "let n = 600\nsequence add(id) { POST \(server.url)/ json { id: $id, n: $n } }\n", "items.wb", place)
    let arguments = ["bulk", "items.wb", "add", "--rows", "rows.csv", "--failed", "failed.csv"]
    let outcome = try await Self.run(arguments, in: place)
    #expect(outcome.output.contains("3 rows: 2 done, 1 failed"), "\(outcome.written)")
    #expect(bodies.withLock { $0.sorted() } == [#"{"id":"1","n":5}"#, #"{"id":"3","n":7}"#])
    let failed = try Self.read("failed.csv", place)
    #expect(failed.contains("2,many,\"\"\"n\"\" is a number in the script, not \"\"many\"\""), "\(failed)")
    // Without a row, nothing is wrong with the columns.
    try Self.write("id,n\n", "rows.csv", place)
    let empty = try await Self.run(arguments, in: place)
    #expect(empty.code == 0 && !empty.written.contains("is a number"), "\(empty.written)")
  }

  @Test func `JSON lines give values of any kind, and each line is checked`() async throws {
    let server = try Self.server()
    let place = try Self.place(
      server.url, rows: "{\"id\": 7}\n{\"id\": \"x\", \"typo\": 1}\n{\"kind\": \"a\"}\n{\"id\"\n", name: "rows.jsonl")
    let outcome = try await Self.run(
      ["bulk", "items.wb", "fetch", "--rows", "rows.jsonl", "--out", "-", "--failed", "failed.jsonl"], in: place)
    #expect(outcome.output.contains("\"row\":1,\"state\":\"done\""))
    #expect(outcome.output.contains("nothing is called \\\"typo\\\""))
    #expect(outcome.output.contains("\\\"id\\\" is missing"))
    #expect(outcome.output.contains("it is not JSON"))
    #expect(try Self.read("failed.jsonl", place).contains("{\"kind\":\"a\",\"workbench-error\":"))
  }

  @Test(arguments: [
    ("id,sort\n1,2\n", [String](), "a column is called \"sort\""), ("kind\na\n", [], "no column is called \"id\""),
    ("id\n1\n", ["--set", "id=2"], "\"id\" is a column, and was set as well"), ("", [], "rows.csv has no rows"),
    ("id\n1\n", ["--out", "o", "--select", "x=$nobody.body"], "nothing is called \"nobody\""),
  ])
  func `what is wrong with the columns is said before anything is sent`(
    rows: String, arguments: [String], message: String
  ) async throws {
    let server = try Self.server()
    let place = try Self.place(server.url, rows: rows)
    try Self.write("kept", "failed.csv", place)
    let outcome = try await Self.run(
      ["bulk", "items.wb", "fetch", "--rows", "rows.csv", "--failed", "failed.csv"] + arguments, in: place)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(message) || outcome.errors.contains("nobody"), "\(outcome.errors)")
    #expect(server.requests.isEmpty)
    #expect(try Self.read("failed.csv", place) == "kept")
  }

  @Test func `rows come through a pipe, in shares, at a rate, and no more begin after so many failures`() async throws {
    let posted = Posted()
    let server = try Self.server(posted)
    let rows = "id\n" + (1...9).map { "\($0)\n" }.joined()
    let place = try Self.place(server.url, rows: rows)
    let shared = try await Self.run(
      ["bulk", "items.wb", "add", "--rows", "-", "--shard", "2/3", "--rate", "100/s"], in: place, input: rows)
    #expect(shared.code == 0, "\(shared.errors)")
    #expect(posted.all == ["/items/2", "/items/5", "/items/8"])

    try Self.write("id\nnone1\nnone2\nnone3\nnone4\n", "bad.csv", place)
    let stopped = try await Self.run(
      ["bulk", "items.wb", "add", "--rows", "bad.csv", "--stop-after", "2"], in: place)
    #expect(stopped.code == 1)
    #expect(stopped.output.contains("2 rows: 2 failed"))
    #expect(stopped.errors.contains("continue with: workbench bulk --resume"))
  }

  @Test(arguments: [("id\n", "rows.csv"), ("\n\n", "rows.jsonl")])
  func `a file without a row says so`(rows: String, name: String) async throws {
    let place = try Self.place("http://127.0.0.1:1", rows: rows, name: name)
    let outcome = try await Self.run(["bulk", "items.wb", "add", "--rows", name], in: place)
    #expect(outcome.code == 0 && outcome.output == "no rows\n", "\(outcome)")
  }

  @Test(arguments: ["", " parallel 2"])
  func `a row all of whose steps are in a loop is done, with the status of the last one`(pace: String) async throws {
    let server = try Self.server()
    let place = try Self.place(server.url, rows: "id\n1\n")
    try Self.write(
      "sequence each(id) {\n  for $i in [1, 2]\(pace) {\n    GET \(server.url)/items/{$id}/{$i}\n  }\n}\n", "loop.wb",
      place)
    let outcome = try await Self.run(["bulk", "loop.wb", "each", "--rows", "rows.csv", "--out", "-"], in: place)
    #expect(outcome.output.contains("\"row\":1,\"state\":\"done\",\"status\":200"), "\(outcome)")
  }

  @Test func `nothing of a run over rows can be replayed, and one that is done is not continued`() async throws {
    let server = try Self.server()
    let place = try Self.place(server.url, rows: "id\n1\n")
    #expect(try await Self.run(["bulk", "items.wb", "add", "--rows", "rows.csv"], in: place).code == 0)
    let replayed = try await Self.run(["replay", "last"], in: place)
    #expect(replayed.code == 2 && replayed.errors.contains("there is nothing to replay"), "\(replayed)")
    let resumed = try await Self.run(["resume", "last"], in: place)
    #expect(resumed.code == 0 && resumed.errors.contains("is done: nothing is left to do"), "\(resumed)")
  }

  // MARK: Continuing

  @Test func `a run is continued: what is done or not known is not sent again`() async throws {
    let posted = Posted()
    let server = try Self.server(posted)
    let place = try Self.place(server.url, rows: "id\n1\nnone\ncut\n4\n")
    let first = try await Self.run(["bulk", "items.wb", "add", "--rows", "rows.csv"], in: place)
    #expect(first.code == 24, "\(first.written)")
    #expect(first.output.contains("4 rows: 2 done, 1 failed, 1 unknown"))
    #expect(first.errors.contains("1 row is not run again"))
    let id = try Self.id(first)
    let again = try await Self.run(
      ["bulk", "--resume", id, "--out", "out.jsonl", "--failed", "failed.csv", "--unknown", "unknown.csv"], in: place)
    #expect(again.code == 24)
    #expect(posted.all == ["/items/1", "/items/none", "/items/cut", "/items/4"])
    #expect(again.output.contains("4 of them before"))
    #expect(try Self.read("out.jsonl", place).split(separator: "\n").count == 4)
    #expect(try Self.read("failed.csv", place).contains("\nnone,"))
    #expect(try Self.read("unknown.csv", place).contains("\ncut,"))
    let retried = try await Self.run(["bulk", "--resume", id, "--retry-failed"], in: place)
    #expect(retried.code == 24)
    #expect(posted.repeated == ["/items/none"])
    // The plain command says which one it is.
    let plain = try await Self.run(["resume", id], in: place)
    #expect(plain.errors.contains("workbench bulk --resume \(id)"))
  }

  @Test func `a row that happened in part is not run again`() async throws {
    let posted = Posted()
    let server = try Self.server(posted)
    let place = try Self.place(server.url, rows: "id\n1\n")
    let first = try await Self.run(["bulk", "items.wb", "pay", "--rows", "rows.csv"], in: place)
    #expect(first.output.contains("1 row: 1 done in part"), "\(first.written)")
    let id = try #require(try await Self.run(["runs"], in: place).output.split(separator: " ").first)
    _ = try await Self.run(["bulk", "--resume", "\(id)", "--retry-failed"], in: place)
    #expect(posted.all == ["/items/1"])
  }

  @Test(arguments: [("id\n0\n1\nnone\n", "rows.csv:2"), ("id\n1\n", "no longer there")])
  func `rows that changed are refused before anything is sent`(rows: String, message: String) async throws {
    let posted = Posted()
    let server = try Self.server(posted)
    let place = try Self.place(server.url, rows: "id\n1\nnone\n")
    let id = try Self.id(try await Self.run(["bulk", "items.wb", "add", "--rows", "rows.csv"], in: place))
    try Self.write(rows, "rows.csv", place)
    let again = try await Self.run(["bulk", "--resume", id, "--retry-failed"], in: place)
    #expect(again.code == 2)
    #expect(again.errors.contains(message), "\(again.errors)")
    #expect(posted.all == ["/items/1", "/items/none"])
    // Rows may be appended.
    try Self.write("id\n1\nnone\n3\n", "rows.csv", place)
    _ = try await Self.run(["bulk", "--resume", id], in: place)
    #expect(posted.all == ["/items/1", "/items/none", "/items/3"])
  }

  @Test func `killed again and again, no row happens twice, and all others are done`() async throws {
    let posted = Posted()
    let server = try Self.server(posted, pause: .milliseconds(2))
    let count = 300
    let place = try Self.place(server.url, rows: "id\n" + (1...count).map { "\($0)\n" }.joined())
    // In the store before the first request: otherwise there is nothing to continue.
    var arguments = ["bulk", "items.wb", "add", "--rows", "rows.csv", "--jobs", "8"]
    var kills = 0
    for attempt in 0..<40 {
      let seen = posted.all.count
      let outcome = try await Self.run(arguments, in: place) { child in
        guard attempt < 6 else { return }
        let limit = Date(timeIntervalSinceNow: 20)
        while posted.all.count < seen + 20 + 3 * attempt, Date() < limit { Thread.sleep(forTimeInterval: 0.001) }
        kill(child, SIGKILL)
      }
      let id = try #require(try await Self.run(["runs"], in: place).output.split(separator: " ").first)
      arguments = ["bulk", "--resume", "\(id)", "--jobs", "8", "--out", "out.jsonl"]
      if outcome.code == -SIGKILL {
        kills += 1
      } else {
        #expect([0, 24].contains(outcome.code), "\(outcome.errors)")
        break
      }
    }
    #expect(kills == 6)
    #expect(posted.repeated == [])
    let lines = try Self.read("out.jsonl", place).split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    let states = Dictionary(grouping: lines) { $0["state"]?.string ?? "" }.mapValues(\.count)
    #expect(lines.count == count)
    #expect(states["done", default: 0] + states["unknown", default: 0] == count, "\(states)")
    // Only what was under way when it was killed is not known.
    #expect(states["unknown", default: 0] <= 6 * 16, "\(states)")
  }

  @Test func `an interrupted run says how to continue, and nothing is lost`() async throws {
    let posted = Posted()
    let server = try Self.server(posted, pause: .milliseconds(5))
    let place = try Self.place(server.url, rows: "id\n" + (1...200).map { "\($0)\n" }.joined())
    let outcome = try await Self.run(
      ["bulk", "items.wb", "fetch", "--rows", "rows.csv", "--jobs", "2", "--out", "out.jsonl"], in: place
    ) { child in
      let limit = Date(timeIntervalSinceNow: 20)
      while server.requests.count < 20, Date() < limit { Thread.sleep(forTimeInterval: 0.001) }
      kill(child, SIGINT)
    }
    #expect(outcome.code == 130, "\(outcome.errors)")
    let id = try Self.id(outcome)
    let again = try await Self.run(["bulk", "--resume", id, "--jobs", "8", "--out", "out.jsonl"], in: place)
    #expect(again.code == 0, "\(again.errors)")
    #expect(try Self.read("out.jsonl", place).split(separator: "\n").count == 200)
    #expect(try await Self.run(["bulk", "--resume", id], in: place).errors.contains("nothing is left to do"))
  }

  @Test(arguments: ["id,kind\n5\n6,x\n", "workbench-error,id,kind\nold,1\nold,6,x\n"])
  func `a row that could not be read stays one, however often its reason is read`(rows: String) async throws {
    let server = try Self.server()
    let place = try Self.place(server.url, rows: rows)
    var input = "rows.csv"
    for number in 1...4 {
      let outcome = try await Self.run(
        ["bulk", "items.wb", "fetch", "--rows", input, "--failed", "failed\(number).csv"], in: place)
      #expect(outcome.code == 2, "\(outcome.output)\(outcome.errors)")
      input = "failed\(number).csv"
    }
    #expect(try Self.read("failed2.csv", place) == Self.read("failed4.csv", place))
    #expect(!server.requests.contains { $0.contains("field") || $0.contains("old") }, "\(server.requests)")
  }

  @Test func `what is read is not overwritten, and an address is not a directory`() async throws {
    let server = try Self.server()
    let place = try Self.place(server.url, rows: "id\n1\n")
    let bulk = ["bulk", "items.wb", "fetch", "--rows", "rows.csv"]
    for output in [
      ["--out", "rows.csv"], ["--failed", "./rows.csv"], ["--unknown", "items.wb"], ["--report", "jsonl=rows.csv"],
    ] {
      let outcome = try await Self.run(bulk + output, in: place)
      #expect(outcome.code == 2 && outcome.errors.contains("would be overwritten"), "\(output) \(outcome.errors)")
    }
    let outcome = try await Self.run(bulk + ["--store", "postgres://h/d"], in: place)
    #expect(outcome.code == 2 && outcome.errors.contains("for workbench queue also postgres://"), "\(outcome)")
    #expect(try Self.read("rows.csv", place) == "id\n1\n")
    #expect(server.requests.isEmpty)
  }

  // MARK: Around it

  private static let secret = Canary.secret("bulk")

  @Test func `reports have a file for each row, and say what is wrong with a broken one`() async throws {
    let server = try Self.server()
    let place = try Self.place(server.url, rows: "id\n1\n\"2\nnone\n")
    let formats = ["junit", "jsonl", "html", "tap", "markdown", "har"]
    let outcome = try await Self.run(
      ["bulk", "items.wb", "fetch", "--rows", "rows.csv", "--jobs", "3"]
        + formats.flatMap { ["--report", "\($0)=report.\($0)"] }, in: place)
    #expect(outcome.code == 1, "\(outcome.errors)")
    let junit = try Self.read("report.junit", place)
    for text in ["items.wb #1", "items.wb #3", "its quote is not closed", "expected status 200, got 404"] {
      #expect(junit.contains(text), "\(text)")
    }
    for format in formats { #expect(try !Self.read("report.\(format)", place).isEmpty) }
  }

  @Test func `no secret is in the store, on the screen, or in what was written of the rows`() async throws {
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        let token = request.head.firstMatch(of: /(?i)authorization: Bearer (\S+)/).map { String($0.1) } ?? ""
        try connection.respond(
          request.head.contains("/none") ? "404 \(token)" : "200 OK", headers: ["Content-Type: application/json"],
          body: "{\"echo\": \"\(token)\"}")
      }
    }
    let place = try Self.place(server.url, rows: "id\n1\nnone\n")
    try Self.write(
      """
      profile api {
        base "\(server.url)"
        auth bearer $env.TOKEN
      }
      sequence fetch(id) {
        item: GET /items/{$id}
          expect 200
      }
      """, "items.wb", place)
    let outcome = try await Self.run(
      [
        "bulk", "items.wb", "fetch", "--rows", "rows.csv", "--out", "out.jsonl", "--select", "echo=$item.body.echo",
        "--failed", "failed.csv", "--report", "jsonl=report.jsonl", "-v",
      ], in: place, environment: ["TOKEN": Self.secret])
    #expect(outcome.code == 1, "\(outcome.errors)")
    let folder = place.url.deletingLastPathComponent()
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    for case let file as URL in files {
      guard let bytes = try? Data(contentsOf: file) else { continue }
      #expect(Canary.place(of: Self.secret, in: bytes) == nil, "\(file.lastPathComponent)")
    }
    #expect(Canary.place(of: Self.secret, in: Data((outcome.output + outcome.written).utf8)) == nil)
    #expect(try Self.read("out.jsonl", place).contains("\"echo\""))
  }
}
