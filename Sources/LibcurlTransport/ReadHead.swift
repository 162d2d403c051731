internal import HTTPTypes
internal import Requests

/// The parsed lines of one response's head.
struct ReadHead {
  private(set) var status: HTTPResponse.Status?
  private(set) var version = ""
  private(set) var fields = HTTPFields()
  /// Whether the body is compressed.
  private(set) var isEncoded = false
  /// Ambiguities in its lines.
  private(set) var warnings: [FramingWarning] = []

  init() {}

  /// - Parameter text: all lines with their line endings.
  init(_ text: UnsafeRawBufferPointer, known: HeaderFieldCache) {
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
    isEncoded = fields.contains(.contentEncoding)
    if status.map({ $0.kind != .informational }) ?? false {
      FramingAudit.lengthWarnings(fields).forEach { warn($0) }
    }
  }

  private mutating func read(_ line: UnsafeRawBufferPointer, into list: inout [HTTPField], known: HeaderFieldCache) {
    guard let first = line.first else { return }
    if first == UInt8(ascii: "H"), line.starts(with: "HTTP/".utf8) {
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
    version = String(decoding: parts[0], as: UTF8.self)
    guard parts.count > 1, let code = Int(String(decoding: parts[1], as: UTF8.self)), (100...999).contains(code) else {
      return
    }
    // HTTP/2 has no reason phrase; the code's own name is used then.
    let reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
    status = reason.isEmpty ? .init(code: code) : .init(code: code, reasonPhrase: reason)
  }

  private mutating func warn(_ warning: FramingWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}
