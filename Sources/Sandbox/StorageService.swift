import Essentials
import NIOHTTP1

/// The storage origin: one bucket, addressed by path, as strict as S3.
struct StorageService: OriginService {
  private enum Action {
    case postObject
    case putObject
    case getObject
  }

  let signer: PostSigner
  let store: ObjectStore
  let faults: Faults
  let now: @Sendable () -> Date
  let origin: String
  /// The bucket's URL, without a trailing slash.
  let bucketURL: String
  private let routes: [Route<Action>]
  private let uploads: MultipartUploads

  init(
    signer: PostSigner, store: ObjectStore, faults: Faults, origin: String, now: @escaping @Sendable () -> Date
  ) {
    self.signer = signer
    self.store = store
    self.faults = faults
    self.origin = origin
    uploads = MultipartUploads(store: store)
    self.now = now
    bucketURL = "\(origin)/\(signer.bucket)"
    routes = [
      Route("POST", "/\(signer.bucket)", .postObject),
      Route("POST", "/\(signer.bucket)/", .postObject),
      Route("PUT", "/\(signer.bucket)/{key...}", .putObject),
      Route("GET", "/\(signer.bucket)/{key...}", .getObject),
    ]
  }

  /// Where a GET finds the object of a key.
  func location(ofKey key: String) -> String {
    "\(bucketURL)/\(key.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }.joined(separator: "/"))"
  }

  /// Permission for one PUT of an object with exactly these headers.
  func presignedPut(
    key: String, headers: [(name: String, value: String)], now: Date, lifetime: Int
  ) -> String {
    urlSigner.url(
      "PUT", path: "/\(signer.bucket)/\(key)", at: origin, headers: headers, now: now, lifetime: lifetime)
  }

  private var urlSigner: URLSigner { URLSigner(credentials: signer.credentials, region: signer.region) }

  func step(of head: HTTPRequestHead) -> SandboxFault.Step? {
    switch routes.match(method: head.method.rawValue, target: head.uri) as RouteMatch<Action> {
    case .found(.postObject, _), .found(.putObject, _): .upload
    case .found(.getObject, _), .notFound, .malformedPath, .methodNotAllowed: nil
    }
  }

  func receiver(for head: HTTPRequestHead) async -> any BodyReceiver {
    do throws(S3Error) {
      return try await admit(head)
    } catch {
      guard let parser = MultipartParser(contentType: contentType(head)) else {
        return DiscardingReceiver(response: error.response)
      }
      return PostObjectUpload(parser: parser, storage: self, refusal: error)
    }
  }

  private func contentType(_ head: HTTPRequestHead) -> String { head.headers.first(name: "content-type") ?? "" }

  private func admit(_ head: HTTPRequestHead) async throws(S3Error) -> any BodyReceiver {
    // Everybody may read, also with a signature that nobody looks at: `head_object` of an SDK.
    if let authorization = head.headers.first(name: "authorization"), ![.GET, .HEAD].contains(head.method) {
      throw .twoAuthMechanisms(authorization: authorization)
    }
    if let request = MultipartUploadRequest(head, bucket: signer.bucket) {
      return await request.receiver(
        for: head, uploads: uploads, store: store, location: location(ofKey: request.key))
    }
    let match: RouteMatch<Action> = routes.match(method: head.method.rawValue, target: head.uri)
    switch match {
    case .notFound:
      throw .noSuchBucket(String(head.uri.split { $0 == "/" || $0 == "?" }.first ?? ""))
    case .malformedPath: throw .malformedPath(head.uri)
    case .methodNotAllowed(let allowed): throw .methodNotAllowed(head.method.rawValue, allowed: allowed)
    case .found(.postObject, _): return try await upload(head)
    case .found(.putObject, let parameters): return try await put(head, key: parameters["key"] ?? "")
    case .found(.getObject, let parameters): return try await download(key: parameters["key"] ?? "")
    }
  }

  private func put(_ head: HTTPRequestHead, key: String) async throws(S3Error) -> PutObjectUpload {
    try urlSigner.admit(head, now: now())
    guard !head.headers.contains(name: "transfer-encoding") else { throw .chunked }
    guard head.headers.contains(name: "content-length") else { throw .contentLengthMissing }
    return try PutObjectUpload(
      key: key, storage: self, contentMD5: head.headers.first(name: "content-md5"),
      keptSize: await faults.truncation(at: .upload))
  }

  private func upload(_ head: HTTPRequestHead) async throws(S3Error) -> PostObjectUpload {
    guard let parser = MultipartParser(contentType: contentType(head)) else {
      throw .notMultipart(contentType: contentType(head))
    }
    guard !head.headers.contains(name: "transfer-encoding") else { throw .chunked }
    guard head.headers.contains(name: "content-length") else { throw .contentLengthMissing }
    return PostObjectUpload(parser: parser, storage: self, keptSize: await faults.truncation(at: .upload))
  }

  private func download(key: String) async throws(S3Error) -> DiscardingReceiver {
    guard let object = await store.object(ofKey: key) else { throw .noSuchKey(key) }
    do throws(FileError) {
      let file = try OpenFile(object.path, for: .reading)
      return DiscardingReceiver(
        response: Response(
          status: .ok, headers: [("Content-Type", "binary/octet-stream"), ("ETag", "\"\(object.etag)\"")],
          content: .file(file, size: object.size)))
    } catch {
      throw .notStored(error)
    }
  }
}
