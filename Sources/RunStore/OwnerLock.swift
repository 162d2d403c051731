internal import POSIX
internal import Requests
internal import Synchronization

/// Tells whether the owner of something is still alive: an owner holds the lock on a file of its own as long as its
/// process lives, and the kernel releases it however the process ends. So nobody has to renew or wait for anything.
final class OwnerLock: Sendable {
  /// The name others know it by.
  let name: String
  private let descriptor: Int32
  private let path: String
  private let isHolding = Mutex(false)

  /// A new owner: this process.
  init(in directory: StoreDirectory, name: String) throws(StoreError) {
    self.name = name
    path = "\(directory.path)/\(name)"
    descriptor = try directory.open(name, flags: O_RDWR | O_CREAT | O_EXCL)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = SystemError.current
      close(descriptor)
      throw .unusable(path: path, reason: reason)
    }
  }

  deinit {
    unlink(path)
    close(descriptor)
  }

  /// In bytes.
  private static let reserve = 512 << 10

  /// Reserves space on the disk, to be released when there is no other.
  func holdReserve() throws(StoreError) {
    let held: Result<Void, StoreError> = isHolding.withLock { isHolding in
      guard !isHolding else { return .success(()) }
      do throws(StoreError) {
        try RunStore.allocate(descriptor, Self.reserve, path: path)
        isHolding = true
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try held.get()
  }

  func releaseReserve() {
    isHolding.withLock { isHolding in
      if isHolding { ftruncate(descriptor, 0) }
      isHolding = false
    }
  }

  /// Whether the owner of that name is alive. The file of a dead one is removed.
  static func isAlive(_ name: String, in directory: StoreDirectory) -> Bool {
    guard !name.contains("/"), let descriptor = try? directory.open(name, flags: O_RDWR) else { return false }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return true }
    unlink("\(directory.path)/\(name)")
    return false
  }

  /// Removes the files of dead owners whose names nobody asks for any more.
  ///
  /// - Parameter now: since 1970. A file created just now may not be locked yet.
  static func removeDead(in directory: StoreDirectory, now: Duration) {
    for name in directory.names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      var status = stat()
      guard lstat("\(directory.path)/\(name)", &status) == 0 else { continue }
      #if canImport(Glibc)
        let modified = status.st_mtim.tv_sec
      #else
        let modified = status.st_mtimespec.tv_sec
      #endif
      if abs(now.components.seconds.subtractingReportingOverflow(Int64(modified)).partialValue) > 60 {
        _ = isAlive(name, in: directory)
      }
    }
  }

  /// A name that no other owner has.
  static func newName() -> String { "\(prefix)\(RandomName.make(12))\(suffix)" }

  private static let prefix = "owner-"
  private static let suffix = ".lock"
}
