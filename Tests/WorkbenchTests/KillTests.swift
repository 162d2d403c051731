import Foundation
import Testing

/// A run that is killed, or whose disk fails, at any of its calls, and is resumed: nothing is lost, and nothing happens
/// twice. `SWEEP=all` tries every call; by default the tests try a fraction of them, different ones each time.
@Suite(.timeLimit(.minutes(20)), .serialized) struct KillTests {
  @Test func `killed at any call, a run continues where it stopped`() async throws {
    try await SweptChain.with { chain in
      let total = try await chain.countCalls { try await $0.run($1) }.all
      var tally = SweepTally()
      for call in SweptChain.chosen(from: total, one: 12) {
        let trial = try chain.trial("kill-\(call)")
        let killed = try await trial.run(["KILL_AT": "\(call)"])
        // A run that made fewer calls this time is over.
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

  @Test func `killed at any call that migrates the store of an earlier version, the store stays intact`() async throws {
    let place = try TemporaryFile("", name: "place")
    let library = try await FaultLibrary.build(beside: place)
    let stored = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../RunStoreTests/Fixtures/format-3")
    var killed = 0
    for call in 1... {
      let store = "\(place.path).\(call)"
      try FileManager.default.copyItem(atPath: stored.path, toPath: store)
      let first = try await Workbench.run(
        ["runs", "--store", store], environment: ["LD_PRELOAD": library, "KILL_AT": "\(call)"])
      let second = try await Workbench.run(["runs", "--store", store])
      #expect(second.code == 0 && second.output.split(separator: "\n").count == 4, "\(call): \(second.written)")
      guard first.code == -SIGKILL else { break }
      killed += 1
    }
    print("changing a store of an earlier program, killed at \(killed) calls")
    #expect(killed > 5)
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
    try await SweptChain.with { chain in
      let total = try await chain.countCalls { try await $0.run($1) }.files
      var tally = SweepTally()
      for call in SweptChain.chosen(from: total, one: 10) {
        let trial = try chain.trial("\(fault)-\(call)")
        let failed = try await trial.run(fault.variables.merging(["FAIL_AT": "\(call)"]) { $1 })
        #expect([0, 1, 24, 25].contains(failed.code), "\(failed.errors)")
        if failed.code != 0 { #expect(failed.errors.contains("error:"), "\(failed.errors)") }
        try await trial.resume(&tally)
      }
      print("\(fault.rawValue), at \(tally.count) of \(total) calls: \(tally)")
      // What became of a step cannot be recorded when nothing can be written at all.
      #expect(fault == .gone || tally.undecided == 0)
      #expect(tally.done + tally.notBegun > 0)
    }
  }
}
