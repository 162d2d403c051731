internal import POSIX

/// The bytes of a text, wherever they are.
enum TextBytes: Sendable {
  case array([UInt8])
  case file(MappedFile)

  /// A file, mapped if possible, else read to its end.
  init(path: String) throws(JSONDocument.FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(errno) }
    defer { close(descriptor) }
    var status = stat()
    // A device may have no end.
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFCHR { throw .unreadable(ENODEV) }
    try self.init(descriptor: descriptor)
  }

  /// The content of an open file or pipe.
  init(descriptor: Int32) throws(JSONDocument.FileError) {
    if let file = MappedFile(descriptor: descriptor) {
      self = .file(file)
    } else {
      self = .array(try Self.read(descriptor))
    }
  }

  private static func read(_ descriptor: Int32) throws(JSONDocument.FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { POSIX.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { throw .unreadable(errno) }
    }
  }

  /// The bytes in place, only for the duration of the call.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .array(let bytes):
      // Typed errors do not pass through `withUnsafeBufferPointer`.
      let result = bytes.withUnsafeBufferPointer { buffer -> Swift.Result<Result, Failure> in
        do throws(Failure) { return .success(try body(buffer)) } catch { return .failure(error) }
      }
      return try result.get()
    case .file(let file):
      return try withExtendedLifetime(file) { () throws(Failure) in try body(file.bytes) }
    }
  }
}
