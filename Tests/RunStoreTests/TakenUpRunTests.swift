import HTTPTypes
import Requests
import RunStore
import Testing
import UploaderCore

/// A run for somebody who decides himself what is sent and what of it counts.
@Suite(.timeLimit(.minutes(5))) struct TakenUpRunTests {
  private let directory = TemporaryDirectory()

  private static let first = StepPosition([0])
  private static let second = StepPosition([1])

  /// Sends two requests, and lets go of the run.
  private func leave(
    _ journal: RunJournal, bodies: [String] = ["a", "b"], statuses: [Int] = [201, 201]
  ) async throws {
    var run = SequenceRun(
      ArrayRequestSequence.make([
        .make(.post, "http://h/one", label: "one", body: bodies[0]),
        .make(.post, "http://h/two", label: "two", body: bodies[1]),
      ]))
    try await Uploader(transport: AnsweringTransport(statuses: statuses), journal: journal).run(&run)
    try journal.leave()
  }

  @Test func `what is sent in the place of something stands beside it, in later processes too`() async throws {
    try await leave(try RunStore(at: directory.path).begin(.test))
    for body in ["c", "d"] {
      let store = try RunStore(at: directory.path)
      let journal = try store.takeUp(try store.run("last"))
      try journal.keep(only: [Self.first])
      try await leave(journal, bodies: ["a", body])
    }
    let store = try RunStore(at: directory.path)
    let run = try store.run("last")
    #expect(run.state == .open && !run.isAlive && run.isResumable)
    #expect(run.stepCount == 2)
    let tries = try store.tries(of: run)
    #expect(tries.map(\.name).sorted() == ["one", "two", "two", "two"])
    #expect(
      tries.filter { $0.name == "two" }.map(\.request.body)
        == ["b", "c", "d"].map { .bytes(Array($0.utf8)) })
    #expect(try store.steps(of: run).map(\.attempt) == [1, 3])
  }

  @Test func `an answer that was given counts, and says so`() async throws {
    let store = try RunStore(at: directory.path)
    try await leave(try store.begin(.test))
    let journal = try store.takeUp(try store.run("last"))
    let uploader = Uploader(transport: AnsweringTransport(statuses: []))
    let description = RequestDescription.make(.post, "http://h/two", label: "two", body: "b")
    let prepared = try uploader.prepare(description)
    let exchange = Exchange(
      description: description,
      request: SentRequest(method: .post, url: "http://h/two", origin: prepared.origin),
      response: Response(status: .accepted), profile: prepared.profile, started: .zero)
    journal.take(
      exchange, for: JournalledStep(position: Self.second, prepared: prepared, secrets: []), reason: "given")
    try journal.leave()
    let step = try store.steps(of: store.run("last"))[1]
    #expect(step.answer?.status == 202 && step.failure == "given" && step.state == .answered)
    #expect(try store.tries(of: store.run("last")).count == 3)
  }

  @Test func `what no longer counts does not come back when the run is done, and keeps no signature`() async throws {
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    var run = SequenceRun(
      ArrayRequestSequence.make([
        .make(.get, "http://h/one"), .make(.put, "http://h/two?X-Amz-Signature=canary-signature", body: "x"),
      ]))
    try await Uploader(transport: AnsweringTransport(statuses: [200, 200]), journal: journal).run(&run)
    try journal.settle()
    try journal.keep(only: [Self.first])
    try journal.end()
    let recorded = try store.run("last")
    #expect(try store.steps(of: recorded).map(\.position) == [Self.first])
    let tries = try store.tries(of: recorded)
    #expect(tries.count == 2)
    #expect(!"\(tries)".contains("canary-signature"))
  }

  @Test func `it goes on after its end`() async throws {
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    try await leave(journal)
    try journal.end()
    #expect(try store.run("last").state == .done)
    try journal.reopen()
    let run = try store.run("last")
    #expect(run.state == .open && run.isAlive)
    let other = try RunStore(at: directory.path)
    #expect(throws: StoreError.busy(run: run.id)) { try other.takeUp(run) }
  }
}
