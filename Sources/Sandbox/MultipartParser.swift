import POSIX

/// What a part of a form says about itself before its content.
struct MultipartPart: Hashable, Sendable {
  var name: String
  var filename: String?
}

/// Why bytes are not well-formed `multipart/form-data`.
enum MultipartError: Error, Hashable, Sendable {
  case boundaryMissingAtStart
  case boundaryLineMalformed
  case partHeaderTooLong(limit: Int)
  case partHeaderMalformed
  case dispositionMissing
  case bytesAfterTheEnd
  case endedEarly
}

/// Cuts a `multipart/form-data` body (RFC 7578) into its parts as it arrives, in pieces of any size.
///
/// A state machine without input or output: bytes go in, events come out, and however the bytes were cut, the content
/// is the same. It holds back no more than one delimiter or one part's header. It is strict: no preamble, no padding
/// after a boundary, nothing but one line ending after the last.
struct MultipartParser: Sendable {
  enum Event: Hashable, Sendable {
    /// A part begins; `offset` is where its content starts, in bytes from the start of the body.
    case partBegan(MultipartPart, offset: Int)
    /// The next bytes of the part's content.
    case content(ArraySlice<UInt8>)
    case partEnded
  }

  /// How long the header of one part may be, in bytes.
  static let headerLimit = 8 * 1024

  private enum State: Hashable {
    /// The first delimiter, without the line ending that begins all others; this many of its bytes were seen.
    case opening(matched: Int)
    case boundarySeen
    case boundaryCarriageReturn
    case closingDash
    case header
    /// Inside a part; this many bytes of a delimiter were seen and are held back.
    case content(held: Int)
    /// After the last boundary; this many bytes of the one line ending allowed were seen.
    case ended(lineEnd: Int)
  }

  /// CR LF `--` boundary. A boundary contains no CR, so a delimiter can only begin at a CR.
  private let delimiter: [UInt8]
  private var state = State.opening(matched: 2)
  private var header: [UInt8] = []
  private var offset = 0

  /// A parser for the boundary that a `Content-Type` names; nil if it is not `multipart/form-data` or the boundary is
  /// invalid (RFC 2046 §5.1.1: 1 to 70 characters of a small set, not ending in a space).
  init?(contentType: String) {
    guard let parameters = HeaderParameters(contentType), parameters.value == "multipart/form-data",
      let boundary = parameters["boundary"], (1...70).contains(boundary.utf8.count), boundary.last != " ",
      boundary.utf8.allSatisfy(Self.mayStandInBoundary)
    else { return nil }
    delimiter = Array("\r\n--\(boundary)".utf8)
  }

  private static func mayStandInBoundary(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "'()+_,-./:=? ".utf8.contains(byte)
    }
  }

  /// Takes the next bytes of the body. After an error the parser is of no further use.
  mutating func feed(_ bytes: ArraySlice<UInt8>) throws(MultipartError) -> [Event] {
    var events: [Event] = []
    var rest = bytes
    while let byte = rest.first {
      switch state {
      case .header:
        if let event = try takeHeader(&rest) { events.append(event) }
      case .content(let held):
        takeContent(&rest, held: held, &events)
      case .opening, .boundarySeen, .boundaryCarriageReturn, .closingDash, .ended:
        state = try next(after: byte)
        rest.removeFirst()
        offset += 1
      }
    }
    return events
  }

  /// The body has ended; throws if the form has not.
  func finish() throws(MultipartError) {
    guard state == .ended(lineEnd: 0) || state == .ended(lineEnd: 2) else { throw .endedEarly }
  }

  /// The states that proceed byte by byte.
  private func next(after byte: UInt8) throws(MultipartError) -> State {
    switch (state, byte) {
    case (.opening(let matched), _):
      guard byte == delimiter[matched] else { throw .boundaryMissingAtStart }
      return matched + 1 == delimiter.count ? .boundarySeen : .opening(matched: matched + 1)
    case (.boundarySeen, UInt8(ascii: "\r")): return .boundaryCarriageReturn
    case (.boundarySeen, UInt8(ascii: "-")): return .closingDash
    case (.boundaryCarriageReturn, UInt8(ascii: "\n")): return .header
    case (.closingDash, UInt8(ascii: "-")): return .ended(lineEnd: 0)
    case (.ended(lineEnd: 0), UInt8(ascii: "\r")): return .ended(lineEnd: 1)
    case (.ended(lineEnd: 1), UInt8(ascii: "\n")): return .ended(lineEnd: 2)
    case (.ended, _): throw .bytesAfterTheEnd
    case (.boundarySeen, _), (.boundaryCarriageReturn, _), (.closingDash, _), (.header, _), (.content, _):
      throw .boundaryLineMalformed
    }
  }

  private mutating func takeHeader(_ rest: inout ArraySlice<UInt8>) throws(MultipartError) -> Event? {
    let end = Array("\r\n\r\n".utf8)
    while let byte = rest.popFirst() {
      header.append(byte)
      offset += 1
      if header.count > Self.headerLimit { throw .partHeaderTooLong(limit: Self.headerLimit) }
      if byte == UInt8(ascii: "\n"), header.suffix(4) == end[...] || header == end.suffix(2) {
        let part = try MultipartPart(header: header)
        header = []
        state = .content(held: 0)
        return .partBegan(part, offset: offset)
      }
    }
    return nil
  }

  private mutating func takeContent(_ rest: inout ArraySlice<UInt8>, held: Int, _ events: inout [Event]) {
    if held > 0 {
      let wanted = delimiter[held...].prefix(rest.count)
      if rest.starts(with: wanted) {
        pass(wanted.count, of: &rest, held: held + wanted.count, &events)
        return
      }
      events.append(.content(delimiter[..<held]))
    }
    let found = rest.withUnsafeBytes(delimiterStart)
    if found > 0 { events.append(.content(rest.prefix(found))) }
    let matched = min(delimiter.count, rest.count - found)
    pass(found + matched, of: &rest, held: matched, &events)
  }

  private mutating func pass(
    _ count: Int, of rest: inout ArraySlice<UInt8>, held: Int, _ events: inout [Event]
  ) {
    rest.removeFirst(count)
    offset += count
    if held == delimiter.count {
      events.append(.partEnded)
      state = .boundarySeen
    } else {
      state = .content(held: held)
    }
  }

  /// Where a delimiter begins, or as much of one as fits before the end; the end if there is none.
  private func delimiterStart(in bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var from = 0
    while let hit = memchr(base + from, Int32(UInt8(ascii: "\r")), bytes.count - from) {
      let start = UnsafeRawPointer(hit) - base
      if memcmp(hit, delimiter, min(delimiter.count, bytes.count - start)) == 0 { return start }
      from = start + 1
    }
    return bytes.count
  }
}

extension MultipartPart {
  /// Reads the header lines of a part, with the empty line that ends them.
  fileprivate init(header: [UInt8]) throws(MultipartError) {
    guard let text = String(validating: header, as: UTF8.self) else { throw .partHeaderMalformed }
    var disposition: HeaderParameters?
    // A Character is a whole CR LF, so a lone CR or LF stays in its line, and is refused there.
    for line in text.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
        !line.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F })
      else { throw .partHeaderMalformed }
      guard line[..<colon].lowercased() == "content-disposition" else { continue }
      guard disposition == nil, let parameters = HeaderParameters(String(line[line.index(after: colon)...])) else {
        throw .partHeaderMalformed
      }
      disposition = parameters
    }
    guard let disposition, disposition.value == "form-data", let name = disposition["name"] else {
      throw .dispositionMissing
    }
    self.init(name: name, filename: disposition["filename"])
  }
}
