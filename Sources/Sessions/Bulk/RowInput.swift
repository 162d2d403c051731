package import Requests
internal import Synchronization

/// A document that is read piece by piece.
package struct RowInput: Sendable {
  package enum Piece: Sendable {
    case bytes([UInt8])
    /// It comes through a pipe, and nothing is there yet.
    case nothingYet
    case end
  }

  package typealias Failure = FileError

  /// In bytes; nil: nobody knows before its end.
  package let size: Int?
  /// Whether it can be read again from its beginning.
  package let isFile: Bool
  package let read: @Sendable () throws(Failure) -> Piece

  package init(size: Int?, isFile: Bool, read: @escaping @Sendable () throws(Failure) -> Piece) {
    self.size = size
    self.isFile = isFile
    self.read = read
  }

  /// One that is in memory.
  package init(holding bytes: [UInt8]) {
    let held = Held(bytes)
    self.init(size: bytes.count, isFile: true) { held.take().map { .bytes($0) } ?? .end }
  }

  private final class Held: Sendable {
    private let bytes: Mutex<[UInt8]?>

    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }

    func take() -> [UInt8]? {
      bytes.withLock { bytes in
        defer { bytes = nil }
        return bytes
      }
    }
  }
}
