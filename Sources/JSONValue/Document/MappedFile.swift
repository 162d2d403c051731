#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The bytes of a file, read by the system where they are looked at.
///
/// Somebody who makes the file shorter meanwhile ends the process with SIGBUS; who writes to it changes the bytes.
struct MappedFile: ~Copyable {
  let bytes: UnsafeBufferPointer<UInt8>

  /// nil if it is no file that can be mapped, such as a pipe.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let size = Int(status.st_size)
    guard size > 0 else {
      bytes = UnsafeBufferPointer(start: nil, count: 0)
      return
    }
    guard let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED else {
      return nil
    }
    bytes = UnsafeBufferPointer(start: address.bindMemory(to: UInt8.self, capacity: size), count: size)
  }

  deinit {
    if let address = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: address), bytes.count) }
  }
}
