internal import POSIX
internal import Requests
internal import Synchronization
internal import UploaderCore

/// What runs that are done no longer need has been removed from their records, and is to be removed from the files.
struct PendingExpunge {
  /// Of SQLite's log when the first of them began.
  var salt: [UInt8]?
  var texts: Set<[UInt8]> = []
  /// Whether anything was dropped since.
  var isNeeded = false
  /// When the files were last clean.
  var cleaned: ContinuousClock.Instant
}

/// Emptying SQLite's log costs several writes that wait for the disk. The runs of a suite, which end one after another,
/// share them: every few seconds, and at the end of the suite. A file in the store says that there is something left to
/// remove, so that after a suite that was killed the next run that is recorded does it.
extension RunStore {
  /// How long something may stay in the files before another run ends.
  static let longestWait = Duration.seconds(5)
  private static let markerPrefix = "expunge-"

  /// From now on, until `expungeNow`, what is dropped is removed from the files together.
  public func beginExpungingTogether() throws(StoreError) {
    let owner = try ownerName()
    close(try directory.open(Self.markerPrefix + owner))
    pending.withLock { $0 = PendingExpunge(salt: SQLiteLog(of: directory)?.salt, cleaned: .now) }
  }

  /// Removes from the files what was dropped.
  public func expungeNow() {
    guard
      let last = pending.withLock({ pending in
        defer { pending = nil }
        return pending
      })
    else { return }
    if last.isNeeded { expunge(last.texts, since: last.salt) }
    if let owner = try? ownerName() { unlink("\(directory.path)/\(Self.markerPrefix)\(owner)") }
  }

  /// - Returns: false: it has to be done now.
  func isExpungedLater(_ texts: Set<[UInt8]>) throws(StoreError) -> Bool {
    let now = ContinuousClock.now
    let (isLater, due): (Bool, PendingExpunge?) = pending.withLock { pending in
      guard var next = pending else { return (false, nil) }
      next.texts.formUnion(texts)
      next.isNeeded = true
      guard now - next.cleaned >= Self.longestWait else {
        pending = next
        return (true, nil)
      }
      pending = PendingExpunge(cleaned: now)
      return (true, next)
    }
    guard let due else { return isLater }
    expunge(due.texts, since: due.salt)
    let salt = SQLiteLog(of: directory)?.salt
    pending.withLock { $0?.salt = salt }
    return true
  }

  /// Does what a process did not do that died.
  func expungeForTheDead() {
    let markers = directory.names.filter { $0.hasPrefix(Self.markerPrefix) }
    let dead = markers.filter { marker in
      let owner = String(marker.dropFirst(Self.markerPrefix.count))
      return !isOwnedByMe(owner) && !isOwnedByAnother(owner)
    }
    guard !dead.isEmpty else { return }
    truncateLog()
    // Which texts it was is not known any more.
    writeAnew()
    for marker in dead { unlink("\(directory.path)/\(marker)") }
  }
}
