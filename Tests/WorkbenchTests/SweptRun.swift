import Canaries
import Foundation
import GRDB
import JSONValue
import Sandbox
import Testing

/// How the trials of a sweep ended.
struct SweepTally: CustomStringConvertible {
  var done = 0
  var undecided = 0
  var notBegun = 0
  var count: Int { done + undecided + notBegun }

  var description: String {
    "\(done) continued to the end, \(undecided) asked what to do, \(notBegun) had not begun"
  }
}

/// Allocate, upload, confirm: each must happen at most once.
struct SweptChain {
  private static let isWhole = ProcessInfo.processInfo.environment["SWEEP"] == "all"

  let endpoints: SandboxEndpoints
  let log: TemporaryFile
  let library: String

  static func with(_ body: (SweptChain) async throws -> Void) async throws {
    let place = try TemporaryFile("", name: "log.received")
    let library = try await FaultLibrary.build(beside: place)
    var options = SandboxOptions()
    options.logFile = place.path
    options.token = Canary.secret("kill")
    try await Sandbox.run(options) { endpoints in
      try await body(SweptChain(endpoints: endpoints, log: place, library: library))
    }
  }

  /// The calls that are tried: all of them, or a fraction, different ones each time.
  static func chosen(from total: Int, one step: Int) -> [Int] {
    isWhole ? Array(1...total) : Array(stride(from: Int.random(in: 1...step), through: total, by: step))
  }

  func trial(_ name: String) throws -> SweptRun { try SweptRun(chain: self, name: name) }

  /// How many calls there are without a fault.
  func countCalls(
    of body: (SweptRun, [String: String]) async throws -> Workbench.Outcome
  ) async throws -> (all: Int, files: Int) {
    let calls = try TemporaryFile("", name: "calls")
    let outcome = try await body(try trial("count"), ["CALLS": calls.path])
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    let lines = try calls.read().split(separator: "\n").map { $0.split(separator: " ") }
    #expect(Set(lines.compactMap { $0.last }).isSuperset(of: ["fdatasync", "send", "recv"]))
    return (lines.compactMap { Int($0[0]) }.max() ?? 0, lines.compactMap { Int($0[1]) }.max() ?? 0)
  }
}

/// One run of the chain, and what becomes of it.
struct SweptRun {
  let chain: SweptChain
  let name: String
  let script: TemporaryFile
  let store: String
  private let image: TemporaryFile

  init(chain: SweptChain, name: String) throws {
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

  /// Whether the run is in the store; if not, nothing was sent.
  func isBegun(_ tally: inout SweepTally) async throws -> Bool {
    let shown = try await workbench(["show", "last"])
    if shown.code == 0 { return true }
    #expect(shown.errors.contains("no run is recorded"), "\(name): \(shown.errors)")
    #expect(try requests().isEmpty, "\(name): sent before it was recorded")
    tally.notBegun += 1
    return false
  }

  /// Resumes the run, and checks what the server saw and what is stored.
  ///
  /// - Parameter answered: the steps whose responses were shown.
  func resume(
    _ tally: inout SweepTally, answered: Set<String> = [],
    until final: [String: Int] = ["allocate": 1, "upload": 1, "confirm": 1]
  ) async throws {
    guard try await isBegun(&tally) else { return }
    var outcome = try await workbench(["resume", "last"])
    if outcome.code == 24 {
      let step = String(try #require(outcome.errors.firstMatch(of: /--again (\w+)/)?.output.1))
      let shown = try await workbench(["show", "last"]).output
      expectUndecided(step, answered: answered, sent: try requests(), shown: shown)
      #expect(outcome.errors.contains("--done \(step)=") && outcome.errors.contains("--give-up"))
      tally.undecided += 1
      outcome = try await workbench(["resume", "last", "--again", step])
      #expect(outcome.code == 0 || step == "upload", "\(name): \(outcome.errors)")
      try expectOnce(but: step)
    } else {
      #expect(outcome.code == 0, "\(name): \(outcome.code) \(outcome.errors)")
      try await expectDone(final)
      tally.done += 1
    }
    try await expectSound()
  }

  // MARK: What must be so

  /// Only a step whose first byte may have been sent, and whose response is not known.
  ///
  /// - Parameter shown: the run, as printed by `show`.
  func expectUndecided(_ step: String, answered: Set<String>, sent: [String: Int], shown: String) {
    #expect(sent.values.allSatisfy { $0 == 1 }, "\(name): \(sent)")
    #expect(!answered.contains(step), "\(name): \(step) was answered")
    #expect(
      shown.contains("\(step)  sent, and no response") || shown.contains("\(step)  no response"), "\(name): \(shown)")
  }

  /// A step is sent again on request.
  func expectOnce(but step: String) throws {
    var sent = try requests()
    if sent[step] == 2 { sent[step] = 1 }
    #expect(sent.values.allSatisfy { $0 == 1 }, "\(name): \(sent)")
  }

  func expectDone(_ final: [String: Int]) async throws {
    #expect(try requests() == final, "\(name)")
    let shown = try await workbench(["show", "last"]).output
    #expect(shown.contains("done"), "\(name): \(shown)")
  }

  func expectSound() async throws {
    let database = try DatabaseQueue(path: "\(store)/runs.sqlite")
    #expect(try await database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
  }

  /// How often the server saw each step.
  func requests() throws -> [String: Int] {
    try received().reduce(into: [:]) { $0[$1.step, default: 0] += 1 }
  }

  /// What the server saw of each step.
  func received() throws -> [(step: String, request: JSON)] {
    let digest = Digest.sha256(Data("the image of \(name)".utf8))
    return try chain.log.read().split(separator: "\n").compactMap { line in
      let request = try JSON(parsing: String(line))
      guard let target = request["target"]?.string else { return nil }
      if target == "/sheets/\(name)/snapshots" { return ("allocate", request) }
      if target.hasPrefix("/sheets/\(name)/snapshots/") { return ("confirm", request) }
      return request["file_sha256"]?.string == digest ? ("upload", request) : nil
    }
  }

  func workbench(
    _ arguments: [String], _ environment: [String: String] = [:], input: String = ""
  ) async throws -> Workbench.Outcome {
    try await Workbench.run(
      arguments + ["--store", store], input: input,
      environment: environment.merging(["API_TOKEN": chain.endpoints.token]) { $1 })
  }
}
