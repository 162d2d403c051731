import JSONValue

/// What the log records of a request.
struct RequestRecord: Sendable {
  var origin: String
  var method: String
  /// The request target as it was received.
  var target: String
  var headers: [(name: String, value: String)]
  /// The body's length in bytes, as received.
  var size: Int
  /// The body's SHA-256 in hex, as received.
  var sha256: String
  /// The SHA-256 of the file in a form, in hex.
  var fileSHA256: String?

  var json: JSON {
    [
      "origin": ^origin,
      "method": ^method,
      "target": ^target,
      "headers": ^headers.map { [^$0.name, ^$0.value] as JSON },
      "size": ^size,
      "sha256": ^sha256,
      "file_sha256": ^fileSHA256,
    ]
  }
}

/// A file that gets one JSON line per request.
///
/// A line contains all of the request's headers, including credentials, so the file is created for its owner only.
actor RequestLog {
  private let file: OpenFile

  init(path: String) throws(FileError) {
    file = try OpenFile(path, for: .appending)
  }

  func append(_ record: RequestRecord) throws(FileError) {
    try file.write(Array("\(record.json)\n".utf8)[...])
  }
}
