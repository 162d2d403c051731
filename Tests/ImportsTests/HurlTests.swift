import Diagnostics
import Foundation
import Imports
import RequestSyntax
import Testing

@Suite struct HurlTests {
  /// Each is a Hurl file, the script that it becomes, and what is said about it.
  private static let golden: [URL] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { ["hurl", "http"].contains($0.pathExtension) }.sorted { $0.path < $1.path }
  }()

  @Test(arguments: golden) func `a file becomes its script`(file: URL) throws {
    let source = try String(contentsOf: file, encoding: .utf8)
    let imported = Imported(source, as: file.pathExtension == "hurl" ? .hurl : .http)
    let base = file.deletingPathExtension()
    let notes = imported.notes.map { "\($0)\n" }.joined()
    for (kind, text) in [("wb", imported.text), ("notes", notes)] {
      let golden = base.appendingPathExtension("\(file.pathExtension).\(kind)")
      if ProcessInfo.processInfo.environment["RECORD"] != nil {
        try Data(text.utf8).write(to: golden)
        Issue.record("recorded \(golden.lastPathComponent)")
      } else {
        #expect(try String(contentsOf: golden, encoding: .utf8) == text)
      }
    }
    #expect(imported.faults.isEmpty, "\(imported.faults)")
  }

  @Test(arguments: [
    "GET", "GET ", "get http://a.test/", "GET http://a.test/\nHTTP abc", "GET http://a.test/\nHTTP/4 200",
    "GET http://a.test/\nHTTP 200\n[Nope]", "GET http://a.test/\n[Asserts]\nstatus == 200",
    "GET http://a.test/\nHTTP 200\n[Asserts]\nstatus ==", "GET http://a.test/\nHTTP 200\n[Asserts]\nstatus",
    "GET http://a.test/\nHTTP 200\n[Asserts]\njsonpath $.a == 1", "GET http://a.test/\n{\"a\": }",
    "GET http://a.test/\n{\"a\": 1", "GET http://a.test/\n```\nopen", "GET http://a.test/\n<a><b></a",
    "GET http://a.test/{{", "GET http://a.test/{{a", "GET http://a.test/\nhex,0g;", "GET http://a.test/\nbase64,a",
    "GET http://a.test/\nfile,a", "GET http://a.test/\n[BasicAuth]\n", "GET http://a.test/\n[Query]\n[Query]\n",
    "GET http://a.test/\nHTTP 200\n[Captures]\na: nope", "GET http://a.test/\nHTTP 200\n[Asserts]\nbody matches /a",
    "GET http://a.test/\nHTTP 200\n[Asserts]\nbody == \"\\q\"", "GET http://a.test/ trailing", "garbage", "\u{1}",
  ])
  func `what Hurl rejects is rejected, with its place`(text: String) throws {
    let imported = Imported(text)
    #expect(imported.script.isRefused)
    #expect(imported.script.script.statements.isEmpty)
  }

  /// Bytes that are not UTF-8, a byte order mark, and a file of nothing.
  @Test func `texts at the edge are read or refused`() {
    let invalid = ForeignScript.hurl.read(SourceText(name: "x.hurl", bytes: [0x47, 0xFF, 0xFE]))
    #expect(invalid.isRefused)
    #expect(!Imported("\u{FEFF}GET http://a.test/\nHTTP 200\n").script.isRefused)
    #expect(Imported("").notes == ["warning 1:1 there is no entry in this file"])
  }

  @Test func `the place of what is wrong is in the file`() throws {
    let imported = Imported("GET http://a.test/\nHTTP 200\n[Asserts]\njsonpath \"$.a\" == 1\njsonpath \"a\" == 1\n")
    #expect(imported.notes == ["refused 5:1 a JSONPath begins with $"])
    guard case .step(let step)? = imported.script.script.statements.last else {
      Issue.record("no step")
      return
    }
    let clause = try #require(step.clauses.last)
    #expect(imported.script.source[clause.range] == "jsonpath \"$.a\" == 1")
  }
}
