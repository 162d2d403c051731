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
  /// Leases and renewals.
  private let connection: ServerConnection
  /// Hears of what is added.
  private let news: ServerConnection
  /// What steps come to.
  private let records: [ServerConnection]
  private let next = Atomic(0)
  private let owner: String
  private let scratch: RunStore
  private let clock: UploadClock
  /// What was added last is told to those that wait, once in a second at most.
  private let told = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameters:
  ///   - scratch: the directory of a store for the operations that are being performed here; nothing of it is needed
  ///     later.
  package init(
    _ address: ServerAddress, scratch: String, lease: Duration = .seconds(15), clock: UploadClock = .system
  ) throws(StoreError) {
    leaseDuration = lease
    self.clock = clock
    connection = try ServerConnection(address)
    news = try ServerConnection(address, listens: true)
    var records: [ServerConnection] = []
    for _ in 0..<3 { records.append(try ServerConnection(address)) }
    self.records = records
    owner = "\(Self.hostName())-\(getpid())-\(RandomName.make(6))"
    self.scratch = try RunStore(at: scratch)
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
      ])
    return try rows.map { row throws(StoreError) in try QueuedOperation(row) }
  }

  package func counts() async throws(StoreError) -> OperationCounts {
    let rows = try await connection.ask(
      """
      SELECT state, (state != 2 AND EXISTS (SELECT 1 FROM workbench.operations d
        WHERE d.key = o.key AND d.state = 2 AND d.operation < o.operation)) AS held, count(*)
      FROM workbench.operations o GROUP BY 1, 2
      """)
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
    let duration = leaseDuration ?? .seconds(15)
    // Its end is reckoned from before the question.
    let asked = ContinuousClock.now
    let leased = try await connection.ask(
      "SELECT operation, fence FROM workbench.lease($1, $2)", [owner, "\(duration / .seconds(1))"])
    guard let row = leased.first, let number = row[0].flatMap({ Int($0) }), let fence = row[1].flatMap({ Int($0) })
    else { return try await nothingNow() }
    let found = try await connection.ask(
      """
      SELECT \(Self.columns), s.setup FROM workbench.operations o JOIN workbench.setups s USING (operation)
      WHERE o.operation = $1
      """, ["\(number)"])
    guard let row = found.first, let text = row.last.flatMap(\.self) else { throw .leaseLost(number) }
    let operation = try QueuedOperation(Array(row.dropLast()))
    let setup = try RunSetup(stored: text, kind: operation.kind, name: operation.name)
    let connection = records[next.add(1, ordering: .relaxed).oldValue % records.count]
    // Attempts may count from one again; what was sent before is known nevertheless.
    let known = fence > 1 ? try await earlierRecords(of: number, by: connection) : [:]
    for digest in Set(RunStore.largeBodies(in: known)) {
      try await ServerBodies(number, connection).fetch(digest, into: scratch)
    }
    let local = try scratch.takeUp(setup, records: known, clock: clock)
    let journal = ServerJournal(
      local, in: scratch, known: known, operation: number, fence: fence, by: connection, until: asked + duration)
    return .operation(OperationLease(operation: operation, setup: setup, journal: journal, fence: fence))
  }

  private func earlierRecords(
    of number: Int, by connection: ServerConnection
  ) async throws(StoreError) -> [String: String] {
    let rows = try await connection.ask(
      "SELECT place, record FROM workbench.records WHERE operation = $1", ["\(number)"])
    var known: [String: String] = [:]
    for row in rows { if row.count == 2, let place = row[0] { known[place] = row[1] ?? "" } }
    return known
  }

  private func nothingNow() async throws(StoreError) -> OperationOffer<ServerJournal> {
    let rows = try await connection.ask(
      """
      SELECT EXISTS (SELECT 1 FROM workbench.operations WHERE state = 1),
        extract(epoch FROM (SELECT min(due) FROM workbench.operations WHERE state = 0 AND head) - clock_timestamp())
      """)
    guard let row = rows.first, row.count == 2 else { throw .damaged("a queue") }
    let due = row[1].flatMap { Double($0) }.map { Duration.seconds(max(0, $0)) }
    if row[0] == "t" { return .wait(min(due ?? .seconds(1), .seconds(1))) }
    return due.map { .wait($0) } ?? .nothing
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
      ])
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
    await tell()
  }

  package func drop(_ number: Int) async throws(StoreError) {
    _ = try await connection.ask("SELECT workbench.drop($1)", ["\(number)"])
  }

  package func wake() async throws(StoreError) {
    _ = try await connection.ask(
      """
      UPDATE workbench.operations SET due = least(due, clock_timestamp()), offline = false WHERE offline AND state = 0
      """)
  }

  /// Looks again after a second at the latest, since a notification may be lost; not all workers at the same time.
  package func wait(atMost most: Duration) async {
    let pause = Duration.seconds(1) * Double.random(in: 0.8...1.2)
    await news.listen(min(most, pause))
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
