internal import JSONValue
internal import POSIX
package import Requests
package import RunStore
internal import Synchronization
package import UploaderCore

/// The queue in PostgreSQL, for workers on any number of machines.
///
/// Leases end by the server's clock. A worker renews its own in a third of their time, and stops what it is doing before
/// one ends that it could not renew. Every write names the number that its lease was given: the server refuses those of
/// an earlier one.
package final class ServerQueue: OperationStore {
  package typealias Journal = ServerJournal

  /// Whether libpq is here, without which there is no queue on a server.
  package static var isPossible: Bool { LibPQ.shared != nil }

  /// For how long an operation is a worker's own.
  package let leaseDuration: Duration?
  /// Whatever is asked seldom, renewals among it: they do not wait for what the jobs have to say.
  private let connection: ServerConnection
  /// Hears of what is added.
  private let news: ServerConnection
  /// Large bodies.
  private let bodies: ServerConnection
  /// Leases, and what steps come to.
  private let turns: ServerTurns
  private let scratch: String
  private let clock: UploadClock
  /// What was added last is told to those that wait, once in a second at most.
  private let told = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameters:
  ///   - scratch: a directory for the large bodies of operations that are being performed here; nothing of it is needed
  ///     later.
  package init(
    _ address: ServerAddress, scratch: String, lease: Duration = .seconds(15), clock: UploadClock = .system
  ) throws(StoreError) {
    leaseDuration = lease
    self.clock = clock
    connection = try ServerConnection(address)
    news = try ServerConnection(address, listens: true)
    bodies = try ServerConnection(address)
    turns = ServerTurns(
      try ServerConnection(address), owner: "\(Self.hostName())-\(getpid())-\(RandomName.make(6))", lease: lease)
    self.scratch = scratch
  }

  private static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes the tables, or changes those of an earlier program.
  package func migrate() async throws(StoreError) { _ = try await connection.ask(ServerSchema.migration) }

  // MARK: Adding and looking

  package func add(
    _ setup: RunSetup, key: String?, secrets: Set<Secret>
  ) async throws(StoreError) -> QueuedOperation {
    let rows = try await connection.ask(
      "SELECT workbench.add($1, $2, $3, $4)", [key, setup.kind, setup.name, setup.stored(hiding: secrets)])
    guard let number = rows.first?.first?.flatMap({ Int($0) }) else { throw .damaged("the number of an operation") }
    turns.endIdling()
    await tell()
    guard let operation = try await operations(OperationFilter(number: number)).first else {
      // Somebody was faster.
      return QueuedOperation(
        number: number, kind: setup.kind, name: setup.name, key: key, state: .running, run: nil, attempts: 0,
        due: clock.now(), created: clock.now(), failure: nil)
    }
    return operation
  }

  /// Nothing depends on it: whoever waits looks again soon.
  private func tell() async {
    let isDue = told.withLock { told in
      let now = ContinuousClock.now
      if let told, now - told < .seconds(1) { return false }
      told = now
      return true
    }
    if isDue { _ = try? await connection.ask("NOTIFY workbench_operations") }
  }

  private static let columns = """
    o.operation, s.kind, s.name, o.key, o.state, o.attempts, extract(epoch FROM o.due), extract(epoch FROM o.created),
    o.failure
    """

  package func operations(_ filter: OperationFilter) async throws(StoreError) -> [QueuedOperation] {
    let rows = try await connection.ask(
      """
      SELECT \(Self.columns) FROM workbench.operations o JOIN workbench.setups s USING (operation)
      WHERE ($1::bigint IS NULL OR o.operation = $1::bigint) AND ($2::smallint IS NULL OR o.state = $2::smallint)
        AND ($3::text IS NULL OR o.key = $3::text)
      ORDER BY o.operation LIMIT $4::bigint
      """,
      [
        filter.number.map { "\($0)" }, filter.state.map { "\($0.rawValue)" }, filter.key,
        filter.limit.map { "\($0)" },
      ], isRepeatable: true)
    return try rows.map { row throws(StoreError) in try QueuedOperation(row) }
  }

  package func counts() async throws(StoreError) -> OperationCounts {
    let rows = try await connection.ask(
      """
      SELECT state, (state != 2 AND EXISTS (SELECT 1 FROM workbench.operations d
        WHERE d.key = o.key AND d.state = 2 AND d.operation < o.operation)) AS held, count(*)
      FROM workbench.operations o GROUP BY 1, 2
      """, isRepeatable: true)
    var counts = OperationCounts()
    for row in rows {
      guard row.count == 3, let state = row[0].flatMap({ Int($0) }), let count = row[2].flatMap({ Int($0) }) else {
        throw .damaged("the counts of a queue")
      }
      switch (row[1], state) {
      case ("t", _): counts.held += count
      case (_, 1): counts.running += count
      case (_, 2): counts.dead += count
      default: counts.waiting += count
      }
    }
    return counts
  }

  /// What slows a queue down, for people.
  package func findings() async throws(StoreError) -> [String] {
    var findings: [String] = []
    let old = try await connection.ask(
      """
      SELECT pid, coalesce(application_name, ''), extract(epoch FROM clock_timestamp() - xact_start)::bigint
      FROM pg_stat_activity WHERE backend_xmin IS NOT NULL AND xact_start < clock_timestamp() - interval '60 s'
        AND datname = current_database() ORDER BY xact_start LIMIT 3
      """)
    for row in old {
      let words = row.map { $0 ?? "" }
      guard words.count == 3 else { continue }
      findings.append(
        "process \(words[0]) of the server (\(words[1])) has had a transaction open for \(words[2]) s: "
          + "as long as it has, nothing is cleaned up, and leases become slower")
    }
    let dead = try await connection.ask(
      """
      SELECT n_dead_tup, n_live_tup FROM pg_stat_user_tables
      WHERE schemaname = 'workbench' AND relname = 'operations' AND n_dead_tup > 10000 + 2 * n_live_tup
      """)
    if let row = dead.first, let count = row.first.flatMap(\.self) {
      findings.append("\(count) dead rows are not cleaned up yet: is autovacuum on?")
    }
    return findings
  }

  // MARK: Leases

  package func lease() async throws(StoreError) -> OperationOffer<ServerJournal> {
    switch try await turns.lease() {
    case .none(let idle): return idle.offer()
    case .operation(let row, let until): return .operation(try await taken(row, until))
    }
  }

  private func taken(
    _ row: ServerConnection.Row, _ until: ContinuousClock.Instant
  ) async throws(StoreError) -> OperationLease<ServerJournal> {
    let operation = try QueuedOperation(Array(row.prefix(9)))
    guard row.count == 11, let fence = row[9].flatMap({ Int($0) }), let text = row[10] else {
      throw .damaged("an operation")
    }
    let setup = try RunSetup(stored: text, kind: operation.kind, name: operation.name)
    let (number, id) = (operation.number, RandomName.make(8))
    let bodies = ServerBodies(number, self.bodies)
    // Attempts may count from one again; what was sent before is known nevertheless.
    let known = fence > 1 ? try await earlierRecords(of: number) : [:]
    let records = try ServerRecords(known, directory: "\(scratch)/\(id)")
    for digest in records.earlierBodies { try await bodies.fetch(digest, into: records) }
    let journal =
      known.isEmpty
      ? RunJournal(in: records, id: id, clock: clock) : try RunJournal.resumed(in: records, id: id, clock: clock)
    let lease = HeldLease(number: number, fence: fence)
    return OperationLease(
      operation: operation, setup: setup,
      journal: ServerJournal(journal, in: records, lease, turns: turns, bodies: bodies, until: until), fence: fence)
  }

  private func earlierRecords(of number: Int) async throws(StoreError) -> [String: String] {
    let rows = try await connection.ask(
      "SELECT place, record FROM workbench.records WHERE operation = $1", ["\(number)"], isRepeatable: true)
    var known: [String: String] = [:]
    for row in rows { if row.count == 2, let place = row[0] { known[place] = row[1] ?? "" } }
    return known
  }

  package func renew(_ leases: [HeldLease]) async throws(StoreError) -> Set<Int> {
    guard !leases.isEmpty else { return [] }
    let rows = try await connection.ask(
      """
      UPDATE workbench.operations o SET leased_until = clock_timestamp() + make_interval(secs => $3)
      FROM unnest($1::bigint[], $2::bigint[]) AS mine (operation, fence)
      WHERE o.operation = mine.operation AND o.fence = mine.fence AND o.state = 1
      RETURNING o.operation
      """,
      [
        "{\(leases.map { "\($0.number)" }.joined(separator: ","))}",
        "{\(leases.map { "\($0.fence)" }.joined(separator: ","))}",
        "\((leaseDuration ?? .seconds(15)) / .seconds(1))",
      ], isRepeatable: true)
    return Set(rows.compactMap { $0.first?.flatMap { Int($0) } })
  }

  package func postpone(
    _ lease: HeldLease, for wait: Duration, because reason: PostponeReason
  ) async throws(StoreError) {
    try await settle(
      lease, .waiting, wait: wait, counts: reason == .failed, isOffline: reason.isUntilWoken, failure: nil)
  }

  package func bury(_ lease: HeldLease) async throws(StoreError) {
    try await settle(lease, .dead, wait: .zero, counts: true, isOffline: false, failure: nil)
  }

  private func settle(
    _ lease: HeldLease, _ state: QueuedOperation.State, wait: Duration, counts: Bool, isOffline: Bool, failure: String?
  ) async throws(StoreError) {
    defer { turns.endIdling() }
    _ = try await connection.ask(
      "SELECT workbench.settle($1, $2, $3::smallint, $4, $5, $6, $7)",
      [
        "\(lease.number)", "\(lease.fence)", "\(state.rawValue)", "\(wait / .seconds(1))", counts ? "t" : "f",
        isOffline ? "t" : "f", failure,
      ])
  }

  /// As when its lease had ended, and somebody else has it.
  package func takeAway(_ number: Int) async throws(StoreError) {
    _ = try await connection.ask(
      """
      UPDATE workbench.operations SET fence = fence + 1, leased_until = clock_timestamp() + interval '60 s'
      WHERE operation = $1
      """,
      ["\(number)"])
  }

  package func revive(_ number: Int) async throws(StoreError) {
    _ = try await connection.ask("SELECT workbench.revive($1)", ["\(number)"])
    turns.endIdling()
    await tell()
  }

  package func drop(_ number: Int) async throws(StoreError) {
    _ = try await connection.ask("SELECT workbench.drop($1)", ["\(number)"])
    turns.endIdling()
  }

  package func wake() async throws(StoreError) {
    defer { turns.endIdling() }
    _ = try await connection.ask(
      """
      UPDATE workbench.operations SET due = least(due, clock_timestamp()), offline = false WHERE offline AND state = 0
      """, isRepeatable: true)
  }

  /// Looks again after a second or so, since a notification may be lost; not all workers at the same time.
  package func wait(atMost most: Duration) async {
    let left = turns.idle.map { $0.until - .now } ?? .zero
    if await news.listen(min(most, max(left, .zero))) { turns.endIdling() }
  }
}

extension QueuedOperation {
  fileprivate init(_ row: ServerConnection.Row) throws(StoreError) {
    func number(_ index: Int) -> Double? { row[index].flatMap { Double($0) } }
    guard row.count == 9, let operation = row[0].flatMap({ Int($0) }),
      let state = row[4].flatMap({ Int($0) }).flatMap(State.init(rawValue:)),
      let attempts = row[5].flatMap({ Int($0) }),
      let due = number(6), let created = number(7)
    else { throw .damaged("an operation") }
    self.init(
      number: operation, kind: row[1] ?? "", name: row[2] ?? "", key: row[3], state: state, run: nil,
      attempts: attempts, due: .seconds(due), created: .seconds(created), failure: row[8])
  }
}
