import Foundation
import JSONValue
import Testing

@Suite struct JSONDocumentTests {
  private let text = #"{"a": [1.0, {"b": "\u00e9"}, [] ], "x\ny": 1, "a\u0062": 2, "n": [ ], "a": [ {"b":[ 3 ]}, 4 ]}"#

  @Test(arguments: [
    ("$.a[0].b[0]", ["3"]), ("$.a[-1]", ["4"]), ("$['x\\ny']", ["1"]), ("$.ab", ["2"]), ("$.n[*]", []), ("$.n[0]", []),
    ("$..b", [#""\u00e9""#, "[3]"]), ("$.a[?@.b]", [#"{"b":[3]}"#]), ("$['n','ab']", ["[]", "2"]),
    ("$.a[::-1]", ["4", #"{"b":[3]}"#]),
    ("$[0]", []), ("$.ab.c", []), ("$.a[5]", []), ("$.a[-5]", []),
  ])
  func `paths find the same in the text as in the value, as it is written`(path: String, found: [String]) throws {
    let document = try JSONDocument(Array(text.utf8))
    let path = try JSONPath(path)
    #expect(document.values(of: path) == path.values(in: try JSON(parsing: text)))
    var output: [UInt8] = []
    let count = document.print(path, as: .lines, printer: .compact) { output += $0 }
    #expect(count == found.count)
    #expect(String(decoding: output, as: UTF8.self) == found.map { $0 + "\n" }.joined())
  }

  @Test func `everything is printed as it was, apart from whitespace`() throws {
    let document = try JSONDocument(Array(text.utf8))
    for printer in [JSONPrinter.compact, .pretty] {
      var output: [UInt8] = []
      #expect(document.print(try JSONPath("$"), as: .lines, printer: printer) { output += $0 } == 1)
      #expect(output.filter { $0 > 0x20 } == text.utf8.filter { $0 > 0x20 })
    }
  }

  @Test func `an array of the results is JSON, and no results print nothing`() throws {
    let document = try JSONDocument(Array(text.utf8))
    var output: [UInt8] = []
    #expect(document.print(try JSONPath("$.a[*]"), as: .array, printer: .pretty) { output += $0 } == 2)
    #expect(
      String(decoding: output, as: UTF8.self) == """
        [
          {
            "b": [
              3
            ]
          },
          4
        ]

        """)
    output = []
    #expect(document.print(try JSONPath("$.none"), as: .array, printer: .pretty) { output += $0 } == 0)
    #expect(output.isEmpty)
  }

  @Test(arguments: [
    ("$", ["a: array(3)", "x\ny: 1", "ab: 2", "n: array(0)", "a: array(2)"]),
    ("$.a", ["0: object(b of 1)", "1: 4"]), ("$.a[0]", ["b: array(1)"]), ("$.n", []),
  ]) func `the children of a container are listed without making it a value`(path: String, expected: [String]) throws {
    let children = try #require(try JSONDocument(Array(text.utf8)).children(of: JSONPath(path)))
    let lines = children.map { child in
      let name =
        switch child.step {
        case .key(let key): key
        case .index(let index): "\(index)"
        }
      switch child.outline {
      case .object(let keys, let count): return "\(name): object(\(keys.joined(separator: ",")) of \(count))"
      case .array(let count): return "\(name): array(\(count))"
      case .scalar(let json): return "\(name): \(String(decoding: JSONPrinter.compact.print(json), as: UTF8.self))"
      }
    }
    #expect(lines == expected)
  }

  @Test func `of many children only the wanted ones are listed, and a scalar has none`() throws {
    let many = try JSONDocument(Array("[1, [2], {\"a\": 3}, 4]".utf8))
    let wanted = try #require(many.children(of: JSONPath(), elementLimit: 3) { $0 != .index(1) })
    #expect(wanted.map(\.step) == [.index(0), .index(2)])
    #expect(many.children(of: try JSONPath("$[0]")) == nil)
    #expect(many.children(of: try JSONPath("$.none")) == nil)
  }

  @Test(arguments: [0, 1, 999, 1_000, 1_001])
  func `the members of an outermost object are listed, few or many`(count: Int) throws {
    let members = (0..<count).map { "\"k\\u002d\($0)\" : {\"k\": [\($0), \"}\"]}" }
    let document = try JSONDocument(Array("\u{FEFF} {\(members.joined(separator: ", "))}".utf8))
    let all = try #require(document.children(of: JSONPath()))
    #expect(all.map(\.step) == (0..<count).map { .key("k-\($0)") })
    #expect(all.allSatisfy { $0.outline == .object(keys: ["k"], count: 1) })
    let last = document.children(of: JSONPath()) { $0 == .key("k-\(count - 1)") }
    #expect(last?.count == min(count, 1))
    let inner = document.children(of: try JSONPath("$['k-0']"))
    #expect(inner?.map(\.step) == (count == 0 ? nil : [.key("k")]))
  }

  @Test func `a file is a document, and so is a pipe`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "json-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    #expect(try JSONDocument(path: file.path).json == JSON(parsing: text))
    #expect(try JSON(path: file.path) == JSON(parsing: text))
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
    #expect(try JSONDocument(descriptor: pipe.fileHandleForReading.fileDescriptor).json == JSON(parsing: text))
    try Data().write(to: file)
    #expect(throws: JSONDocument.FileError.self) { try JSONDocument(path: file.path) }
    #expect(throws: JSONDocument.FileError.self) { try JSON(path: file.path) }
    #expect(throws: JSONDocument.FileError.unreadable(2)) { try JSONDocument(path: file.path + ".none") }
  }

  @Test func `a document may be as deep as its parser allows, however it is read`() throws {
    let depth = 600
    let text = String(repeating: #"[{"a":"#, count: depth) + "1" + String(repeating: "}]", count: depth)
    let document = try JSONDocument(Array(text.utf8), parser: JSONParser(depthLimit: 2 * depth))
    #expect(document.json[0]?["a"]?[0]?["a"] != nil)
    let found = document.values(of: try JSONPath("$..a"))
    #expect(found.count == depth)
    #expect(found.last == 1)
  }

  @Test func `the parts that a path does not lead to are checked anyway`() {
    #expect(throws: JSONSyntaxError.self) { try JSONDocument(Array(#"{"a": 1, "b": [tru]}"#.utf8)) }
  }
}
