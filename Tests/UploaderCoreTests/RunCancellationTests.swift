import Synchronization
import Testing
import UploaderCore

/// What a run waits for when its task is cancelled.
@Suite struct RunCancellationTests {
  private final class Transfer: RunCancellation.Work {
    private let count = Atomic(0)
    var cancellations: Int { count.load(ordering: .relaxed) }

    func cancel() { count.add(1, ordering: .relaxed) }
  }

  @Test func `what is waited for is cancelled, once, and what was before it is not`() {
    let (run, first, second) = (RunCancellation(), Transfer(), Transfer())
    run.begin(first)
    run.end()
    run.begin(second)
    run.cancel()
    run.end()
    #expect([first.cancellations, second.cancellations] == [0, 1])
  }

  @Test func `what begins after that is cancelled at once`() {
    let (run, transfer) = (RunCancellation(), Transfer())
    run.cancel()
    run.begin(transfer)
    #expect(transfer.cancellations == 1)
  }

  @Test func `what has ended is left alone`() {
    let (run, transfer) = (RunCancellation(), Transfer())
    run.begin(transfer)
    run.end()
    run.cancel()
    #expect(transfer.cancellations == 0)
  }
}
