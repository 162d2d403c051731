internal import POSIX

/// The bytes of a file, read by the system when they are accessed.
///
/// If somebody truncates the file in the meantime, the process ends with SIGBUS; if somebody writes to it, the bytes
/// change.
final class MappedFile: Sendable {
  /// The address as a number, since the pages are never written to and may be read from any thread; 0 if it is empty.
  private let address: UInt
  private let count: Int

  /// nil if it is not a file that can be mapped, such as a pipe.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    count = Int(status.st_size)
    guard count > 0 else {
      address = 0
      return
    }
    guard let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED else {
      return nil
    }
    self.address = UInt(bitPattern: address)
  }

  deinit {
    if count > 0 { munmap(UnsafeMutableRawPointer(bitPattern: address), count) }
  }

  /// Valid only as long as this object lives.
  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: UnsafePointer(bitPattern: address), count: count)
  }
}
