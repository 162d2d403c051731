import HTTPTypes
import Presentation
import Requests
import Synchronization
import Testing
import UploaderCore

@testable import Interactive

/// How a run and a queue say how far they are, on a terminal and elsewhere.
@Suite struct ProgressLineTests {
  /// Shows a line every second of so many, and returns what was written.
  private static func written(seconds: Int, isTerminal: Bool) -> String {
    let time = Mutex(Duration.zero)
    let text = Mutex("")
    let output = World.Output(isTerminal: isTerminal) { piece in text.withLock { $0 += piece } }
    let line = ProgressLine(output: output, now: { time.withLock { $0 } })
    for second in 0...seconds {
      time.withLock { $0 = .seconds(second) }
      line.show { "at \(Int($0.components.seconds))" }
    }
    line.clear()
    return text.withLock { $0 }
  }

  @Test func `in a pipe there is a plain line every ten seconds`() {
    #expect(Self.written(seconds: 9, isTerminal: false) == "")
    #expect(Self.written(seconds: 25, isTerminal: false) == "at 10\nat 20\n")
  }

  @Test func `on a terminal one line is drawn again and again, and taken away`() {
    #expect(Self.written(seconds: 2, isTerminal: true) == "\rat 0\u{1B}[K\rat 1\u{1B}[K\rat 2\u{1B}[K\r\u{1B}[K")
  }

  @Test func `a run tells steps, parts, bytes, rate and what is left`() throws {
    var progress = RunProgress()
    func prepared(_ label: String) throws -> PreparedRequest {
      try PreparedRequest(
        .inMemory(InMemoryRequestDescription(RequestHead(.put, .url("http://h/x"), label: label))),
        profiles: SessionProfiles(), boundary: "b", now: .zero, origin: { _ in Origin(scheme: .http, host: "h") })
    }
    let group = StepPosition([1])
    progress.observe(.sending(try prepared("create"), at: StepPosition([0])), now: .zero)
    #expect(progress.line(now: .milliseconds(400)) == nil)
    #expect(progress.line(now: .seconds(1)) == "create")
    progress.observe(.step(.skipped(label: nil, reason: ""), at: StepPosition([0])), now: .seconds(1))
    #expect(progress.line(now: .seconds(1)) == nil)
    progress.observe(.group(children: 4, at: group), now: .seconds(1))
    for child in 0..<2 {
      let position = StepPosition([1, child, 0])
      progress.observe(.sending(try prepared("put"), at: position), now: .seconds(1))
      let moved = TransferProgress(sent: 1_000_000 * (child + 1), toSend: 5_000_000)
      progress.observe(
        .progress(RequestHead(.put, .url("http://h/x")), moved, at: position), now: .seconds(2))
    }
    #expect(progress.line(now: .seconds(3)) == "2 at once  part 2 of 4  30%  3 MB of 10 MB  1 MB/s  0:07 left")
  }

  @Test func `a queue tells what is done, under way, failed and left`() {
    var progress = QueueProgress(waiting: 10, began: .zero)
    #expect(progress.line(now: .zero) == "queue: 0 of 10 done")
    (progress.done, progress.failed, progress.active) = (1, 1, 2)
    #expect(progress.line(now: .seconds(4)) == "queue: 1 of 10 done  2 at work  1 failed  0:16 left")
  }
}
