internal import JSONValue
internal import Requests
internal import RunStore
internal import Synchronization
internal import UploaderCore

/// What the steps of an operation have come to: as this process knows it, with what the server does not know yet.
///
/// In the server's rows, `s/…` is a step, `m/…` the seed of one, `b/…` steps that were written together.
final class ServerRecords: JournalStorage {
  fileprivate struct Place: Hashable {
    let position: StepPosition
    let attempt: Int

    var text: String { "s/\(Hex.text(position.bytes))/\(attempt)" }
  }

  fileprivate struct State {
    var steps: [Place: StoredStep] = [:]
    var moments: [StepPosition: StepSeed] = [:]
    var batches: [Int: [UInt8]] = [:]
    var nextBatch = 0
    /// Rows that the server has to be told of, or that are no longer there.
    var news: Set<String> = []
    /// Large bodies that the server does not have.
    var bodies: Set<String> = []
    var spool: Spool?
  }

  private let state: Mutex<State>
  private let directory: String

  /// - Parameters:
  ///   - rows: of earlier attempts.
  ///   - directory: for large bodies; it is made for the first of them, and removed with this.
  init(_ rows: [String: String] = [:], directory: String) throws(StoreError) {
    var state = State()
    for (place, text) in rows {
      let parts = place.split(separator: "/")
      let fields = (try? JSON(parsing: text))?.array ?? []
      switch (parts.first, parts.count, fields.count) {
      case ("s", 3, 6):
        guard let position = StepPosition(bytes: Hex.bytes(String(parts[1]))), let attempt = Int(parts[2]),
          let mark = fields[0].int,
          let dropped = fields[1].int, let record = fields[4].string
        else { throw .damaged("a record") }
        state.steps[Place(position: position, attempt: attempt)] = StoredStep(
          state: mark, dropped: dropped, boot: fields[2].string, record: Hex.bytes(record), body: fields[5].string)
      case ("m", 2, 2):
        guard let position = StepPosition(bytes: Hex.bytes(String(parts[1]))), let time = fields[0].int,
          let seed = fields[1].string
        else { throw .damaged("a record") }
        state.moments[position] = StepSeed(
          time: .nanoseconds(time), seed: Hex.bytes(seed).reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
      case ("b", 2, 2):
        guard let number = Int(parts[1]), let record = fields[1].string else { throw .damaged("a record") }
        state.batches[number] = Hex.bytes(record)
        state.nextBatch = max(state.nextBatch, number + 1)
      default: throw .damaged("a record")
      }
    }
    self.state = Mutex(state)
    self.directory = directory
  }

  deinit { state.withLock { $0.spool?.removeAll() } }

  // MARK: For the server

  /// Whether the server has to be told of anything.
  var hasNews: Bool { state.withLock { !$0.news.isEmpty } }

  /// What the server has to be told of: a row without a text is no longer there.
  func takeNews() -> [(place: String, text: String?)] {
    state.withLock { state in
      defer { state.news = [] }
      guard !state.news.isEmpty else { return [] }
      var rows: [(place: String, text: String?)] = []
      var left = state.news
      func take(_ place: String, _ fields: () -> JSON) {
        if left.remove(place) != nil { rows.append((place, fields().compactText)) }
      }
      for (place, step) in state.steps {
        take(place.text) {
          [
            ^step.state, ^step.dropped, step.boot.map(JSON.string) ?? .null, .bool(false),
            .string(Hex.text(step.record)), step.body.map(JSON.string) ?? .null,
          ]
        }
      }
      for (position, moment) in state.moments {
        take("m/\(Hex.text(position.bytes))") {
          [^moment.time.wholeNanoseconds, .string(withUnsafeBytes(of: moment.seed.bigEndian) { Hex.text(Array($0)) })]
        }
      }
      for (number, bytes) in state.batches { take("b/\(number)") { [.bool(false), .string(Hex.text(bytes))] } }
      for place in left { rows.append((place, nil)) }
      return rows
    }
  }

  /// The server could not be told.
  func putBack(_ rows: [(place: String, text: String?)]) {
    state.withLock { state in for row in rows { state.news.insert(row.place) } }
  }

  /// The large bodies that the server does not have, by digest.
  func takeBodies() -> [(digest: String, body: ResponseBody)] {
    state.withLock { state in
      defer { state.bodies = [] }
      return state.bodies.compactMap { digest in
        state.spool.flatMap { try? $0.body(digest) }.map { (digest, $0) }
      }
    }
  }

  /// The bodies that earlier attempts left on the server.
  var earlierBodies: Set<String> { state.withLock { Set($0.steps.values.compactMap(\.body)) } }

  /// Keeps a body that the server has.
  func keep(_ pieces: [[UInt8]]) throws(StoreError) {
    do {
      _ = try spool().keep { write in for piece in pieces { try write(piece) } }
    } catch {
      throw StoreError.unreachable("\(error)")
    }
  }

  private func spool() throws(StoreError) -> Spool {
    if let spool = state.withLock(\.spool) { return spool }
    let made = try Spool(at: directory)
    return state.withLock { state in
      if let spool = state.spool { return spool }
      state.spool = made
      return made
    }
  }

  // MARK: For the journal

  func write(_ changes: JournalChanges, _ durability: JournalDurability) throws(StoreError) {
    var records: [(Place, StoredStep)] = []
    for (step, body) in changes.records {
      guard let stored = try? StoredStep(step, body) else { throw .damaged("a record") }
      records.append((Place(position: step.position, attempt: step.attempt), stored))
    }
    let unpacked = try unpacked(changes.others)
    state.withLock { state in
      for (position, moment) in changes.moments { state.put(moment, at: position) }
      for batch in changes.batches {
        state.news.insert("b/\(state.nextBatch)")
        state.batches[state.nextBatch] = batch.bytes
        state.nextBatch += 1
      }
      for (place, step) in records { state.put(step, at: place) }
      for (place, step, moment) in unpacked {
        state.put(step, at: place)
        if let moment { state.put(moment, at: place.position) }
      }
      for change in changes.others { state.make(change) }
    }
  }

  /// What is no longer to count gets rows of its own.
  private func unpacked(_ changes: [JournalChange]) throws(StoreError) -> [(Place, StoredStep, StepSeed?)] {
    guard changes.contains(where: { if case .dropped = $0 { true } else { false } }) else { return [] }
    let batches = state.withLock { state in
      defer { state.batches = [:] }
      for number in state.batches.keys { state.news.insert("b/\(number)") }
      return state.batches.sorted { $0.key < $1.key }.map(\.value)
    }
    var all: [(Place, StoredStep, StepSeed?)] = []
    for bytes in batches {
      for (step, moment) in try StepBatch.records(in: bytes) {
        guard let stored = try? StoredStep(step, nil) else { throw .damaged("a record") }
        all.append((Place(position: step.position, attempt: step.attempt), stored, moment))
      }
    }
    return all
  }

  func keep(_ body: ResponseBody, _ markers: SecretMarkers) throws(StoreError) -> Spool.Entry {
    let entry = try spool().keep(body, markers)
    state.withLock { _ = $0.bodies.insert(entry.digest) }
    return entry
  }

  func steps() throws(StoreError) -> [RecordedStep] { try records { $0 == 0 } }

  private func records(_ isChosen: (Int) -> Bool) throws(StoreError) -> [RecordedStep] {
    let (steps, batches, spool) = state.withLock { ($0.steps, $0.batches, $0.spool) }
    var records: [RecordedStep] = []
    for step in steps.values where isChosen(step.dropped) {
      do throws(StoreError) {
        records.append(try step.step(spool))
      } catch {
        guard case .noBody = error else { throw error }
        records.append(try step.stepWithoutBody())
      }
    }
    if isChosen(0) { for bytes in batches.values { records += try StepBatch.records(in: bytes).map(\.step) } }
    return records.sorted { ($0.position, $0.attempt) < ($1.position, $1.attempt) }
  }

  func earlier() throws(StoreError) -> EarlierSteps {
    var earlier = EarlierSteps()
    earlier.steps = try steps()
    let (steps, batches) = state.withLock { ($0.steps, $0.batches) }
    earlier.moments = state.withLock(\.moments)
    for (_, bytes) in batches.sorted(by: { $0.key < $1.key }) {
      for (step, moment) in try StepBatch.records(in: bytes) where moment != nil {
        earlier.moments[step.position] = moment
      }
    }
    for (place, step) in steps where step.dropped != 0 {
      earlier.droppedAttempts[place.position] = max(earlier.droppedAttempts[place.position] ?? 0, place.attempt)
    }
    earlier.takenBack = try records { DropReason.takesBack($0) }
    return earlier
  }

  /// There is none: what cannot be told to the server is not sent.
  func releaseReserve() {}

  /// Its setup was stored without them.
  func parameters() throws(StoreError) -> JSON { .null }

  /// All of it goes.
  func dropping() throws(StoreError) -> DroppedValues { DroppedValues() }

  func expunge(_ dropped: DroppedValues) throws(StoreError) {}
}

extension ServerRecords.State {
  fileprivate mutating func put(_ moment: StepSeed, at position: StepPosition) {
    moments[position] = moment
    news.insert("m/\(Hex.text(position.bytes))")
  }

  fileprivate mutating func put(_ step: StoredStep, at place: ServerRecords.Place) {
    steps[place] = step
    news.insert(place.text)
  }

  fileprivate mutating func make(_ change: JournalChange) {
    switch change {
    case .sent(let position): update(where: { $0 == position }) { $0.markSent() }
    case .dropped(let positions, let reason):
      update(where: { positions.contains($0) }) { if $0.dropped == 0 { $0.dropped = reason.rawValue } }
    case .allowed(let positions):
      update(where: { positions.contains($0) }) { if $0.dropped != 0 { $0.dropped = DropReason.doneAgain.rawValue } }
    // Whether it is in the queue is not up to its records.
    case .reserving, .hidden, .setup, .left, .reopened, .ended: break
    }
  }

  private mutating func update(
    where isChosen: (StepPosition) -> Bool, _ change: (inout StoredStep) -> Void
  ) {
    for place in steps.keys where isChosen(place.position) {
      change(&steps[place, default: StoredStep(state: 0, dropped: 0, boot: nil, record: [], body: nil)])
      news.insert(place.text)
    }
  }
}

extension JSON {
  fileprivate var compactText: String { String(decoding: JSONPrinter.compact.print(self), as: UTF8.self) }
}
