internal import Crypto
internal import JSONValue

/// What a digest is made with (RFC 7616 §3.3). The stronger one comes later.
package enum DigestAlgorithm: String, CaseIterable, Comparable, Sendable {
  case md5 = "md5"
  case sha256 = "sha-256"
  case sha512256 = "sha-512-256"

  private var strength: Int {
    switch self {
    case .md5: 0
    case .sha256: 1
    case .sha512256: 2
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.strength < right.strength }

  /// `H(data)`, in hex.
  func hash(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return switch self {
    case .md5: Insecure.MD5.hash(data: bytes).hex
    case .sha256: SHA256.hash(data: bytes).hex
    case .sha512256: SHA512Of256Bits.hash(bytes).hex
    }
  }

  /// The same of a body, of which a file is read piece by piece.
  func hash(_ body: [BodySegment]) throws(FileError) -> String {
    switch self {
    case .md5: return try Self.hash(body, with: Insecure.MD5())
    case .sha256: return try Self.hash(body, with: SHA256())
    case .sha512256:
      var hash = SHA512Of256Bits()
      for segment in body {
        switch segment {
        case .bytes(let bytes): hash.update(bytes)
        case .file(let file): try file.forEachChunk { hash.update($0) }
        }
      }
      return hash.finalize().hex
    }
  }

  private static func hash<Hash: HashFunction>(_ body: [BodySegment], with new: Hash) throws(FileError) -> String {
    var hash = new
    for segment in body {
      switch segment {
      case .bytes(let bytes): hash.update(data: bytes)
      case .file(let file): try file.forEachChunk { hash.update(data: $0) }
      }
    }
    return hash.finalize().hex
  }
}
