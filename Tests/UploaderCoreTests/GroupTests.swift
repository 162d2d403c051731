import HTTPTypes
import Requests
import Synchronization
import Testing
import UploaderCore

/// Steps by name: `a` is a request, `?a` a skipped one, `[a b, c]/2` a group of two children, two in parallel.
private struct Steps: OperationRequestSequence {
  enum Step {
    case request(String)
    case skipped(String)
    case group([[Step]], limit: Int)
  }

  var steps: [Step]
  var next = 0
  var cleanup: [Step] = []
  var asked: [StepRecord?] = []
  var ended = 0

  init(_ steps: [Step], cleanup: [Step] = []) {
    self.steps = steps
    self.cleanup = cleanup
  }

  mutating func nextRequest(previous: Exchange?) throws -> RequestDescription? { nil }

  mutating func nextStep(after previous: StepRecord?, at moment: StepSeed) throws -> SequenceStep<Steps>? {
    asked.append(previous)
    if previous?.isFailed ?? false {
      steps = cleanup
      cleanup = []
      next = 0
    }
    guard next < steps.count else { return nil }
    defer { next += 1 }
    switch steps[next] {
    case .request(let path):
      if path == "throw" { throw Unmade() }
      let method: HTTPRequest.Method = path.hasPrefix("once") ? .post : .get
      return .request(
        .inMemory(InMemoryRequestDescription(RequestHead(method, .url("http://h/\(path)")) { $0.label = path })))
    case .skipped(let label): return .skipped(label: label, reason: "for a reason")
    case .group(let children, let limit):
      return .group(SequenceGroup(.loop, title: "for", limit: limit, children: children.map { Steps($0) }))
    }
  }

  mutating func endGroup(_ children: [Steps]) { ended += children.count }

  struct Unmade: Error {}
}

/// Responds by path, `…404` with that status, and knows how many requests were in progress at the same time.
private final class CountingTransport: Transport {
  struct State {
    var paths: [String] = []
    var active = 0
    var most = 0
  }

  let state = Mutex(State())

  func origin(of url: String) throws(TransportError) -> Origin { Origin(scheme: .http, host: "h") }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    let path = String(request.url.dropFirst("http://h/".count))
    state.withLock { state in
      state.paths.append(path)
      state.active += 1
      state.most = max(state.most, state.active)
    }
    // Until all others that may continue have had the chance to.
    for _ in 0..<200 { await Task.yield() }
    state.withLock { $0.active -= 1 }
    return TransportResponse(
      response: Response(status: .init(code: path.hasSuffix("404") ? 404 : 200)), sentHeaders: request.headers)
  }
}

struct GroupTests {
  private let transport = CountingTransport()

  private func paths() -> [String] { transport.state.withLock { $0.paths } }

  @Test func `step enters groups, one child after another`() async throws {
    let uploader = Uploader(transport: transport)
    var run = SequenceRun(
      Steps([.request("a"), .group([[.request("b"), .skipped("c")], [], [.request("d")]], limit: 3), .request("e")]))
    var positions: [String] = []
    while let _ = try await {
      positions.append(run.position.description); return try await uploader.step(&run)
    }() {}
    #expect(paths() == ["a", "b", "d", "e"])
    #expect(run.records.count == 3 && run.sequence.ended == 3)
    #expect(positions.dropFirst().map { $0 } == ["2", "2.1.2", "2.2.1", "3", "4"] || positions.count == 6)
    #expect(run.history.steps.count == 5)
    #expect(transport.state.withLock { $0.most } == 1)
  }

  @Test(arguments: [1, 2, 5])
  func `run has as many children in progress as the group allows`(limit: Int) async throws {
    let uploader = Uploader(transport: transport)
    var run = SequenceRun(
      Steps([.group((0..<8).map { [.request("\($0)"), .request("\($0)b")] }, limit: limit), .request("end")]))
    try await uploader.run(&run)
    #expect(transport.state.withLock { $0.most } == limit)
    #expect(paths().last == "end" && paths().count == 17)
    // The records are in the order of the children, whichever finished first.
    #expect(run.exchanges.compactMap(\.label) == (0..<8).flatMap { ["\($0)", "\($0)b"] } + ["end"])
  }

