import Canaries
import Crypto
import Foundation
import JSONValue
import LoopbackServer
import Synchronization
import Testing

/// `workbench test` and its reports, as they are in CI.
@Suite(.timeLimit(.minutes(5))) struct SuiteTests {
  /// 404 below `/none`, no response below `/slow`, every second time 500 below `/flaky`, else 200.
  private static func server() throws -> LoopbackServer {
    let flaky = Counter()
    return try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        if request.head.contains(" /slow") { return try connection.waitForClose() }
        let isBad = request.head.contains(" /flaky") && flaky.next().isMultiple(of: 2)
        try connection.respond(
          request.head.contains(" /none") ? "404 Not Found" : isBad ? "418 Teapot" : "200 OK",
          headers: ["Content-Type: application/json", "Set-Cookie: sid=cookie-that-is-long"],
          body: "{\"n\": 1, \"evil\": \"</script><script>x</script>\"}")
      }
    }
  }

  /// A directory of scripts.
  private static func suite(_ scripts: [String: String]) throws -> TemporaryFile {
    let place = try TemporaryFile("", name: "place")
    let directory = place.url.deletingLastPathComponent()
    for (name, text) in scripts {
      let file = directory.appending(path: "tests/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return place
  }

  private static func run(
    _ arguments: [String], in place: TemporaryFile, environment: [String: String] = [:],
    during: (@Sendable (pid_t) -> Void)? = nil
  ) async throws -> Workbench.Outcome {
    let directory = place.url.deletingLastPathComponent().path
    return try await Workbench.run(
      arguments, environment: environment.merging(["XDG_STATE_HOME": directory]) { $1 }, directory: directory,
      during: during)
  }

  private static func read(_ name: String, _ place: TemporaryFile) throws -> String {
    try String(contentsOf: place.url.deletingLastPathComponent().appending(path: name), encoding: .utf8)
  }

  private static func exists(_ place: TemporaryFile) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place.url.deletingLastPathComponent().path)
      .filter { !["place", "tests", "workbench"].contains($0) }
  }

  private static func mixed(_ url: String) -> [String: String] {
    [
      "a.wb": """
      tags smoke
      one: GET \(url)/one
      GET \(url)/two/{$one.body.n}?x=1
      left: GET \(url)/left when 1 == 2
      for $n in [1, 2] { each: GET \(url)/each/{$n} }
      """,
      "b/c.wb": """
      tags slow, smoke
      bad: GET \(url)/one
        expect body.n == 2
        expect status == 201
      never: GET \(url)/never
      """,
      "b/broken.wb": "GET \(url)/one expekt 200\n",
      "shared.wb": "profile api { base \(url) }\n",
      "refused.wb": "GET http://127.0.0.1:1/\n  retry none\n",
    ]
  }

  @Test func `files of a directory are run, and there is one verdict`() async throws {
    let server = try Self.server()
    let place = try Self.suite(Self.mixed(server.url))
    let outcome = try await Self.run(["test", "tests", "--jobs", "4"], in: place)
    #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("4 files: 1 passed, 3 failed"), "\(outcome.output)")
    #expect(outcome.output.contains("; 2 expectations: 0 met, 2 not met; "), "\(outcome.output)")
    #expect(outcome.output.contains("tests/b/c.wb:2  bad  "), "\(outcome.output)")
    let order = ["tests/a.wb", "tests/b/broken.wb", "tests/b/c.wb", "tests/refused.wb"]
    let ends = outcome.output.split(separator: "\n").filter { $0.hasPrefix("ok ") || $0.hasPrefix("FAILED ") }
    #expect(zip(ends, order).allSatisfy { $0.contains($1) } && ends.count == 4, "\(ends)")
    // The scripts that others use are not tests; the suite is the last run.
    let shown = try await Self.run(["show", "last"], in: place)
    #expect(shown.output.contains("tests/a.wb") && shown.output.contains("failed"), "\(shown.output)")
    let runs = try await Self.run(["runs"], in: place)
    #expect(runs.output.split(separator: "\n").count == 1, "\(runs.output)")
  }

  @Test func `tags, patterns and shards choose files`() async throws {
    let place = try Self.suite(Self.mixed("http://127.0.0.1:1"))
    func list(_ arguments: [String]) async throws -> [String] {
      try await Self.run(["test", "--list"] + arguments, in: place).output.split(separator: "\n")
        .map { String($0.split(separator: " ")[0]) }
    }
    #expect(try await list(["tests", "--tags", "smoke"]) == ["tests/a.wb", "tests/b/c.wb"])
    #expect(try await list(["tests", "--tags", "smoke,!slow"]) == ["tests/a.wb"])
    #expect(try await list(["tests/**/*.wb", "--only", "c.wb"]) == ["tests/b/c.wb"])
    #expect(try await list(["tests/?.wb"]) == ["tests/a.wb"])
    #expect(try await list(["tests", "--shard", "2/3"]) == ["tests/b/broken.wb"])
    #expect(try await Self.run(["test", "nothing.wb"], in: place).code == 25)
    #expect(try await Self.run(["test", "tests/shared.wb", "--list"], in: place).code == 0)
    #expect(try await Self.run(["test", "tests", "--only", "zzz"], in: place).code == 2)
  }

  static let formats = ["jsonl", "junit", "junit-gitlab", "tap", "tap13", "github", "markdown", "html", "har"]

  private static func reports(_ suffix: String = "") -> [String] {
    formats.flatMap { ["--report", "\($0)=r\(suffix).\($0)"] }
  }

  @Test func `every report of one run counts the same, and so do the shards together`() async throws {
    let server = try Self.server()
    let place = try Self.suite(Self.mixed(server.url))
    let whole = try await Self.run(["test", "tests", "--jobs", "3"] + Self.reports(), in: place)
    #expect(whole.code == 1, "\(whole.errors)")
    for shard in 1...3 {
      _ = try await Self.run(
        ["test", "tests", "--shard", "\(shard)/3", "--report", "jsonl=s\(shard).jsonl"], in: place)
    }
    let formats = Self.formats.filter { $0 != "har" }
    let merged = try await Self.run(
      ["report", "s3.jsonl", "s1.jsonl", "s2.jsonl"] + formats.flatMap { ["--report", "\($0)=rm.\($0)"] }, in: place)
    #expect(merged.code == 0, "\(merged.errors)")
    for name in ["r", "rm"] {
      let junit = try Self.read("\(name).junit", place)
      #expect(junit.components(separatedBy: "<testcase").count - 1 == 8, "\(junit)")
      #expect(junit.components(separatedBy: "<failure").count - 1 == 1)
      #expect(junit.components(separatedBy: "<error").count - 1 == 2)
      #expect(junit.contains("type=\"network\"") && junit.contains("name=\"each[2]\""), "\(junit)")
      #expect(junit.contains("name=\"GET \(server.url)/two/{$one.body.n}?x=1\""), "\(junit)")
      let markdown = try Self.read("\(name).markdown", place)
      #expect(markdown.contains("4 files, 7 steps: 4 passed, 2 failed, 1 skipped"), "\(markdown)")
      #expect(try Self.read("\(name).tap", place).contains("\n1..4\n"))
    }
    let archive = try JSON(parsing: Self.read("r.har", place))
    #expect(archive["log"]?["entries"]?.array?.count == 5)
    #expect(!(try Self.read("r.har", place)).contains("cookie-that-is-long"))
    let two = try await Self.run(["report", "s1.jsonl", "s3.jsonl", "--report", "junit=no.junit"], in: place)
    #expect(two.code == 2 && two.errors.contains("shards, 2 is missing"), "\(two.errors)")
    #expect(!(try Self.exists(place).contains("no.junit")))
    // From the store afterwards.
    let stored = try await Self.run(["report", "last"] + Self.reports("st"), in: place)
    #expect(stored.code == 0, "\(stored.errors)")
    for name in ["r", "rm", "rst"] {
      let page = try Self.read("\(name).html", place)
      #expect(!page.contains("cookie-that-is-long"), "\(name)")
      // One script, which is the one that the policy names.
      let scripts = page.matches(of: /<script>([^<]*)<\/script>/)
      #expect(scripts.count == 1 && page.components(separatedBy: "<script").count == 2)
      let digest = Data(SHA256.hash(data: Data((scripts.first?.1 ?? "").utf8))).base64EncodedString()
      #expect(page.contains("script-src 'sha256-\(digest)'"), "\(digest)")
      #expect(page.contains("<svg") && page.contains("expected"), "\(name)")
    }
    try await ReportReaders.check(place.url.deletingLastPathComponent().path, ["r", "rm"], files: 4, cases: 8)
  }

  @Test func `a file that passes at the second attempt is flaky`() async throws {
    let server = try Self.server()
    let place = try Self.suite(["f.wb": "first: GET \(server.url)/flaky\n  expect 200\n"])
    let outcome = try await Self.run(
      ["test", "tests", "--retry-failed", "2", "--report", "junit=r.junit", "--report", "tap=r.tap"], in: place)
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("flaky  tests/f.wb") && outcome.output.contains("1 flaky"), "\(outcome.output)")
    #expect(try Self.read("r.junit", place).contains("<flakyFailure"))
  }

  @Test func `a file that is repeated shows percentiles, and fail-fast begins no more`() async throws {
    let server = try Self.server()
    let place = try Self.suite(["f.wb": "first: GET \(server.url)/one\n", "a.wb": "GET \(server.url)/none\n"])
    let outcome = try await Self.run(["test", "tests/f.wb", "--repeat", "20", "--jobs", "4"], in: place)
    #expect(outcome.code == 0 && outcome.output.contains("20 files: 20 passed"), "\(outcome.output)")
    #expect(outcome.output.contains("p99") && outcome.output.contains("first  20 times"), "\(outcome.output)")
    let fast = try await Self.run(["test", "tests", "--fail-fast"], in: place)
    #expect(fast.code == 1 && fast.output.contains("1 not run"), "\(fast.output)")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted run leaves whole reports that say so`(signal: Int32) async throws {
    let server = try Self.server()
    let place = try Self.suite([
      "a.wb": "one: GET \(server.url)/one\nslow: GET \(server.url)/slow\nfinally { last: GET \(server.url)/last }\n",
      "b.wb": "GET \(server.url)/one\n",
    ])
    let outcome = try await Self.run(["test", "tests"] + Self.reports(), in: place) { child in
      while !server.requests.contains(where: { $0.contains("/slow") }) { usleep(10_000) }
      kill(child, signal)
    }
    #expect(outcome.code == 130, "\(outcome.errors)")
    #expect(server.requests.last?.contains("/last") == true)
    #expect(try Self.read("r.junit", place).hasSuffix("</testsuites>\n"))
    #expect(try Self.read("r.tap", place).hasSuffix("Bail out! interrupted\n"))
    #expect(try Self.read("r.markdown", place).contains("interrupted"))
    _ = try JSON(parsing: Self.read("r.har", place))
  }

  @Test func `a run that is killed leaves nothing of a report, and the store still has one`() async throws {
    let server = try Self.server()
    let place = try Self.suite(["a.wb": "one: GET \(server.url)/one\nslow: POST \(server.url)/slow\n"])
    let outcome = try await Self.run(["test", "tests"] + Self.reports(), in: place) { child in
      while !server.requests.contains(where: { $0.contains("/slow") }) { usleep(10_000) }
      kill(child, SIGKILL)
    }
    #expect(outcome.code == -SIGKILL)
    #expect(try Self.exists(place) == [])
    let stored = try await Self.run(
      ["report", "last", "--report", "junit=r.junit", "--report", "markdown=r.markdown"], in: place)
    #expect(stored.code == 0, "\(stored.errors)")
    #expect(try Self.read("r.markdown", place).contains("workbench: interrupted"))
    #expect(try Self.read("r.junit", place).contains("no response is known"))
  }

  /// How long it took is measured; and an interrupted run cannot be timed exactly.
  private static func withoutTimes(_ report: String) -> String {
    let times = #/(time=|timestamp=|"(?:time|started|at|p50)":) ?(?:"[^"]*"|[0-9.e+-]+)|\b[0-9.]+ (?:µs|ms|s)\b/#
    return report.replacing(times) { "\($0.output.1 ?? "")" }
  }

  @Test(arguments: [nil, SIGINT, SIGTERM])
  func `a report from the record says what the live one said`(signal: Int32?) async throws {
    let server = try Self.server()
    var scripts = Self.mixed(server.url)
    scripts["c.wb"] = "GET \(server.url)/one\nGET \(server.url)/one\n  expect body.n == 4\n"
    scripts["d.wb"] = "GET https://a.test/ expekt 200\nGET https://a.test/ expekt 201\n"
    scripts["e.wb"] = "GET http://127.0.0.1:1/\n"
    scripts["f.wb"] = "first: GET \(server.url)/flaky\n  expect 200\n"
    scripts["g/x.y.wb"] = "for $n in [1, 2] { GET \(server.url)/{$n} }\n"
    scripts["z.wb"] = signal == nil ? "GET \(server.url)/one\n" : "GET \(server.url)/slow\n"
    let place = try Self.suite(scripts)
    let formats = ["junit", "junit-gitlab", "tap", "tap13", "github", "markdown", "jsonl"]
    let live = try await Self.run(
      ["test", "tests", "--retry-failed", "1"] + formats.flatMap { ["--report", "\($0)=live.\($0)"] }, in: place
    ) { child in
      guard let signal else { return }
      while !server.requests.contains(where: { $0.contains("/slow") }) { usleep(10_000) }
      kill(child, signal)
    }
    #expect(live.code == (signal == nil ? 1 : 130), "\(live.errors)")
    let stored = try await Self.run(
      ["report", "last"] + formats.flatMap { ["--report", "\($0)=stored.\($0)"] }, in: place)
    #expect(stored.code == 0, "\(stored.errors)")
    for format in formats {
      let (live, stored) = try (Self.read("live.\(format)", place), Self.read("stored.\(format)", place))
      #expect(Self.withoutTimes(live) == Self.withoutTimes(stored), "\(format)")
    }
  }

  @Test func `with --verbose, JSON lines have headers and bodies, and pages made of them show them`() async throws {
    let server = try Self.server()
    let place = try Self.suite([
      "a.wb": """
      one: GET \(server.url)/one
      sequence inner(n: int) {
        deep: GET \(server.url)/{$n}
        let out = $deep.body.n
      }
      got: run inner($one.body.n)
      last: GET \(server.url)/last query { a: $got.out }
        expect body.n == $one.body.n
      """
    ])
    let lines = try await Self.run(["test", "tests", "-v", "--report", "jsonl=r.jsonl"], in: place)
    #expect(lines.code == 0, "\(lines.errors)")
    let steps = try Self.read("r.jsonl", place).split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
      .filter { $0["event"]?.string == "step" }
    #expect(steps.count == 3 && steps.allSatisfy { $0["headers"] != nil && $0["body"]?.string != nil })
    let flows = (steps.last?["flows"]?.array ?? []).map { flow in
      ["from", "value", "into"].map { flow[$0]?.string ?? "" }.joined(separator: " ")
    }
    #expect(Set(flows) == ["deep .body.n query", "one .body.n expectation"], "\(flows)")
    let merged = try await Self.run(["report", "./r.jsonl", "--report", "html=r.html"], in: place)
    #expect(merged.code == 0, "\(merged.errors)")
    #expect(try Self.read("r.html", place).contains("</code> of <a href="))
  }

  @Test func `suites differ file by file, and are their files' runs in an archive`() async throws {
    let number = Counter()
    let server = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        let isChanging = request.head.contains(" /changing")
        try connection.respond(
          headers: ["Content-Type: application/json"], body: "{\"n\": \(isChanging ? number.next() : 0)}")
      }
    }
    let place = try Self.suite([
      "a.wb": "same: GET \(server.url)/same\n", "b.wb": "other: GET \(server.url)/changing\n",
    ])
    for _ in 1...2 { #expect(try await Self.run(["test", "tests"], in: place).code == 0) }
    let listed = try await Self.run(["runs"], in: place)
    let suites = listed.output.split(separator: "\n").filter { $0.contains("tests ") || $0.hasSuffix("tests") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    try #require(suites.count >= 2, "\(listed.output)")
    let difference = try await Self.run(["diff", suites[1], suites[0]], in: place)
    #expect(difference.code == 1 && difference.output.hasPrefix("tests/b.wb\n"), "\(difference)")
    #expect(!difference.output.contains("a.wb"))
    let archive = try await Self.run(["show", "last", "--har"], in: place)
    #expect(try JSON(parsing: archive.output)["log"]?["entries"]?.array?.count == 2)
    let step = try await Self.run(["show", "last", "1"], in: place)
    let shows = step.errors.split(separator: "\n").filter { $0.contains("workbench show ") }
    #expect(step.code == 2 && shows.count == 2 && shows[0].hasSuffix(" 1    tests/a.wb"), "\(step)")
    let nowhere = try await Self.run(["show", "last", "nowhere"], in: place)
    #expect(nowhere.code == 2 && nowhere.errors.contains("the run has no step \"nowhere\""), "\(nowhere)")
    let debugged = try await Self.run(["debug", "--run", "last"], in: place)
    #expect(debugged.code == 2 && debugged.errors.contains("is a suite"), "\(debugged)")
    #expect(listed.output.contains("tests  suite of 2 files"), "\(listed.output)")
    let replayed = try await Self.run(["replay", "last"], in: place)
    let commands = replayed.errors.split(separator: "\n").filter { $0.contains("workbench replay ") }
    #expect(commands.count == 2 && commands[0].hasSuffix("tests/a.wb"), "\(replayed)")
    let resumed = try await Self.run(["resume", "last"], in: place)
    #expect(resumed.errors.contains("none of them has anything left to do"), "\(resumed)")
  }

  @Test func `a report on standard output is all that is there`() async throws {
    let server = try Self.server()
    let place = try Self.suite(["a.wb": "one: GET \(server.url)/one\n"])
    for command in [["run", "tests/a.wb"], ["test", "tests"]] {
      let outcome = try await Self.run(command + ["--report", "junit=-"], in: place)
      #expect(outcome.code == 0 && outcome.output.hasPrefix("<?xml"), "\(outcome.output)")
      #expect(outcome.output.hasSuffix("</testsuites>\n") && outcome.errors.contains("1 "), "\(outcome.errors)")
    }
  }

  @Test func `what cannot be written is known before anything is sent`() async throws {
    let server = try Self.server()
    let place = try Self.suite(["a.wb": "GET \(server.url)/one\n"])
    for command in [["run", "tests/a.wb"], ["test", "tests"]] {
      let outcome = try await Self.run(
        command + ["--report", "junit=here.junit", "--report", "tap=missing/r.tap"], in: place)
      #expect(outcome.code == 25 && outcome.errors.contains("missing/r.tap"), "\(outcome.errors)")
      #expect(try Self.exists(place) == [])
    }
    #expect(server.requests.isEmpty)
    #expect(try await Self.run(["run", "tests/a.wb", "--report", "xml=x"], in: place).code == 2)
  }

  @Test func `errors before the first step are in --json and in reports`() async throws {
    let place = try Self.suite(["a.wb": "GET https://a.test/ expekt 200\n"])
    let outcome = try await Self.run(
      ["run", "tests/a.wb", "--json", "--report", "junit=r.junit", "--report", "github=r.txt"], in: place)
    #expect(outcome.code == 2)
    let line = try JSON(parsing: outcome.output)
    #expect(line["ok"] == false && line["line"] == 1 && line["error"] != nil, "\(outcome.output)")
    #expect(try Self.read("r.junit", place).contains("<error type=\"usage\""))
    #expect(try Self.read("r.txt", place).hasPrefix("::error file=tests/a.wb,line=1,col="))
  }

  @Test(
    arguments: [
      (["test", "nothing.wb"], 25), (["test", "tests", "--only", "zzz"], 2), (["run", "nothing.wb"], 25),
      (["run", "tests/a.wb", "--set", "x=1"], 2), (["run", "tests/a.wb", "--report", "tap=r.tap"], 2),
    ] as [([String], Int32)])
  func `what does not begin is in reports, with the reason`(arguments: [String], code: Int32) async throws {
    let place = try Self.suite(["a.wb": "sequence s() { GET https://a.test/ }\n"])
    let outcome = try await Self.run(
      arguments + ["--json"] + ["--report", "junit=r.junit", "--report", "jsonl=r.jsonl"], in: place)
    #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
    #expect(try Self.read("r.junit", place).contains("<error type="), "\(outcome.errors)")
    #expect(outcome.output.contains("\"error\":") || outcome.output.contains("\"message\":"), "\(outcome.output)")
  }

  @Test func `the share of a job is what its server says`() async throws {
    let place = try Self.suite(["a.wb": "GET https://a.test/\n", "b.wb": "GET https://a.test/\n"])
    func list(_ environment: [String: String]) async throws -> Workbench.Outcome {
      try await Self.run(["test", "tests", "--shard", "auto", "--list"], in: place, environment: environment)
    }
    #expect(try await list(["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2"]).output == "tests/b.wb\n")
    #expect(try await list(["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "2"]).output == "tests/a.wb\n")
    #expect(try await list(["CI_NODE_TOTAL": "1"]).output == "tests/a.wb\ntests/b.wb\n")
    let unset = try await list([:])
    #expect(unset.code == 2 && unset.errors.contains("WORKBENCH_SHARD"), "\(unset.errors)")
    #expect(try await list(["CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "2"]).code == 2)
  }

  @Test func `no secret is in a report`() async throws {
    let token = Canary.secret("suite-report")
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(headers: ["Content-Type: application/json"], body: "{\"said\": \"\(token)\"}")
      }
    }
    let place = try Self.suite([
      "a.wb": """
      profile api { base \(server.url) auth bearer $env.TOKEN }
      echo: GET api:/{$env.TOKEN}
        expect body.said == "x"
      """
    ])
    let outcome = try await Self.run(["test", "tests"] + Self.reports(), in: place, environment: ["TOKEN": token])
    #expect(outcome.code == 1, "\(outcome.errors)")
    for format in Self.formats { #expect(!(try Self.read("r.\(format)", place)).contains(token), "\(format)") }
    #expect(!(outcome.output + outcome.errors).contains(token))
  }

  @Test func `a suite of every order has the same verdict and counts`() async throws {
    let server = try Self.server()
    let place = try Self.suite(Self.mixed(server.url))
    var verdicts: Set<String> = []
    for jobs in [1, 2, 8, 3, 4] {
      let outcome = try await Self.run(["test", "tests", "--jobs", "\(jobs)"], in: place)
      verdicts.insert(outcome.output.split(separator: "\n").last.map { String($0.prefix { $0 != ";" }) } ?? "")
    }
    #expect(verdicts.count == 1, "\(verdicts)")
  }
}

/// Counts calls.
private final class Counter: Sendable {
  private let count = Mutex(-1)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
