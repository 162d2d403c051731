import Essentials
import JSONValue
import NIOHTTP1

/// The API origin: sheets and their snapshots, jobs, and who is asking, all protected by a bearer token.
struct SheetsAPI: OriginService {
  private enum Action {
    case health
    case allocate
    case confirm
    case show
    case listJobs
    case addJob
    case changeJob
    case user
    case zen
    case events
  }

  private static let routes = [
    Route<Action>("GET", "/health", .health),
    Route("POST", "/sheets/{sheet}/snapshots", .allocate),
    Route("PUT", "/sheets/{sheet}/snapshots/{uid}", .confirm),
    Route("GET", "/sheets/{sheet}/snapshots/{uid}", .show),
    Route("GET", "/jobs", .listJobs),
    Route("POST", "/jobs", .addJob),
    Route("PATCH", "/jobs/{id}", .changeJob),
    Route("GET", "/user", .user),
    Route("GET", "/zen", .zen),
    Route("GET", "/events", .events),
  ]

  private static let zen = "Keep it logically awesome."

  /// The longest body the API accepts, in bytes.
  static let bodyLimit = 1 << 20

  let token: String
  let storage: StorageService
  let snapshots: SnapshotRegistry
  let faults: Faults
  let jobs = JobRegistry()
  /// How long after its allocation an upload is allowed, in seconds.
  let uploadLifetime: TimeInterval
  let now: @Sendable () -> Date

  func step(of head: HTTPRequestHead) -> SandboxFault.Step? {
    switch Self.routes.match(method: head.method.rawValue, target: head.uri) as RouteMatch<Action> {
    case .found(.allocate, _): .allocate
    case .found(.confirm, _): .confirm
    case .found(.show, _): .poll
    case .found, .notFound, .malformedPath, .methodNotAllowed: nil
    }
  }

  func receiver(for head: HTTPRequestHead) async -> any BodyReceiver {
    do throws(APIError) {
      return try await admit(head)
    } catch {
      return DiscardingReceiver(response: error.response)
    }
  }

  private func admit(_ head: HTTPRequestHead) async throws(APIError) -> any BodyReceiver {
    let match: RouteMatch<Action> = Self.routes.match(method: head.method.rawValue, target: head.uri)
    let isPublic: Bool
    switch match {
    case .found(.health, _), .found(.zen, _): isPublic = true
    case .found, .malformedPath, .methodNotAllowed, .notFound: isPublic = false
    }
    guard isPublic || isAuthorized(head.headers) else { throw .unauthorized }

    switch match {
    case .notFound: throw .notFound(head.uri)
    case .malformedPath: throw .malformedPath(head.uri)
    case .methodNotAllowed(let allowed): throw .methodNotAllowed(head.method.rawValue, allowed: allowed)
    case .found(let action, let parameters):
      let sheet = parameters["sheet"] ?? ""
      let uid = parameters["uid"] ?? ""
      switch action {
      case .health: return DiscardingReceiver(response: .json(.ok, ["ok": true]))
      case .zen: return DiscardingReceiver(response: .text(.ok, type: "text/plain; charset=utf-8", Self.zen))
      case .events:
        let last = head.headers["last-event-id"].first.flatMap { Int($0) } ?? 0
        return DiscardingReceiver(
          response: Response(
            status: .ok, headers: [("Content-Type", "text/event-stream")],
            content: .events(after: max(0, min(last, 1 << 30)))))
      case .user: return DiscardingReceiver(response: .json(.ok, ["id": 1, "login": "sandbox"]))
      case .listJobs: return DiscardingReceiver(response: try await listJobs(head.uri))
      case .addJob: return collect { (body) throws(APIError) in try await addJob(body) }
      case .changeJob:
        let id = parameters["id"] ?? ""
        return collect { (body) throws(APIError) in try await changeJob(id, body) }
      case .allocate: return collect { (body) throws(APIError) in try await allocate(sheet: sheet, body) }
      case .confirm: return collect { (body) throws(APIError) in try await confirm(uid, ofSheet: sheet, body) }
      case .show:
        return DiscardingReceiver(response: stateResponse(try await snapshot(uid, ofSheet: sheet)))
      }
    }
  }

