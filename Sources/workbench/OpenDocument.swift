internal import POSIX
internal import Requests
internal import Sessions

/// A document that is read a piece at a time.
final class OpenDocument: Sendable {
  private static let pieceSize = 65_536

  private let path: String
  private let descriptor: Int32
  /// In bytes; nil: it is not a regular file.
  let size: Int?

  /// - Parameter path: a regular file or a pipe; `-` is standard input.
  init(_ path: String) throws(FileError) {
    self.path = path
    var status = stat()
    if path != "-", stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG, S_IFIFO: break
      case S_IFDIR: throw .unreadable(path: path, reason: SystemError(number: EISDIR))
      default: throw .notAFile(path: path)
      }
    }
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: .current) }
    size = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  func read() throws(FileError) -> RowInput.Piece {
    if size == nil {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 0) == 0 { return .nothingYet }
    }
    var bytes = [UInt8](repeating: 0, count: Self.pieceSize)
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(SystemError) in try FileBytes.read(descriptor, into: buffer) }
    }
    do throws(SystemError) {
      let count = try result.get()
      if count == 0 { return .end }
      bytes.removeLast(bytes.count - count)
      return .bytes(bytes)
    } catch {
      throw .unreadable(path: path, reason: error)
    }
  }
}
