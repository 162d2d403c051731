import Essentials
internal import JSONValue

/// A picture of a sheet, from its allocation on.
struct Snapshot: Hashable, Sendable {
  /// How far it has come.
  enum State: String {
    case allocated, processing, ready
  }

  /// How long the work on a confirmed snapshot appears to take, in seconds.
  static let processingTime = 0.3

  var sheet: String
  var uid: String
  /// Bytes.
  var filesize: Int
  /// In seconds.
  var processingTime = Self.processingTime
  var confirmedAt: Date?

  /// The key its file is stored under.
  var key: String { "snapshots/\(uid)" }

  func state(at now: Date) -> State {
    guard let confirmedAt else { return .allocated }
    return now.timeIntervalSince(confirmedAt) < processingTime ? .processing : .ready
  }
}

/// The allocated snapshots.
actor SnapshotRegistry {
  private var snapshots: [String: Snapshot] = [:]
  /// In seconds.
  private let processingTime: Double

  init(processingTime: Double = Snapshot.processingTime) {
    self.processingTime = processingTime
  }

  func allocate(sheet: String, filesize: Int) -> Snapshot {
    let snapshot = Snapshot(
      sheet: sheet, uid: "s-" + randomHex(bytes: 6), filesize: filesize, processingTime: processingTime)
    snapshots[snapshot.uid] = snapshot
    return snapshot
  }

  func snapshot(_ uid: String, ofSheet sheet: String) -> Snapshot? {
    snapshots[uid].flatMap { $0.sheet == sheet ? $0 : nil }
  }

  /// Confirms a snapshot; one that was already confirmed keeps its time.
  func confirm(_ snapshot: Snapshot, at now: Date) -> Snapshot {
    var confirmed = snapshots[snapshot.uid] ?? snapshot
    confirmed.confirmedAt = confirmed.confirmedAt ?? now
    snapshots[snapshot.uid] = confirmed
    return confirmed
  }
}

/// This many random bytes in hex.
func randomHex(bytes count: Int) -> String {
  (0..<count).map { _ in UInt8.random(in: .min ... .max) }.hex
}
