import JSONValue
import RequestProgram
import Testing

@testable import Sessions

/// Rows of files, whole and broken, in pieces of every size.
@Suite(.timeLimit(.minutes(1))) struct RowReaderTests {
  /// The rows of a text that comes in pieces of so many bytes: their fields, or why there are none.
  private static func rows(_ text: String, path: String = "r.csv", piece: Int = 65_536) async throws -> [String] {
    try await rows(Array(text.utf8), path: path, piece: piece)
  }

  private static func reader(_ bytes: [UInt8], path: String, piece: Int) async throws -> RowReader {
    let pieces = Pieces(bytes, size: piece)
    return try await RowReader(path, RowInput(size: nil, isFile: false) { pieces.next() })
  }

  private static func rows(_ bytes: [UInt8], path: String, piece: Int) async throws -> [String] {
    var reader = try await reader(bytes, path: path, piece: piece)
    var found: [String] = []
    while let row = try await reader.next() {
      #expect(row.number == found.count + 1)
      #expect(Array(bytes[row.offset..<min(row.offset + row.bytes.count, bytes.count)]) == row.bytes)
      switch row.content {
      case .malformed(let fault): found.append("\(row.line) \(fault)")
      case .values(let values):
        let shown = values.sorted { $0.key < $1.key }.map { name, value in
          switch value {
          case .text(let text): "\(name)=\(text.debugDescription)"
          case .read(let json): "\(name):\(String(decoding: JSONPrinter.compact.print(json), as: UTF8.self))"
          case .value: "\(name)"
          }
        }
        found.append("\(row.line) " + shown.joined(separator: " "))
      }
    }
    #expect(reader.position == bytes.count)
    return found
  }

  @Test(
    arguments: [
      ("a,b\n1,2\n", ["2 a=\"1\" b=\"2\""]),
      ("a,b\r\n1,2", ["2 a=\"1\" b=\"2\""]),
      ("\u{FEFF}a\n1\n\n2\n\r\n", ["2 a=\"1\"", "4 a=\"2\""]),
      (
        "a,b\n\"x,\"\"y\"\"\",\n\"two\r\nlines\",\"\"\n3,4\n",
        [
          "2 a=\"x,\\\"y\\\"\" b=\"\"", "3 a=\"two\\r\\nlines\" b=\"\"", "5 a=\"3\" b=\"4\"",
        ]
      ),
      ("a,b\n1\n2,3\n", ["2 fields(count: 1, columns: 2)", "3 a=\"2\" b=\"3\""]),
      ("a,b\n1,2,3\n4,5", ["2 fields(count: 3, columns: 2)", "3 a=\"4\" b=\"5\""]),
      ("a\n\"open\n2\n3\n", ["2 openQuote", "3 a=\"2\"", "4 a=\"3\""]),
      ("a,b\n1,\"open\n2,\"x\"\n", ["2 textAfterQuote", "3 a=\"2\" b=\"x\""]),
      ("a\nsay \"x\"\n2\n", ["2 quoteInField", "3 a=\"2\""]),
      ("a\n\"x\"y\n2\n", ["2 textAfterQuote", "3 a=\"2\""]),
      ("a\nx\ry\n2\n", ["2 loneReturn", "3 a=\"2\""]),
      ("a\nx\r", ["2 a=\"x\""]),
      ("a\n\"x\"", ["2 a=\"x\""]),
      ("a,workbench-error\n1,\"it was late\"\n", ["2 a=\"1\""]),
      ("a\n", []),
    ] as [(String, [String])])
  func `comma-separated values are read as RFC 4180 says, and a broken row is one row`(
    text: String, expected: [String]
  ) async throws {
    for piece in [1, 2, 3, 7, 65_536] {
      #expect(try await Self.rows(text, piece: piece) == expected, "in pieces of \(piece)")
    }
  }

  @Test func `bytes that are not UTF-8 break their own row only`() async throws {
    let bytes = Array("a\n".utf8) + [0xFF, 0x0A] + Array("2\n".utf8)
    #expect(try await Self.rows(bytes, path: "r.csv", piece: 3) == ["2 notUTF8", "3 a=\"2\""])
  }

  @Test(
    arguments: [
      ("{\"a\": \"x\", \"n\": 1.50}\n\n{\"a\": null}", ["1 a:\"x\" n:1.50", "3 a:null"]),
      ("{\"a\": 1\n{\"a\": 2}\n", ["1 notJSON", "2 a:2"]),
      ("[1]\n{\"a\": 1, \"a\": 2}\n", ["1 notAnObject", "2 repeatedName(\"a\")"]),
    ] as [(String, [String])])
  func `each line is an object`(text: String, expected: [String]) async throws {
    for piece in [1, 5, 65_536] {
      let rows = try await Self.rows(text, path: "r.jsonl", piece: piece)
      #expect(rows.map { $0.contains("notJSON") ? "\($0.prefix(1)) notJSON" : $0 } == expected)
    }
  }

  @Test func `what comes through a pipe says by its beginning what it is`() async throws {
    #expect(try await Self.rows(" {\"a\": 1}\n", path: "-") == ["1 a:1"])
    #expect(try await Self.rows("a\n1\n", path: "-") == ["2 a=\"1\""])
  }

  @Test(arguments: [
    ("", "r.csv has no rows"), ("a,\"b\n1,2\n", "the names of the columns in r.csv cannot be read"),
    ("a,b,a\n1,2,3\n", "two columns of r.csv are called \"a\""),
  ])
  func `columns without names are refused`(text: String, message: String) async throws {
    do {
      _ = try await Self.reader(Array(text.utf8), path: "r.csv", piece: 65_536)
      Issue.record("it was read")
    } catch let problem as RowsProblem {
      #expect(problem.sentence.hasPrefix(message))
    }
  }

  @Test(arguments: ["r.csv", "r.jsonl"]) func `a row without an end takes no more room than a row may`(
    path: String
  ) async throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
    let isCSV = path == "r.csv"
    let bytes =
      (isCSV ? Array("a\n1\n\"".utf8) : Array("{\"a\": 1}\n".utf8)) + long
      + Array((isCSV ? "\n2\n" : "\n{\"a\": 2}\n").utf8)
    let rows = try await Self.rows(bytes, path: path, piece: 65_536)
    #expect(rows.count == 3)
    #expect(rows[1].hasSuffix("tooLong(limit: 1048576)"))
    #expect(rows[2].hasSuffix(isCSV ? "a=\"2\"" : "a:2"))
  }

  /// Bytes in pieces, now and then with nothing there yet.
  private final class Pieces: Sendable {
    private let bytes: [UInt8]
    private let size: Int
    private let state = Counter()

    init(_ bytes: [UInt8], size: Int) {
      self.bytes = bytes
      self.size = size
    }

    func next() -> RowInput.Piece {
      let start = state.add(size)
      guard start < bytes.count else { return .end }
      return .bytes(Array(bytes[start..<min(bytes.count, start + size)]))
    }
  }
}
