package import Requests
internal import Synchronization

/// A file that is being written. It appears whole, in place of what had its name before, or not at all.
package protocol FileDraft: Sendable {
  func write(_ bytes: [UInt8]) throws(FileError)

  /// Replaces bytes that were written before, where that is possible: what went into a pipe is gone.
  func replace(_ bytes: [UInt8], at offset: Int) throws(FileError)

  /// Puts it in its place.
  func commit() throws(FileError)

  /// Leaves nothing of it. What is already in its place stays there.
  func discard()
}

/// A draft that is in memory until it is complete.
final class HeldDraft: FileDraft {
  private let path: String
  private let writeFile: @Sendable (String, ResponseBody) throws(FileError) -> Void
  private let bytes = Mutex<[UInt8]>([])

  init(path: String, writeFile: @escaping @Sendable (String, ResponseBody) throws(FileError) -> Void) {
    self.path = path
    self.writeFile = writeFile
  }

  func write(_ bytes: [UInt8]) { self.bytes.withLock { $0 += bytes } }

  func replace(_ bytes: [UInt8], at offset: Int) {
    self.bytes.withLock { held in
      guard offset + bytes.count <= held.count else { return }
      held.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
  }

  func commit() throws(FileError) { try writeFile(path, ResponseBody(bytes.withLock { $0 })) }

  func discard() { bytes.withLock { $0 = [] } }
}
