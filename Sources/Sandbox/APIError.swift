import JSONValue
import NIOHTTP1

/// Why the API refuses a request.
enum APIError: Error, Hashable, Sendable {
  case unauthorized
  case malformedPath(String)
  case notFound(String)
  case methodNotAllowed(String, allowed: [String])
  case bodyTooLarge(limit: Int)
  case invalidJSON(String)
  case invalidFilesize(limit: Int)
  case snapshotUnknown(uid: String, sheet: String)
  case objectMissing(uid: String)
  case objectSize(uid: String, stored: Int, announced: Int)
  case invalidMember(String, wanted: String)
  case invalidJob
  case jobUnknown(String)
}

extension APIError {
  private var facts: (HTTPResponseStatus, code: String, message: String) {
    switch self {
    case .unauthorized:
      (.unauthorized, "unauthorized", "This needs the sandbox's token: send \"Authorization: Bearer TOKEN\".")
    case .malformedPath(let path):
      (.badRequest, "malformed_path", "The path \"\(path)\" is not valid percent-encoded UTF-8.")
    case .notFound(let path): (.notFound, "not_found", "There is nothing at \"\(path)\".")
    case .methodNotAllowed(let method, let allowed):
      (
        .methodNotAllowed, "method_not_allowed",
        "\(method) is not possible here; use \(allowed.joined(separator: " or "))."
      )
    case .bodyTooLarge(let limit):
      (.payloadTooLarge, "body_too_large", "The body is longer than \(limit) bytes.")
    case .invalidJSON(let reason): (.badRequest, "invalid_json", "The body is not valid JSON: \(reason)")
    case .invalidFilesize(let limit):
      (
        .badRequest, "invalid_filesize",
        "The body must be an object whose \"filesize\" is a whole number of bytes from 0 to \(limit)."
      )
    case .snapshotUnknown(let uid, let sheet):
      (.notFound, "snapshot_not_found", "The sheet \"\(sheet)\" has no snapshot \"\(uid)\".")
    case .objectMissing(let uid):
      (
        .conflict, "object_missing",
        "No file has been stored for the snapshot \"\(uid)\" yet; upload it, then confirm."
      )
    case .objectSize(let uid, let stored, let announced):
      (
        .conflict, "size_mismatch",
        "The file of the snapshot \"\(uid)\" has \(stored) bytes in storage; \(announced) were announced."
      )
    case .invalidMember(let name, let wanted):
      (.badRequest, "invalid_\(name)", "If the body has \"\(name)\", it must be \(wanted).")
    case .invalidJob:
      (
        .unprocessableEntity, "invalid_job",
        "A job has a \"title\", which is not empty, and a \"state\", open or closed; nothing else is accepted."
      )
    case .jobUnknown(let id): (.notFound, "job_not_found", "There is no job \"\(id)\".")
    }
  }

  /// The response: `{"error": {"code": …, "message": …}}`.
  var response: Response {
    let (status, code, message) = facts
    var response = Response.json(status, ["error": ["code": ^code, "message": ^message]])
    switch self {
    case .unauthorized: response.headers.append(("WWW-Authenticate", "Bearer"))
    case .methodNotAllowed(_, let allowed): response.headers.append(("Allow", allowed.joined(separator: ", ")))
    case .malformedPath, .notFound, .bodyTooLarge, .invalidJSON, .invalidFilesize, .snapshotUnknown, .objectMissing,
      .objectSize, .invalidMember, .invalidJob, .jobUnknown:
      break
    }
    return response
  }
}
