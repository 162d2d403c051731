internal import JSONValue
internal import RequestProgram
internal import Requests
internal import RunStore
internal import Sessions
internal import Synchronization
internal import UploaderCore

/// The files that rows are written to when they are over. Each is there whole at the end, or not at all.
final class RowFiles: Sendable {
  fileprivate struct OpenFile: Sendable {
    let draft: any FileDraft
    let path: String
    var pending: [UInt8] = []
    var failure: FileError?
    /// When something was written last.
    var flushed: Duration

    /// - Parameter now: what is older than a second is written, so that it is known soon if it cannot be.
    mutating func write(_ bytes: [UInt8], _ now: Duration) {
      guard failure == nil else { return }
      pending += bytes
      pending.append(0x0A)
      guard pending.count >= 65_536 || now - flushed >= .seconds(1) else { return }
      flushed = now
      flush()
    }

    mutating func flush() {
      guard failure == nil, !pending.isEmpty else { return }
      do throws(FileError) { try draft.write(pending) } catch { failure = error }
      pending.removeAll(keepingCapacity: true)
    }

    /// - Returns: what went wrong.
    mutating func finish() -> FileError? {
      flush()
      do throws(FileError) {
        if let failure { throw failure }
        try draft.commit()
        return nil
      } catch {
        draft.discard()
        return error
      }
    }
  }

  fileprivate struct State {
    var out: OpenFile?
    var failed: OpenFile?
    var unknown: OpenFile?
    var isObjects = false
    /// The columns without that of an earlier reason; nil: there is none.
    var kept: [String]?
    /// Where the earlier reason is in a row, from the beginning or, if it is last, from the end (-1).
    var reasonPlace: Int?
    /// Whether the run began; the files of one that did not are left as they were.
    var hasBegun = false
  }

  private let state: Mutex<State>
  private let now: @Sendable () -> Duration

  /// The rows are the user's own, with whatever they contain: nobody else reads what is written of them.
  init(_ files: BulkSubcommand.Files, in world: World) throws(FileError) {
    var state = State()
    state.out = try Self.open(files.out, in: world)
    state.failed = try Self.open(files.failed, isPrivate: true, in: world)
    state.unknown = try Self.open(files.unknown, isPrivate: true, in: world)
    self.state = Mutex(state)
    now = world.clock.now
  }

  private static func open(
    _ path: String?, isPrivate: Bool = false, in world: World
  ) throws(FileError) -> OpenFile? {
    guard let path else { return nil }
    return OpenFile(
      draft: try isPrivate ? world.draftPrivateFile(path) : world.draftFile(path), path: path,
      flushed: world.clock.now())
  }

  /// Why something cannot be written.
  var failure: FileError? {
    state.withLock { $0.out?.failure ?? $0.failed?.failure ?? $0.unknown?.failure }
  }

  func on(_ event: BulkEvent) {
    let now = now()
    switch event {
    case .began(let columns, let heading, let isObjects, _, _):
      state.withLock { state in
        state.hasBegun = true
        state.isObjects = isObjects
        guard !isObjects else { return }
        var head = heading
        if columns.contains(RowReader.reasonColumn) {
          let kept = columns.filter { $0 != RowReader.reasonColumn }
          state.kept = kept
          let place = columns.firstIndex(of: RowReader.reasonColumn) ?? 0
          state.reasonPlace = place == columns.count - 1 ? -1 : place
          head = RowFiles.separated(kept)
        }
        head += Array(",\(RowReader.reasonColumn)".utf8)
        state.failed?.write(head, now)
        state.unknown?.write(head, now)
      }
    case .row(let row, let outcome, _): state.withLock { $0.note(row, outcome, now) }
    case .run, .read, .step: break
    }
  }

  /// Comma-separated values.
  fileprivate static func separated(_ fields: [String]) -> [UInt8] {
    let written = fields.map { field in
      field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        ? "\"\(field.replacing("\"", with: "\"\""))\"" : field
    }
    return Array(written.joined(separator: ",").utf8)
  }

  /// A row that could not be read, without the reason that an earlier run gave it: else, with another one, it would look
  /// like a row that can be read.
  fileprivate static func without(_ place: Int, _ row: [UInt8]) -> [UInt8] {
    var fields: [[UInt8]] = [[]]
    var isQuoted = false
    for byte in row {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ","), !isQuoted { fields.append([]) } else { fields[fields.count - 1].append(byte) }
    }
    let index = place < 0 ? fields.count - 1 : place
    if fields.count > 1, fields.indices.contains(index) { fields.remove(at: index) }
    return Array(fields.joined(separator: [UInt8(ascii: ",")]))
  }

  /// - Returns: what went wrong; those files are not there.
  func finish() -> [FileError] {
    state.withLock { state in
      guard state.hasBegun else {
        for file in [state.out, state.failed, state.unknown] { file?.draft.discard() }
        return []
      }
      return [state.out?.finish(), state.failed?.finish(), state.unknown?.finish()].compactMap(\.self)
    }
  }
}

extension RowFiles.State {
  mutating func note(_ row: BulkRow, _ outcome: RowOutcome, _ now: Duration) {
    if out != nil { out?.write(Self.line(row, outcome), now) }
    switch outcome.state {
    case .done, .skipped: return
    case .failed:
      guard failed != nil else { return }
      let row = written(row, outcome)
      failed?.write(row, now)
    case .partial, .unknown, .begun:
      guard unknown != nil else { return }
      let row = written(row, outcome)
      unknown?.write(row, now)
    }
  }

  private static func line(_ row: BulkRow, _ outcome: RowOutcome) -> [UInt8] {
    var object: JSONObject = ["row": ^row.number, "state": .string(outcome.state.word)]
    object["status"] = outcome.status.map { ^$0 }
    object["time"] = ^(Double(outcome.time.wholeMicroseconds) / 1_000)
    if let selected = outcome.selected.flatMap({ try? JSON(parsing: Array($0.utf8)) })?.object {
      for member in selected.members { object.members.append(member) }
    }
    object["failure"] = outcome.failure.map(JSON.string)
    return Array(JSONPrinter.compact.print(.object(object)))
  }

  /// The row as it was, with the reason.
  private func written(_ row: BulkRow, _ outcome: RowOutcome) -> [UInt8] {
    let reason = (outcome.failure ?? "").split(whereSeparator: \.isNewline).joined(separator: " ")
    guard isObjects else {
      var bytes = row.bytes
      if let kept, case .values(let values) = row.content {
        bytes = RowFiles.separated(
          kept.map { column in if case .text(let text)? = values[column] { text } else { "" } })
      } else if let place = reasonPlace {
        bytes = RowFiles.without(place, bytes)
      }
      return bytes + Array(",\"\(reason.replacing("\"", with: "\"\""))\"".utf8)
    }
    guard case .values = row.content, let json = try? JSON(parsing: row.bytes), var object = json.object else {
      return row.bytes
    }
    object[RowReader.reasonColumn] = .string(reason)
    return Array(JSONPrinter.compact.print(.object(object)))
  }
}

extension RowOutcome.State {
  /// For programs.
  var word: String {
    switch self {
    case .begun, .unknown: "unknown"
    case .done: "done"
    case .failed: "failed"
    case .partial: "partial"
    case .skipped: "skipped"
    }
  }
}
