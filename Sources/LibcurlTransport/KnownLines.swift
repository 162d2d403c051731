internal import HTTPTypes

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Reads the header lines of a pool's requests and answers. Most of them it has seen before, in the same order, and
/// then they need not be read again: a server says its name in every answer.
final class KnownLines {
  private struct Line {
    let bytes: [UInt8]
    let field: HTTPField
  }

  /// Longer ones are seldom the same twice.
  private static let longest = 512
  private static let limit = 64

  private var lines: [Line] = []
  /// Where the line is expected that comes next.
  private var next = 0

  /// A `name: value` line without its end; nil for what is none.
  func field(_ line: UnsafeRawBufferPointer) -> HTTPField? {
    guard line.count <= Self.longest else { return HTTPField(line: line) }
    for offset in lines.indices {
      let index = (next + offset) % lines.count
      if lines[index].bytes.elementsEqualBytes(line) {
        next = index + 1
        return lines[index].field
      }
    }
    guard let field = HTTPField(line: line) else { return nil }
    let entry = Line(bytes: Array(line), field: field)
    if lines.count < Self.limit {
      lines.insert(entry, at: min(next, lines.count))
    } else {
      lines[next % lines.count] = entry
    }
    next += 1
    return field
  }

  /// The fields of a request's head as it went over the wire.
  func fields(ofHead head: [UInt8]) -> HTTPFields {
    var fields: [HTTPField] = []
    head.withUnsafeBytes { head in
      var start = 0
      var isFirst = true
      while let end = head[start...].firstIndex(of: UInt8(ascii: "\n")) {
        let isReturn = end > start && head[end - 1] == UInt8(ascii: "\r")
        let line = UnsafeRawBufferPointer(rebasing: head[start..<(isReturn ? end - 1 : end)])
        // The first is the request line, the last is empty.
        if !isFirst, let field = field(line) { fields.append(field) }
        isFirst = false
        start = end + 1
      }
    }
    return HTTPFields(fields)
  }
}

extension [UInt8] {
  fileprivate func elementsEqualBytes(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { bytes in
      guard let mine = bytes.baseAddress, let others = other.baseAddress else { return true }
      return memcmp(mine, others, bytes.count) == 0
    }
  }
}

extension HTTPField {
  fileprivate init?(line: UnsafeRawBufferPointer) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let name = Name(String(decoding: line[..<colon], as: UTF8.self))
    else { return nil }
    let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    self.init(name: name, value: Array(value))
  }
}
