import Testing

@testable import Sandbox

@Suite("The multipart parser")
struct MultipartParserTests {
  /// A part with its whole content.
  struct Whole: Hashable {
    var part: MultipartPart
    var offset: Int
    var content: [UInt8] = []
    var isEnded = false
  }

  /// Parses a body fed in pieces of the sizes given, over and over.
  static func parse(
    _ body: [UInt8], boundary: String = "B", pieces: [Int] = [Int.max]
  ) throws(MultipartError) -> [Whole] {
    guard var parser = MultipartParser(contentType: "multipart/form-data; boundary=\"\(boundary)\"") else { return [] }
    var parts: [Whole] = []
    var rest = body[...]
    var turn = 0
    while !rest.isEmpty {
      let piece = rest.prefix(pieces[turn % pieces.count])
      rest = rest.dropFirst(piece.count)
      turn += 1
      for event in try parser.feed(piece) {
        switch event {
        case .partBegan(let part, let offset): parts.append(Whole(part: part, offset: offset))
        case .content(let bytes): parts[parts.count - 1].content += bytes
        case .partEnded: parts[parts.count - 1].isEnded = true
        }
      }
    }
    try parser.finish()
    return parts
  }

  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(
    "However the body is cut, the parts are the same",
    arguments: [[1], [2], [3], [5, 1, 1], [7], [13, 2], [64], [Int.max]])
  func cuts(pieces: [Int]) throws {
    let tricky = "\r\n--\r\r\n--\r\n-\r\n--A\r\n\r\n"
    let body = Self.bytes(
      "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n--B\r\n"
        + "content-type: image/png\r\nCONTENT-DISPOSITION:form-data ; NAME=file; filename=\"a \\\"b\\\".png\"\r\n\r\n"
        + "\(tricky)\r\n--B--\r\n")
    let parts = try Self.parse(body, pieces: pieces)
    #expect(parts.map(\.part.name) == ["a", "file"])
    #expect(parts.map(\.part.filename) == [nil, "a \"b\".png"])
    #expect(parts.map(\.content) == [[], Self.bytes(tricky)])
    #expect(parts.map(\.isEnded) == [true, true])
    for part in parts { #expect(body[part.offset...].starts(with: part.content)) }
  }

  @Test("Any bytes come through unchanged, however they are cut", arguments: 0..<200)
  func anyContent(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    // Mostly the bytes that delimiters are made of.
    let alphabet = Self.bytes("\r\n--Bx") + [0, 0xFF]
    let content = (0..<Int.random(in: 0...300, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
    let delimiter = Self.bytes("\r\n--B")
    guard !(content.indices.contains { content[$0...].starts(with: delimiter) }) else { return }
    let pieces = (0..<20).map { _ in Int.random(in: 1...12, using: &random) }

    let body =
      Self.bytes("--B\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n") + content + Self.bytes("\r\n--B--")
    #expect(try Self.parse(body, pieces: pieces).map(\.content) == [content])
  }

  static let part = "Content-Disposition: form-data; name=\"a\"\r\n\r\nx"

  @Test(
    "A form that is not well-formed is refused, fed whole or byte by byte",
    arguments: [
      ("", .endedEarly),
      ("--B", .endedEarly),
      ("--B-", .endedEarly),
      ("--B--\r", .endedEarly),
      ("preamble\r\n--B--", .boundaryMissingAtStart),
      ("\r\n--B--", .boundaryMissingAtStart),
      ("--C--", .boundaryMissingAtStart),
      ("--B--\r\nepilogue", .bytesAfterTheEnd),
      ("--B--\r\n\r\n", .bytesAfterTheEnd),
      ("--B \r\n\(part)\r\n--B--", .boundaryLineMalformed),
      ("--B\n\(part)\r\n--B--", .boundaryLineMalformed),
      ("--B\r\n\(part)\r\n--Bx", .boundaryLineMalformed),
      ("--B\r\n\(part)\r\n--B-x", .boundaryLineMalformed),
      ("--B\r\n\(part)", .endedEarly),
      ("--B\r\n\(part)--B--\r\n", .endedEarly),
      ("--B\r\n\(part)\n--B--\r\n", .endedEarly),
      ("--B\r\n\r\nx\r\n--B--", .dispositionMissing),
      ("--B\r\nContent-Type: text/plain\r\n\r\nx\r\n--B--", .dispositionMissing),
      ("--B\r\nContent-Disposition: attachment; name=a\r\n\r\nx\r\n--B--", .dispositionMissing),
      ("--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--", .dispositionMissing),
      ("--B\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--B--", .partHeaderMalformed),
      ("--B\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\nx\r\n--B--", .partHeaderMalformed),
      ("--B\r\nno colon\r\n\(part)\r\n--B--", .partHeaderMalformed),
      ("--B\r\nX: a\nY: b\r\n\(part)\r\n--B--", .partHeaderMalformed),
      ("--B\r\nX: \(String(repeating: "a", count: 9000))\r\n\(part)\r\n--B--", .partHeaderTooLong(limit: 8192)),
    ] as [(String, MultipartError)])
  func malformed(body: String, error: MultipartError) {
    for pieces in [[Int.max], [1]] {
      #expect(throws: error) { try Self.parse(Self.bytes(body), pieces: pieces) }
    }
  }

  @Test("A header that is not UTF-8 is refused")
  func headerBytes() {
    let body =
      Self.bytes("--B\r\nContent-Disposition: form-data; name=\"") + [0xFF] + Self.bytes("\"\r\n\r\nx\r\n--B--")
    #expect(throws: MultipartError.partHeaderMalformed) { try Self.parse(body) }
  }

  @Test("A form may have no parts", arguments: ["--B--", "--B--\r\n"])
  func empty(body: String) throws {
    #expect(try Self.parse(Self.bytes(body)).isEmpty)
  }

  @Test("It never holds back more than one delimiter of content")
  func promptness() throws {
    var parser = try #require(MultipartParser(contentType: "multipart/form-data; boundary=B"))
    _ = try parser.feed(Self.bytes("--B\r\n\(Self.part)")[...])
    var handedOut = 0
    for count in 1...1000 {
      for event in try parser.feed([UInt8(ascii: count % 10 == 0 ? "\r" : "x")]) {
        if case .content(let bytes) = event { handedOut += bytes.count }
      }
      #expect(count - handedOut < "\r\n--B".utf8.count)
    }
  }

  @Test(
    "The boundary comes from the content type",
    arguments: [
      ("multipart/form-data; boundary=abc", true), ("Multipart/Form-Data; charset=utf-8; BOUNDARY=\"a b:c\"", true),
      ("multipart/form-data", false), ("multipart/form-data; boundary=", false),
      ("multipart/form-data; boundary=\"\"", false), ("multipart/form-data; boundary=\"a \"", false),
      ("multipart/form-data; boundary=\"a\rb\"", false), ("multipart/mixed; boundary=abc", false),
      ("multipart/form-data; boundary=" + String(repeating: "a", count: 70), true),
      ("multipart/form-data; boundary=" + String(repeating: "a", count: 71), false), ("", false),
    ])
  func boundary(contentType: String, isValid: Bool) {
    #expect((MultipartParser(contentType: contentType) != nil) == isValid)
  }
}

/// Vigna's SplitMix64: the same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
