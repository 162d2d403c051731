#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Why the history file can not be written. Codes are those of errno(3).
public enum HistoryError: Error, Hashable {
  case directoryNotCreated(path: String, code: Int32)
  /// A symbolic link (`ELOOP`), a missing permission, …
  case fileNotOpened(path: String, code: Int32)
  /// It is a directory, a pipe or a device, or another user's.
  case notAnOwnFile(path: String)
  case notWritten(path: String, code: Int32)
}

extension HistoryError: CustomStringConvertible {
  /// One sentence without a full stop: which file, what is wrong with it, and what to do where that is not plain.
  public var description: String {
    switch self {
    case .fileNotOpened(let path, ELOOP):
      "\"\(path)\" is a link, and no history is written through one; put a file there, or take the link away"
    case .directoryNotCreated(let path, let code): "cannot make the directory \"\(path)\": \(Self.reason(code))"
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

/// The file in which entries are kept, one a line.
///
/// A line feed in an entry stands as `\n`, a backslash as `\\`. The file is
/// 0600, and so is the directory 0700 if it was made here, whatever the umask.
struct HistoryFile: Sendable {
  let path: String

  /// How much of a long file is looked at, in bytes: about 100,000 entries.
  static let readLimit = 16 << 20

  /// Adds one entry by one write, so that entries of several processes do not mix.
  func append(_ entry: String) throws(HistoryError) {
    let descriptor = try openToAppend()
    defer { close(descriptor) }
    let line = Array((Self.encoded(entry) + "\n").utf8)
    var written: Int
    repeat { written = write(descriptor, line, line.count) } while written < 0 && errno == EINTR
    guard written == line.count else {
      let code = written < 0 ? errno : ENOSPC
      // Ends a torn entry, so that the next one is whole.
      if written > 0 { _ = write(descriptor, "\n", 1) }
      throw .notWritten(path: path, code: code)
    }
  }

  /// The last lines of the file; empty if there is none that can be read.
  func tail() -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, isOwnFile(status) else { return [] }
    let size = Int(status.st_size)
    let start = max(0, size - Self.readLimit)
    let length = size - start
    return [UInt8](unsafeUninitializedCapacity: length) { bytes, filled in
      while filled < length, let base = bytes.baseAddress {
        let count = pread(descriptor, base + filled, length - filled, off_t(start + filled))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        filled += count
      }
    }
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

  /// The entry that a line holds; nil if it was not written by ``append(_:)``.
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

  /// Makes the directories that lead to the file and are not there.
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
