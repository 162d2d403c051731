import Diagnostics
import Foundation
import RequestProgram
import RequestSyntax
import Testing

struct ScaleTests {
  enum Kind: CaseIterable {
    case steps, loops, sequences

    func statement(_ number: Int) -> String {
      switch self {
      case .steps where number == 0: "s0: POST api:/x\n"
      case .steps: "s\(number): POST api:/x/{$s\(number - 1).body.id}\n  json { a: 1, b: \"t\" }\n  expect 201\n"
      case .loops: "for $x in [1, 2] {\n  s\(number): GET api:/x/{$x}\n}\n"
      case .sequences: "sequence q\(number)(x) {\n  s: GET api:/x/{$x}\n}\nr\(number): run q\(number)(x: 1)\n"
      }
    }
  }

  /// The CPU time of this thread, whatever else the machine does.
  private func work(_ kind: Kind, count: Int) -> Double {
    let script = "profile api { base http://a.test }\n" + (0..<count).map(kind.statement).joined()
    let start = Self.threadTime()
    var program = Program()
    let parsed = Parser.parse(SourceText(name: "large.wb", text: script))
    #expect(program.add(parsed).isEmpty)
    return Self.threadTime() - start
  }

  private static func threadTime() -> Double {
    // A `timespec`: which module defines its members depends on what else the compiler sees.
    var (seconds, nanoseconds) = (0, 0)
    withUnsafeTemporaryAllocation(of: timespec.self, capacity: 1) { time in
      guard let base = time.baseAddress, clock_gettime(CLOCK_THREAD_CPUTIME_ID, base) == 0 else { return }
      UnsafeRawPointer(base).withMemoryRebound(to: Int.self, capacity: 2) { (seconds, nanoseconds) = ($0[0], $0[1]) }
    }
    return Double(seconds) + Double(nanoseconds) / 1e9
  }

  @Test(arguments: Kind.allCases)
  func `time to check grows linearly`(kind: Kind) {
    _ = work(kind, count: 1_000)
    let small = (work(kind, count: 2_000) + work(kind, count: 2_000)) / 2
    let large = work(kind, count: 20_000)
    // Ten times as many; quadratic growth would be a hundred times as long.
    #expect(large < small * 40)
  }
}
