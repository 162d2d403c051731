import Foundation
import JSONValue
import Testing

/// The examples of Documentation/json.md and of the doc comments compile here, and do what they claim.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  @Test func `a value is written, read and accessed`() throws {
    let (id, first, note): (Int, String, String?) = (7, "roof", nil)
    let payload: JSON = ["id": ^id, "tags": [^first, "new"], "note": ^note]
    #expect("\(payload)" == #"{"id":7,"tags":["roof","new"],"note":null}"#)

    let answer = try JSON(parsing: #"{"sheets": [{"uid": "A-101", "version": 3, "scale": 1.0}]}"#)
    let uid = answer["sheets"]?[0]?["uid"]?.string
    let scale = answer["sheets"]?[0]?["scale"]?.number?.text
    #expect(uid == "A-101")
    #expect(scale == "1.0")

    let path = try JSONPath("$.sheets[?@.version > 2].uid")
    let uids = path.values(in: answer)
    let places = path.nodes(in: answer).map { "\($0.location)" }
    #expect(uids == ["A-101"])
    #expect(places == ["$['sheets'][0]['uid']"])

    let filter = try JSONPath.Filter("@.version != $old", dialect: .reference)
    let changed = JSONPath([.child([.name("sheets")]), .child([.filter(filter)])])
    let found = changed.values(in: answer) { variable in variable.name == "old" ? 2 : nil }
    #expect(found.count == 1)
  }

  @Test func `an error gives its place`() {
    var printed = ""
    func print(_ error: JSONSyntaxError) { printed = "\(error)" }
    do {
      _ = try JSON(parsing: "[1, 2,]")
    } catch {
      print(error)  // expected a value at line 1, column 7
    }
    #expect(printed == "expected a value at line 1, column 7")
  }

  @Test func `types are encoded and decoded`() throws {
    struct Sheet: Codable, Equatable {
      var uid: String
      var version: Int
    }
    let sheet = try JSON(parsing: #"{"uid": "A-101", "version": 3}"#).decode(as: Sheet.self)
    let again = try JSON(encoding: sheet)
    #expect(again == ["uid": "A-101", "version": 3])
  }

  @Test func `a path is walked on bytes`() throws {
    let document = try JSONDocument(Array(#"{"sheets": [{"uid": "A-101"}]}"#.utf8))
    let first = document.values(of: try JSONPath("$.sheets[0].uid"))
    #expect(first == ["A-101"])
  }

  @Test func `the examples of the doc comments do what they claim`() throws {
    let (id, first) = (1, "a")
    let payload: JSON = ["id": ^id, "tags": [^first, "new"], "note": nil]
    #expect("\(payload)" == #"{"id":1,"tags":["a","new"],"note":null}"#)

    let json: JSON = ["store": ["book": [["price": 8.95, "title": "t"]]]]
    let path = try JSONPath("$.store.book[?@.price < 10].title")
    let titles = path.values(in: json)
    #expect(titles == ["t"])
  }

  @Test func `the example of a large file does what it claims`() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "large-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(#"{"items": [{"name": "a"}, {"name": "b"}]}"#.utf8).write(to: url)
    let file = url.path

    let document = try JSONDocument(path: file)
    let names = document.values(of: try JSONPath("$.items[*].name"))
    #expect(names == ["a", "b"])
  }

  @Test func `every example is in this file`() throws {
    let here = try Self.lines(of: URL(filePath: #filePath))
    var examples = Self.fenced(try Self.lines(of: Self.root.appending(path: "Documentation/json.md")))
    let sources = Self.root.appending(path: "Sources/JSONValue").resolvingSymlinksInPath()
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      examples += Self.indented(try Self.lines(of: file))
    }
    #expect(examples.count > 9)
    for example in examples where example.first?.hasPrefix("enum JSON") != true {
      let isHere = here.indices.contains { here[$0...].starts(with: example) }
      #expect(isHere, "\(example.joined(separator: "\n"))")
    }
  }

  /// Without their indentation.
  private static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Blocks between fences marked `swift`.
  private static func fenced(_ lines: [String]) -> [[String]] {
    var blocks: [[String]] = []
    var block: [String]?
    for line in lines {
      switch (line, block) {
      case ("```swift", _): block = []
      case ("```", let ended?):
        blocks.append(ended)
        block = nil
      default: block?.append(line)
      }
    }
    return blocks
  }

  /// Code in doc comments: `///` and at least four spaces.
  private static func indented(_ lines: [String]) -> [[String]] {
    lines.split { !$0.hasPrefix("///     ") }.map { $0.map { $0.dropFirst(8).trimmingCharacters(in: .whitespaces) } }
  }
}
