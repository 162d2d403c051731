internal import POSIX
internal import Requests

/// Reads a request body piece by piece: never a byte more than was announced, and an error instead of a byte less.
///
/// libcurl itself would send the tail of a file that grew as a second request, and wait forever for the rest of one
/// that shrank.
struct BodyReader {
  let segments: [BodySegment]
  /// The length of the whole body, in bytes.
  let count: Int
  /// How many bytes of it have been handed over.
  private(set) var position = 0
  private var index = 0
  private var offset = 0
  private var file: OpenFile?

  init(_ segments: [BodySegment]) {
    self.segments = segments
    count = segments.reduce(0) { $0 + $1.count }
  }

  /// Fills the buffer as far as it can.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    var filled = 0
    while filled < buffer.count, index < segments.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let segment = segments[index]
      if offset == segment.count {
        try file?.verify()
        (index, offset, file) = (index + 1, 0, nil)
        continue
      }
      let wanted = min(rest.count, segment.count - offset)
      switch segment {
      case .bytes(let bytes):
        rest.copyBytes(from: bytes[offset..<offset + wanted])
        offset += wanted
        filled += wanted
        position += wanted
      case .file(let slice):
        let got = try openFile(slice).read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: rest[..<wanted]))
        offset += got
        filled += got
        position += got
      }
    }
    return filled
  }

  private mutating func openFile(_ slice: FileSlice) throws(FileError) -> OpenFile {
    if let file { return file }
    let opened = try OpenFile(slice)
    file = opened
    return opened
  }
}

/// A file while it is being sent.
private final class OpenFile {
  private let slice: FileSlice
  private let descriptor: Int32

  init(_ slice: FileSlice) throws(FileError) {
    self.slice = slice
    descriptor = open(slice.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path: slice.path, reason: .current) }
    try verify()
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Checks that it is still the file whose length was announced.
  func verify() throws(FileError) {
    guard try FileSlice.Identity(of: descriptor, path: slice.path) == slice.identity else {
      throw .changed(path: slice.path)
    }
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    let got: Int
    do throws(SystemError) {
      got = try FileBytes.read(descriptor, at: slice.offset + offset, into: buffer)
    } catch {
      throw .unreadable(path: slice.path, reason: error)
    }
    guard got > 0 else { throw .changed(path: slice.path) }
    return got
  }
}
