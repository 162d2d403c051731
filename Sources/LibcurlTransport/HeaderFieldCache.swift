internal import HTTPTypes
internal import POSIX

/// Reads and writes the header lines of a pool's requests and responses. It has seen most of them before, in the same
/// order, and then they do not have to be parsed again: a server names itself in every response.
final class HeaderFieldCache {
  private struct Line {
    let bytes: [UInt8]
    let field: HTTPField

    /// Whether the other line has the same name.
    func hasName(of line: UnsafeRawBufferPointer) -> Bool {
      let count = field.name.rawName.utf8.count + 1
      return line.count >= count && bytes.prefix(count).elementsEqual(line.prefix(count))
    }
  }

  /// Longer ones are seldom the same twice.
  private static let longest = 512
  private static let limit = 64

  private var lines: [Line] = []
  /// The position of the line that is expected next.
  private var next = 0
  /// The heads of the latest request and of the latest response. When polling, they are identical for up to a second.
  private var sent: (lines: [UInt8], fields: HTTPFields) = ([], [:])
  private(set) var received = ReadHead()
  /// What libcurl was given for the latest request.
  private var list = HeaderList([:], omitting: [], hasBody: false)

  /// The lines of a request with these fields, in the form libcurl needs.
  ///
  /// - Parameters:
  ///   - names: those of fields that must not be added.
  ///   - hasBody: whether libcurl sends a body with them.
  func list(of fields: HTTPFields, omitting names: [HTTPField.Name], hasBody: Bool) -> HeaderList {
    if !list.isList(of: fields, omitting: names, hasBody: hasBody) {
      list = HeaderList(fields, omitting: names, hasBody: hasBody)
    }
    return list
  }

  /// A `name: value` line without its line ending; nil if it is not one.
  func field(_ line: UnsafeRawBufferPointer) -> HTTPField? {
    guard line.count <= Self.longest else { return HTTPField(line: line) }
    if next >= lines.count { next = 0 }
    if next < lines.count, let field = field(line, expected: lines[next]) {
      next += 1
      return field
    }
    if let index = lines.firstIndex(where: { $0.bytes.isSame(as: line) }) {
      next = index + 1
      return lines[index].field
    }
    guard let field = HTTPField(line: line) else { return nil }
    if lines.count == Self.limit { lines.removeLast() }
    lines.insert(Line(bytes: Array(line), field: field), at: next)
    next += 1
    return field
  }

  /// The field, if the line is the expected one, perhaps with another value.
  private func field(_ line: UnsafeRawBufferPointer, expected: Line) -> HTTPField? {
    if expected.bytes.isSame(as: line) { return expected.field }
    guard expected.hasName(of: line), let field = HTTPField(line: line, name: expected.field.name) else { return nil }
    lines[next] = Line(bytes: Array(line), field: field)
    return field
  }

  /// The fields of a request's head as it was sent.
  func fields(ofHead head: UnsafeRawBufferPointer) -> HTTPFields {
    // The first is the request line. The library's own search for its end takes longer than the comparison.
    guard let start = head.baseAddress, let end = memchr(start, Int32(UInt8(ascii: "\n")), head.count) else {
      return [:]
    }
    let lines = UnsafeRawBufferPointer(rebasing: head[(UnsafeRawPointer(end) + 1 - start)...])
    if sent.lines.isSame(as: lines) { return sent.fields }
    let fields = HTTPFields(fields: self.fields(lines))
    if lines.count <= 4 * Self.longest { sent = (Array(lines), fields) }
    return fields
  }

  /// The head of a response that consists of these lines, line endings included.
  func head(_ lines: [UInt8]) -> ReadHead {
    if lines.withUnsafeBytes(received.lines.isSame) { return received }
    let head = ReadHead(lines, known: self)
    if lines.count <= 4 * Self.longest { received = head }
    return head
  }

  private func fields(_ lines: UnsafeRawBufferPointer) -> [HTTPField] {
    var fields: [HTTPField] = []
    var start = 0
    while let end = lines[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let isReturn = end > start && lines[end - 1] == UInt8(ascii: "\r")
      let line = UnsafeRawBufferPointer(rebasing: lines[start..<(isReturn ? end - 1 : end)])
      // The last is empty.
      if let field = field(line) { fields.append(field) }
      start = end + 1
    }
    return fields
  }
}

extension [UInt8] {
  fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { bytes in
      guard let mine = bytes.baseAddress, let others = other.baseAddress else { return true }
      return memcmp(mine, others, bytes.count) == 0
    }
  }
}

extension HTTPField {
  /// - Parameter name: the line's own, if known.
  fileprivate init?(line: UnsafeRawBufferPointer, name: Name? = nil) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let name = name ?? Name(String(decoding: line[..<colon], as: UTF8.self))
    else { return nil }
    let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    self.init(name: name, value: Array(value))
  }
}

extension HTTPFields {
  /// One by one: what adds an array makes the type of its iterator by looking among all conformances there are, which at
  /// the first response takes longer than to send a request.
  init(fields: [HTTPField]) {
    self.init()
    reserveCapacity(fields.count)
    for field in fields { append(field) }
  }
}
