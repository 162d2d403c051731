internal import Crypto
internal import HTTPTypes
internal import JSONValue
internal import Requests

/// A checksum that was sent with the content, against the content.
///
/// Source: "Checking object integrity", Amazon S3 User Guide.
enum Checksum: UploadRule {
  /// A digest that a header or a field may state.
  fileprivate enum Digest: CaseIterable {
    case md5, sha1, sha256, payload, crc32, crc32c

    var name: String {
      switch self {
      case .md5: "content-md5"
      case .sha1: "x-amz-checksum-sha1"
      case .sha256: "x-amz-checksum-sha256"
      case .payload: "x-amz-content-sha256"
      case .crc32: "x-amz-checksum-crc32"
      case .crc32c: "x-amz-checksum-crc32c"
      }
    }
  }

  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard attempt.isForStorage || attempt.storageError != nil || attempt.headers.contains(where: \.isOfStorage),
      let content = attempt.content
    else { return [] }
    return Digest.allCases.compactMap { digest in
      guard let stated = attempt.stated(digest.name),
        digest != .payload || (stated.count == 64 && !attempt.isSignedHere),
        content.isUnchanged(lint), let actual = try? content.digest(digest), actual != stated
      else { return nil }
      return UploadFinding(
        "checksum", "\(digest.name) is not that of what is sent",
        evidence: ["stated: \(CutText.cut(stated, to: 80)), actual: \(actual)"],
        advice: "compute it from the same bytes, or leave it out: \(example(digest, content))")
    }
  }

  /// How a script writes it.
  private static func example(_ digest: Digest, _ content: Content) -> String {
    let value = content.file.map { "file(\"\($0.name)\")" } ?? "…"
    switch digest {
    case .md5: return "header Content-MD5: (\(value).md5 | base64)"
    case .sha256: return "header x-amz-checksum-sha256: (\(value).sha256 | base64)"
    case .payload: return "header x-amz-content-sha256: \(value).sha256"
    case .sha1, .crc32, .crc32c: return "storage computes its own"
    }
  }

  fileprivate enum Content {
    case bytes([UInt8])
    case slice(FileSlice)

    var file: FileSlice? { if case .slice(let file) = self { file } else { nil } }

    /// Whether a file is still what was sent.
    func isUnchanged(_ lint: UploadLint) -> Bool { file.map { lint.identify($0.path) == $0.identity } ?? true }

    func forEachChunk(_ body: (ArraySlice<UInt8>) -> Void) throws {
      switch self {
      case .bytes(let bytes): body(bytes[...])
      case .slice(let file): try file.forEachChunk { body(ArraySlice($0)) }
      }
    }

    private func hash<Function: HashFunction>(_ function: Function) throws -> [UInt8] {
      var function = function
      try forEachChunk { function.update(data: $0) }
      return Array(function.finalize())
    }

    func digest(_ digest: Digest) throws -> String {
      switch digest {
      case .md5: return Base64.encode(try hash(Insecure.MD5()))
      case .sha1: return Base64.encode(try hash(Insecure.SHA1()))
      case .sha256: return Base64.encode(try hash(SHA256()))
      case .payload: return try hash(SHA256()).hex
      case .crc32: return try checked(CyclicRedundancyCheck.ieee)
      case .crc32c: return try checked(CyclicRedundancyCheck.castagnoli)
      }
    }

    private func checked(_ check: CyclicRedundancyCheck) throws -> String {
      var check = check
      try forEachChunk { check.update($0) }
      return Base64.encode(check.bytes)
    }
  }
}

/// CRC-32, reflected, with a table of its own polynomial.
struct CyclicRedundancyCheck {
  static let ieee = CyclicRedundancyCheck(polynomial: 0xEDB8_8320)
  static let castagnoli = CyclicRedundancyCheck(polynomial: 0x82F6_3B78)

  private let table: [UInt32]
  private var state: UInt32 = .max

  private init(polynomial: UInt32) {
    table = (0..<256).map { byte in
      (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
    }
  }

  mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = state >> 8 ^ table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] }
  }

  /// Big-endian.
  var bytes: [UInt8] {
    let value = ~state
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

extension UploadAttempt {
  /// What is stored; nil if that is not known.
  fileprivate var content: Checksum.Content? {
    switch description {
    case .inMemory(let request): return request.body.map { .bytes($0.bytes) }
    case .stream(let stream): return .slice(stream.file)
    case .multipart(let form):
      guard let part = form.parts.last(where: { $0.name.lowercased() == "file" }) else { return nil }
      switch part.content {
      case .bytes(let bytes): return .bytes(bytes)
      case .file(let file): return .slice(file)
      }
    }
  }

  /// Whether the digest of the payload was computed here, for a signature: it need not be computed again.
  fileprivate var isSignedHere: Bool {
    headers[.authorization]?.hasPrefix("AWS4-HMAC-SHA256") ?? false
      && !description.head.headers.contains(where: \.isPayloadDigest)
  }

  /// What a header, or a field of the form, says.
  fileprivate func stated(_ name: String) -> String? {
    if let text = field(name) { return text }
    guard parts == nil else { return nil }
    return HTTPField.Name(name).flatMap { headers[$0] }
  }
}

extension HTTPField {
  fileprivate var isPayloadDigest: Bool { name.canonicalName == "x-amz-content-sha256" }
  fileprivate var isOfStorage: Bool { name.canonicalName.hasPrefix("x-amz-") }
}
