import Canaries
import Diagnostics
import Foundation
import HTTPTypes
import LibcurlTransport
import LoopbackServer
import Requests
import Synchronization
import Testing
import UploaderCore

@testable import Formats

/// The line printed by `:show curl`, run by a shell and the real curl, sends what was sent, byte for byte, whatever a
/// server or a person wrote into it.
@Suite(.timeLimit(.minutes(15))) struct CopiedCurlLineTests {
  /// A request as it was read, without what each client says about itself.
  struct Received: Hashable, Sendable {
    var line: String
    var fields: [String]
    /// One for each part; without parts, one.
    var body: [[UInt8]]

    init(head: String, body: [UInt8]) {
      // Scalar by scalar: a combining mark after a line end would form one character with it.
      var lines = head.unicodeScalars.split(separator: "\n").map {
        String(Substring($0.last == "\r" ? $0.dropLast() : $0))
      }
      line = lines.removeFirst()
      let boundary = lines.first { $0.hasPrefix("Content-Type: multipart/form-data") }
        .flatMap { $0.components(separatedBy: "boundary=").last }
      let own = ["host", "user-agent", "accept", "accept-encoding", "content-length", "expect"]
      fields = lines.filter { line in
        !own.contains(line.prefix { $0 != ":" }.lowercased()) && !(boundary != nil && line.hasPrefix("Content-Type:"))
      }.sorted()
      self.body = boundary.map { Self.parts(Data(body), $0) } ?? [body]
    }

    /// The parts, with their header lines sorted.
    private static func parts(_ body: Data, _ boundary: String) -> [[UInt8]] {
      var parts: [[UInt8]] = []
      var rest = Data("\r\n".utf8) + body
      let line = Data("\r\n--\(boundary)".utf8)
      while let found = rest.range(of: line) {
        var part = Data(rest[..<found.lowerBound])
        rest = Data(rest[found.upperBound...])
        if let end = part.range(of: Data("\r\n\r\n".utf8)) {
          let head = String(decoding: part[..<end.lowerBound], as: UTF8.self)
          let fields = head.unicodeScalars.split(separator: "\n").map {
            String(Substring($0)).trimmingCharacters(in: .newlines)
          }
          part = Data(fields.sorted().joined(separator: "\n").utf8) + part[end.lowerBound...]
        }
        parts.append(Array(part))
      }
      return parts
    }
  }

  private final class Wire: Sendable {
    let server: LoopbackServer
    private let log: Log
    private final class Log: Sendable { let received = Mutex<[Received]>([]) }

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

    func take() -> [Received] {
      log.received.withLock { received in
        defer { received = [] }
        return received
      }
    }
  }

  private static let secret = Canary.secret("copied-curl-line")
  private static let encodedSecret = "copied-encoded-4711!&=%25\"$'/ü@"

  /// One of each kind, with the text wherever a text is possible.
  private static func requests(_ text: String, at url: String, file: FileSlice) -> [RequestDescription] {
    let bytes = Array(text.utf8)
    let slice = file.slice(offset: 3, count: 5)
    func multipart(_ parts: [MultipartPart]) -> RequestDescription {
      .multipart(MultipartRequestDescription(RequestHead(.post, .url("\(url)/parts")), parts: parts))
    }
    var head = RequestHead(.put, .url("\(url)/raw/../%2E./x?q[0]={a,b}&c=[1-3]"))
    let isHeader =
      bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && bytes.first != 0x20 && bytes.last != 0x20
      && text.unicodeScalars.allSatisfy { !(0x80...0x9F).contains($0.value) }
    if isHeader { head.headers[HTTPField.Name("X-Text") ?? .accept] = text }
    head.headers[.authorization] = "Bearer \(secret)"
    return [
      .inMemory(InMemoryRequestDescription(head, body: .init(bytes, contentType: "text/plain"))),
      .inMemory(
        InMemoryRequestDescription(
          RequestHead(.post, .url("\(url)/secret")),
          body: .init(bytes + Array(secret.utf8) + bytes, contentType: "application/json"))),
      multipart([
        MultipartPart(name: "text", content: .bytes(bytes)),
        MultipartPart(name: "typed", content: .bytes(bytes), contentType: "text/plain; charset=utf-8"),
        MultipartPart(name: "odd", content: .bytes(bytes), contentType: "text/plain; filename=\"/etc/hostname\""),
        MultipartPart(name: "named", content: .bytes(bytes), fileName: text),
        MultipartPart(name: text, content: .bytes(bytes)),
        MultipartPart(name: text, content: .bytes(Array("x".utf8)), contentType: "a/b"),
        MultipartPart(name: "file", content: .file(file), contentType: "image/png", fileName: text),
        MultipartPart(name: text, content: .file(file), fileName: text),
        MultipartPart(name: "slice", content: .file(slice), contentType: "a/b", fileName: "x"),
      ]),
    ]
  }

  /// Those that contain no text.
  private static func others(at url: String, file: FileSlice) -> [RequestDescription] {
    let slice = file.slice(offset: 3, count: 5)
    func encoded(_ text: String) -> String { PercentEncoding.form.encode(text) }
    let items = "a=1&pw=\(encoded(encodedSecret))&b=x%21&c=\(encoded("é/\(encodedSecret)+x"))&d&=e"
    return [
      .inMemory(
        InMemoryRequestDescription(
          RequestHead(.post, .url("\(url)/form")),
          body: .init(Array(items.utf8), contentType: "application/x-www-form-urlencoded"))),
      .stream(StreamRequestDescription(RequestHead(.put, .url("\(url)/file")), file: file, contentType: nil)),
      .stream(StreamRequestDescription(RequestHead(.post, .url("\(url)/slice")), file: slice, contentType: "a/b")),
      .inMemory(InMemoryRequestDescription(RequestHead(.post, .url("\(url)/empty")))),
    ]
  }

  @Test func `a copied line sends what was sent`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "copied-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = "\(directory)/a;b,\"c\\ 'd'.txt"
    try Data("0123456789".utf8).write(to: URL(filePath: path))
    let file = try FileSlice(path: path)

    let wire = try Wire()
    let uploader = Uploader(transport: CurlTransport(), makeBoundary: { "BOUNDARY" })
    let token = Secret(Self.secret, name: "copied token", for: [OriginPattern(try Origin(wire.server.url))])
    let encoded = Secret(Self.encodedSecret, name: "encoded token", for: token.origins)
    var script = "cd \"$1\" || exit 1\n"
    var count = 0
    let own = [
      "@/etc/hostname", "</etc/hostname", "<part-1.bin", "@-", "a;type=text/evil", "\"a\";headers=\"X: y\"",
      "a,b;filename=c",
      "(", ")", "=", "a=b", "-", "--next", "a\\", "\\\"", "'\u{301}; touch evil; '\u{301}", "\"\u{301}",
      "`touch evil`\u{301}",
      "$(touch evil)", "!!", "a!b", "\u{200B}\u{202E}", "\t\r\n\u{1B}[31m",
    ]
    // What no argument can hold goes into separate files, which nobody has written here.
    let texts = (own + NaughtyStrings.all).filter { !$0.contains("\0") && $0.utf8.count < 3_000 }
    let descriptions = texts.map { Self.requests($0, at: wire.server.url, file: file) }
    for descriptions in descriptions + [Self.others(at: wire.server.url, file: file)] {
      for description in descriptions {
        var run = SequenceRun(ArrayRequestSequence([{ _ in description }]))
        do {
          try await uploader.run(&run)
        } catch {
          Issue.record("\(error)")
        }
        let line = CurlLine(try #require(run.lastExchange), profile: nil, secrets: [token, encoded], environment: [:])
        #expect(line.notes.isEmpty, "\(line.notes)")
        // As it is on a screen.
        let shown = VisibleText.escapeKeepingLines(line.text)
        #expect(!shown.contains(Self.secret))
        script += "\(shown.replacing("curl ", with: "curl -q -sS ", maxReplacements: 1))\n"
        count += 1
      }
    }
    let sent = wire.take()
    #expect(sent.count == count)
    // Nine parts, and what is before them.
    #expect(sent[2].body.count == 10)

    try Data(script.utf8).write(to: URL(filePath: "\(directory)/lines.sh"))
    let quoted = "'\(Self.encodedSecret.replacing("'", with: "'\\''"))'"
    let command =
      "COPIED_TOKEN='\(Self.secret)' ENCODED_TOKEN=\(quoted) bash \(directory)/lines.sh \(directory) >/dev/null 2>\(directory)/errors"
    let code = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: system(command)) }
    }
    #expect(code == 0, "\((try? String(contentsOfFile: "\(directory)/errors", encoding: .utf8)) ?? "")")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 3)

    let copied = wire.take()
    #expect(copied.count == count)
    for (index, (sent, copied)) in zip(sent, copied).enumerated() where sent != copied {
      Issue.record("\(index): \(sent.line), \(copied.line), \(sent.fields), \(copied.fields)")
      for (one, other) in zip(sent.body, copied.body) where one != other {
        Issue.record(
          "\(String(decoding: one, as: UTF8.self).debugDescription), not \(String(decoding: other, as: UTF8.self).debugDescription)"
        )
      }
    }
  }

  @Test func `what cannot be an argument is left to a file, and reported`() throws {
    let parts = [
      MultipartPart(name: "a", content: .bytes([0xFF, 0]), contentType: "a/b"),
      MultipartPart(name: "b", content: .bytes([0])),
    ]
    let line = try CopiedLine.of(
      .multipart(MultipartRequestDescription(RequestHead(.post, .url("http://h/")), parts: parts)))
    #expect(line.text == "curl http://h/ \\\n  -F 'a=<part-1.bin;type=a/b' \\\n  -F 'b=<part-2.bin'")
    #expect(
      line.notes == [
        "part \"a\" is not text that an argument can hold: put its bytes into part-1.bin",
        "part \"b\" is not text that an argument can hold: put its bytes into part-2.bin",
      ])
  }
}

private enum CopiedLine {
  static func of(_ description: RequestDescription) throws -> CurlLine {
    let request = SentRequest(method: description.head.method, url: "http://h/", origin: try Origin("http://h"))
    return CurlLine(
      Exchange(description: description, request: request, response: Response(status: .ok)), profile: nil, secrets: [],
      environment: [:])
  }
}
