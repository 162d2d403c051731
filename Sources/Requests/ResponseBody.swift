public import JSONValue
import POSIX

/// The decoded bytes of a response: small ones in memory, large ones in a file without a name.
public struct ResponseBody: Hashable, Sendable {
  private enum Storage: Hashable, Sendable {
    case memory([UInt8])
    case spool(SpoolFile)
  }

  private let storage: Storage

  /// A body in memory.
  public init(_ bytes: [UInt8]) {
    storage = .memory(bytes)
  }

  /// A body in a file, which exists as long as something references it.
  public init(_ spool: SpoolFile) {
    storage = .spool(spool)
  }

  /// In bytes.
  public var count: Int {
    switch storage {
    case .memory(let bytes): bytes.count
    case .spool(let file): file.count
    }
  }

  /// Whether it has no bytes.
  public var isEmpty: Bool { count == 0 }

  /// Up to `limit` bytes starting at `offset`; the whole body is never needed in memory.
  public func bytes(from offset: Int = 0, limit: Int = .max) throws(FileError) -> [UInt8] {
    let start = min(max(offset, 0), count)
    let length = min(max(limit, 0), count - start)
    switch storage {
    case .memory(let bytes): return length == bytes.count ? bytes : Array(bytes[start..<start + length])
    case .spool(let file): return try file.read(from: start, count: length)
    }
  }

  /// The first bytes of the body.
  public func prefix(_ length: Int) throws -> ResponseBody {
    guard length < count else { return self }
    if length <= 1 << 20 { return ResponseBody(try bytes(limit: length)) }
    let spool = try SpoolWriter()
    var rest = length
    try forEachChunk { chunk in
      let piece = chunk.prefix(rest)
      rest -= piece.count
      try piece.withUnsafeBytes { try spool.write($0) }
    }
    return ResponseBody(try spool.finish())
  }

  /// This body and what follows it.
  public func appending(_ more: ResponseBody) throws -> ResponseBody {
    if isEmpty { return more }
    if more.isEmpty { return self }
    if count + more.count <= 1 << 20 { return ResponseBody(try bytes() + more.bytes()) }
    let spool = try SpoolWriter()
    for body in [self, more] { try body.forEachChunk { try $0.withUnsafeBytes { try spool.write($0) } } }
    return ResponseBody(try spool.finish())
  }

  /// The body as a JSON text; nil if it is not JSON. A body in a file stays there.
  public func document() -> JSONDocument? {
    switch storage {
    case .memory(let bytes): try? JSONDocument(bytes)
    case .spool(let file): file.document()
    }
  }

  /// Hands the body over in pieces of at most 64 KiB.
  public func forEachChunk<Failure: Error>(
    _ body: ([UInt8]) throws(Failure) -> Void
  ) throws {
    var offset = 0
    while offset < count {
      let chunk = try bytes(from: offset, limit: 65_536)
      try body(chunk)
      offset += chunk.count
    }
  }
}

/// An anonymous temporary file: it has no name, nobody else can open it, and it disappears when it is no longer used.
public final class SpoolFile: Hashable, Sendable {
  private let descriptor: Int32
  /// In bytes.
  public let count: Int

  /// Takes over an open descriptor.
  public init(takingOver descriptor: Int32, count: Int) {
    self.descriptor = descriptor
    self.count = count
  }

  deinit {
    close(descriptor)
  }

  /// Reads `count` bytes at `offset`; both are within the file.
  func read(from offset: Int, count: Int) throws(FileError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemError) {
        while filled < count {
          let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<count])
          let got = try FileBytes.read(descriptor, at: offset + filled, into: rest)
          if got == 0 { throw SystemError(number: EIO) }
          filled += got
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw .unreadable(path: "a response kept in a temporary file", reason: failure) }
    return bytes
  }

  func document() -> JSONDocument? {
    try? JSONDocument(descriptor: descriptor)
  }

  public static func == (left: SpoolFile, right: SpoolFile) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
