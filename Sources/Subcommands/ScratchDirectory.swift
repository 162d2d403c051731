internal import POSIX
internal import Requests
internal import RunStore

/// Where a worker keeps what it needs of the operations that it performs, and nobody needs later: in memory if there is
/// a place for that, since nothing of it has to outlive the process.
enum ScratchDirectory {
  static func make(_ environment: [String: String]) throws(StoreError) -> String {
    var reason = SystemError(number: ENOENT)
    for place in ["/dev/shm", environment["TMPDIR"] ?? "/tmp"] {
      removeDead(in: place)
      var path = Array("\(place)/workbench-worker-\(getpid())-XXXXXX".utf8CString)
      guard mkdtemp(&path) != nil else {
        reason = .current
        continue
      }
      return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    throw .unusable(path: environment["TMPDIR"] ?? "/tmp", reason: reason)
  }

  /// What processes left that were killed.
  private static func removeDead(in place: String) {
    guard let directory = opendir(place) else { return }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    closedir(directory)
    for name in names where name.hasPrefix("workbench-worker-") {
      guard let process = name.split(separator: "-").dropFirst(2).first.flatMap({ pid_t($0) }), kill(process, 0) != 0,
        errno == ESRCH
      else { continue }
      remove("\(place)/\(name)")
    }
  }

  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_uid == getuid() else { return }
    guard status.st_mode & S_IFMT == S_IFDIR, let directory = opendir(path) else {
      unlink(path)
      return
    }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { remove("\(path)/\(name)") }
    }
    closedir(directory)
    rmdir(path)
  }
}
