internal import HTTPTypes
internal import POSIX
internal import Requests

/// The parsed lines of one response's head. Responses that have the same one share it.
final class ReadHead {
  /// All lines with their line endings.
  let lines: [UInt8]
  /// nil: no line of it is a status line.
  let status: HTTPResponse.Status?
  /// `HTTP/1.1`, `HTTP/2`.
  let version: String
  /// Those of a response; none without a status line.
  let fields: HTTPFields
  /// Whether it is that of a response and not of an interim one (1xx).
  let isFinal: Bool
  /// Whether the body is a part of the whole.
  let isPart: Bool
  /// Whether the body is compressed.
  let isEncoded: Bool
  /// The length of the body as announced, in bytes.
  let contentLength: Int?
  /// What the body is as a stream; nil: of no kind that comes bit by bit.
  let streamKind: StreamKind?
  /// Ambiguities in its lines.
  let warnings: [FramingWarning]

  /// One without lines.
  convenience init() { self.init([], HeadReader()) }

  /// - Parameter lines: all of them, with their line endings.
  convenience init(_ lines: [UInt8], known: HeaderFieldCache) {
    var reader = HeadReader()
    lines.withUnsafeBytes { reader.read($0, known: known) }
    self.init(lines, reader)
  }

  private init(_ lines: [UInt8], _ reader: HeadReader) {
    self.lines = lines
    (status, version, fields) = (reader.status, reader.version, reader.status == nil ? [:] : reader.fields)
    (isFinal, isPart) = (reader.isFinal, FramingAudit.isPart(status, fields))
    (isEncoded, warnings) = (fields.contains(.contentEncoding), reader.warnings)
    let lengths = fields[values: .contentLength]
    contentLength = lengths.count == 1 ? Int(lengths[0]) : nil
    streamKind = StreamKind(of: fields)
  }

  /// Whether this line is what comes in it after so many bytes.
  @inline(__always) func has(_ line: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard line.count <= lines.count - offset, let start = line.baseAddress else { return false }
    return lines.withUnsafeBytes { bytes in
      bytes.baseAddress.map { memcmp($0 + offset, start, line.count) == 0 } ?? false
    }
  }
}

/// Reads the lines of a head.
private struct HeadReader {
  private(set) var status: HTTPResponse.Status?
  private(set) var version = ""
  private(set) var fields = HTTPFields()
  private(set) var warnings: [FramingWarning] = []
  var isFinal: Bool { status.map { $0.kind != .informational } ?? false }

  mutating func read(_ text: UnsafeRawBufferPointer, known: HeaderFieldCache) {
    var list: [HTTPField] = []
    var start = 0
    while start < text.count {
      let feed = text[start...].firstIndex(of: UInt8(ascii: "\n"))
      var end = feed ?? text.count
      if feed != nil, end == start || text[end - 1] != UInt8(ascii: "\r") { warn(.bareLineFeed) }
      while end > start, text[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      read(UnsafeRawBufferPointer(rebasing: text[start..<end]), into: &list, known: known)
      start = (feed ?? text.count) + 1
    }
    fields = HTTPFields(fields: list)
    if isFinal { FramingAudit.lengthWarnings(fields).forEach { warn($0) } }
  }

  private mutating func read(_ line: UnsafeRawBufferPointer, into list: inout [HTTPField], known: HeaderFieldCache) {
    guard let first = line.first else { return }
    if line.isStatusLine {
      list.removeAll(keepingCapacity: true)
      begin(line)
    } else if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
      warn(.foldedField)
      // It continues the previous field, after one space (RFC 9112 §5.2).
      guard let last = list.indices.last else { return }
      let rest = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      list[last].value += " " + String(decoding: rest, as: UTF8.self)
    } else if let field = known.field(line) {
      list.append(field)
    } else {
      warn(.malformedField)
    }
  }

  private mutating func begin(_ statusLine: UnsafeRawBufferPointer) {
    status = nil
    let parts = statusLine.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, let code = Int(String(decoding: parts[1], as: UTF8.self)), (100...999).contains(code) else {
      return
    }
    // HTTP/2 has no reason phrase; the code's own name is used then.
    let reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
    status = reason.isEmpty ? .init(code: code) : .init(code: code, reasonPhrase: reason)
    version = String(decoding: parts[0], as: UTF8.self)
  }

  private mutating func warn(_ warning: FramingWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}

/// Asked of every response and request: the library's `starts(with:)` takes longer than all of its lines.
extension UnsafeRawBufferPointer {
  /// Whether it is the first line of a response.
  var isStatusLine: Bool {
    guard count >= 5, let start = baseAddress else { return false }
    return memcmp(start, "HTTP/", 5) == 0
  }

  /// Whether a head is complete.
  var endsInEmptyLine: Bool {
    guard count >= 4, let start = baseAddress else { return false }
    return memcmp(start + count - 4, "\r\n\r\n", 4) == 0
  }
}
