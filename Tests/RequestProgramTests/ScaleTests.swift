import Diagnostics
import RequestProgram
import RequestSyntax
import Testing

struct ScaleTests {
  private func time(steps: Int) -> Duration {
    var script = "profile api { base http://a.test }\n"
    for step in 0..<steps {
      script +=
        "s\(step): POST api:/x/{$s\(max(0, step - 1)).body.id}\n  json { a: 1, b: \"t{$s0.status}\" }\n  expect 201\n"
    }
    script = script.replacing("{$s0.body.id}", with: "x").replacing("\"t{$s0.status}\"", with: "\"t\"")
    return ContinuousClock().measure {
      var program = Program()
      let parsed = Parser.parse(SourceText(name: "large.wb", text: script))
      #expect(program.add(parsed).isEmpty)
    }
  }

  @Test func `time to check grows linearly`() {
    _ = time(steps: 1_000)
    let small = time(steps: 2_000)
    let large = time(steps: 20_000)
    // Ten times the steps; quadratic growth would be a hundred times as long.
    #expect(large < small * 30)
  }
}
