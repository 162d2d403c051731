import Foundation
import LoopbackServer
import Synchronization
import Testing

/// A curl line that a browser copied, pasted at the prompt, sends what the real curl sends.
///
/// Apart from the program's own `User-Agent`, `Accept-Encoding` and `Expect` where the line says nothing of them, the
/// order and the case of field names, the boundary that curl chose, and an empty body that is announced with
/// `Content-Length: 0`, each byte is the same.
@Suite(.timeLimit(.minutes(5))) struct BrowserLineTests {
  static let table = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Curl/lines.txt")

  private final class Log: Sendable {
    let received = Mutex<[(head: String, body: [UInt8])]>([])
  }

  struct Received: Equatable, CustomStringConvertible {
    var line: String
    var fields: [String]
    var body: [UInt8]

    var description: String {
      "\(line)\n\(fields.joined(separator: "\n"))\n\n\(String(validating: body, as: UTF8.self) ?? "\(body)")"
    }

    init(head: String, body: [UInt8], asked: String) {
      var lines = head.split(separator: "\r\n").map(String.init)
      line = lines.isEmpty ? "" : lines.removeFirst()
      let own = ["user-agent", "accept-encoding", "expect"]
      let boundary = lines.first {
        $0.hasPrefix("Content-Type: multipart/form-data; boundary=") && !asked.contains($0.dropFirst(44))
      }
      .map { String($0.dropFirst(44)) }
      func plain(_ text: String) -> String { boundary.map { text.replacing($0, with: "boundary") } ?? text }
      fields = lines.compactMap { field in
        let name = field.prefix { $0 != ":" }.lowercased()
        if own.contains(name), !asked.lowercased().contains(name) { return nil }
        if boundary != nil || field.hasSuffix(": 0"), name == "content-length" { return nil }
        return plain(name + field.dropFirst(name.count))
      }.sorted()
      let end = Array("boundary".utf8)
      self.body = boundary.map { body.replacing($0.utf8, with: end) } ?? body
    }
  }

  @Test func `a pasted line sends what curl sends`() async throws {
    let log = Log()
    let server = try LoopbackServer { connection in
      while let (head, body) = try connection.readRequest() {
        log.received.withLock { $0.append((head, body)) }
        try connection.respond()
      }
    }
    func take() -> [(head: String, body: [UInt8])] {
      log.received.withLock { received in
        defer { received = [] }
        return received
      }
    }
    let directory = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try Data("{\"a\":\n 1}\r\n".utf8).write(to: URL(filePath: "\(directory)/body.json"))
    try Data("one\ntwo\r\n".utf8).write(to: URL(filePath: "\(directory)/lines.txt"))

    let text = try String(contentsOf: Self.table, encoding: .utf8)
    let lines = text.split(separator: "\n\n").map {
      $0.trimmingCharacters(in: .newlines).replacing("HOST", with: "\(server.host):\(server.port)")
        .replacing("DIR", with: directory)
    }
    #expect(lines.count >= 84)
    /// Runs the lines in a shell.
    func run(_ curl: String) async throws {
      let script = lines.map { $0.replacing("curl ", with: "\(curl) ", maxReplacements: 1) + "\n" }.joined()
      try Data(script.utf8).write(to: URL(filePath: "\(directory)/lines.sh"))
      let code = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          let bash = "HOME='\(directory)' bash '\(directory)/lines.sh'"
          continuation.resume(returning: system("\(bash) > /dev/null 2> '\(directory)/errors' < /dev/null"))
        }
      }
      #expect(code == 0, "\((try? String(contentsOfFile: "\(directory)/errors", encoding: .utf8)) ?? "")")
    }
    try await run("curl -q -sS")
    let theirs = take()
    #expect(theirs.count == lines.count)

    func compare(_ ours: [(head: String, body: [UInt8])], _ comment: String) {
      #expect(ours.count == lines.count, "\(comment)")
      for ((line, theirs), ours) in zip(zip(lines, theirs), ours) {
        let wanted = Received(head: theirs.head, body: theirs.body, asked: line)
        #expect(Received(head: ours.head, body: ours.body, asked: line) == wanted, "\(comment)\(line)")
      }
    }
    let outcome = try await Workbench.run([], input: lines.joined(separator: "\n") + "\n")
    compare(take(), outcome.errors)
    // Here bash has made the words.
    try await run("'\(Workbench.executable.path)' send curl")
    compare(take(), "")
  }
}
