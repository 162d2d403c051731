import Diagnostics
import Foundation
import JSONValue
import LibcurlTransport
import LoopbackServer
import RequestProgram
import RequestSyntax
import Requests
import Synchronization
import Testing
import UploaderCore

/// Each naughty string through each place where a value can be, over a real socket: it arrives byte for byte, or it is
/// refused with an error that says why. There is never a second request or an extra header.
@Suite(.timeLimit(.minutes(5))) struct InterpolationTests {
  /// What the server was sent.
  struct Received: Sendable {
    var head: String
    var body: [UInt8]

    var target: Substring { head.split(separator: " ", omittingEmptySubsequences: false).dropFirst().first ?? "" }

    /// The names of the header fields, in order.
    var names: [String] {
      head.split(separator: "\r\n").dropFirst().map { String($0.prefix { $0 != ":" }) }
    }

    /// The value after `name: `, byte for byte.
    func header(_ name: String) -> [UInt8]? {
      head.split(separator: "\r\n").first { $0.hasPrefix("\(name):") }.map {
        Array($0.utf8.dropFirst(name.utf8.count + 2))
      }
    }
  }

  /// A server that keeps what it was sent, and a client for it.
  private final class Wire: Sendable {
    let server: LoopbackServer
    private let log: Log
    private let uploader = Uploader(transport: CurlTransport(), makeBoundary: { "BOUNDARY" })

    private final class Log: Sendable {
      let received = Mutex<[Received]>([])
    }

    init() throws {
      let log = Log()
      self.log = log
      server = try LoopbackServer { connection in
        while let (head, body) = try connection.readRequest() {
          log.received.withLock { $0.append(Received(head: head, body: body)) }
          try connection.respond()
        }
      }
    }

    /// Runs the script with `$s` set; a step `POST {url}/…`.
    func send(_ step: String, _ text: String) async throws -> (received: [Received], error: Diagnostic?) {
      let before = log.received.withLock { $0.count }
      let script = "let s = \"\"\n" + step.replacing("{url}", with: server.url) + "\n"
      var program = Program()
      let found = program.add(Parser.parse(SourceText(name: "naughty.wb", text: script)))
      try #require(!found.contains { $0.severity == .error }, "\(found.map { DiagnosticRenderer().render($0) })")
      var error: Diagnostic?
      do {
        let sequence = try ProgramRequestSequence(
          program, environment: ProgramEnvironment(), settings: ["s": .text(text)], at: StepSeed(time: .zero, seed: 0))
        var run = SequenceRun(sequence)
        try await uploader.run(&run)
      } catch let failure as UploadError {
        guard case .sequence(let inner as ProgramError) = failure.fact else { throw failure }
        error = inner.diagnostic
      } catch let failure as ProgramError {
        error = failure.diagnostic
      }
      return (log.received.withLock { Array($0[before...]) }, error)
    }
  }

  /// Which of all the strings are refused, and why; everything else must arrive.
  private static func check(
    _ step: String, strings: [String] = NaughtyStrings.all, refuses: (String) -> Bool,
    arrives: (Received, String) -> Bool
  ) async throws {
    let wire = try Wire()
    let plain = try await wire.send(step, "plain")
    let names = try #require(plain.received.first?.names)
    #expect(plain.error == nil && plain.received.count == 1 && arrives(plain.received[0], "plain"))
    for text in strings {
      let (received, error) = try await wire.send(step, text)
      if refuses(text) {
        #expect(received.isEmpty, "\(text.debugDescription) was sent")
        #expect(
          error.map { $0.label != nil || !$0.notes.isEmpty } == true,
          "\(text.debugDescription): \(error?.message ?? "-")")
      } else {
        #expect(error == nil, "\(text.debugDescription): \(error?.message ?? "")")
        #expect(received.count == 1, "\(text.debugDescription)")
        guard let first = received.first else { continue }
        #expect(
          first.names == names.map { $0.replacing("plain", with: text) }, "\(text.debugDescription): \(first.head)")
        #expect(
          arrives(first, text), "\(text.debugDescription): \(first.head)\(String(decoding: first.body, as: UTF8.self))")
      }
    }
  }

  @Test func `the list is complete`() {
    if let suite = NaughtyStrings.suite { #expect(suite.count == 515) }
  }

  @Test func `a segment of a path`() async throws {
    try await Self.check("POST {url}/before/{$s}/after") {
      ["", ".", ".."].contains($0)
    } arrives: { received, text in
      let parts = received.target.split(separator: "/", omittingEmptySubsequences: false)
      return parts.count == 4 && parts[1] == "before" && parts[3] == "after"
        && Self.decoded(parts[2]) == Array(text.utf8)
    }
  }

  @Test func `a value in the query of a target`() async throws {
    try await Self.check("POST {url}/q?first={$s}&last=1") { _ in
      false
    } arrives: { received, text in
      let parts = received.target.split(separator: "&", omittingEmptySubsequences: false)
      return parts.count == 2 && parts[1] == "last=1" && parts[0].hasPrefix("/q?first=")
        && Self.decoded(parts[0].dropFirst(9)) == Array(text.utf8)
    }
  }

  @Test func `a query item, as its value and as its name`() async throws {
    try await Self.check("POST {url}/q query { first: $s, \"{$s}\": \"2\" }") { _ in
      false
    } arrives: { received, text in
      let parts = received.target.dropFirst(3).split(separator: "&", omittingEmptySubsequences: false)
      let bytes = Array(text.utf8)
      guard parts.count == 2, parts[0].hasPrefix("first="), parts[1].hasSuffix("=2") else { return false }
      return Self.decoded(parts[0].dropFirst(6)) == bytes && Self.decoded(parts[1].dropLast(2)) == bytes
    }
  }

  @Test func `the value of a header`() async throws {
    try await Self.check("POST {url}/ header X-Naughty: $s") { text in
      !Self.isHeaderValue(text)
    } arrives: { received, text in
      received.header("X-Naughty") == Array(text.utf8)
    }
  }

  @Test func `the type of a body`() async throws {
    try await Self.check("POST {url}/ body \"x\" as \"{$s}\"") { text in
      !Self.isHeaderValue(text)
    } arrives: { received, text in
      received.header("Content-Type") == Array(text.utf8)
    }
  }

  @Test func `a string in JSON, as its value and as its key`() async throws {
    try await Self.check("POST {url}/ json { first: $s, \"k{$s}\": [\"{$s}\"] }") { _ in
      false
    } arrives: { received, text in
      guard case .object(let object)? = try? JSON(parsing: received.body) else { return false }
      return object.members == [
        .init(key: "first", value: .string(text)), .init(key: "k\(text)", value: [.string(text)]),
      ]
    }
  }

  @Test func `a value in a form, and its name`() async throws {
    try await Self.check("POST {url}/ form { first: $s, \"{$s}\": \"2\" }") { _ in
      false
    } arrives: { received, text in
      let parts = String(decoding: received.body, as: UTF8.self).split(separator: "&", omittingEmptySubsequences: false)
      let bytes = Array(text.utf8)
      guard parts.count == 2, parts[0].hasPrefix("first="), parts[1].hasSuffix("=2") else { return false }
      return Self.decoded(parts[0].dropFirst(6), plus: true) == bytes
        && Self.decoded(parts[1].dropLast(2), plus: true) == bytes
    }
  }

  @Test func `a text as the body`() async throws {
    try await Self.check("POST {url}/ text $s") { _ in
      false
    } arrives: {
      $0.body == Array($1.utf8)
    }
  }

  @Test func `a part of a multipart body`() async throws {
    let before = "--BOUNDARY\r\nContent-Disposition: form-data; name=\"part\"\r\n\r\n"
    let after = "\r\n--BOUNDARY\r\nContent-Disposition: form-data; name=\"after\"\r\n\r\n2\r\n--BOUNDARY--\r\n"
    try await Self.check("POST {url}/ multipart { part: $s, after: \"2\" }") { _ in
      false
    } arrives: { received, text in
      received.body == Array((before + text + after).utf8)
    }
  }

  @Test func `the name of a part, and its file name`() async throws {
    try await Self.check("POST {url}/ multipart { \"{$s}\": \"1\" named \"{$s}\" }") { _ in
      false
    } arrives: { received, text in
      // As browsers write them: what would end the name or the line is percent-encoded.
      var name = ""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": name += "%22"
        case "\r": name += "%0D"
        case "\n": name += "%0A"
        default: name.unicodeScalars.append(scalar)
        }
      }
      let header = "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(name)\""
      return received.body == Array("--BOUNDARY\r\n\(header)\r\n\r\n1\r\n--BOUNDARY--\r\n".utf8)
    }
  }

  @Test func `the type of a part`() async throws {
    try await Self.check("POST {url}/ multipart { part: \"1\" as \"{$s}\", after: \"2\" }") { text in
      !Self.isHeaderValue(text)
    } arrives: { received, text in
      let part = "--BOUNDARY\r\nContent-Disposition: form-data; name=\"part\"\r\nContent-Type: \(text)\r\n\r\n1\r\n"
      let after = "--BOUNDARY\r\nContent-Disposition: form-data; name=\"after\"\r\n\r\n2\r\n--BOUNDARY--\r\n"
      return received.body == Array((part + after).utf8)
    }
  }

  @Test func `a reserved expansion in a path, which may add segments and nothing else`() async throws {
    try await Self.check("POST {url}/before/{+$s}/after") { text in
      text.isEmpty
        || text.split(separator: "/", omittingEmptySubsequences: false).contains {
          [".", ".."].contains($0.replacing("%2e", with: ".").replacing("%2E", with: "."))
        }
    } arrives: { received, text in
      guard received.target.hasPrefix("/before/"), received.target.hasSuffix("/after") else {
        // What follows a ? or # is no longer part of the path.
        return text.contains("?") || text.contains("#")
      }
      let path = received.target.dropFirst(8).dropLast(6)
      // An escape stays as it is (RFC 6570 §3.2.3), and what is not one is escaped.
      return path == text || Self.decoded(path) == Self.decoded(text.replacing(/%(?![0-9A-Fa-f]{2})/, with: "%25"))
    }
  }

  @Test func `a token, and a user and a password`() async throws {
    try await Self.check("POST {url}/ auth bearer $s") { text in
      !Self.isHeaderValue(text) || text.isEmpty
    } arrives: { received, text in
      received.header("Authorization") == Array("Bearer \(text)".utf8)
    }
    try await Self.check("POST {url}/ auth basic \"u{$s}\", $s") { text in
      text.utf8.contains(UInt8(ascii: ":"))
    } arrives: { received, text in
      received.header("Authorization") == Array("Basic \(Data("u\(text):\(text)".utf8).base64EncodedString())".utf8)
    }
  }

  @Test func `the token of a profile`() async throws {
    try await Self.check("profile api { base {url} auth bearer $s }\nPOST api:/") { text in
      // Anything shorter cannot be hidden.
      !Self.isHeaderValue(text) || text.utf8.count < 4
    } arrives: { received, text in
      received.header("Authorization") == Array("Bearer \(text)".utf8)
    }
  }

  @Test func `headers in an object, and their names`() async throws {
    try await Self.check("POST {url}/ header { X-Naughty: [$s, \"2\"] }") { text in
      !Self.isHeaderValue(text)
    } arrives: { received, text in
      received.header("X-Naughty") == Array(text.utf8)
    }
    try await Self.check("POST {url}/ header { \"X-{$s}\": 1 }") { text in
      !text.utf8.allSatisfy(Self.isTokenByte)
    } arrives: { received, text in
      received.header("X-\(text)") == Array("1".utf8)
    }
  }

  @Test func `a variable of GraphQL`() async throws {
    try await Self.check("POST {url}/ graphql \"query {$s}\" variables { a: $s }") { _ in
      false
    } arrives: { received, text in
      guard let json = try? JSON(parsing: received.body) else { return false }
      return json["query"] == .string("query \(text)") && json["variables"]?["a"] == .string(text)
    }
  }

  @Test func `request items`() async throws {
    try await Self.check("POST {url}/ first=$s q==$s X-Naughty:$s") { text in
      !Self.isHeaderValue(text)
    } arrives: { received, text in
      received.header("X-Naughty") == Array(text.utf8) && received.target.hasPrefix("/?q=")
        && Self.decoded(received.target.dropFirst(4)) == Array(text.utf8)
        && (try? JSON(parsing: received.body)) == ["first": .string(text)]
    }
  }

  /// A URL that is given whole is sent as it is or not at all, and goes where it says.
  @Test(arguments: ["\"{url}/{$s}\"", "(\"{url}/{$s}\")", "$s", "($s)", "$base/x"])
  func `a whole URL`(target: String) async throws {
    let wire = try Wire()
    let base = target == "$base/x" ? "let base = \"\(wire.server.url)/{$s}\"\n" : ""
    for text in NaughtyStrings.all where !text.contains("://") {
      let (received, error) = try await wire.send("\(base)POST \(target) auth none", text)
      #expect(received.count == (error == nil ? 1 : 0), "\(text.debugDescription)")
      guard let first = received.first else { continue }
      #expect(first.names == ["Host", "Accept", "User-Agent", "Accept-Encoding", "Content-Length"], "\(first.head)")
      #expect(first.target.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "\(first.head)")
    }
  }

  @Test func `the path of a file`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "naughty-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var there: Set<[UInt8]> = []
    for text in NaughtyStrings.all + ["plain"] where !text.contains("/") && !text.utf8.contains(0) && !text.isEmpty {
      let path = Array("\(folder.path)/\(text)".utf8)
      guard text != ".", text != "..", text.utf8.count < 256 else { continue }
      if FileManager.default.createFile(atPath: String(decoding: path, as: UTF8.self), contents: Data(text.utf8)) {
        there.insert(Array(text.utf8))
      }
    }
    try #require(there.count > 300 || NaughtyStrings.suite == nil)
    // A path that leads out of the folder is up to the script: the file at exactly that path is sent.
    let contents = { (text: String) in
      text.utf8.contains(0) ? nil : FileManager.default.contents(atPath: "\(folder.path)/\(text)")
    }
    try await Self.check("POST {url}/ body file(\"\(folder.path)/{$s}\") as \"a/b\"") { text in
      contents(text) == nil
    } arrives: { received, text in
      Data(received.body) == contents(text)
    }
  }

  /// A header cannot contain control characters, nor keep white space at its ends (RFC 9110 §5.5).
  private static func isHeaderValue(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let first = bytes.first, let last = bytes.last else { return true }
    return !isBlank(first) && !isBlank(last) && bytes.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }

  /// RFC 9110 §5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func decoded(_ text: some StringProtocol, plus: Bool = false) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      case UInt8(ascii: "+") where plus: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    return bytes
  }
}
