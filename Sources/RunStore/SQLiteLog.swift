internal import POSIX
internal import Requests

/// SQLite's log: the pages that were changed since it was begun
/// (https://www.sqlite.org/fileformat2.html#walformat). It is begun again when all of it is in the database.
struct SQLiteLog: ~Copyable {
  private let descriptor: Int32
  /// Another one each time that the log is begun.
  let salt: [UInt8]
  /// In bytes.
  let pageSize: Int

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// The log of this store as it is now; nil: there is none.
  init?(of store: borrowing StoreDirectory) {
    guard let descriptor = try? store.open("runs.sqlite-wal", flags: O_RDONLY) else { return nil }
    guard let header = Self.bytes(Self.headerSize, at: 0, of: descriptor) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    pageSize = Self.number(header[8...])
    salt = Array(header[16..<24])
  }

  deinit { close(descriptor) }

  /// The numbers of the pages in it, from 1.
  var pages: Set<Int> {
    var pages: Set<Int> = []
    var offset = Self.headerSize
    // What follows the last frame is from earlier logs, or only reserved.
    while let frame = Self.bytes(Self.frameHeaderSize, at: offset, of: descriptor), frame[8..<16].elementsEqual(salt) {
      pages.insert(Self.number(frame[...]))
      offset += Self.frameHeaderSize + pageSize
    }
    return pages
  }

  private static func bytes(_ count: Int, at offset: Int, of descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes { try? FileBytes.read(descriptor, at: offset, into: $0) }
    return got == count ? bytes : nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }
}
