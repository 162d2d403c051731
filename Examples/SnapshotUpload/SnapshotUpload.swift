import HTTPTypes
import JSONValue
public import Requests

/// The snapshot upload as a sequence: allocate, upload to the bucket, confirm.
///
/// The example of *Declarative API Design in Swift* (PlanGrid). It only describes: which request comes next, and
/// what it takes from the answer before. Profiles decide where the API's token goes; this never sees it.
public struct SnapshotUpload: OperationRequestSequence {
  private enum State: Hashable {
    case allocate
    case upload
    case confirm(uid: String)
    case done
  }

  /// What an answer lacked.
  public enum Missing: Error, Hashable {
    case snapshot(in: String)
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
      state = .upload
      return .allocateSnapshot(sheet: sheet, size: image.count)
    case .upload:
      let snapshot = try AllocatedSnapshot(previous)
      state = .confirm(uid: snapshot.uid)
      return .uploadSnapshot(snapshot, image: image)
    case .confirm(let uid):
      state = .done
      return .confirmSnapshot(sheet: sheet, uid: uid)
    case .done:
      return nil
    }
  }
}

extension ArrayRequestSequence {
  /// The same as an array of continuations; the uid travels as the model that the requests are about.
  public static func snapshotUpload(sheet: String, image: FileSlice) -> ArrayRequestSequence {
    ArrayRequestSequence([
      { _ in .allocateSnapshot(sheet: sheet, size: image.count) },
      { .uploadSnapshot(try AllocatedSnapshot($0), image: image) },
      { .confirmSnapshot(sheet: sheet, uid: $0?.description.head.affectedModelID ?? "") },
    ])
  }
}

/// What the API answers to an allocation: where to upload, and with which form fields.
public struct AllocatedSnapshot: Hashable, Sendable {
  public let uid: String
  public let url: String
  /// In the server's order; the bucket's signature covers them.
  public let fields: [MultipartPart]

  public init(_ exchange: Exchange?) throws {
    guard let exchange else { throw SnapshotUpload.Missing.snapshot(in: "no answer") }
    let body = try JSON(parsing: exchange.response.body.bytes())
    guard let snapshot = body["snapshot"], let uid = snapshot["uid"]?.string, let url = snapshot["url"]?.string,
      case .object(let fields) = snapshot["fields"]
    else { throw SnapshotUpload.Missing.snapshot(in: "\(body)") }
    self.uid = uid
    self.url = url
    self.fields = fields.members.map { .text($0.key, $0.value.string ?? "\($0.value)") }
  }
}

extension RequestDescription {
  public static func allocateSnapshot(sheet: String, size: Int) -> RequestDescription {
    let payload: JSON = ["filesize": ^size]
    let target = RequestTarget.path("/sheets/\(PercentEncoding.component.encode(sheet))/snapshots", profile: nil)
    return .inMemory(
      InMemoryRequestDescription(
        RequestHead(.post, target, label: "allocate"),
        body: .init(JSONPrinter.compact.print(payload), contentType: "application/json")))
  }

  public static func uploadSnapshot(_ snapshot: AllocatedSnapshot, image: FileSlice) -> RequestDescription {
    .multipart(
      MultipartRequestDescription(
        RequestHead(.post, .url(snapshot.url), label: "upload", affectedModelID: snapshot.uid),
        parts: snapshot.fields + [.file("file", image)]))
  }

  public static func confirmSnapshot(sheet: String, uid: String) -> RequestDescription {
    let path = "/sheets/\(PercentEncoding.component.encode(sheet))/snapshots/\(PercentEncoding.component.encode(uid))"
    return .inMemory(InMemoryRequestDescription(RequestHead(.put, .path(path, profile: nil), label: "confirm")))
  }
}
