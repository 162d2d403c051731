import Crypto
import JSONValue

/// The multipart uploads in progress, as in S3.
///
/// Source: "Uploading and copying objects using multipart upload", Amazon S3 User Guide.
actor MultipartUploads {
  /// Every part except the last has at least 5 MiB.
  static let minimumPartSize = 5 * 1024 * 1024
  static let partNumbers = 1...10_000

  /// A part as it was received.
  struct Part: Sendable {
    var file: IncomingFile
    /// Bytes.
    var size: Int
    /// The md5 of the content.
    var digest: [UInt8]

    var etag: String { "\"\(digest.hex)\"" }
  }

  private struct Upload {
    var key: String
    var parts: [Int: Part] = [:]
  }

  private let store: ObjectStore
  private var uploads: [String: Upload] = [:]
  /// Keys whose completion failed once, as requested by their name.
  private var hiccups: Set<String> = []

  init(store: ObjectStore) {
    self.store = store
  }

  /// Begins an upload and returns its id.
  func create(key: String) -> String {
    let id = randomHex(bytes: 16)
    uploads[id] = Upload(key: key)
    return id
  }

  /// Checks that there is such an upload of that key.
  func check(_ id: String, key: String) throws(MultipartUploadError) {
    guard uploads[id]?.key == key else { throw .noSuchUpload(id) }
  }

  /// Stores a part; one with the same number is replaced.
  func keep(_ part: Part, number: Int, of id: String, key: String) throws(MultipartUploadError) {
    try check(id, key: key)
    uploads[id]?.parts[number] = part
  }

  func abort(_ id: String, key: String) throws(MultipartUploadError) {
    try check(id, key: key)
    uploads[id] = nil
  }

  /// The parts so far, by number.
  func parts(of id: String, key: String) throws(MultipartUploadError) -> [(number: Int, part: Part)] {
    try check(id, key: key)
    return (uploads[id]?.parts ?? [:]).map { ($0.key, $0.value) }.sorted { $0.number < $1.number }
  }

  /// The uploads in progress, by key.
  func list() -> [(key: String, id: String)] {
    uploads.map { ($0.value.key, $0.key) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
  }

  /// Assembles the listed parts.
  ///
  /// - Returns: the object's ETag: the MD5 of the parts' digests, and the number of parts.
  func complete(
    _ id: String, key: String, listed: [CompletionDocument.Part]
  ) async throws(MultipartUploadError) -> String {
    try check(id, key: key)
    let uploaded = uploads[id]?.parts ?? [:]
    var parts: [Part] = []
    var last = 0
    for listed in listed {
      guard listed.number > last else { throw .partsOutOfOrder }
      last = listed.number
      guard let part = uploaded[listed.number], part.digest.hex == listed.etag else {
        throw .invalidPart(id, listed.number, etag: listed.etag)
      }
      parts.append(part)
    }
    for (index, part) in parts.dropLast().enumerated() where part.size < Self.minimumPartSize {
      throw .partTooSmall(part.size, number: listed[index].number, etag: part.etag)
    }
    if key.hasPrefix("public/hiccup/"), hiccups.insert(key).inserted { throw .internalError }
    let object: IncomingFile
    var md5 = Insecure.MD5()
    do throws(FileError) {
      object = try store.makeIncomingFile()
      for part in parts {
        try part.file.copy(to: object)
        part.digest.withUnsafeBytes { md5.update(bufferPointer: $0) }
      }
      let etag = "\(md5.finalize().hex)-\(parts.count)"
      try await store.keep(object, asKey: key, size: parts.reduce(0) { $0 + $1.size }, etag: etag)
      uploads[id] = nil
      return "\"\(etag)\""
    } catch {
      throw .notStored(error)
    }
  }
}
