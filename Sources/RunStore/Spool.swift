internal import Crypto
internal import JSONValue
internal import POSIX
package import Requests
package import UploaderCore

/// Large bodies as files, named by the SHA-256 of their contents, so that the same body is stored once.
package struct Spool: Sendable {
  /// A body in the spool.
  package struct Entry: Hashable, Sendable {
    /// In hex.
    package let digest: String
    /// In bytes.
    let size: Int
  }

  let directory: StoreDirectory

  init(directory: StoreDirectory) { self.directory = directory }

  /// The one in a directory, which is created if it does not exist.
  package init(at path: String) throws(StoreError) { directory = try StoreDirectory(path) }

  /// Puts a body into the spool.
  ///
  /// - Parameter markers: are put in place of secrets; nil: it has them already, or there are none.
  package func keep(
    _ body: ResponseBody, _ markers: SecretMarkers?, withoutSignatures: Bool = false
  ) throws(StoreError) -> Entry {
    do {
      return try keep { write in
        var stream = markers?.stream()
        var signatures = SignatureStream()
        func put(_ piece: [UInt8]) throws { try write(withoutSignatures ? signatures.drop(from: piece) : piece) }
        try body.forEachChunk { chunk in try put(stream?.conceal(chunk) ?? chunk) }
        if let rest = stream?.finish() { try put(rest) }
        try write(signatures.finish())
      }
    } catch {
      throw StoreError(error)
    }
  }

  /// Stores what `produce` passes on piece by piece; it is on the disk when this returns.
  package func keep(_ produce: (_ write: ([UInt8]) throws -> Void) throws -> Void) throws -> Entry {
    let temporary = "new-\(RandomName.make(16))"
    let descriptor = try directory.open(temporary, flags: O_WRONLY | O_CREAT | O_EXCL)
    var isKept = false
    defer {
      close(descriptor)
      if !isKept { unlink("\(directory.path)/\(temporary)") }
    }
    var hash = SHA256()
    var size = 0
    try produce { piece in
      hash.update(data: piece)
      size += piece.count
      do throws(SystemError) {
        try FileBytes.write(piece, to: descriptor)
      } catch {
        throw StoreError.unusable(path: directory.path, reason: error)
      }
    }
    guard fsync(descriptor) == 0 else { throw failure() }
    let digest = hash.finalize().hex
    guard rename("\(directory.path)/\(temporary)", "\(directory.path)/\(digest)") == 0 else { throw failure() }
    isKept = true
    try directory.synchronize()
    return Entry(digest: digest, size: size)
  }

  /// The body with that digest, to be read from the file.
  package func body(_ digest: String) throws(StoreError) -> ResponseBody {
    guard !digest.contains("/"), let descriptor = try? directory.open(digest, flags: O_RDONLY) else {
      throw .noBody(digest: digest)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      throw .noBody(digest: digest)
    }
    return ResponseBody(SpoolFile(takingOver: descriptor, count: Int(status.st_size)))
  }

  /// Removes the directory, too.
  package func removeAll() {
    for name in directory.names { unlink("\(directory.path)/\(name)") }
    rmdir(directory.path)
  }

  func remove(_ digest: String) {
    guard !digest.contains("/") else { return }
    unlink("\(directory.path)/\(digest)")
  }

  /// Removes what no run needs. Newer files may be about to be recorded.
  ///
  /// - Parameter moment: since 1970.
  func removeAll(but needed: Set<String>, olderThan moment: Duration) {
    guard let entries = opendir(directory.path) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var status = stat()
      guard !needed.contains(name), lstat("\(directory.path)/\(name)", &status) == 0,
        status.st_mode & S_IFMT == S_IFREG, .since1970(status.st_mtim) < moment
      else { continue }
      unlink("\(directory.path)/\(name)")
    }
  }

  private func failure() -> StoreError { .unusable(path: directory.path, reason: .current) }
}

/// Names that are unique.
package enum RandomName {
  /// - Parameter count: characters, of five random bits each; no two of them look alike.
  package static func make(_ count: Int) -> String {
    let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
    return String((0..<count).map { _ in alphabet[Int.random(in: 0..<32)] })
  }
}
