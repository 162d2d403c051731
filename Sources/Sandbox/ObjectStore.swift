import Essentials
import POSIX

/// An object as it is stored.
struct StoredObject: Hashable, Sendable {
  var path: String
  /// Bytes.
  var size: Int
  /// The MD5 of the content in hex, without the quotes that HTTP adds.
  var etag: String
}

/// The objects of the bucket, one file each, named by the percent-encoded key.
///
/// Files of an earlier run stay where they are and are not objects of this one.
actor ObjectStore {
  /// S3's keys may have 1,024 bytes; here the encoded key is a file name.
  static let encodedKeyLimit = 255

  private let directory: String
  private let isTemporary: Bool
  private var objects: [String: StoredObject] = [:]

  /// A store in a directory, which is created if it is missing; without one, in a temporary directory.
  init(directory: String?) throws {
    if let directory {
      self.directory = directory
      isTemporary = false
    } else {
      self.directory =
        FileManager.default.temporaryDirectory
        .appending(path: "workbench-sandbox-\(UUID().uuidString)").path
      isTemporary = true
    }
    try FileManager.default.createDirectory(
      atPath: self.directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The name of a key's file; nil if the key is empty or too long.
  static func fileName(ofKey key: String) -> String? {
    let name = PercentEncoding.encode(key)
    return (1...encodedKeyLimit).contains(name.utf8.count) ? name : nil
  }

  /// A file for incoming content; it becomes an object when it is kept.
  nonisolated func makeIncomingFile() throws(FileError) -> IncomingFile {
    try IncomingFile("\(directory)/.incoming-\(randomHex(bytes: 8))")
  }

  /// Turns what arrived into the object of a key, replacing an older one.
  func keep(_ file: IncomingFile, asKey key: String, size: Int, etag: String) throws(FileError) {
    guard let name = Self.fileName(ofKey: key) else {
      throw FileError(operation: "name", path: key, code: ENAMETOOLONG)
    }
    let object = StoredObject(path: "\(directory)/\(name)", size: size, etag: etag)
    try file.move(to: object.path)
    objects[key] = object
  }

  func object(ofKey key: String) -> StoredObject? { objects[key] }

  /// Removes the directory if it is a temporary one.
  nonisolated func cleanUp() {
    if isTemporary { try? FileManager.default.removeItem(atPath: directory) }
  }
}

/// Content on its way to the store; unless it was kept, its file is removed with it.
final class IncomingFile: Sendable {
  private let file: OpenFile

  fileprivate init(_ path: String) throws(FileError) {
    file = try OpenFile(path, for: .creating)
  }

  deinit {
    // Its name was never another file's, so once it has been moved there is nothing to remove.
    unlink(file.path)
  }

  func write(_ bytes: ArraySlice<UInt8>) throws(FileError) { try file.write(bytes) }

  /// Appends all of it to another.
  func copy(to other: IncomingFile) throws(FileError) {
    let reader = try OpenFile(file.path, for: .reading)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      let count = try reader.read(into: buffer)
      if count == 0 { return }
      try other.write(ArraySlice(buffer[..<count]))
    }
  }

  fileprivate func move(to path: String) throws(FileError) {
    guard rename(file.path, path) == 0 else { throw FileError(operation: "rename", path: file.path, code: errno) }
  }
}
