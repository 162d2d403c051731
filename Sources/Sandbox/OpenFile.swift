import POSIX
import SystemPackage

/// A file operation failed.
struct FileError: Error, Hashable, CustomStringConvertible {
  var operation: String
  var path: String
  /// `errno` of the call.
  var code: Int32

  var description: String { "cannot \(operation) \"\(path)\": \(reason)" }

  private var reason: String { code == ENOSPC ? "the disk is full" : String(cString: strerror(code)) }
}

/// A file descriptor that closes itself.
final class OpenFile: Sendable {
  enum Purpose {
    case reading
    /// A new file, accessible to its owner only (0600); it must not exist yet.
    case creating
    /// At the end of a file that is created (0600) if it is missing.
    case appending
  }

  let path: String
  private let descriptor: Int32

  init(_ path: String, for purpose: Purpose) throws(FileError) {
    let flags =
      switch purpose {
      case .reading: O_RDONLY
      case .creating: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
      case .appending: O_WRONLY | O_CREAT | O_APPEND
      }
    descriptor = open(path, flags | O_CLOEXEC, 0o600)
    self.path = path
    guard descriptor >= 0 else { throw FileError(operation: "open", path: path, code: errno) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Writes all of the bytes.
  func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
    do {
      _ = try FileDescriptor(rawValue: descriptor).writeAll(bytes)
    } catch {
      throw failure("write", error)
    }
  }

  /// Fills the start of a buffer and returns how many bytes; 0 is the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    do {
      return try FileDescriptor(rawValue: descriptor).read(into: buffer)
    } catch {
      throw failure("read", error)
    }
  }

  private func failure(_ operation: String, _ error: any Error) -> FileError {
    FileError(operation: operation, path: path, code: (error as? Errno)?.rawValue ?? 0)
  }
}
