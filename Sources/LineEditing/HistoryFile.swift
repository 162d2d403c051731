internal import POSIX

/// Why the history file cannot be written. Codes are those of errno(3).
public enum HistoryError: Error, Hashable {
  case directoryNotCreated(path: String, code: Int32)
  /// A symbolic link (`ELOOP`), a missing permission, …
  case fileNotOpened(path: String, code: Int32)
  /// It is a directory, a pipe or a device, or another user's.
  case notAnOwnFile(path: String)
  case notWritten(path: String, code: Int32)
}

extension HistoryError: CustomStringConvertible {
  /// One sentence without a full stop: which file, what is wrong with it, and what to do if that is not obvious.
  public var description: String {
    switch self {
    case .fileNotOpened(let path, ELOOP):
      "\"\(path)\" is a link, and no history is written through one; put a file there, or remove the link"
    case .directoryNotCreated(let path, let code): "cannot create the directory \"\(path)\": \(Self.reason(code))"
    case .fileNotOpened(let path, let code): "cannot open \"\(path)\": \(Self.reason(code))"
    case .notAnOwnFile(let path): "\"\(path)\" is not a file of yours"
    case .notWritten(let path, let code): "cannot write \"\(path)\": \(Self.reason(code))"
    }
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota is used up"
    default: String(cString: strerror(code))
    }
  }
}

/// The file in which entries are stored, one per line.
///
/// A line feed in an entry is written as `\n`, a backslash as `\\`. The file is 0600, and the directory is 0700 if it
/// was created here, whatever the umask.
struct HistoryFile: Sendable {
  let path: String

  /// How much of a long file is read, in bytes: about 100,000 entries.
  static let readLimit = 16 << 20

  /// Adds one entry with a single write, so that entries of several processes do not mix.
  func append(_ entry: String) throws(HistoryError) {
    let descriptor = try openToAppend()
    defer { close(descriptor) }
    let line = Array((Self.encoded(entry) + "\n").utf8)
    var written: Int
    repeat { written = write(descriptor, line, line.count) } while written < 0 && errno == EINTR
    guard written == line.count else {
      let code = written < 0 ? errno : ENOSPC
      // Terminates an incomplete entry, so that the next one is intact.
      if written > 0 { _ = write(descriptor, "\n", 1) }
      throw .notWritten(path: path, code: code)
    }
  }

  /// Puts another entry in the place of one, wherever it is in the last lines, without moving any: other sessions append
  /// at the same time. Where it would be longer, there are only asterisks.
  func replace(_ entry: String, with other: String) throws(HistoryError) {
    let old = Array(Self.encoded(entry).utf8)
    var new = Array(Self.encoded(other).utf8)
    if new.count > old.count { new = Array(repeating: UInt8(ascii: "*"), count: old.count) }
    new += Array(repeating: UInt8(ascii: " "), count: old.count - new.count)
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .fileNotOpened(path: path, code: errno) }
    defer { close(descriptor) }
    guard let (start, bytes) = tail(of: descriptor) else { throw .notAnOwnFile(path: path) }
    var position = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.elementsEqual(old), pwrite(descriptor, new, new.count, off_t(start + position)) != new.count {
        throw .notWritten(path: path, code: errno)
      }
      position += line.count + 1
    }
  }

  /// The last lines of the file; empty if it cannot be read.
  func tail() -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    return tail(of: descriptor)?.bytes ?? []
  }

  /// The last lines, and where they begin in the file; nil: it is not a file of this user.
  private func tail(of descriptor: Int32) -> (start: Int, bytes: [UInt8])? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, isOwnFile(status) else { return nil }
    let size = Int(status.st_size)
    let start = max(0, size - Self.readLimit)
    let length = size - start
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { bytes, filled in
      while filled < length, let base = bytes.baseAddress {
        let count = pread(descriptor, base + filled, length - filled, off_t(start + filled))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        filled += count
      }
    }
    return (start, bytes)
  }

  /// The entry as one line.
  static func encoded(_ entry: String) -> String {
    var line = ""
    for scalar in entry.unicodeScalars {
      switch scalar {
      case "\\": line += #"\\"#
      case "\n": line += #"\n"#
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// The entry in a line; nil if it was not written by ``append(_:)``.
  static func decoded(_ line: ArraySlice<UInt8>) -> String? {
    guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else { return nil }
    guard line.contains(0x5C) else { return text }
    var entry = ""
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        entry.unicodeScalars.append(scalar)
        continue
      }
      switch scalars.next() {
      case "\\": entry += "\\"
      case "n": entry += "\n"
      default: return nil
      }
    }
    return entry
  }

  private func openToAppend() throws(HistoryError) -> Int32 {
    try createDirectory()
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let descriptor = open(path, flags, mode_t(0o600))
    guard descriptor >= 0 else { throw .fileNotOpened(path: path, code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, isOwnFile(status) else {
      close(descriptor)
      throw .notAnOwnFile(path: path)
    }
    if status.st_mode & 0o777 != 0o600 { fchmod(descriptor, 0o600) }
    return descriptor
  }

  private func isOwnFile(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
  }

  /// Creates the missing directories on the path to the file.
  private func createDirectory() throws(HistoryError) {
    let slashes = path.indices.filter { path[$0] == "/" && $0 != path.startIndex }
    guard let last = slashes.last, access(String(path[..<last]), F_OK) != 0 else { return }
    for slash in slashes {
      let directory = String(path[..<slash])
      if mkdir(directory, 0o700) == 0 {
        chmod(directory, 0o700)
      } else if errno != EEXIST {
        throw .directoryNotCreated(path: directory, code: errno)
      }
    }
  }
}
