import HTTPTypes
import Requests
import RunStore
import Testing
import UploaderCore

/// A run for callers that decide themselves what is sent and what of it counts.
@Suite(.timeLimit(.minutes(5))) struct TakenUpRunTests {
  private let directory = TemporaryDirectory()

  private static let first = StepPosition([0])
  private static let second = StepPosition([1])

  /// Sends two requests, and releases the run.
  private func leave(
    _ journal: RunJournal, bodies: [String] = ["a", "b"], statuses: [Int] = [201, 201]
  ) async throws {
    var run = SequenceRun(
      ArrayRequestSequence.make([
        .make(.post, "http://h/one", label: "one", body: bodies[0]),
        .make(.post, "http://h/two", label: "two", body: bodies[1]),
      ]))
    try await Uploader(transport: ScriptedTransport(statuses: statuses), journal: journal).run(&run)
    try journal.leave()
  }

  @Test func `a replacement request is recorded beside the original, in later processes too`() async throws {
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
    let attempts = try store.attempts(of: run)
    #expect(attempts.map(\.name).sorted() == ["one", "two", "two", "two"])
    #expect(
      attempts.filter { $0.name == "two" }.map(\.request.body)
        == ["b", "c", "d"].map { .bytes(Array($0.utf8)) })
    #expect(try store.steps(of: run).map(\.attempt) == [1, 3])
  }

  @Test func `a supplied response counts, and is marked as supplied`() async throws {
    let store = try RunStore(at: directory.path)
    try await leave(try store.begin(.test))
    let journal = try store.takeUp(try store.run("last"))
    let uploader = Uploader(transport: ScriptedTransport(statuses: []))
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
    #expect(step.response?.status == 202 && step.failure == "given" && step.state == .answered)
    #expect(try store.attempts(of: store.run("last")).count == 3)
  }

  @Test func `records that no longer count do not come back when the run is done, and keep no signature`() async throws
  {
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    var run = SequenceRun(
      ArrayRequestSequence.make([
        .make(.get, "http://h/one"), .make(.put, "http://h/two?X-Amz-Signature=canary-signature", body: "x"),
      ]))
    try await Uploader(transport: ScriptedTransport(statuses: [200, 200]), journal: journal).run(&run)
    try journal.settle()
    try journal.keep(only: [Self.first])
    try journal.end()
    let recorded = try store.run("last")
    #expect(try store.steps(of: recorded).map(\.position) == [Self.first])
    let attempts = try store.attempts(of: recorded)
    #expect(attempts.count == 2)
    #expect(!"\(attempts)".contains("canary-signature"))
  }

  @Test func `it continues after its end`() async throws {
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

  /// How a user of the debugger leaves the second step, which was sent.
  enum Departure: CaseIterable {
    case leftOut, takenBack, takenBackAndLeftOut, givenAndLeftOut, notSentLater
  }

  /// Records that the second step was sent, and what happened to it in the debugger.
  private func depart(_ departure: Departure, reply: ScriptedTransport.Reply) async throws -> RunStore {
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    var run = SequenceRun(ArrayRequestSequence.make(Self.chain))
    let sending = ScriptedTransport([
      .success(Response(status: .created)), reply, .success(Response(status: .notFound)),
    ])
    await #expect(throws: UploadError.self) { try await Uploader(transport: sending, journal: journal).run(&run) }
    try journal.end(failure: "it failed")
    let taken = try store.takeUp(try store.run("last"))
    if departure != .leftOut {
      try taken.keep(only: departure == .takenBack ? [Self.first] : [Self.first, Self.second])
    }
    switch departure {
    case .leftOut, .takenBackAndLeftOut: taken.skip(Self.second, label: "two", reason: "left out")
    case .takenBack: break
    case .givenAndLeftOut:
      let prepared = try Uploader(transport: sending).prepare(Self.chain[1])
      let exchange = Exchange(
        description: Self.chain[1], request: SentRequest(method: .post, url: "http://h/two", origin: prepared.origin),
        response: Response(status: .accepted), profile: prepared.profile, started: .zero)
      taken.take(
        exchange, for: JournalledStep(position: Self.second, prepared: prepared, secrets: []), reason: "given")
      taken.skip(Self.second, label: "two", reason: "left out")
    case .notSentLater:
      let step = JournalledStep(
        position: Self.second, prepared: try Uploader(transport: sending).prepare(Self.chain[1]), secrets: [])
      try taken.intend(step)
      taken.finish(
        step,
        .failed(
          UploadError(
            .transport(TransportError(.connect(reason: "refused"), requestWasSent: false), origin: step.prepared.origin)
          )))
    }
    try taken.leave()
    return store
  }

  private static let chain = [
    RequestDescription.make(.post, "http://h/one", label: "one", body: "a"),
    .make(.post, "http://h/two", label: "two", body: "b"),
    .make(.get, "http://h/three", label: "three"),
  ]

  private static let replies: [ScriptedTransport.Reply] = [
    .success(Response(status: .created)),
    .failure(TransportError(.connectionLost(reason: "reset"), requestWasSent: true)),
  ]

  @Test(arguments: Departure.allCases, [0, 1])
  func `a sent request is not resent without asking, whatever was done about it later`(
    departure: Departure, reply: Int
  ) async throws {
    let store = try await depart(departure, reply: Self.replies[reply])
    let (transport, error) = try await resume(store)
    guard case .journal(.undecided(Self.second, .sentBefore)) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(transport.requests.filter { $0.method == .post }.isEmpty)
    // Nor the next time.
    #expect(try await resume(store).transport.requests.isEmpty)
  }

  @Test(arguments: [
    (ResumeOptions(decisions: ["two": .sendAgain]), chain, ["http://h/two", "http://h/three"]),
    (ResumeOptions(decisions: ["two": .answered(Response(status: .created))]), chain, ["http://h/three"]),
    (ResumeOptions(from: "one"), chain, ["http://h/one", "http://h/two", "http://h/three"]),
    (
      ResumeOptions(acceptsChanges: true),
      [chain[0], .make(.post, "http://h/two", label: "two", body: "c"), chain[2]], ["http://h/two", "http://h/three"]
    ),
    (
      ResumeOptions(acceptsChanges: true),
      [.make(.post, "http://h/one", label: "one", body: "c"), chain[1], chain[2]],
      ["http://h/one", "http://h/two", "http://h/three"]
    ),
  ])
  func `a decision has it sent again, or accepts it as done`(
    options: ResumeOptions, chain: [RequestDescription], urls: [String]
  ) async throws {
    let store = try await depart(.takenBackAndLeftOut, reply: Self.replies[0])
    let (transport, error) = try await resume(store, options, chain)
    #expect(error == nil)
    #expect(transport.requests.map(\.url) == urls)
  }

  @Test func `a change accepted elsewhere does not send it again`() async throws {
    let store = try await depart(.takenBackAndLeftOut, reply: Self.replies[0])
    let (transport, error) = try await resume(store, ResumeOptions(acceptsChanges: true))
    guard case .journal(.undecided(Self.second, .sentBefore)) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(transport.requests.isEmpty)
  }

  private func resume(
    _ store: RunStore, _ options: ResumeOptions = ResumeOptions(), _ chain: [RequestDescription] = chain
  ) async throws -> (transport: ScriptedTransport, error: UploadError?) {
    let journal = try store.resume(try store.run("last"), options: options)
    let transport = ScriptedTransport(statuses: [200, 200, 200])
    var run = SequenceRun(ArrayRequestSequence.make(chain))
    do throws(UploadError) {
      try await Uploader(transport: transport, journal: journal).run(&run)
    } catch {
      try journal.end(failure: "\(error)")
      return (transport, error)
    }
    try journal.end()
    return (transport, nil)
  }
}
