import Subcommands
import Testing

/// How a queue shows its progress.
@Suite struct QueueProgressTests {
  @Test func `a queue shows what is done, under way, failed and left`() {
    var progress = QueueProgress(waiting: 10, began: .zero)
    #expect(progress.line(now: .zero) == "queue: 0 of 10 done")
    (progress.done, progress.failed, progress.active) = (1, 1, 2)
    #expect(progress.line(now: .seconds(4)) == "queue: 1 of 10 done  2 running  1 failed  0:16 left")
  }
}
