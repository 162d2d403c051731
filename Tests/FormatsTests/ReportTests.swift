import Formats
import Foundation
import JSONValue
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reports, read by readers of other people as far as these are part of Foundation.
@Suite struct ReportTests {
  /// Eight bytes are looked at together, so each may be at each place.
  @Test func `markup is found wherever it is`() {
    for count in 1...20 {
      for place in 0..<count {
        for byte in UInt8(0x20)...0x7E {
          var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
          bytes[place] = byte
          let text = String(decoding: bytes, as: UTF8.self)
          var (element, attribute): ([UInt8], [UInt8]) = ([], [])
          XMLText.append(text, to: &element)
          XMLText.append(attribute: text, to: &attribute)
          let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
          #expect(String(decoding: element, as: UTF8.self) == escaped)
          #expect(String(decoding: attribute, as: UTF8.self) == escaped.replacing("\"", with: "&quot;"))
        }
      }
    }
  }

  private static let files = 3
  private static let lines = ReportSample.lines(files: files)

  @Test(arguments: [ReportFileFormat.junit, .junitGitLab])
  func `JUnit's cases come through an XML reader with their names and counts`(format: ReportFileFormat) throws {
    let text = try ReportSample.text(format, of: Self.lines)
    let reader = XMLReader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    let names = reader.cases.map { $0["name"] ?? "" }
    #expect(names.count == Self.files * ReportSample.naughty.count)
    // What XML can hold comes back as it was.
    for (number, name) in ReportSample.naughty.enumerated() where name.unicodeScalars.allSatisfy(Self.isXML) {
      #expect(names.contains { $0.hasSameBytes(as: "\(name) \(number)") }, "\(name.debugDescription)")
    }
    let keys = reader.cases.map { "\($0["classname"] ?? "")\u{1}\($0["name"] ?? "")" }
    #expect(Set(keys).count == keys.count)
    #expect(reader.cases.allSatisfy { $0["classname"]?.isEmpty == false })
    #expect(reader.cases.allSatisfy { ($0["line"] != nil) == (format == .junitGitLab) })
    for (element, member) in [("failure", "failures"), ("error", "errors"), ("skipped", "skipped")] {
      let said = reader.suites.reduce(0) { $0 + (Int($1[member] ?? "") ?? -1) }
      #expect(said == reader.counts[element], "\(element)")
    }
    #expect(reader.counts["flakyFailure"] == Self.files)
    // Totals, which are known only at the end, stand at the beginning.
    let start = try #require(text.split(separator: "\n").dropFirst().first)
    let (failures, errors) = (reader.counts["failure"] ?? 0, reader.counts["error"] ?? 0)
    #expect(
      start.contains(
        "<testsuites name=\"workbench\" tests=\"\(names.count)\" failures=\"\(failures)\" errors=\"\(errors)\""),
      "\(start)")
    #expect(!start.contains("\" >") && !start.contains("\"  "), "\(start)")
  }

  private static func isXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  @Test func `TAP has one point a file, each with its steps, and no name is a directive`() throws {
    let text = try ReportSample.text(.tap, of: Self.lines)
    let lines = text.split(separator: "\n")
    #expect(lines.first == "TAP version 14")
    #expect(lines.contains("1..\(Self.files)"))
    #expect(lines.count { $0.hasPrefix("not ok ") } == Self.files)
    let points = lines.filter { $0.hasPrefix("    ok ") || $0.hasPrefix("    not ok ") }
    #expect(points.count == Self.files * ReportSample.naughty.count)
    let directives = points.filter { $0.contains(/(^|[^\\])# *(SKIP|TODO)/) }
    #expect(directives.count == Self.files * 4)
    #expect(!lines.contains { $0.hasPrefix("Bail out!") })
  }

  @Test func `what keeps a script from beginning is one case and one point, and files that look alike are told apart`()
    throws
  {
    var lines = [ReportLine(.suite, ["version": 1, "files": 2])]
    for (index, file) in ["x.y/a.wb", "x_y/a.wb"].enumerated() {
      let heading: JSONObject = ["file": .string(file), "index": ^index]
      func line(_ kind: ReportLine.Kind, _ members: JSONObject) -> ReportLine {
        var object = heading
        object.members += members.members
        return ReportLine(kind, object)
      }
      lines.append(line(.file, [:]))
      for word in ["first", "second"] {
        lines.append(line(.problem, ["severity": "error", "message": .string(word), "report": .string(word)]))
      }
      lines.append(line(.fileEnd, ["ok": false, "exit-code": 2, "cause": "usage", "time": 1]))
    }
    lines.append(ReportLine(.suiteEnd, ["ok": false, "exit-code": 2, "cause": "usage", "time": 1]))
    let cases = try ReportSample.text(.junit, of: lines)
    #expect(cases.contains("classname=\"x_y.a\"") && cases.contains("classname=\"x_y.a (2)\""), "\(cases)")
    for format in [ReportFileFormat.tap, .tap13] {
      let points = try ReportSample.text(format, of: lines)
      #expect(points.components(separatedBy: "---\n").count == 3, "\(points)")
      #expect(points.components(separatedBy: "message: \"first; second\"\n").count == 3)
    }
  }

  @Test func `TAP 13 has a point a step, in a row`() throws {
    let text = try ReportSample.text(.tap13, of: Self.lines)
    let count = Self.files * ReportSample.naughty.count
    let numbers = text.split(separator: "\n").compactMap { $0.wholeMatch(of: /(?:not )?ok (\d+) - .*/)?.1 }
      .compactMap { Int($0) }
    #expect(numbers == Array(1...count))
    #expect(text.hasSuffix("1..\(count)\n"))
  }

  @Test func `annotations are one line each, whatever is in a name`() throws {
    let text = try ReportSample.text(.github, of: Self.lines)
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      #expect(line.hasPrefix("::error file=") || line.hasPrefix("::warning file="), "\(line)")
      #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    }
    #expect(text.split(separator: "\n").count == Self.files * (4 + 4 + 1))
  }

  @Test func `Markdown has no element and no row of somebody else's`() throws {
    let text = try ReportSample.text(.markdown, of: Self.lines)
    #expect(!text.contains("<script"))
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("3 files, 60 steps: 24 passed, 24 failed, 12 skipped, 3 flaky"), "\(text.prefix(300))")
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ❌") }
    #expect(rows.count == Self.files)
  }

  @Test func `the page is one document without a script but its own, a link elsewhere, or an element of a server's`()
    throws
  {
    let page = try ReportSample.text(.html, of: Self.lines)
    let own = page.matches(of: /<script>\nconst field [^<]*<\/script>|<input id="search"[^>]*>/)
    #expect(own.count == 2)
    let text = own.reversed().reduce(into: page) { $0.removeSubrange($1.range) }
    for mark in ["<script", "http://", "https://", " src=", "onerror", "<img", "\u{1B}", "\u{202E}"] {
      let count = text.components(separatedBy: mark).count - 1
      #expect(count == 0, "\(mark)")
    }
    #expect(text.contains("default-src 'none'"))
    // Each element is one of ours, and closed: as XML, but for what HTML leaves open.
    let body = try #require(text.firstRange(of: "<body>"))
    let closed = text[body.lowerBound...].replacing("<br>", with: "<br/>").replacing("</html>", with: "")
    let parser = XMLParser(data: Data(closed.replacing(" open>", with: ">").utf8))
    #expect(parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber)")
    #expect(text.components(separatedBy: "<details class=\"step\"").count - 1 == 60)
    #expect(text.components(separatedBy: "<li>").count - 1 == 24)
  }

  @Test func `JSON lines are lines, and what is made from them is what was made at first`() throws {
    let text = try ReportSample.text(.jsonl, of: Self.lines)
    let read = try Self.read(text)
    #expect(read.count == Self.lines.count)
    for format in ReportFileFormat.allCases where !format.needsRecords {
      #expect(try ReportSample.text(format, of: read) == ReportSample.text(format, of: Self.lines), "\(format)")
    }
  }

  private static func read(_ text: String) throws -> [ReportLine] {
    var reader = ReportReader(reader(text))
    var lines: [ReportLine] = []
    while let line = try reader.next() { lines.append(line) }
    return lines
  }

  private static func reader(_ text: String) -> LineReader {
    // Pieces that end anywhere.
    var rest = Array(text.utf8)[...]
    return LineReader {
      defer { rest = rest.dropFirst(777) }
      return rest.prefix(777)
    }
  }

  // MARK: Shards

  private static func shards(_ count: Int, of lines: [ReportLine]) throws -> [String] {
    try (1...count).map { shard in
      var own = lines.filter { line in
        line.kind == .suite || line.kind == .suiteEnd || line.index % count == shard - 1
      }
      own[0].object["shard"] = ["index": ^shard, "of": ^count]
      own[0].object["id"] = .string("shard\(shard)")
      return try ReportSample.text(.jsonl, of: own)
    }
  }

  private static func merged(_ shards: [String]) throws -> [ReportLine] {
    var merge = try ReportMerge(shards.enumerated().map { ("\($0).jsonl", ReportReader(reader($1))) })
    var lines: [ReportLine] = []
    _ = try merge.run { lines.append($0) }
    return lines
  }

  @Test(arguments: 1...17) func `shards put together are the whole`(count: Int) throws {
    var whole = ReportSample.lines(files: 23)
    whole[0].object["id"] = nil
    let together = try Self.merged(try Self.shards(count, of: whole).shuffled())
    for format in [ReportFileFormat.junit, .junitGitLab, .tap, .tap13, .github, .markdown] {
      #expect(try ReportSample.text(format, of: together) == ReportSample.text(format, of: whole), "\(format)")
    }
  }

  @Test func `a shard that is missing, twice there, or of another suite is an error`() throws {
    let shards = try Self.shards(3, of: ReportSample.lines(files: 5))
    #expect(throws: ReportMerge.Failure.missingShards([2], of: 3)) { try Self.merged([shards[0], shards[2]]) }
    #expect(throws: ReportMerge.Failure.repeatedShard(1)) { try Self.merged([shards[0], shards[0], shards[1]]) }
    let others = try Self.shards(3, of: ReportSample.lines(files: 6))
    #expect(throws: ReportMerge.Failure.differentSuites("1.jsonl")) {
      try Self.merged([shards[0], others[1], shards[2]])
    }
    let whole = try ReportSample.text(.jsonl, of: ReportSample.lines(files: 2))
    #expect(throws: ReportMerge.Failure.notAShard("0.jsonl")) { try Self.merged([whole, shards[0]]) }
  }

  @Test func `of a run that was killed anywhere a report says that it was interrupted`() throws {
    let text = try ReportSample.text(.jsonl, of: ReportSample.lines(files: 2))
    let first = try #require(text.firstIndex(of: "\n"))
    var ends = Array(text[first...].indices.filter { text[$0] == "\n" }.dropLast())
    ends += [text.index(first, offsetBy: 40), text.index(first, offsetBy: 777)]
    for end in ends {
      let lines = try Self.merged([String(text[..<end])])
      #expect(lines.last?.kind == .suiteEnd)
      #expect(lines.last?["cause"]?.string == "interrupted")
      #expect(lines.count { $0.kind == .file } == lines.count { $0.kind == .fileEnd })
      let junit = XMLParser(data: Data(try ReportSample.text(.junit, of: lines).utf8))
      #expect(junit.parse())
    }
  }
}

extension String {
  fileprivate func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// Collects what is in a JUnit report.
private final class XMLReader: NSObject, XMLParserDelegate {
  var cases: [[String: String]] = []
  var suites: [[String: String]] = []
  var counts: [String: Int] = [:]

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    counts[name, default: 0] += 1
    if name == "testcase" { cases.append(attributes) }
    if name == "testsuite" { suites.append(attributes) }
  }
}
