internal import POSIX
internal import Requests

/// Takes the body of a response: the first mebibyte in memory, anything larger in a temporary file without a name.
struct ResponseSink {
  static let memoryLimit = 1 << 20

  private var bytes: [UInt8] = []
  private var spool: SpoolWriter?
  /// Bytes so far.
  private(set) var count = 0
  /// The length the body may reach before the free space is checked again.
  private var looksAgainAt = 0

  mutating func write(_ chunk: UnsafeRawBufferPointer) throws(FileError) {
    count += chunk.count
    if let spool { return try spool.write(chunk) }
    guard count > Self.memoryLimit else {
      // Mostly it is all, and then it needs no room to grow.
      if bytes.isEmpty { bytes = Array(chunk) } else { bytes += chunk }
      return
    }
    let spool = try SpoolWriter()
    try bytes.withUnsafeBufferPointer { bytes throws(FileError) in try spool.write(UnsafeRawBufferPointer(bytes)) }
    try spool.write(chunk)
    bytes = []
    self.spool = spool
  }

  /// Hands out what it has, and begins anew; only for what is still in memory.
  mutating func drain() -> [UInt8] {
    defer { (bytes, count) = ([], 0) }
    return bytes
  }

  /// What prevents it from accepting that many more bytes; nil: nothing.
  mutating func excess(after more: Int) -> TransferLimits.Excess? {
    guard count + more > Self.memoryLimit, count + more > looksAgainAt else { return nil }
    let directory = SpoolWriter.directory
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return nil }
    let unit = UInt64(status.f_frsize)
    let (free, total) = (UInt64(status.f_bavail) &* unit, UInt64(status.f_blocks) &* unit)
    // A small file system has little space to reserve.
    let reserve = min(UInt64(TransferLimits.diskReserve), total / 16)
    if free < reserve + UInt64(more) { return .disk(directory: directory, reserve: Int(clamping: reserve)) }
    looksAgainAt = count + Int(clamping: min((free - reserve) / 4, 16 << 20))
    return nil
  }

  func finish() throws(FileError) -> ResponseBody {
    try spool.map { spool throws(FileError) in ResponseBody(try spool.finish()) } ?? ResponseBody(bytes)
  }
}
