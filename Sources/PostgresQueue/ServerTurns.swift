internal import Requests
internal import RunStore
internal import Synchronization

/// What all jobs of a worker tell the server and ask of it: whatever waits when the server has replied goes together, in
/// one statement and one commit. So what is done leaves the queue, what is about to be sent is marked, and the next
/// operations are leased, at the cost of one.
final class ServerTurns: Sendable {
  /// What is told of an operation.
  struct News: Sendable {
    let operation: Int
    let fence: Int
    let records: ServerRecords
    /// Whether it is done, and leaves the queue.
    var isComplete = false
    /// Why it failed.
    var failure: String?
  }

  /// What the server has for somebody who asked for an operation.
  enum Offer: Sendable {
    /// As it is listed, with its fence and what it is made from; until when the lease lasts.
    case operation(ServerConnection.Row, until: ContinuousClock.Instant)
    case none(Idle)
  }

  private typealias Reply<Success> = CheckedContinuation<Result<Success, StoreError>, Never>

  private struct State {
    var news: [(News, Reply<Void>)] = []
    var leases: [Reply<Offer>] = []
    /// Whether somebody asks the server, and goes on with what was added meanwhile.
    var isAsking = false
    /// As of the last turn; nil: something may be due.
    var idle: Idle?
  }

  private let connection: ServerConnection
  private let owner: String
  private let duration: Duration
  private let state = Mutex(State())

  init(_ connection: ServerConnection, owner: String, lease duration: Duration) {
    self.connection = connection
    self.owner = owner
    self.duration = duration
  }

  /// - Throws: `StoreError.leaseLost` if the fence is an earlier one.
  func tell(_ news: News) async throws(StoreError) {
    let result = await withCheckedContinuation { (reply: Reply<Void>) in
      wait { $0.news.append((news, reply)) }
    }
    try result.get()
  }

  /// If nothing was due, one job asks for all of them.
  func lease() async throws(StoreError) -> Offer {
    if let idle { return .none(idle) }
    let result = await withCheckedContinuation { (reply: Reply<Offer>) in wait { $0.leases.append(reply) } }
    return try result.get()
  }

  /// Nothing is due yet, as far as is known.
  var idle: Idle? {
    state.withLock { state in
      if let until = state.idle?.until, until <= .now { state.idle = nil }
      return state.idle
    }
  }

  /// Something may be due that was not.
  func endIdling() { state.withLock { $0.idle = nil } }

  private func wait(_ change: (inout State) -> Void) {
    let mustAsk = state.withLock { state in
      change(&state)
      defer { state.isAsking = true }
      return !state.isAsking
    }
    // Also when the task that waits was cancelled.
    if mustAsk { Task.detached { while let turn = self.next() { await self.take(turn) } } }
  }

  /// nil: nothing waits.
  private func next() -> State? {
    state.withLock { state in
      guard !state.news.isEmpty || !state.leases.isEmpty else {
        state.isAsking = false
        return nil
      }
      defer { (state.news, state.leases) = ([], []) }
      return state
    }
  }