  @Test(arguments: [1, 3])
  func `after a failure no child begins, those in progress finish, and every failure is reported`(
    limit: Int
  ) async throws {
    let reported = Mutex<[String]>([])
    let recorded = Mutex<[String]>([])
    let uploader = Uploader(
      transport: transport,
      observe: { event in
        if case .step(let record, let position) = event {
          recorded.withLock { $0.append("\(position)\(record.isFailed ? " failed" : "")") }
        }
      }, report: { error in reported.withLock { $0.append(error.step?.label ?? "none") } })
    let children: [[Steps.Step]] = [
      [.request("a404"), .request("never")], [.request("b"), .request("b2")], [.request("c404")],
    ]
    var run = SequenceRun(
      Steps(
        [.group(children + Array(repeating: [.request("never")], count: 9), limit: limit), .request("never")],
        cleanup: [.request("cleanup")]))
    let error = await #expect(throws: UploadError.self) { try await uploader.run(&run) }
    #expect(error?.step?.label == "a404")
    #expect(!paths().contains("never") && paths().last == "cleanup")
    #expect(Set(paths()) == (limit == 1 ? ["a404", "cleanup"] : ["a404", "b", "b2", "c404", "cleanup"]))
    #expect(reported.withLock { Set($0) } == (limit == 1 ? ["a404"] : ["a404", "c404"]))
    #expect(run.isFailed && run.records.count == 2)
    #expect(recorded.withLock { $0.contains("1.1.1 failed") && $0.last == "2" })
  }

  @Test func `a step that cannot be made is a failed step, inside a group too`() async throws {
    let uploader = Uploader(transport: transport)
    var run = SequenceRun(
      Steps([.group([[.request("a"), .request("throw")]], limit: 1), .request("never")], cleanup: [.request("z")]))
    let error = await #expect(throws: UploadError.self) { try await uploader.run(&run) }
    guard case .sequence? = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(paths() == ["a", "z"])
    guard case .group(let children)? = run.records.first else {
      Issue.record("no group")
      return
    }
    #expect(children.map(\.records.count) == [2] && children[0].records.last == .failed(label: nil, nil))
  }

  @Test func `a journal of the events rebuilds the run, from any point on`() async throws {
    let journal = Mutex<[UploadEvent]>([])
    let uploader = Uploader(transport: transport, observe: { event in journal.withLock { $0.append(event) } })
    let steps = Steps([
      .request("a"),
      .group([[.request("b"), .group([[.request("c")], [.request("d")]], limit: 2)], [.request("e")]], limit: 2),
      .skipped("f"), .request("g"),
    ])
    var run = SequenceRun(steps)
    try await uploader.run(&run)
    let events = journal.withLock { $0 }
    for count in 0...events.count {
      var history = RunHistory()
      for event in events.prefix(count) {
        switch event {
        case .asked(let position, let moment): history.ask(at: position, moment)
        case .step(let record, let position): history.record(record, at: position)
        case .secrets, .sending, .progress, .group, .retrying, .redirected, .received, .recalled: continue
        }
      }
      var again = SequenceRun(steps, replaying: history)
      let done = again.exchanges.count
      try await Uploader(transport: CountingTransport()).run(&again)
      #expect(done == history.exchanges.count)
      #expect(again.exchanges.compactMap(\.label) == ["a", "b", "c", "d", "e", "g"])
      #expect(again.records.count == run.records.count)
    }
  }

  @Test func `where an edited sequence differs, the rest of a history is discarded`() async throws {
    let uploader = Uploader(transport: transport)
    let children: [[Steps.Step]] = [[.request("b")], [.request("c")]]
    var run = SequenceRun(Steps([.request("a"), .group(children, limit: 1), .request("d")]))
    try await uploader.run(&run)
    func kept(_ steps: [Steps.Step]) -> [String] {
      let again = SequenceRun(
        Steps(steps), replaying: run.history,
        keeps: { description, record in record.exchange?.description == description })
      return again.exchanges.compactMap(\.label)
    }
    #expect(kept([.request("a"), .group(children, limit: 1), .request("d")]) == ["a", "b", "c", "d"])
    #expect(kept([.request("a"), .group(children, limit: 1), .request("x")]) == ["a", "b", "c"])
    #expect(kept([.request("a"), .group([[.request("x")], [.request("c")]], limit: 1)]) == ["a", "c"])
    #expect(kept([.request("a"), .group([[.request("b")]], limit: 1)]) == ["a", "b"])
    #expect(kept([.request("a"), .request("b")]) == ["a"])
    #expect(kept([.skipped("a"), .group(children, limit: 1)]) == [])
  }

  @Test func `a pending request can be changed, and another response substituted`() throws {
    var run = SequenceRun(Steps([.group([[.request("a")], [.request("b")]], limit: 1)]))
    let now: (StepPosition) -> StepSeed = { _ in StepSeed(time: .zero, seed: 0) }
    _ = try run.next(at: now)
    let other = RequestDescription.inMemory(InMemoryRequestDescription(RequestHead(.put, .url("http://h/other"))))
    run.replacePending(other)
    guard case .request(let description)? = try run.next(at: now) else {
      Issue.record("no request")
      return
    }
    #expect(description == other)
    run.record(.skipped(label: "a", reason: "by hand"))
    #expect(run.position == StepPosition([0, 0, 1]))
    _ = try run.next(at: now)
    #expect(run.position == StepPosition([0, 1, 0]))
    #expect(run.openGroups.map(\.group.title) == ["for"])
  }
}
