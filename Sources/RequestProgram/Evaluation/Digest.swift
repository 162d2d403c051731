import Crypto
import Requests

/// The digests of the language. MD5 is there because servers ask for it, not for security.
enum Digest: String, CaseIterable {
  case sha256, md5

  func of(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .sha256: Array(SHA256.hash(data: bytes))
    case .md5: Array(Insecure.MD5.hash(data: bytes))
    }
  }

  /// The digest of a file, read piece by piece.
  func of(_ file: FileSlice) throws(FileError) -> [UInt8] {
    switch self {
    case .sha256: try Self.stream(file, SHA256())
    case .md5: try Self.stream(file, Insecure.MD5())
    }
  }

  static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
  }

  private static func stream(_ file: FileSlice, _ hash: some HashFunction) throws(FileError) -> [UInt8] {
    var hash = hash
    try file.forEachChunk { hash.update(data: $0) }
    return Array(hash.finalize())
  }
}
