import GRDB
import HTTPTypes
import Requests
import RunStore
import Testing
import UploaderCore

/// A request that was sent before, at a position that it no longer has: the script has changed since.
@Suite struct MovedStepTests {
  private let directory = TemporaryDirectory()

  private static let outside = StepPosition([1])
  private static let inside = StepPosition([1, 0, 0])
  private static let chain = [
    RequestDescription.make(.post, "http://h/one", label: "one", body: "a"),
    .make(.post, "http://h/two", label: "two", body: "b"),
    .make(.get, "http://h/three", label: "three"),
  ]

  private static let replies: [ScriptedTransport.Reply] = [
    .success(Response(status: .created)),
    .failure(TransportError(.connectionLost(reason: "reset"), requestWasSent: true)),
  ]

  private static func step(
    _ description: RequestDescription, at position: StepPosition, secrets: Set<Secret> = []
  ) throws -> JournalledStep {
    JournalledStep(
      position: position, prepared: try Uploader(transport: ScriptedTransport(statuses: [])).prepare(description),
      secrets: secrets)
  }

  /// Records these requests at these positions, and ends the run.
  private func leave(
    _ steps: [(RequestDescription, StepPosition)], _ reply: ScriptedTransport.Reply = replies[0],
    secrets: Set<Secret> = []
  ) throws -> RunStore {
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    for (description, position) in steps {
      let step = try Self.step(description, at: position, secrets: secrets)
      try journal.intend(step)
      try journal.send(step)
      switch reply {
      case .success(let response):
        let exchange = Exchange(
          description: description,
          request: SentRequest(
            method: step.prepared.request.method, url: step.prepared.request.url, origin: step.prepared.origin),
          response: response, profile: step.prepared.profile, started: .zero)
        journal.finish(step, .received(exchange, secrets: [], unmet: []))
      case .failure(let error):
        journal.finish(step, .failed(UploadError(.transport(error, origin: step.prepared.origin), in: step.head)))
      }
    }
    try journal.end(failure: "it failed")
    return store
  }

