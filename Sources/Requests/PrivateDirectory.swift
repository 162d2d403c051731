internal import POSIX

/// A directory that only its owner can read: 0700, files 0600, whatever the umask, and no links followed.
package struct PrivateDirectory: Sendable {
  package let path: String

  /// Why a directory or a file in it cannot be used.
  package enum Failure: Error, Hashable, Sendable {
    /// It is somebody else's, or a link, or another kind of file.
    case notOurs(path: String)
    case unusable(path: String, reason: SystemError)
  }

  /// Opens the directory, which is created if it does not exist, with its parent directories.
  package init(_ path: String) throws(Failure) {
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
  package func open(_ name: String, flags: Int32 = O_RDWR | O_CREAT) throws(Failure) -> Int32 {
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

  /// The names in it.
  package var names: [String] {
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
  package func refuseLink(_ name: String) throws(Failure) {
    var status = stat()
    guard lstat("\(path)/\(name)", &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notOurs(path: "\(path)/\(name)") }
  }

  /// Removes what processes left that were killed while they replaced a file: it may have in it what the file has.
  package func removeLeftovers(of name: String) {
    for leftover in names where leftover.hasPrefix("new-") && leftover.hasSuffix("-\(name)") {
      let process = leftover.dropFirst(4).dropLast(name.utf8.count + 1)
      if let number = pid_t(process), kill(number, 0) != 0, errno == ESRCH { unlink("\(path)/\(leftover)") }
    }
  }

  /// Replaces a file: whatever happens, it has either its old bytes or the new ones, which are then on the disk.
  package func replace(_ name: String, with bytes: [UInt8]) throws(Failure) {
    try refuseLink(name)
    removeLeftovers(of: name)
    let temporary = "new-\(getpid())-\(name)"
    unlink("\(path)/\(temporary)")
    let descriptor = try open(temporary, flags: O_WRONLY | O_CREAT | O_EXCL)
    var reason: SystemError?
    do throws(SystemError) {
      try FileBytes.write(bytes, to: descriptor)
      if fsync(descriptor) != 0 { throw .current }
    } catch {
      reason = error
    }
    if close(descriptor) != 0 { reason = reason ?? .current }
    if reason == nil, rename("\(path)/\(temporary)", "\(path)/\(name)") != 0 { reason = .current }
    if let reason {
      unlink("\(path)/\(temporary)")
      throw .unusable(path: "\(path)/\(name)", reason: reason)
    }
    try synchronize()
  }

  /// Changes to the directory itself, that is to its names, are on the disk.
  package func synchronize() throws(Failure) {
    let descriptor = POSIX.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unusable(path: path, reason: .current) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .unusable(path: path, reason: .current) }
  }

  /// Anything opened must be ours, and is made private: the umask may have cleared bits, an older file may have more.
  private static func claim(_ descriptor: Int32, path: String, mode: mode_t) throws(Failure) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unusable(path: path, reason: .current) }
    let kind = mode == 0o700 ? S_IFDIR : S_IFREG
    guard status.st_uid == geteuid(), status.st_mode & S_IFMT == kind else { throw .notOurs(path: path) }
    guard status.st_mode & 0o777 != mode else { return }
    guard fchmod(descriptor, mode) == 0 else { throw .unusable(path: path, reason: .current) }
  }

  private static func makeParents(of path: String) throws(Failure) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let parent = String(path[..<slash])
    var status = stat()
    if stat(parent, &status) == 0 { return }
    try makeParents(of: parent)
    if mkdir(parent, 0o700) != 0, errno != EEXIST { throw .unusable(path: parent, reason: .current) }
  }
}
