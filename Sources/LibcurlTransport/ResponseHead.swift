internal import HTTPTypes
internal import Requests
internal import UploaderCore

/// The head of a response, line by line as libcurl hands it over.
///
/// Interim responses (1xx) come first, each with lines of its own; the last one counts.
struct ResponseHead {
  /// nil: none has arrived.
  private var read: ReadHead?
  /// Whether the empty line at its end has arrived.
  private(set) var isComplete = false
  /// Ambiguities in it or in an interim response before it.
  private(set) var warnings: [FramingWarning] = []
  /// The latest head of another response, as long as what arrives is the same: then it is neither kept nor parsed.
  private var likely: ReadHead?
  /// How many bytes of that have arrived.
  private var sameCount = 0
  /// The lines of the response that is arriving, if they are others.
  private var text: [UInt8] = []
  /// The number of bytes in all lines so far.
  private var bytes = 0
  private var lines = 0

  var status: HTTPResponse.Status? { read?.status }
  var fields: HTTPFields { read?.fields ?? [:] }
  /// The response with that status, its own, and that body, as far as its head is complete.
  //
  // Inlined, and not optional, so that neither the head nor a whole response is copied.
  @inline(__always) func response(_ status: HTTPResponse.Status, _ body: ResponseBody = ResponseBody([])) -> Response {
    Response(status: status, version: read?.version ?? "", headers: fields, body: body, warnings: warnings)
  }
  /// Whether the body is compressed.
  var isEncoded: Bool { read?.isEncoded ?? false }
  /// What the body is as a stream; nil: of no kind that comes bit by bit.
  var streamKind: StreamKind? { read?.streamKind }

  /// Takes one line, with its line ending. Lines after the head are trailers, which are ignored.
  ///
  /// - Parameter request: what it answers.
  //
  // Inlined, as is what it calls: there are many lines.
  @inline(__always) mutating func receive(
    _ line: UnsafeRawBufferPointer, to request: TransportRequest, known: HeaderFieldCache
  ) throws(TransferLimits.Excess) {
    let limits = request.limits
    bytes += line.count
    lines += 1
    guard bytes <= limits.headBytes else { throw .headBytes(limit: limits.headBytes) }
    guard lines <= limits.headLines else { throw .headLines(limit: limits.headLines) }
    guard !isComplete else { return }
    take(line, known: known)
    if line.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) { end(request, known) }
  }

  /// The empty line at its end has arrived.
  private mutating func end(_ request: TransportRequest, _ known: HeaderFieldCache) {
    // Mostly it is the latest one again.
    if likely?.lines.count != sameCount {
      differ()
      likely = known.head(text)
      text.removeAll(keepingCapacity: true)
    }
    (read, sameCount) = (likely.take(), 0)
    guard let read else { return }
    for warning in read.warnings { warn(warning) }
    isComplete = read.isFinal
    if read.isPart, let warning = FramingAudit.rangeWarning(read.fields, askedRange: request.headers[.range]) {
      warn(warning)
    }
  }

  @inline(__always) private mutating func take(_ line: UnsafeRawBufferPointer, known: HeaderFieldCache) {
    if likely == nil, text.isEmpty { likely = known.received }
    if let likely, likely.has(line, at: sameCount) {
      sameCount += line.count
    } else {
      differ()
      text += line
    }
  }

  /// From here on it is another head than the latest.
  private mutating func differ() {
    guard let other = likely.take() else { return }
    text.reserveCapacity(512)
    text += other.lines.prefix(sameCount)
  }

  private mutating func warn(_ warning: FramingWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  /// The whole body has arrived, in that many bytes as received.
  mutating func receivedBody(count: @autoclosure () -> Int) {
    guard status?.code == 206, let range = fields[.contentRange] else { return }
    if ByteRange(contentRange: range).map({ $0.last - $0.first + 1 != count() }) ?? true { warn(.contentRange(range)) }
  }

  /// As announced, in bytes.
  var contentLength: Int? { read?.contentLength }
}

/// Ambiguities in a complete head. Pure.
enum FramingAudit {
  /// How long the body is (RFC 9112 §6.3).
  static func lengthWarnings(_ fields: HTTPFields) -> [FramingWarning] {
    var warnings: [FramingWarning] = []
    let lengths = lengths(fields)
    let isNumber = lengths.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int($0) != nil }
    if lengths.count > 1 || !isNumber { warnings.append(.contentLengths(lengths)) }
    if !lengths.isEmpty, fields.contains(.transferEncoding) { warnings.append(.lengthWithTransferEncoding) }
    return warnings
  }

  /// Whether the body is a part of the whole. Several of them are given in the body itself (RFC 9110 §14.6).
  static func isPart(_ status: HTTPResponse.Status?, _ fields: HTTPFields) -> Bool {
    status?.code == 206 && fields[.contentType]?.lowercased().hasPrefix("multipart/byteranges") != true
  }

  /// Which part of the whole the body is.
  ///
  /// - Parameter askedRange: the `Range` that was requested.
  static func rangeWarning(_ fields: HTTPFields, askedRange: String?) -> FramingWarning? {
    let text = fields[.contentRange] ?? ""
    guard let range = ByteRange(contentRange: text) else { return .contentRange(text) }
    let fitsLength = lengths(fields).first.flatMap { Int($0) }.map { $0 == range.last - range.first + 1 } ?? true
    let isAsked = askedRange.flatMap(ByteRange.init(asked:))?.contains(range) ?? true
    return fitsLength && isAsked ? nil : .contentRange(text)
  }

  private static func lengths(_ fields: HTTPFields) -> [String] {
    fields[values: .contentLength].flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { String($0.trimmed) }
  }
}

/// A part of a representation, in bytes (RFC 9110 §14).
private struct ByteRange {
  let first: Int
  let last: Int

  /// `bytes 0-9/100`; nil for a range that cannot be a body's.
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

  /// Whether a response with `range` answers this request: it begins where requested, and may end sooner.
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
