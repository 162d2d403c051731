import HTTPTypes
import Requests
import Synchronization
import Testing
import UploaderCore

/// A loop of very many rounds, which nobody looks back at.
private struct Rounds: OperationRequestSequence {
  /// How many are there, and how many there were at most.
  final class Tally: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func change(_ by: Int) {
      counts.withLock { counts in
        counts.now += by
        counts.most = max(counts.most, counts.now)
      }
    }
  }

  /// One of these is in each round as long as that is kept.
  private final class Token: Sendable {
    private let tally: Tally

    init(_ tally: Tally) {
      self.tally = tally
      tally.change(1)
    }

    deinit { tally.change(-1) }
  }

  var count = 0
  var limit = 1
  var failing: Int?
  var keepsHistory = false
  var goesOnAfterFailure = false
  var index: Int?
  let tally: Tally
  private var token: Token?
  private var polls = 0
  var forgotten: [Int] = []
  var kept: [Int] = []

  init(_ count: Int, limit: Int, _ tally: Tally) {
    (self.count, self.limit, self.tally) = (count, limit, tally)
  }

  mutating func nextRequest(previous: Exchange?) throws -> RequestDescription? { nil }

  mutating func nextStep(after previous: StepRecord?, at moment: StepSeed) throws -> SequenceStep<Rounds>? {
    defer { polls += 1 }
    guard polls == 0 else { return nil }
    guard let index else {
      let round = self
      return .group(
        SequenceGroup(.loop, title: "for", limit: limit, count: count) { index in
          var round = round
          round.index = index
          round.token = Token(round.tally)
          round.polls = 0
          return round
        })
    }
    let path = index == failing ? "no" : "\(index)"
    return .request(
      .inMemory(InMemoryRequestDescription(RequestHead(.get, .url("http://h/\(path)")) { $0.label = path })))
  }

  mutating func forget(_ round: Rounds) { if let index = round.index { forgotten.append(index) } }

  mutating func endGroup(_ children: [Rounds]) { kept = children.compactMap(\.index) }
}

private struct RoundsTransport: Transport {
  func origin(of url: String) throws(TransportError) -> Origin { Origin(scheme: .http, host: "h") }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    await Task.yield()
    return TransportResponse(
      response: Response(status: .init(code: request.url.hasSuffix("/no") ? 404 : 200)), sentHeaders: request.headers)
  }
}

struct LongLoopTests {
  private static let count = 3_000

  @Test(arguments: [1, 8])
  func `a round is made when it begins, and given up when it is done`(limit: Int) async throws {
    let tally = Rounds.Tally()
    var run = SequenceRun(Rounds(Self.count, limit: limit, tally))
    try await Uploader(transport: RoundsTransport()).run(&run)
    #expect(run.sequence.forgotten.sorted() == Array(0..<Self.count) && run.sequence.kept.isEmpty)
    // Besides those in progress, the next one, and the one that is being given up.
    #expect(tally.most <= limit + 2, "\(tally.most)")
    // What came last is known.
    #expect(run.exchanges.compactMap(\.label) == ["\(Self.count - 1)"])
    #expect(run.lastExchange?.label == "\(Self.count - 1)" && !run.isFailed)
  }

  @Test(arguments: [1, 8])
  func `a round that failed is kept, and none begins after it`(limit: Int) async throws {
    var rounds = Rounds(Self.count, limit: limit, Rounds.Tally())
    rounds.failing = 1_000
    var run = SequenceRun(rounds)
    await #expect(throws: UploadError.self) { try await Uploader(transport: RoundsTransport()).run(&run) }
    #expect(run.isFailed && run.sequence.kept == [1_000])
    #expect(Set(run.sequence.forgotten).isSuperset(of: 0..<(1_000 - limit)))
    // Others may be ahead of the one that fails, but not far.
    #expect(run.sequence.forgotten.count < 2_000)

    rounds.goesOnAfterFailure = true
    run = SequenceRun(rounds)
    await #expect(throws: UploadError.self) { try await Uploader(transport: RoundsTransport()).run(&run) }
    #expect(run.sequence.kept == [1_000] && run.sequence.forgotten.count == Self.count - 1)
  }

  @Test(arguments: [1, 8])
  func `somebody who looks back finds all of them`(limit: Int) async throws {
    var rounds = Rounds(40, limit: limit, Rounds.Tally())
    rounds.keepsHistory = true
    var run = SequenceRun(rounds)
    try await Uploader(transport: RoundsTransport()).run(&run)
    #expect(run.sequence.kept == Array(0..<40) && run.sequence.forgotten.isEmpty)
    #expect(run.exchanges.count == 40)
    let again = SequenceRun(rounds, replaying: run.history)
    #expect(again.exchanges.count == 40 && again.sequence.kept == Array(0..<40))
  }

  @Test func `a change of the sequences reaches the rounds that have not begun`() throws {
    var run = SequenceRun(Rounds(3, limit: 1, Rounds.Tally()))
    let now: (StepPosition) -> StepSeed = { _ in StepSeed(time: .zero, seed: 0) }
    _ = try run.next(at: now)
    run.changeSequences { $0.failing = 1 }
    run.record(.skipped(label: nil, reason: "by hand"))
    guard case .request(let description)? = try run.next(at: now) else {
      Issue.record("no request")
      return
    }
    #expect(description.head.label == "no")
  }
}
