internal import POSIX
internal import Requests

/// A directory that only its owner can read: 0700, files 0600, whatever the umask, and no links followed.
struct StoreDirectory: Sendable {
  let path: String

  /// Opens the directory, which is created if it does not exist, with its parent directories.
  init(_ path: String) throws(StoreError) {
    self.path = path
    try Self.makeParents(of: path)
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .unusable(path: path, reason: .current) }
    let descriptor = POSIX.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ELOOP || errno == ENOTDIR { throw .notOurs(path: path) }
      throw .unusable(path: path, reason: .current)
    }
    defer { close(descriptor) }
    try Self.claim(descriptor, path: path, mode: 0o700)
  }

  /// Opens a file in the directory, which is created if it does not exist.
  ///
  /// - Returns: a descriptor that the caller closes.
  func open(_ name: String, flags: Int32 = O_RDWR | O_CREAT) throws(StoreError) -> Int32 {
    let path = "\(path)/\(name)"
    let descriptor = POSIX.open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      if errno == ELOOP { throw .notOurs(path: path) }
      throw .unusable(path: path, reason: .current)
    }
    do {
      try Self.claim(descriptor, path: path, mode: 0o600)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Makes sure that a file is ours and private; it is created if it does not exist.
  func secure(_ name: String) throws(StoreError) {
    close(try open(name))
  }

  /// The names in it.
  var names: [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  /// Refuses a link in place of one of our files.
  func refuseLink(_ name: String) throws(StoreError) {
    var status = stat()
    guard lstat("\(path)/\(name)", &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notOurs(path: "\(path)/\(name)") }
  }

  /// Changes to the directory itself, that is to its names, are on the disk.
  func synchronize() throws(StoreError) {
    let descriptor = POSIX.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unusable(path: path, reason: .current) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .unusable(path: path, reason: .current) }
  }

  /// Anything opened must be ours, and is made private: the umask may have cleared bits, an older file may have more.
  private static func claim(_ descriptor: Int32, path: String, mode: mode_t) throws(StoreError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unusable(path: path, reason: .current) }
    let kind = mode == 0o700 ? S_IFDIR : S_IFREG
    guard status.st_uid == geteuid(), status.st_mode & S_IFMT == kind else { throw .notOurs(path: path) }
    guard status.st_mode & 0o777 != mode else { return }
    guard fchmod(descriptor, mode) == 0 else { throw .unusable(path: path, reason: .current) }
  }

  private static func makeParents(of path: String) throws(StoreError) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let parent = String(path[..<slash])
    var status = stat()
    if stat(parent, &status) == 0 { return }
    try makeParents(of: parent)
    if mkdir(parent, 0o700) != 0, errno != EEXIST { throw .unusable(path: parent, reason: .current) }
  }
}
