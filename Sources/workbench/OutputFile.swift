internal import POSIX
internal import Requests
internal import Synchronization

/// Files that bodies are written to: regular files, devices, and pipes that somebody reads.
enum OutputFile {
  /// Pipes that were opened before the request was sent: to close one would end its reader.
  private static let pipes = Mutex<[String: Int32]>([:])

  /// Refuses what cannot be written, as far as that is known before there is anything to write.
  static func check(_ path: String) throws(FileError) {
    var status = stat()
    guard path != "-", stat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .unwritable(path: path, reason: SystemError(number: EISDIR))
    case S_IFIFO:
      if pipes.withLock({ $0[path] != nil }) { return }
      let descriptor = try open(path)
      pipes.withLock { $0[path] = descriptor }
    default: return
    }
  }

  static func write(_ path: String, _ body: ResponseBody) throws(FileError) {
    let kept: Int32? = path == "-" ? STDOUT_FILENO : pipes.withLock { $0.removeValue(forKey: path) }
    let descriptor: Int32
    if let kept { descriptor = kept } else { descriptor = try open(path) }
    defer { if path != "-" { close(descriptor) } }
    try body.write(to: descriptor, path: path)
  }

  /// A pipe is not waited for: without a reader it is an error. Once it is open, writing waits for its reader.
  private static func open(_ path: String) throws(FileError) -> Int32 {
    let descriptor = POSIX.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else {
      let reason = SystemError.current
      var status = stat()
      let isPipe = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
      throw reason.number == ENXIO && isPipe ? .unread(path: path) : .unwritable(path: path, reason: reason)
    }
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0 else {
      let reason = SystemError.current
      close(descriptor)
      throw .unwritable(path: path, reason: reason)
    }
    return descriptor
  }
}
