import Foundation
import HTTPTypes
import JSONValue
import Requests
import Subcommands
import Testing
import UploaderCore

@testable import Formats

/// Request items mean what they mean for HTTPie: for each line of a table, the same bytes, or an error that says why not.
///
/// What HTTPie sends is recorded (`HTTPie/items.json`, made by `record.py` with HTTPie 3.2.4), and recorded again where
/// HTTPie is installed: by `Scripts/prepare-servers`, or `HTTPIE` names its `http`, or that is in the path.
@Suite(.serialized) struct ItemTableTests {
  struct Row: Codable, Equatable {
    var line: String
    var error: Bool?
    var first: String?
    var fields: [String]?
    var body: String?
  }

  static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "HTTPie")
  static let rows: [Row] =
    (try? JSONDecoder().decode([Row].self, from: Data(contentsOf: directory.appending(path: "items.json")))) ?? []

  /// Where we differ, and why. Everything else is the same.
  static let refusedHere: [String: String] = [
    "POST h.example/x a:=null a[b]=1": "HTTPie forgets a",
    "GET h.example/x 'h.example/x?a=1' q==2": "a GET has no body",
    "GET h.example/x 'X A:b'": "not the name of a header",
    "POST h.example/x X-A:b '{\"a\":1}'": "not the name of a header, for http",
  ]

  static let sentHere: [String: String] = [
    "h.example f@D/text.txt": "a file without --form is sent in parts",
    "POST h.example/x f@D/text.txt": "a file without --form is sent in parts",
    "--form POST h.example/x 'a:=[1]'": "an array repeats its field",
  ]

  static let sentDifferently: [String: String] = [
    "POST h.example/x 'a:={\"b\":1}' 'a[c]:=2'": "HTTPie forgets the second",
    "POST h.example/x 'a[b]:={\"c\":1}' 'a[b][d]:=2'": "HTTPie forgets the second",
    "--form POST h.example/x b:=true": "Python spells it True",
    "--multipart POST h.example/x a=1 b=2 a=3": "HTTPie puts parts of one name together",
    "POST h.example/x X-A:b '{\"a\":1}'": "JSON, and no header of that name",
    "PUT h.example/x < D/text.txt": "HTTPie takes any standard input for JSON, whatever the file is called",
  ]

  // MARK: The files that the lines name

  static let files: [String: [UInt8]] = [
    "text.txt": Array("hello\nworld\n".utf8), "ünï.txt": Array("ü".utf8), "binary.bin": [0xFF, 0, 0xFE],
    "x.json": Array("{\"k\": [1, 2.5, null]}\n".utf8), "empty.txt": [], "line.txt": Array("one\n".utf8),
    "page.html": Array("<p>x</p>\n".utf8),
  ]

  static func makeFiles() throws -> URL {
    let directory = FileManager.default.temporaryDirectory.appending(path: "items-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for (name, bytes) in files { try Data(bytes).write(to: directory.appending(path: name)) }
    return directory
  }

  // MARK: What is compared

  /// The type of a form: HTTPie adds a parameter that the type does not have (WHATWG URL, 5; IANA), and we do not.
  static let formType = (theirs: "form-urlencoded; charset=utf-8", ours: "form-urlencoded")

  /// A request without what differs between any two clients: the program's own fields, the spelling of JSON (spaces,
  /// escapes, numbers), `+` and `%20` for a space in a query, and `formType`.
  struct Sent: Equatable, CustomStringConvertible {
    var first: String
    var fields: [String]
    var body: String

    var description: String { "\(first)\n\(fields.joined(separator: "\n"))\n\n\(body)" }

    init(_ row: Row) {
      let words = (row.first ?? "").split(separator: " ")
      first = words.count > 1 ? "\(words[0]) \(words[1].replacing("+", with: "%20"))" : ""
      fields = (row.fields ?? []).compactMap { line in
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        return Self.field(
          String(line[..<colon]),
          line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            .replacing(ItemTableTests.formType.theirs, with: ItemTableTests.formType.ours))
      }.sorted()
      body = Self.body(row.body ?? "")
    }

    init(_ request: TransportRequest) throws {
      let address = request.url.firstRange(of: "://").map { request.url[$0.upperBound...] } ?? request.url[...]
      let path = address.drop { $0 != "/" && $0 != "?" }
      first = "\(request.method.rawValue) \(path.hasPrefix("/") ? "" : "/")\(path)"
      var headers = request.headers
      for name in [HTTPField.Name.userAgent, .acceptEncoding, .accept]
      where !headers.contains(name) && !request.omittedHeaders.contains(name) {
        headers[name] = "HTTPie"
      }
      fields = headers.compactMap { Self.field($0.name.rawName, $0.value) }.sorted()
      var bytes: [UInt8] = []
      for segment in request.body ?? [] {
        switch segment {
        case .bytes(let more): bytes += more
        case .file(let file): bytes += try Array(Data(contentsOf: URL(filePath: file.path)))
        }
      }
      body = Self.body(String(decoding: bytes, as: UTF8.self))
    }

    private static func field(_ name: String, _ value: String) -> String? {
      let name = name.lowercased()
      if ["connection", "host", "content-length"].contains(name) { return nil }
      let isOwn =
        value.hasPrefix("HTTPie") || name == "accept" && ["*/*", "application/json, */*;q=0.5"].contains(value)
        || name == "accept-encoding" && value.hasPrefix("gzip, deflate")
      return "\(name): \(isOwn ? "its own" : value)"
    }

    private static func body(_ text: String) -> String {
      guard let json = try? JSON(parsing: Array(text.utf8)) else { return text }
      return spelled(json)
    }

    private static func spelled(_ json: JSON) -> String {
      switch json {
      case .object(let object):
        "{" + object.members.map { "\($0.key): \(spelled($0.value))" }.joined(separator: ", ") + "}"
      case .array(let elements): "[" + elements.map(spelled).joined(separator: ", ") + "]"
      case .number(let number): "\(Double(number.text) ?? 0)"
      case .string(let text): "\"\(text)\""
      case .bool(let value): "\(value)"
      case .null: "null"
      }
    }
  }

  /// Words after `http` or after `workbench send`; with a file as standard input, a line of one word.
  static func ours(_ words: [String]) async throws -> (sent: Sent?, screen: String) {
    let session = PromptSession(answers: [.json("1")])
    let (_, outcome) =
      words.contains("<") ? await session.send(words.joined(separator: " ")) : await session.send(SentWords(words))
    return (try outcome.requests.first.map { try Sent($0) }, outcome.screen)
  }

  /// The same request for `workbench send`: `METHOD URL form item…`.
  static func sending(_ words: [String]) -> [String] {
    var words = words
    var kind: [String] = []
    if let first = words.first, first.hasPrefix("--") {
      kind = [String(words.removeFirst().dropFirst(2))]
    }
    words.removeAll { $0 == "--" }
    let address = words.firstIndex { $0.contains("h.example") || $0.contains("8080") || $0.hasPrefix(":/") } ?? 0
    if words[address].hasPrefix("h.example") { words[address] = "http://" + words[address] }
    words.insert(contentsOf: kind, at: address + 1)
    return words
  }

  @Test func `there are enough lines`() { #expect(Self.rows.count >= 200) }

  @Test func `each line sends what HTTPie sends, or says why not`() async throws {
    let directory = try Self.makeFiles()
    defer { try? FileManager.default.removeItem(at: directory) }
    var same = 0
    for row in Self.rows {
      let command = try ShellWords.command(row.line)
      let words = (command.words + (command.input.map { ["<", $0] } ?? [])).map {
        $0.replacing("D/", with: directory.path + "/")
      }
      for words in [["http"] + words, Self.sending(words)] {
        let (sent, screen) = try await Self.ours(words)
        if row.error ?? false {
          #expect((sent != nil) == (Self.sentHere[row.line] != nil), "\(words): HTTPie refuses this")
        } else if let sent {
          if Self.sentDifferently[row.line] == nil {
            #expect(sent == Sent(row), "\(words)")
          } else {
            #expect(sent != Sent(row), "\(words) is the same now")
          }
          same += 1
        } else {
          #expect(Self.refusedHere[row.line] != nil, "\(words): HTTPie sends this: \(screen)")
          #expect(screen.hasPrefix("error: ") && screen.contains("\n"), "\(words): \(screen)")
        }
      }
    }
    #expect(same > 380)
  }

  // MARK: The real one

  static let python: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let named = ProcessInfo.processInfo.environment["HTTPIE"].map { [$0] } ?? []
    let repository = directory.appending(path: "../../..").standardized
    let installed = repository.appending(path: ".build/servers/bin/http").path
    let candidates = named + [installed] + path.split(separator: ":").map { "\($0)/http" }
    let http = candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
    return http.map { URL(filePath: $0).deletingLastPathComponent().appending(path: "python").path }
  }()

  @Test(.enabled(if: python != nil, "SKIPPED: HTTPie is not here: Scripts/prepare-servers installs it"))
  func `the recorded requests are those of the real HTTPie`() async throws {
    let directory = try Self.makeFiles()
    defer { try? FileManager.default.removeItem(at: directory) }
    let output = directory.appending(path: "found.json").path
    let (script, table) = (
      Self.directory.appending(path: "record.py").path, Self.directory.appending(path: "items.txt").path
    )
    let command = "'\(try #require(Self.python))' '\(script)' '\(table)' '\(directory.path)' > '\(output)'"
    let code = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: system(command)) }
    }
    #expect(code == 0)
    let found = try JSONDecoder().decode([Row].self, from: Data(contentsOf: URL(filePath: output)))
    #expect(found.count == Self.rows.count)
    for (found, row) in zip(found, Self.rows) {
      #expect(found.line == row.line && found.error == row.error && Sent(found) == Sent(row))
    }
  }
}
