import Canaries
import Foundation
import GRDB
import JSONValue
import Sandbox
import Testing

/// A run that is killed, or whose disk fails, at any of its calls, and is taken up again: nothing is lost, and nothing
/// happens twice. `SWEEP=all` tries every call; by itself the tests try one in so many, and other ones each time.
@Suite(.timeLimit(.minutes(20)), .serialized) struct KillTests {
  private static let isWhole = ProcessInfo.processInfo.environment["SWEEP"] == "all"

  @Test func `killed at any call, a run goes on where it stopped`() async throws {
    try await withChain { chain in
      let total = try await chain.countCalls().all
      var tally = Tally()
      for call in Self.chosen(from: total, one: 12) {
        let trial = try chain.trial("kill-\(call)")
        let killed = try await trial.run(["KILL_AT": "\(call)"])
        // A run that had fewer calls this time is over.
        guard killed.code == -SIGKILL else {
          #expect(killed.code == 0)
          continue
        }
        try await trial.resume(&tally)
      }
      print("killed at \(tally.count) of \(total) calls: \(tally)")
      #expect(tally.done > 0)
    }
  }

  /// A disk that is full, one that fails once, and one that is gone.
  enum Fault: String, CaseIterable {
    case full = "ENOSPC"
    case once = "EIO, once"
    case gone = "EIO from then on"

    var variables: [String: String] {
      switch self {
      case .full: ["FAIL_WITH": "ENOSPC"]
      case .once: ["FAIL_WITH": "EIO", "FAIL_ONCE": "1"]
      case .gone: ["FAIL_WITH": "EIO"]
      }
    }
  }

  @Test(arguments: Fault.allCases)
  func `with a disk that fails at any call, a step is not sent or is known`(fault: Fault) async throws {
    try await withChain { chain in
      let total = try await chain.countCalls().files
      var tally = Tally()
      for call in Self.chosen(from: total, one: 10) {
        let trial = try chain.trial("\(fault)-\(call)")
        let failed = try await trial.run(fault.variables.merging(["FAIL_AT": "\(call)"]) { $1 })
        #expect([0, 1, 24, 25].contains(failed.code), "\(failed.errors)")
        if failed.code != 0 { #expect(failed.errors.contains("error:"), "\(failed.errors)") }
        try await trial.resume(&tally)
      }
      print("\(fault.rawValue), at \(tally.count) of \(total) calls: \(tally)")
      // Nobody can write down what became of a step when nothing can be written at all.
      #expect(fault == .gone || tally.undecided == 0)
      #expect(tally.done + tally.notBegun > 0)
    }
  }

  private static func chosen(from total: Int, one step: Int) -> [Int] {
    isWhole ? Array(1...total) : Array(stride(from: Int.random(in: 1...step), through: total, by: step))
  }

  private func withChain(_ body: (Chain) async throws -> Void) async throws {
    let place = try TemporaryFile("", name: "log.received")
    let library = try await FaultLibrary.build(beside: place)
    var options = SandboxOptions()
    options.logFile = place.path
    options.token = Canary.secret("kill")
    try await Sandbox.run(options) { endpoints in
      try await body(Chain(endpoints: endpoints, log: place, library: library))
    }
  }
}

/// How the trials ended.
private struct Tally: CustomStringConvertible {
  var done = 0
  var undecided = 0
  var notBegun = 0
  var count: Int { done + undecided + notBegun }

  var description: String {
    "\(done) went on to the end, \(undecided) asked what to do, \(notBegun) had not begun"
  }
}

/// Allocate, upload, confirm: each must happen at most once.
private struct Chain {
  let endpoints: SandboxEndpoints
  let log: TemporaryFile
  let library: String

  func trial(_ name: String) throws -> Trial { try Trial(chain: self, name: name) }

  /// How many calls an undisturbed run has.
  func countCalls() async throws -> (all: Int, files: Int) {
    let trial = try trial("count")
    let calls = try TemporaryFile("", name: "calls")
    #expect(try await trial.run(["CALLS": calls.path]).code == 0)
    let lines = try calls.read().split(separator: "\n").map { $0.split(separator: " ") }
    #expect(Set(lines.compactMap { $0.last }).isSuperset(of: ["fdatasync", "send", "recv"]))
    return (lines.compactMap { Int($0[0]) }.max() ?? 0, lines.compactMap { Int($0[1]) }.max() ?? 0)
  }
}

/// One run, and what becomes of it.
private struct Trial {
  let chain: Chain
  let name: String
  private let script: TemporaryFile
  private let image: TemporaryFile
  private let store: String

  init(chain: Chain, name: String) throws {
    self.chain = chain
    self.name = name
    image = try TemporaryFile("the image of \(name)", name: "image.png")
    script = try TemporaryFile(
      """
      profile api {
        base \(chain.endpoints.api)
        auth bearer $env.API_TOKEN
      }
      let image = file("\(image.path)")

      allocate: POST api:/sheets/\(name)/snapshots
        json { filesize: $image.size }
        expect 201

      upload: POST $allocate.body.snapshot.url
        multipart { ...$allocate.body.snapshot.fields, file: $image }
        expect 204

      confirm: PUT api:/sheets/\(name)/snapshots/{$allocate.body.snapshot.uid}
        effect once
        expect 200
      """, name: "chain.wb")
    store = script.path + ".d"
  }

  func run(_ faults: [String: String]) async throws -> Workbench.Outcome {
    try await workbench(["run", script.path], faults.merging(["LD_PRELOAD": chain.library]) { $1 })
  }

  /// Takes the run up again, and looks at what the server saw and at what is stored.
  func resume(_ tally: inout Tally) async throws {
    let before = try requests()
    var outcome = try await workbench(["resume", "last"])
    if outcome.code == 2 || outcome.code == 25, outcome.errors.contains("no run is recorded") {
      #expect(before.isEmpty, "\(name): sent before it was recorded")
      tally.notBegun += 1
      return
    }
    if outcome.code == 24 {
      let sent = try requests()
      #expect(sent.values.allSatisfy { $0 == 1 }, "\(name): \(sent)")
      let step = try #require(outcome.errors.firstMatch(of: /--again (\w+)/)?.output.1)
      // Only one whose first byte may have left, and whose answer is not known.
      let shown = try await workbench(["show", "last"])
      #expect(
        shown.output.contains("\(step)  sent, and no answer") || shown.output.contains("\(step)  no answer"),
        "\(name): \(shown.output)")
      #expect(outcome.errors.contains("--done \(step)=") && outcome.errors.contains("--give-up"))
      tally.undecided += 1
      outcome = try await workbench(["resume", "last", "--again", String(step)])
      var expected = try requests()
      // Whoever says so has it sent again.
      if (expected[String(step)] ?? 0) == 2 { expected[String(step)] = 1 }
      #expect(outcome.code == 0 || step == "upload", "\(name): \(outcome.errors)")
      #expect(expected.values.allSatisfy { $0 == 1 }, "\(name): \(expected)")
    } else {
      #expect(outcome.code == 0, "\(name): \(outcome.code) \(outcome.errors)")
      #expect(try requests() == ["allocate": 1, "upload": 1, "confirm": 1], "\(name)")
      #expect(try await workbench(["show", "last"]).output.contains("done"))
      tally.done += 1
    }
    let database = try DatabaseQueue(path: "\(store)/runs.sqlite")
    #expect(try await database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
  }

  /// How often the server saw each step.
  private func requests() throws -> [String: Int] {
    let digest = Digest.sha256(Data("the image of \(name)".utf8))
    var counts: [String: Int] = [:]
    for line in try chain.log.read().split(separator: "\n") {
      let record = try JSON(parsing: String(line))
      guard let target = record["target"]?.string else { continue }
      if target == "/sheets/\(name)/snapshots" {
        counts["allocate", default: 0] += 1
      } else if target.hasPrefix("/sheets/\(name)/snapshots/") {
        counts["confirm", default: 0] += 1
      } else if record["file_sha256"]?.string == digest {
        counts["upload", default: 0] += 1
      }
    }
    return counts
  }

  private func workbench(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) async throws -> Workbench.Outcome {
    try await Workbench.run(
      arguments + ["--store", store],
      environment: environment.merging(["API_TOKEN": chain.endpoints.token]) { $1 })
  }
}

/// `Tests/Faults/fail-at.c`, built.
private enum FaultLibrary {
  static func build(beside place: TemporaryFile) async throws -> String {
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Faults/fail-at.c")
    let library = place.path + ".so"
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = ["clang", "-O1", "-shared", "-fPIC", source.path, "-o", library, "-ldl"]
    let status: Int32 = try await withCheckedThrowingContinuation { continuation in
      compiler.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try compiler.run() } catch { continuation.resume(throwing: error) }
    }
    try #require(status == 0)
    return library
  }
}
