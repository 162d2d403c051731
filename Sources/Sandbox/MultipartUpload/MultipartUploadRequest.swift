import Essentials
import NIOHTTP1

/// A request of the multipart upload API, recognized by its method and query.
struct MultipartUploadRequest: Sendable {
  enum Action: Sendable {
    case create
    case uploadPart(number: String, uploadID: String)
    case complete(uploadID: String)
    case abort(uploadID: String)
    case listParts(uploadID: String)
    case listUploads
  }

  let bucket: String
  /// Decoded; empty for a list of the bucket's uploads.
  let key: String
  let action: Action

  /// nil if it is another request.
  init?(_ head: HTTPRequestHead, bucket: String) {
    let pieces = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard pieces.count == 2, pieces[0] == "/\(bucket)" || pieces[0].hasPrefix("/\(bucket)/") else { return nil }
    guard let key = PercentEncoding.decode(pieces[0].dropFirst(bucket.utf8.count + 1).drop { $0 == "/" }) else {
      return nil
    }
    var query: [String: String] = [:]
    for item in pieces[1].split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[String(pair[0])] = pair.count == 2 ? PercentEncoding.decode(pair[1]) : ""
    }
    switch (head.method, query["uploads"], query["uploadId"], key.isEmpty) {
    case (.POST, .some, _, false): action = .create
    case (.GET, .some, _, true): action = .listUploads
    case (.PUT, _, let id?, false): action = .uploadPart(number: query["partNumber"] ?? "", uploadID: id)
    case (.POST, _, let id?, false): action = .complete(uploadID: id)
    case (.DELETE, _, let id?, false): action = .abort(uploadID: id)
    case (.GET, _, let id?, false): action = .listParts(uploadID: id)
    default: return nil
    }
    self.bucket = bucket
    self.key = key
  }

  func receiver(
    for head: HTTPRequestHead, uploads: MultipartUploads, store: ObjectStore, location: String
  ) async -> any BodyReceiver {
    do throws(MultipartUploadError) {
      return try await admit(head, uploads, store, location)
    } catch {
      return DiscardingReceiver(response: error.response)
    }
  }

  private func admit(
    _ head: HTTPRequestHead, _ uploads: MultipartUploads, _ store: ObjectStore, _ location: String
  ) async throws(MultipartUploadError) -> any BodyReceiver {
    guard key.isEmpty || key.hasPrefix("public/") else { throw .anonymous(key: key) }
    switch action {
    case .create:
      guard ObjectStore.fileName(ofKey: key) != nil else { throw .keyTooLong(key) }
      let id = await uploads.create(key: key)
      return DiscardingReceiver(
        response: .xml(
          .ok, "InitiateMultipartUploadResult", [("Bucket", bucket), ("Key", key), ("UploadId", id)]))
    case .uploadPart(let text, let id):
      guard let number = Int(text), MultipartUploads.partNumbers.contains(number) else { throw .partNumber(text) }
      guard !head.headers.contains(name: "transfer-encoding") else { throw .chunked }
      guard head.headers.contains(name: "content-length") else { throw .contentLengthMissing }
      try await uploads.check(id, key: key)
      return try PartReceiver(
        self, number: number, uploadID: id, expected: try digest(head), uploads: uploads, store: store)
    case .complete(let id):
      try await uploads.check(id, key: key)
      return CollectingReceiver(limit: 1 << 20) { [self] body in
        await complete(id, body, uploads, location)
      }
    case .abort(let id):
      try await uploads.abort(id, key: key)
      return DiscardingReceiver(response: Response(status: .noContent))
    case .listParts(let id): return DiscardingReceiver(response: try await list(id, uploads))
    case .listUploads:
      let all = await uploads.list().map { upload in
        "<Upload><Key>\(XMLText.escape(upload.key))</Key><UploadId>\(upload.id)</UploadId></Upload>"
      }
      return DiscardingReceiver(
        response: .xml(.ok, "ListMultipartUploadsResult", content: "<Bucket>\(bucket)</Bucket>" + all.joined()))
    }
  }

  private func digest(_ head: HTTPRequestHead) throws(MultipartUploadError) -> [UInt8]? {
    guard let text = head.headers.first(name: "content-md5") else { return nil }
    guard let bytes = Data(base64Encoded: text), bytes.count == 16 else { throw .invalidDigest(text) }
    return Array(bytes)
  }

  private func complete(_ id: String, _ body: [UInt8]?, _ uploads: MultipartUploads, _ location: String) async
    -> Response
  {
    do throws(MultipartUploadError) {
      guard let document = body.flatMap(CompletionDocument.init) else { throw MultipartUploadError.malformedXML }
      let etag = try await uploads.complete(id, key: key, listed: document.parts)
      return .xml(
        .ok, "CompleteMultipartUploadResult",
        [("Location", location), ("Bucket", bucket), ("Key", key), ("ETag", etag)])
    } catch {
      return error.response
    }
  }

  private func list(_ id: String, _ uploads: MultipartUploads) async throws(MultipartUploadError) -> Response {
    let parts = try await uploads.parts(of: id, key: key).map { number, part in
      "<Part><PartNumber>\(number)</PartNumber><ETag>\(XMLText.escape(part.etag))</ETag><Size>\(part.size)</Size></Part>"
    }
    return .xml(
      .ok, "ListPartsResult",
      content: "<Bucket>\(bucket)</Bucket><Key>\(XMLText.escape(key))</Key><UploadId>\(id)</UploadId>" + parts.joined())
  }
}
