import JSONValue
import NIOHTTP1

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The API origin: sheets and their snapshots, behind a bearer token.
struct SheetsAPI: OriginService {
  private enum Action {
    case health
    case allocate
    case confirm
    case show
  }

  private static let routes = [
    Route<Action>("GET", "/health", .health),
    Route("POST", "/sheets/{sheet}/snapshots", .allocate),
    Route("PUT", "/sheets/{sheet}/snapshots/{uid}", .confirm),
    Route("GET", "/sheets/{sheet}/snapshots/{uid}", .show),
  ]

  /// The longest body the API takes, in bytes.
  static let bodyLimit = 1 << 20

  let token: String
  let storage: StorageService
  let snapshots: SnapshotRegistry
  let faults: Faults
  /// How long an upload is allowed after its allocation, in seconds.
  let uploadLifetime: TimeInterval
  let now: @Sendable () -> Date

  func step(of head: HTTPRequestHead) -> SandboxFault.Step? {
    switch Self.routes.match(method: head.method.rawValue, target: head.uri) as RouteMatch<Action> {
    case .found(.allocate, _): .allocate
    case .found(.confirm, _): .confirm
    case .found(.show, _): .poll
    case .found(.health, _), .notFound, .malformedPath, .methodNotAllowed: nil
    }
  }

  func receiver(for head: HTTPRequestHead) async -> any BodyReceiver {
    do throws(APIError) {
      return try await admit(head)
    } catch {
      return DiscardingReceiver(answer: error.answer)
    }
  }

  private func admit(_ head: HTTPRequestHead) async throws(APIError) -> any BodyReceiver {
    let match: RouteMatch<Action> = Self.routes.match(method: head.method.rawValue, target: head.uri)
    if case .found(.health, _) = match { return DiscardingReceiver(answer: .json(.ok, ["ok": true])) }
    guard isAuthorized(head.headers) else { throw .unauthorized }

    switch match {
    case .notFound: throw .notFound(head.uri)
    case .malformedPath: throw .malformedPath(head.uri)
    case .methodNotAllowed(let allowed): throw .methodNotAllowed(head.method.rawValue, allowed: allowed)
    case .found(let action, let parameters):
      let sheet = parameters["sheet"] ?? ""
      let uid = parameters["uid"] ?? ""
      switch action {
      case .health: return DiscardingReceiver(answer: .json(.ok, ["ok": true]))
      case .allocate: return collect { (body) throws(APIError) in try await allocate(sheet: sheet, body) }
      case .confirm: return collect { (body) throws(APIError) in try await confirm(uid, ofSheet: sheet, body) }
      case .show:
        return DiscardingReceiver(answer: stateAnswer(try await snapshot(uid, ofSheet: sheet)))
      }
    }
  }

  private func isAuthorized(_ headers: HTTPHeaders) -> Bool {
    let values = headers["authorization"]
    guard values.count == 1, let space = values[0].firstIndex(of: " ") else { return false }
    return values[0][..<space].lowercased() == "bearer" && values[0][space...].dropFirst() == token
  }

  private func collect(
    _ answer: @escaping @Sendable ([UInt8]) async throws(APIError) -> Answer
  ) -> CollectingReceiver {
    CollectingReceiver(limit: Self.bodyLimit) { body in
      do throws(APIError) {
        guard let body else { throw APIError.bodyTooLarge(limit: Self.bodyLimit) }
        return try await answer(body)
      } catch {
        return error.answer
      }
    }
  }

  private func allocate(sheet: String, _ body: [UInt8]) async throws(APIError) -> Answer {
    let largest = SizeLimits().maximum
    let request = try parse(body)
    guard let size = request["filesize"]?.int, (0...largest).contains(size) else {
      throw .invalidFilesize(limit: largest)
    }
    var lifetime = Int(uploadLifetime)
    if let asked = request["lifetime"] {
      guard let seconds = asked.int, (1...PresignedURL.longestLifetime).contains(seconds) else {
        throw .invalidMember("lifetime", wanted: "a number of seconds, at most a week")
      }
      lifetime = seconds
    }
    var date = now()
    // As if it had been allocated so long ago that it expired half a minute ago.
    if await faults.take(.expiredPolicy, at: .allocate) { date -= TimeInterval(lifetime + 30) }
    let snapshot = await snapshots.allocate(sheet: sheet, filesize: size)
    switch request["upload"]?.string ?? "post" {
    case "post": return postAnswer(snapshot, size: size, date, lifetime: lifetime)
    case "put":
      return putAnswer(snapshot, size: size, type: request["type"]?.string ?? "image/png", date, lifetime: lifetime)
    default: throw .invalidMember("upload", wanted: "\"post\" or \"put\"")
    }
  }

  private func postAnswer(_ snapshot: Snapshot, size: Int, _ date: Date, lifetime: Int) -> Answer {
    let fields = storage.signer.fields(
      key: snapshot.key, conditions: [.contentLength(size...size)], now: date,
      expiration: date.addingTimeInterval(TimeInterval(lifetime)))
    return .json(
      .created,
      [
        "snapshot": [
          "uid": ^snapshot.uid,
          "url": ^storage.bucketURL,
          "fields": .object(JSONObject(fields.map { JSONObject.Member(key: $0.name, value: ^$0.value) })),
        ]
      ])
  }

  private func putAnswer(_ snapshot: Snapshot, size: Int, type: String, _ date: Date, lifetime: Int) -> Answer {
    let headers = [(name: "Content-Type", value: type), (name: "x-amz-meta-snapshot", value: snapshot.uid)]
    let url = storage.presignedPut(
      key: snapshot.key, headers: headers + [(name: "Content-Length", value: String(size))], now: date,
      lifetime: lifetime)
    return .json(
      .created,
      [
        "snapshot": [
          "uid": ^snapshot.uid,
          "url": ^url,
          "headers": .object(JSONObject(headers.map { JSONObject.Member(key: $0.name, value: ^$0.value) })),
        ]
      ])
  }

  /// Confirms that the file is there. The body may be empty; what it says is not looked at.
  private func confirm(_ uid: String, ofSheet sheet: String, _ body: [UInt8]) async throws(APIError) -> Answer {
    if !body.isEmpty { _ = try parse(body) }
    let snapshot = try await snapshot(uid, ofSheet: sheet)
    guard let object = await storage.store.object(ofKey: snapshot.key) else { throw .objectMissing(uid: uid) }
    guard object.size == snapshot.filesize else {
      throw .objectSize(uid: uid, stored: object.size, announced: snapshot.filesize)
    }
    return stateAnswer(await snapshots.confirm(snapshot, at: now()))
  }

  private func snapshot(_ uid: String, ofSheet sheet: String) async throws(APIError) -> Snapshot {
    guard let snapshot = await snapshots.snapshot(uid, ofSheet: sheet) else {
      throw .snapshotUnknown(uid: uid, sheet: sheet)
    }
    return snapshot
  }

  private func stateAnswer(_ snapshot: Snapshot) -> Answer {
    .json(.ok, ["state": ^snapshot.state(at: now()).rawValue])
  }

  private func parse(_ body: [UInt8]) throws(APIError) -> JSON {
    do { return try JSON(parsing: body) } catch { throw .invalidJSON("\(error)") }
  }
}
