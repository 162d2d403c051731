import Diagnostics
import RequestSyntax
import Synchronization
import Testing

struct StretchTests {
  /// So many lines of comment that what is after them is in another stretch.
  private static let far = String(repeating: "# a comment, so that there is something to read\n", count: 3_000)

  private func stretches(_ text: String) -> (isAll: Bool, scripts: [ScriptSyntax]) {
    let scripts = Mutex<[ScriptSyntax]>([])
    let isAll = Parser.forEachStretch(of: SourceText(name: "test.wb", text: text)) { script in
      scripts.withLock { $0.append(script) }
      return true
    }
    return (isAll, scripts.withLock { $0 })
  }

  @Test(arguments: [
    ["GET http://a/", "b: POST http://a/ json { a: [1, 2] }", "let c = $b.body", "c2: GET http://a/\n  expect 2xx"],
    // Places that look like the beginning of a request, and are none.
    ["a: POST http://a/\n  text \"\"\"\n  x", "GET http://b/\n\"\"\"", "b: GET http://c/"],
    ["a: POST http://a/ json {\n", "GET: 1,\n", "PUT: 2 }", "GET http://a/"],
    ["sequence s() {\n", "GET http://b/", "}\nGET http://a/"],
    ["parallel {\n", "GET http://b/", "a: GET http://b/", "b: GET http://b/\n}\n", "GET http://a/"],
    ["label:\n", "GET http://b/", "GET http://a/"],
    ["GET http://a/\n  text \"ä€😀\"", "GET http://a/\n", "", ""],
    [""], ["", "# nothing", ""],
  ])
  func `in stretches a text says the same`(parts: [String]) {
    let text = parts.joined(separator: "\n" + Self.far)
    let whole = Parser.parse(SourceText(name: "test.wb", text: text))
    let (isAll, scripts) = stretches(text)
    #expect(whole.errors.isEmpty && isAll)
    let statements = scripts.flatMap(\.statements)
    // Of so much text nobody wants to read a difference.
    let (areSame, areSameComments) = (
      statements == whole.script.statements, scripts.flatMap(\.comments) == whole.script.comments
    )
    #expect(areSame && areSameComments)
    #expect(statements.map(\.range) == whole.script.statements.map(\.range))
  }

  @Test func `it is more than one, and somebody may want only the first`() {
    let text = Array(repeating: "GET http://a/\n", count: 20).joined(separator: Self.far)
    #expect(stretches(text).scripts.count > 15)
    let count = Mutex(0)
    let isAll = Parser.forEachStretch(of: SourceText(name: "test.wb", text: text)) { _ in
      count.withLock { $0 += 1 }
      return false
    }
    #expect(!isAll && count.withLock { $0 } == 1)
  }

  @Test(arguments: [
    "GET", "}", "let a =", "GET http://a/ json {", "a: POST http://a/\n  text \"\"\"\n", "GET http://a/ timeout 5s 6",
    "GET http://a/\u{1}", "parallel {",
  ])
  func `an error in any of them is found`(fault: String) {
    for place in 0..<3 {
      var parts = Array(repeating: "GET http://a/\n", count: 3)
      parts[place] += fault + "\n"
      let text = parts.joined(separator: Self.far)
      #expect(!Parser.parse(SourceText(name: "test.wb", text: text)).errors.isEmpty)
      #expect(!stretches(text).isAll)
    }
  }

  @Test func `bytes that are no text are found`() {
    let text = Array("GET http://a/\n\(Self.far)GET http://a/\n# ".utf8) + [0xFF] + Array("\n".utf8)
    #expect(!Parser.forEachStretch(of: SourceText(name: "test.wb", bytes: text)) { _ in true })
  }
}
