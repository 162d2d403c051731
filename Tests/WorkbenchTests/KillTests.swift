import Foundation
import Testing

/// A run that is killed, or whose disk fails, at any of its calls, and is taken up again: nothing is lost, and nothing
/// happens twice. `SWEEP=all` tries every call; by itself the tests try one in so many, and other ones each time.
@Suite(.timeLimit(.minutes(20)), .serialized) struct KillTests {
  @Test func `killed at any call, a run goes on where it stopped`() async throws {
    try await SweptChain.with { chain in
      let total = try await chain.countCalls { try await $0.run($1) }.all
      var tally = SweepTally()
      for call in SweptChain.chosen(from: total, one: 12) {
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
      // Nobody can write down what became of a step when nothing can be written at all.
      #expect(fault == .gone || tally.undecided == 0)
      #expect(tally.done + tally.notBegun > 0)
    }
  }
}