  private func isAuthorized(_ headers: HTTPHeaders) -> Bool {
    let values = headers["authorization"]
    guard values.count == 1, let space = values[0].firstIndex(of: " ") else { return false }
    return values[0][..<space].lowercased() == "bearer" && values[0][space...].dropFirst() == token
  }

  private func collect(
    _ response: @escaping @Sendable ([UInt8]) async throws(APIError) -> Response
  ) -> CollectingReceiver {
    CollectingReceiver(limit: Self.bodyLimit) { body in
      do throws(APIError) {
        guard let body else { throw APIError.bodyTooLarge(limit: Self.bodyLimit) }
        return try await response(body)
      } catch {
        return error.response
      }
    }
  }

  private func allocate(sheet: String, _ body: [UInt8]) async throws(APIError) -> Response {
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
    case "post": return postResponse(snapshot, size: size, date, lifetime: lifetime)
    case "put":
      return putResponse(snapshot, size: size, type: request["type"]?.string ?? "image/png", date, lifetime: lifetime)
    default: throw .invalidMember("upload", wanted: "\"post\" or \"put\"")
    }
  }

  private func postResponse(_ snapshot: Snapshot, size: Int, _ date: Date, lifetime: Int) -> Response {
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

  private func putResponse(_ snapshot: Snapshot, size: Int, type: String, _ date: Date, lifetime: Int) -> Response {
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

  /// Confirms that the file is there. The body may be empty; its contents are ignored.
  private func confirm(_ uid: String, ofSheet sheet: String, _ body: [UInt8]) async throws(APIError) -> Response {
    if !body.isEmpty { _ = try parse(body) }
    let snapshot = try await snapshot(uid, ofSheet: sheet)
    guard let object = await storage.store.object(ofKey: snapshot.key) else { throw .objectMissing(uid: uid) }
    guard object.size == snapshot.filesize else {
      throw .objectSize(uid: uid, stored: object.size, announced: snapshot.filesize)
    }
    return stateResponse(await snapshots.confirm(snapshot, at: now()))
  }

  private func snapshot(_ uid: String, ofSheet sheet: String) async throws(APIError) -> Snapshot {
    guard let snapshot = await snapshots.snapshot(uid, ofSheet: sheet) else {
      throw .snapshotUnknown(uid: uid, sheet: sheet)
    }
    return snapshot
  }

  private func listJobs(_ target: String) async throws(APIError) -> Response {
    var state: Job.State?
    if let query = target.firstIndex(of: "?") {
      let items = target[query...].dropFirst().split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
      for item in items {
        guard item.count == 2, item[0] == "state", let wanted = Job.State(rawValue: String(item[1])) else {
          throw .invalidJob
        }
        state = wanted
      }
    }
    return .json(.ok, .array(await jobs.jobs(in: state).map(\.json)))
  }

  private func addJob(_ body: [UInt8]) async throws(APIError) -> Response {
    guard let job = await jobs.add(try parse(body)) else { throw .invalidJob }
    return .json(.created, job.json)
  }

  private func changeJob(_ id: String, _ body: [UInt8]) async throws(APIError) -> Response {
    guard let number = Int(id), await jobs.job(number) != nil else { throw .jobUnknown(id) }
    guard let job = await jobs.change(number, try parse(body)) else { throw .invalidJob }
    return .json(.ok, job.json)
  }

  private func stateResponse(_ snapshot: Snapshot) -> Response {
    .json(.ok, ["state": ^snapshot.state(at: now()).rawValue])
  }

  private func parse(_ body: [UInt8]) throws(APIError) -> JSON {
    do { return try JSON(parsing: body) } catch { throw .invalidJSON("\(error)") }
  }
}
