import JSONValue
public import Requests

/// The snapshot upload as a sequence: allocate, upload to the bucket, confirm.
///
/// The example of *Declarative API Design in Swift* (PlanGrid). It only describes: which request comes next, and what
/// it takes from the previous response. Profiles decide where the API's token goes; this never sees it.
public struct SnapshotUpload: OperationRequestSequence {
  private enum State {
    case allocate
    case upload(allocation: Request<AllocatedSnapshot>)
    case confirm(AllocatedSnapshot)
    case done
  }

  private let sheet: String
  private let image: FileSlice
  private var state = State.allocate

  /// - Parameters:
  ///   - sheet: the sheet's name, not encoded.
  ///   - image: what is uploaded.
  public init(sheet: String, image: FileSlice) {
    self.sheet = sheet
    self.image = image
  }

  public mutating func nextRequest(previous: Exchange?) throws -> RequestDescription? {
    switch state {
    case .allocate:
      let allocation = Request.allocateSnapshot(sheet: sheet, size: image.count)
      state = .upload(allocation: allocation)
      return try allocation.description
    case .upload(let allocation):
      let snapshot = try allocation.output(of: previous)
      state = .confirm(snapshot)
      return try Request.upload(image, for: snapshot).description
    case .confirm(let snapshot):
      state = .done
      return try Request.confirm(snapshot.uid, sheet: sheet).description
    case .done:
      return nil
    }
  }
}

extension ArrayRequestSequence {
  /// The same as an array of continuations; the uid travels as the model that the requests are about.
  public static func snapshotUpload(sheet: String, image: FileSlice) -> ArrayRequestSequence {
    let allocation = Request.allocateSnapshot(sheet: sheet, size: image.count)
    return ArrayRequestSequence([
      { _ in try allocation.description },
      { allocated in try Request.upload(image, for: allocation.output(of: allocated)).description },
      { uploaded in
        guard let uid = uploaded?.description.head.affectedModelID else { throw MissingResponse(label: "upload") }
        return try Request.confirm(uid, sheet: sheet).description
      },
    ])
  }
}

/// The API's response to an allocation: where to upload, and with which form fields.
public struct AllocatedSnapshot: Hashable, Sendable {
  public let uid: String
  public let url: String
  /// In the server's order; the bucket's signature covers them.
  public let fields: [MultipartPart]

  /// A response lacked something.
  public struct Incomplete: Error, Hashable {
    public let json: String

    public init(json: String) {
      self.json = json
    }
  }

  init(_ json: JSON) throws {
    guard let snapshot = json["snapshot"], let uid = snapshot["uid"]?.string, let url = snapshot["url"]?.string,
      case .object(let fields) = snapshot["fields"]
    else { throw Incomplete(json: "\(json)") }
    self.uid = uid
    self.url = url
    self.fields = fields.members.map { .text($0.key, $0.value.string ?? "\($0.value)") }
  }
}

extension Request where Output == AllocatedSnapshot {
  public static func allocateSnapshot(sheet: String, size: Int) -> Request {
    .json(.post(["filesize": ^size]), "/sheets/\(sheet)/snapshots", label: "allocate") { try AllocatedSnapshot($0) }
  }
}

extension Request where Output == Void {
  public static func upload(_ image: FileSlice, for snapshot: AllocatedSnapshot) -> Request {
    let form = snapshot.fields + [.file("file", image)]
    var request = Request.empty(.post(.multipart(form)), .url(snapshot.url), label: "upload")
    request.affectedModelID = snapshot.uid
    return request
  }

  public static func confirm(_ uid: String, sheet: String) -> Request {
    .empty(.put, "/sheets/\(sheet)/snapshots/\(uid)", label: "confirm")
  }
}