  @Test(arguments: [(outside, inside), (inside, outside), (outside, StepPosition([2]))], [0, 1])
  func `it is not sent again without asking`(places: (StepPosition, StepPosition), reply: Int) throws {
    let store = try leave([(Self.chain[1], places.0)], Self.replies[reply])
    let journal = try store.resume(try store.run("last"))
    let error = #expect(throws: JournalError.self) {
      try journal.recall(try Self.step(Self.chain[1], at: places.1))
    }
    #expect(error == .undecided(places.1, .sentElsewhere(places.0)))
    // What is not the same is another request, which was not sent.
    for other in [
      RequestDescription.make(.post, "http://h/two", body: "c"), .make(.patch, "http://h/two", body: "b"),
      .make(.post, "http://h/2", body: "b"),
    ] {
      #expect(try journal.recall(try Self.step(other, at: StepPosition([7]))) == nil)
    }
  }

  @Test func `a decision has it sent again, or takes it as done`() throws {
    let store = try leave([(Self.chain[1], Self.outside)])
    func recall(_ decision: ResumeOptions.Decision) throws -> RecalledExchange? {
      let journal = try store.resume(try store.run("last"), options: ResumeOptions(decisions: ["two": decision]))
      defer { try? journal.end(failure: "it failed") }
      return try journal.recall(try Self.step(Self.chain[1], at: Self.inside))
    }
    #expect(try recall(.sendAgain) == nil)
    #expect(try recall(.answered(Response(status: .accepted)))?.exchange.response.status == .accepted)
    // From then on it is done there.
    let journal = try store.resume(try store.run("last"))
    #expect(try journal.recall(try Self.step(Self.chain[1], at: Self.inside))?.exchange.response.status == .accepted)
  }

  @Test func `it is the same whatever secret is in it, which is not in the record`() throws {
    let secret = Secret("a-secret-of-this-test", name: "API_TOKEN", for: [])
    let description = RequestDescription.make(.post, "http://h/two", body: "token a-secret-of-this-test")
    let store = try leave([(description, Self.outside)], secrets: [secret])
    let journal = try store.resume(try store.run("last"))
    #expect(throws: JournalError.undecided(Self.inside, .sentElsewhere(Self.outside))) {
      try journal.recall(try Self.step(description, at: Self.inside, secrets: [secret]))
    }
  }

  @Test func `equal requests of a script that comes to both of them are all sent`() throws {
    let positions = [StepPosition([0, 0, 0]), StepPosition([0, 1, 0])]
    let store = try leave(positions.map { (Self.chain[1], $0) })
    let journal = try store.resume(try store.run("last"))
    for position in positions { #expect(try journal.recall(try Self.step(Self.chain[1], at: position)) != nil) }
    #expect(try journal.recall(try Self.step(Self.chain[1], at: StepPosition([0, 2, 0]))) == nil)
  }

  @Test func `equal requests in rounds side by side are sent in any order`() throws {
    let store = try leave([(Self.chain[1], StepPosition([0, 2, 0]))])
    let journal = try store.resume(try store.run("last"))
    journal.enter(loop: StepPosition([0]))
    #expect(try journal.recall(try Self.step(Self.chain[1], at: StepPosition([0, 0, 0]))) == nil)
    // After the loop they are not side by side.
    #expect(throws: JournalError.self) { try journal.recall(try Self.step(Self.chain[1], at: StepPosition([1]))) }
  }

  @Test func `one that failed at its own place is sent there, whatever was sent elsewhere`() throws {
    let store = try leave([(Self.chain[1], StepPosition([2]))])
    let journal = try store.resume(try store.run("last"))
    let step = try Self.step(Self.chain[1], at: StepPosition([0]))
    let refused = TransportError(.connect(reason: "refused"), requestWasSent: false)
    try journal.intend(step)
    journal.finish(step, .failed(UploadError(.transport(refused, origin: step.prepared.origin), in: step.head)))
    #expect(try journal.recall(step) == nil)
  }

  @Test func `a run that continues from one that is over does not send again what that one sent`() async throws {
    let store = try RunStore(at: directory.path)
    let secret = Secret("a-secret-of-this-test", name: "API_TOKEN", for: [])
    let former = try store.begin(.test)
    former.learn([secret])
    var run = SequenceRun(ArrayRequestSequence.make(Self.chain))
    let body = ResponseBody(Array(("a-secret-of-this-test" + String(repeating: "x", count: 100_000)).utf8))
    let sending = ScriptedTransport([
      .success(Response(status: .created)), .success(Response(status: .created, body: body)),
      .success(Response(status: .ok)),
    ])
    try await Uploader(transport: sending, journal: former).run(&run)
    try former.end()
    let bodies = try store.steps(of: store.run("last")).prefix(2).map { try $0.response?.body.bytes() }
    try store.begin(.test, after: try store.run("last")).end(failure: "left")
    #expect(try store.steps(of: store.run("last")).isEmpty)
    #expect(bodies.count == 2)
    #expect(try store.attempts(of: store.run("last")).map { try $0.response?.body.bytes() } == bodies)
    let journal = try store.resume(try store.run("last"))
    for (index, description) in Self.chain.prefix(2).enumerated() {
      let position = StepPosition([index])
      #expect(throws: JournalError.undecided(position, .sentBefore)) {
        try journal.recall(try Self.step(description, at: position))
      }
    }
    #expect(try journal.recall(try Self.step(Self.chain[2], at: StepPosition([2]))) == nil)
    // What is sent after it is another attempt.
    try journal.intend(try Self.step(Self.chain[0], at: StepPosition([0])))
    #expect(try store.attempts(of: store.run("last")).map(\.attempt).sorted() == [1, 1, 2])
  }

  @Test func `what an earlier program dropped is not sent again without asking, since it did not say why`() throws {
    let store = try leave([(Self.chain[1], Self.outside)])
    let database = try DatabaseQueue(path: "\(directory.path)/runs.sqlite")
    try database.inDatabase { try $0.execute(sql: "UPDATE steps SET dropped = 1") }
    let journal = try store.resume(try store.run("last"))
    #expect(throws: JournalError.undecided(Self.outside, .sentBefore)) {
      try journal.recall(try Self.step(Self.chain[1], at: Self.outside))
    }
  }

  @Test func `what is to be done again is sent again, in later processes too`() throws {
    let store = try leave([(Self.chain[1], Self.outside)])
    try store.resume(try store.run("last"), options: ResumeOptions(from: "two")).end(failure: "left")
    let journal = try store.resume(try store.run("last"))
    #expect(try journal.recall(try Self.step(Self.chain[1], at: Self.outside)) == nil)
  }

  // MARK: What is made from a secret

  private static let digest = "9f86d081884c7d659a2feaa0c55ad015"
  private static let signed = RequestDescription.make(
    .post, "http://h/two?by=\(digest)", label: "two", body: "x\(digest) \(digest.uppercased())")

  /// What was made from the secret, as it is known to the run.
  private static func made(at place: String) -> Set<Secret> {
    let secret = Secret("a-secret-of-this-test", name: "API_TOKEN", for: [])
    return [
      secret, Secret(digest, madeOf: [secret]).known(at: "\(place).0"),
      Secret(digest.uppercased(), madeOf: [secret]).known(at: "\(place).1"),
    ]
  }

  private func leaveSigned() throws -> RunStore {
    let echo = Response(status: .created, body: ResponseBody(Array("you sent \(Self.digest.uppercased())".utf8)))
    return try leave([(Self.signed, Self.outside)], .success(echo), secrets: Self.made(at: "1.0"))
  }

  @Test func `it is the same wherever the texts in it are made from a secret`() throws {
    let journal = try leaveSigned().resume(try RunStore(at: directory.path).run("last"))
    #expect(throws: JournalError.undecided(Self.inside, .sentElsewhere(Self.outside))) {
      try journal.recall(try Self.step(Self.signed, at: Self.inside, secrets: Self.made(at: "1.0.3")))
    }
    // What is sent as it is, or has them in another order, is another request.
    for body in ["y\(Self.digest) \(Self.digest.uppercased())", "x\(Self.digest.uppercased()) \(Self.digest)"] {
      let other = RequestDescription.make(.post, "http://h/two?by=\(Self.digest)", body: body)
      #expect(try journal.recall(Self.step(other, at: Self.inside, secrets: Self.made(at: "1.0.3"))) == nil)
    }
  }

  @Test(arguments: ["1.0", "2.0"])
  func `its response has the text back that is made elsewhere now`(place: String) throws {
    let store = try leaveSigned()
    let step = try Self.step(Self.signed, at: Self.outside, secrets: Self.made(at: place))
    let replay = ReplayJournal(try store.steps(of: store.run("last")), moments: [:])
    for journal in [try store.resume(try store.run("last")), replay] as [any StepJournal] {
      let body = try journal.recall(step)?.exchange.response.body.bytes()
      #expect(body == Array("you sent \(Self.digest.uppercased())".utf8))
    }
  }

  @Test func `the fragment of its URL, which is not sent, does not make another request of it`() throws {
    let store = try leave([(.make(.post, "http://h/two#then", body: "b"), Self.outside)])
    let journal = try store.resume(try store.run("last"))
    for url in ["http://h/two", "http://h/two#now"] {
      let step = try Self.step(.make(.post, url, body: "b"), at: Self.inside)
      #expect(throws: JournalError.undecided(Self.inside, .sentElsewhere(Self.outside))) { try journal.recall(step) }
    }
    #expect(try journal.recall(Self.step(.make(.post, "http://h/two", body: "b"), at: Self.outside)) != nil)
    let replay = ReplayJournal(try store.steps(of: store.run("last")), moments: [:])
    #expect(try replay.recall(Self.step(.make(.post, "http://h/two#now", body: "b"), at: Self.inside)) != nil)
  }
}
