import NIOHTTP1

/// Why storage refuses a request of a multipart upload, in S3's terms.
enum MultipartUploadError: Error, Hashable, Sendable {
  case anonymous(key: String)
  case noSuchUpload(String)
  case partNumber(String)
  case invalidPart(String, Int, etag: String)
  case partsOutOfOrder
  case partTooSmall(Int, number: Int, etag: String)
  case malformedXML
  case chunked
  case contentLengthMissing
  case invalidDigest(String)
  case badDigest(expected: String, calculated: String)
  case keyTooLong(String)
  case notStored(FileError)
  case internalError

  private var facts: (HTTPResponseStatus, code: String, message: String, details: KeyValuePairs<String, String>) {
    switch self {
    case .anonymous(let key):
      (
        .forbidden, "AccessDenied", "Access Denied: here only keys that begin with public/ need no signature.",
        ["Key": key]
      )
    case .noSuchUpload(let id):
      (
        .notFound, "NoSuchUpload",
        "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or "
          + "completed.", ["UploadId": id]
      )
    case .partNumber(let text):
      (
        .badRequest, "InvalidArgument", "Part number must be an integer between 1 and 10000, inclusive",
        ["ArgumentName": "partNumber", "ArgumentValue": text]
      )
    case .invalidPart(let id, let number, let etag):
      (
        .badRequest, "InvalidPart",
        "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified "
          + "entity tag may not match the part's entity tag.",
        ["UploadId": id, "PartNumber": String(number), "ETag": etag]
      )
    case .partsOutOfOrder:
      (
        .badRequest, "InvalidPartOrder",
        "The list of parts was not in ascending order. Parts must be ordered by part number.", [:]
      )
    case .partTooSmall(let size, let number, let etag):
      (
        .badRequest, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size",
        [
          "ProposedSize": String(size), "MinSizeAllowed": String(MultipartUploads.minimumPartSize),
          "PartNumber": String(number), "ETag": etag,
        ]
      )
    case .malformedXML:
      (
        .badRequest, "MalformedXML",
        "The XML you provided was not well-formed or did not validate against our published schema", [:]
      )
    case .chunked:
      (
        .notImplemented, "NotImplemented", "A header you provided implies functionality that is not implemented",
        ["Header": "Transfer-Encoding"]
      )
    case .contentLengthMissing:
      (.lengthRequired, "MissingContentLength", "You must provide the Content-Length HTTP header.", [:])
    case .invalidDigest(let text):
      (.badRequest, "InvalidDigest", "The Content-MD5 you specified was invalid.", ["Content-MD5": text])
    case .badDigest(let expected, let calculated):
      (
        .badRequest, "BadDigest", "The Content-MD5 you specified did not match what we received.",
        ["ExpectedDigest": expected, "CalculatedDigest": calculated]
      )
    case .keyTooLong(let key):
      (.badRequest, "KeyTooLongError", "Your key is too long", ["Size": String(key.utf8.count)])
    case .notStored(let error):
      (.internalServerError, "InternalError", "The object could not be stored: \(error).", [:])
    case .internalError: (.ok, "InternalError", "We encountered an internal error. Please try again.", [:])
    }
  }

  /// The response, with S3's `Error` document. An internal error has status 200, as in S3 when a completion fails after
  /// the response has begun.
  var response: Response {
    let (status, code, message, details) = facts
    return .error(status, code, message, details)
  }
}

extension Response {
  /// S3's `Error` document.
  static func error(
    _ status: HTTPResponseStatus, _ code: String, _ message: String, _ details: KeyValuePairs<String, String>
  ) -> Response {
    xml(status, "Error", [("Code", code), ("Message", message)] + details.map { ($0, $1) }.filter { !$1.isEmpty })
  }

  /// A document of one element that contains these; texts are escaped.
  static func xml(_ status: HTTPResponseStatus, _ name: String, _ elements: [(String, String)]) -> Response {
    xml(status, name, content: elements.map { "<\($0)>\(XMLText.escape($1))</\($0)>" }.joined())
  }

  static func xml(_ status: HTTPResponseStatus, _ name: String, content: String) -> Response {
    let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#
    return .text(status, type: "application/xml", "\(declaration)\n<\(name)>\(content)</\(name)>")
  }
}

enum XMLText {
  /// Markup escaped, characters that XML 1.0 cannot represent replaced.
  static func escape(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\r": escaped += "&#13;"
      case _ where scalar.value < 0x20 && scalar != "\t" && scalar != "\n", "\u{FFFE}", "\u{FFFF}":
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
