import Diagnostics
import Foundation
import RequestProgram
import RequestSyntax
import Testing

struct ScaleTests {
  /// The time that this thread works, whatever else the machine does.
  private func work(steps: Int) -> Double {
    var script = "profile api { base http://a.test }\n"
    for step in 0..<steps {
      script +=
        "s\(step): POST api:/x/{$s\(max(0, step - 1)).body.id}\n  json { a: 1, b: \"t{$s0.status}\" }\n  expect 201\n"
    }
    script = script.replacing("{$s0.body.id}", with: "x").replacing("\"t{$s0.status}\"", with: "\"t\"")
    let start = Self.threadTime()
    var program = Program()
    let parsed = Parser.parse(SourceText(name: "large.wb", text: script))
    #expect(program.add(parsed).isEmpty)
    return Self.threadTime() - start
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `time to check grows linearly`() {
    _ = work(steps: 1_000)
    let small = (work(steps: 2_000) + work(steps: 2_000)) / 2
    let large = work(steps: 20_000)
    // Ten times the steps; quadratic growth would be a hundred times as long.
    #expect(large < small * 40)
  }
}
