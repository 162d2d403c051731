internal import HTTPTypes

/// The status line and header fields of a response, line by line as libcurl hands them over.
///
/// Interim answers (1xx) come first, each with lines of its own; the last one stands.
struct ResponseHead {
  private(set) var status: HTTPResponse.Status?
  private(set) var version = ""
  private(set) var fields = HTTPFields()
  /// Whether the empty line at its end has come.
  private(set) var isComplete = false

  mutating func receive(_ line: UnsafeRawBufferPointer) {
    var line = line[...]
    while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { line = line.dropLast() }
    if line.isEmpty {
      isComplete = status.map { $0.kind != .informational } ?? false
    } else if line.starts(with: "HTTP/".utf8) {
      self = ResponseHead(statusLine: line)
    } else if !isComplete, let field = HTTPField(line: line) {
      fields.append(field)
    }
  }

  init() {}

  private init(statusLine line: Slice<UnsafeRawBufferPointer>) {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    version = String(decoding: parts[0], as: UTF8.self)
    guard parts.count > 1, let code = Int(String(decoding: parts[1], as: UTF8.self)), (100...999).contains(code) else {
      return
    }
    // HTTP/2 has no reason phrase; then the code's own name stands.
    let reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
    status = reason.isEmpty ? .init(code: code) : .init(code: code, reasonPhrase: reason)
  }

  /// As announced, in bytes.
  var contentLength: Int? { fields[.contentLength].flatMap { Int($0) } }
}

extension HTTPField {
  /// A `name: value` line; nil for what is none.
  fileprivate init?(line: some Collection<UInt8>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let name = Name(String(decoding: line[..<colon], as: UTF8.self))
    else { return nil }
    let value = line[line.index(after: colon)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    self.init(name: name, value: Array(value))
  }
}

extension HTTPFields {
  /// The fields of a request's head as it went over the wire.
  init(headOnWire bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).dropFirst()
    self.init(
      lines.compactMap { line in
        HTTPField(line: line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      })
  }
}
