internal import HTTPTypes
internal import Requests

/// The status line and header fields of a response, line by line as libcurl hands them over.
///
/// Interim answers (1xx) come first, each with lines of its own; the last one stands.
struct ResponseHead {
  /// The `Range` that was asked for.
  private let askedRange: String?
  private(set) var status: HTTPResponse.Status?
  private(set) var version = ""
  /// Those of the head that is whole.
  private(set) var fields = HTTPFields()
  private var list: [HTTPField] = []
  /// Whether the empty line at its end has come.
  private(set) var isComplete = false
  /// What is ambiguous in it or in an interim answer before it.
  private(set) var warnings: [FramingWarning] = []
  /// Of all lines so far.
  private var bytes = 0
  private var lines = 0

  init(askedRange: String? = nil) {
    self.askedRange = askedRange
  }

  /// Takes one line, with its end. Lines behind the head are trailers, and left out.
  mutating func receive(
    _ line: UnsafeRawBufferPointer, limits: TransferLimits, known: KnownLines
  ) throws(TransferLimits.Excess) {
    bytes += line.count
    lines += 1
    guard bytes <= limits.headBytes else { throw .headBytes(limit: limits.headBytes) }
    guard lines <= limits.headLines else { throw .headLines(limit: limits.headLines) }
    guard !isComplete else { return }

    var text = line[...]
    if text.last == UInt8(ascii: "\n") {
      text = text.dropLast()
      if text.last != UInt8(ascii: "\r") { warn(.bareLineFeed) }
    }
    while text.last == UInt8(ascii: "\r") { text = text.dropLast() }
    if text.isEmpty {
      isComplete = status.map { $0.kind != .informational } ?? false
      fields = HTTPFields(fields: list)
      if isComplete {
        FramingAudit.warnings(status: status, fields: fields, askedRange: askedRange).forEach { warn($0) }
      }
    } else if text.first == UInt8(ascii: "H"), text.starts(with: "HTTP/".utf8) {
      begin(text)
    } else if let first = text.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
      warn(.foldedField)
      unfold(text)
    } else if let field = known.field(UnsafeRawBufferPointer(rebasing: text)) {
      list.append(field)
    } else {
      warn(.malformedField)
    }
  }

  private mutating func begin(_ statusLine: Slice<UnsafeRawBufferPointer>) {
    status = nil
    list.removeAll(keepingCapacity: true)
    let parts = statusLine.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    version = String(decoding: parts[0], as: UTF8.self)
    guard parts.count > 1, let code = Int(String(decoding: parts[1], as: UTF8.self)), (100...999).contains(code) else {
      return
    }
    // HTTP/2 has no reason phrase; then the code's own name stands.
    let reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
    status = reason.isEmpty ? .init(code: code) : .init(code: code, reasonPhrase: reason)
  }

  /// A folded line is a part of the field before it, behind one space (RFC 9112 §5.2).
  private mutating func unfold(_ line: Slice<UnsafeRawBufferPointer>) {
    guard let last = list.indices.last else { return }
    let rest = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    list[last].value += " " + String(decoding: rest, as: UTF8.self)
  }

  private mutating func warn(_ warning: FramingWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  /// The whole body has come, in so many bytes on the wire.
  mutating func receivedBody(count: Int) {
    guard status?.code == 206, let range = fields[.contentRange] else { return }
    if ByteRange(contentRange: range).map({ $0.last - $0.first + 1 != count }) ?? true { warn(.contentRange(range)) }
  }

  /// As announced, in bytes.
  var contentLength: Int? { fields[.contentLength].flatMap { Int($0) } }
}

/// What is ambiguous in a whole head. Pure.
enum FramingAudit {
  static func warnings(
    status: HTTPResponse.Status?, fields: HTTPFields, askedRange: String? = nil
  ) -> [FramingWarning] {
    var warnings: [FramingWarning] = []
    // As it should be, and mostly is: one length and nothing else that says one.
    let framing = fields.filter { $0.name == .contentLength || $0.name == .transferEncoding }
    if framing.count == 1, framing[0].name == .contentLength, status?.code != 206 {
      let digits = framing[0].value.utf8
      if (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) { return [] }
    }
    let lengths = fields[values: .contentLength].flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { String($0.trimmed) }
    let isNumber = lengths.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int($0) != nil }
    if lengths.count > 1 || !isNumber { warnings.append(.contentLengths(lengths)) }
    if !lengths.isEmpty, fields.contains(.transferEncoding) { warnings.append(.lengthWithTransferEncoding) }
    // Several ranges are told in the body (RFC 9110 §14.6).
    if status?.code == 206, fields[.contentType]?.lowercased().hasPrefix("multipart/byteranges") != true {
      let text = fields[.contentRange] ?? ""
      let range = ByteRange(contentRange: text)
      let fitsLength = lengths.first.flatMap { Int($0) }.map { $0 == range.map { $0.last - $0.first + 1 } } ?? true
      let isAsked = range.map { range in askedRange.flatMap(ByteRange.init(asked:))?.contains(range) ?? true } ?? false
      if !fitsLength || !isAsked { warnings.append(.contentRange(text)) }
    }
    return warnings
  }
}

/// A part of a representation, in bytes (RFC 9110 §14).
private struct ByteRange {
  let first: Int
  let last: Int

  /// `bytes 0-9/100`; nil for what no body can be.
  init?(contentRange: String) {
    let parts = contentRange.split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let slash = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    let bounds = slash[0].split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard slash.count == 2, bounds.count == 2, bounds[0] >= 0, bounds[0] <= bounds[1], bounds[1] < .max else {
      return nil
    }
    guard slash[1] == "*" || Int(slash[1]).map({ bounds[1] < $0 }) ?? false else { return nil }
    (first, last) = (bounds[0], bounds[1])
  }

  /// `bytes=0-9` or `bytes=0-`; nil for several ranges, and for one that counts from the end.
  init?(asked: String) {
    let bounds = asked.split(separator: "-", omittingEmptySubsequences: false)
    guard asked.hasPrefix("bytes="), bounds.count == 2, let first = Int(bounds[0].dropFirst(6)) else { return nil }
    guard let last = bounds[1].isEmpty ? .max : Int(bounds[1]) else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// Whether an answer with `range` is an answer to this: it begins where it was asked to, and may end sooner.
  func contains(_ range: ByteRange) -> Bool { range.first == first && range.last <= last }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var text = drop(while: isBlank)
    while let last = text.last, isBlank(last) { text = text.dropLast() }
    return text
  }
}