  private func take(_ turn: State) async {
    var told = Told()
    for (news, _) in turn.news { told.add(news) }
    // Their end is reckoned from before the question.
    let asked = ContinuousClock.now
    do throws(StoreError) {
      let rows =
        told.isEmpty && turn.leases.isEmpty
        ? []
        : try await connection.ask(
          Self.statement,
          told.values + [
            owner, "\(duration / .seconds(1))", "\(turn.leases.count)",
          ])
      var lost: Set<Int> = []
      var leased: [Offer] = []
      var idle: Idle?
      for row in rows {
        guard row.count == 14 else { throw .damaged("a queue") }
        if let number = row[0].flatMap({ Int($0) }) {
          lost.insert(number)
        } else if row[1] != nil {
          leased.append(.operation(Array(row[1..<12]), until: asked + duration))
        } else {
          idle = Idle(isAnyRunning: row[12] == "t", due: row[13].flatMap { Double($0) }.map { .seconds(max(0, $0)) })
        }
      }
      // Whoever tells of an operation that was lost hears so again: another news of it may be on its way.
      told.putBack { lost.contains($0) }
      let others = state.withLock { state in
        // What is done may make another one due.
        state.idle = idle ?? (turn.news.contains { $0.0.isComplete } ? nil : state.idle)
        // There is nothing for those either that asked meanwhile.
        guard idle != nil else { return [Reply<Offer>]() }
        defer { state.leases = [] }
        return state.leases
      }
      let none = Offer.none(idle ?? Idle(isAnyRunning: true, due: .zero))
      for (news, reply) in turn.news {
        reply.resume(returning: lost.contains(news.operation) ? .failure(.leaseLost(news.operation)) : .success(()))
      }
      for (index, reply) in turn.leases.enumerated() {
        reply.resume(returning: .success(index < leased.count ? leased[index] : none))
      }
      for reply in others { reply.resume(returning: .success(none)) }
    } catch {
      told.putBack { _ in true }
      for (_, reply) in turn.news { reply.resume(returning: .failure(error)) }
      for reply in turn.leases { reply.resume(returning: .failure(error)) }
    }
  }

  private static let statement = """
    SELECT * FROM workbench.turn($1::bigint[], $2::bigint[], $3::boolean[], $4::text[], $5::bigint[], $6::text[],
      $7::text[], $8, $9::double precision, $10::integer)
    """
}

/// News in columns.
private struct Told {
  private var operations: [(number: Int, news: ServerTurns.News)] = []
  private var rows: [(number: Int, place: String, text: String?)] = []
  private var taken: [(number: Int, records: ServerRecords, rows: [(place: String, text: String?)])] = []

  var isEmpty: Bool { operations.isEmpty }

  /// Of an operation that is complete no record is needed.
  mutating func add(_ news: ServerTurns.News) {
    if !news.isComplete {
      let new = news.records.takeNews()
      taken.append((news.operation, news.records, new))
      rows += new.map { (news.operation, $0.place, $0.text) }
      // Somebody else has told it, in this turn or before.
      if new.isEmpty, news.failure == nil { return }
    }
    operations.append((news.operation, news))
  }

  func putBack(of isChosen: (Int) -> Bool) {
    for (number, records, rows) in taken where isChosen(number) { records.putBack(rows) }
  }

  var values: [String?] {
    let news = operations.map(\.news)
    return [
      Self.array(news.map { "\($0.operation)" }), Self.array(news.map { "\($0.fence)" }),
      Self.array(news.map { $0.isComplete ? "t" : "f" }), Self.array(news.map(\.failure)),
      Self.array(rows.map { "\($0.number)" }), Self.array(rows.map(\.place)), Self.array(rows.map(\.text)),
    ]
  }

  private static func array(_ texts: [String?]) -> String {
    let quoted = texts.map { text in
      text.map { "\"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" } ?? "NULL"
    }
    return "{\(quoted.joined(separator: ","))}"
  }
}

/// What is known when there was nothing to perform.
struct Idle: Sendable {
  /// When to ask again: after a second or so, since a notification may be lost; not all workers at the same time.
  let until: ContinuousClock.Instant
  private let due: ContinuousClock.Instant?
  private let isAnyRunning: Bool

  init(isAnyRunning: Bool, due: Duration?) {
    let now = ContinuousClock.now
    let pause = Duration.seconds(1) * Double.random(in: 1...1.2)
    // Somebody else is about to lease what is due now.
    let due = due.map { max($0, .milliseconds(50)) }
    until = now + min(due ?? pause, pause)
    self.due = due.map { now + $0 }
    self.isAnyRunning = isAnyRunning
  }

  func offer<Journal>() -> OperationOffer<Journal> {
    let now = ContinuousClock.now
    if isAnyRunning { return .wait(max(.zero, until - now)) }
    // What is due much later is not worth waiting for.
    return due.map { .wait(max(.zero, $0 - now)) } ?? .nothing
  }
}
