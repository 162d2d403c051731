import Diagnostics
import Foundation
import JSONValue
import RequestProgram
import Requests
import Testing

/// XPath 1.0 through libxml2, held against xmllint where that is installed.
@Suite struct XPathTests {
  private static let html = """
    <!DOCTYPE html><html><head><meta charset="utf-8"><title> Inbox (3) </title><meta name="csrf" content="t0k"></head>
    <body class="mail main"><h1>In<b>box</b></h1><ul id="list"><li class="new">One<li class="new old">Two<li>Three</ul>
    <form action="/send?x=1&amp;y=2"><input type="hidden" name="token" value="abc"><input name="q"></form>
    <a href="/a">A</a> <a href="/b" title="B &amp; C">é</a><br><p>1<p>2</body></html>
    """

  private static let xml = """
    <?xml version="1.0"?><r xmlns:x="urn:x" version="1.5"><x:item id="1"><name>One</name></x:item><x:item id="2">
    <name> Two </name></x:item><plain><![CDATA[<raw>]]></plain><empty/><n>3</n><n>4</n></r>
    """

  private static let overHTML = [
    "string(//title)", "normalize-space(//title)", "count(//li)", "count(//li[contains(@class, 'new')])", "//a/@href",
    "string(//a[2]/@title)", "//li[1]", "string(//li[last()])", "//h1", "string(//h1/b)", "boolean(//form)",
    "boolean(//table)", "//input[@type='hidden']/@value", "string(//meta[@name='csrf']/@content)",
    "string(//form/@action)",
    "count(//p)", "sum(//p)", "//p[position() > 1]", "string-length(normalize-space(//title))",
    "starts-with(//a/@href, '/a')", "concat(//a[1], '-', //a[2])", "substring-before(//form/@action, '?')",
    "translate(string(//a[1]), 'A', 'z')", "//ul/li[not(@class)]", "name(//*[@id='list'])",
    "//body[contains(@class, 'main')]/@class",
    "//nothing", "count(//nothing)",
  ]

  private static let overXML = [
    "string(/r/@version)", "number(/r/@version)", "count(//name)", "//name", "normalize-space(//name[. != 'One'])",
    "string(//plain)", "//empty", "sum(//n)", "//n[. > 3]", "//*[local-name()='item']/@id", "floor(/r/@version)",
    "/r/n[last()]/preceding-sibling::n", "count(/r/*)", "true() and not(//nope)",
  ]

  private static func text(of document: String) -> String {
    let escaped = document.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    return "\"\(escaped)\""
  }

  private static func quoted(_ expression: String) -> String { "\"\(expression.replacing("\"", with: "\\\""))\"" }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/xmllint"),
      "SKIPPED: xmllint is not installed (Scripts/prepare-servers)"),
    arguments: overHTML.map { ($0, true) } + overXML.map { ($0, false) })
  func `an expression gives what xmllint gives`(expression: String, isHTML: Bool) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "workbench-xpath-\(UUID().uuidString)")
    try Data((isHTML ? Self.html : Self.xml).utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let document = Self.text(of: isHTML ? Self.html : Self.xml)
    // What prints as XML there is compared by its texts: string() of each node.
    let ours = try LanguageGapTests.value(of: "\(document) | xpath(\(Self.quoted(expression)))")
    func xmllint(_ expression: String) throws -> String {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/xmllint")
      process.arguments = (isHTML ? ["--html", "--encode", "utf-8"] : []) + ["--xpath", expression, file.path]
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
    guard ours.hasPrefix("[") else {
      #expect(try xmllint(expression) == ours.trimmingCharacters(in: .newlines), "\(expression)")
      return
    }
    // Of nodes, the texts one by one.
    var texts: [String] = []
    let count = Int(try xmllint("count(\(expression))")) ?? -1
    for index in stride(from: 1, through: max(count, 0), by: 1) {
      texts.append(try xmllint("string((\(expression))[\(index)])"))
    }
    let found = try JSONDecoder().decode([String].self, from: Data(ours.utf8))
    #expect(found.map { $0.trimmingCharacters(in: .newlines) } == texts, "\(expression)")
  }

  @Test func `namespaces are given by their prefixes`() throws {
    let text = Self.text(of: Self.xml)
    let value = try LanguageGapTests.value(of: "\(text) | xpath(\"//y:item/@id\", { y: \"urn:x\" })")
    #expect(value == #"["1","2"]"#)
  }

  /// A small text that would become 3 GB, a file of this machine, something in the network.
  @Test(arguments: [
    "<!DOCTYPE r [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]><r>&b;</r>",
    "<!DOCTYPE r [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><r>&f;</r>",
    "<!DOCTYPE r [<!ENTITY % p SYSTEM \"http://127.0.0.1:1/x.dtd\"> %p;]><r/>",
  ])
  func `entities are refused`(document: String) {
    #expect(throws: (any Error).self) {
      try LanguageGapTests.value(of: "\(Self.text(of: document)) | xpath(\"string(/r)\")")
    }
  }

  /// The square of a document's size; an operation that takes that long by itself, so that nobody can end it.
  @Test(
    .timeLimit(.minutes(3)),
    arguments: [
      ("count(//a[count(//a)>1])", "<a>x</a>", 400_000),
      ("count(//a[contains(string(/), 'nope')])", "<a>xy</a>", 100_000),
      ("translate(string(/r), translate(string(/r), 'a', 'b'), '')", "a", 40_000),
    ])
  func `an expression that takes too long is ended`(expression: String, part: String, count: Int) throws {
    let content = String(repeating: part, count: count)
    let (parsed, _) = DocumentExpression.parse(SourceText(name: "test", text: "$ | xpath(\"\(expression)\")"))
    var environment = ProgramEnvironment(variables: [:])
    environment.patience = .milliseconds(500)
    let start = ContinuousClock.now
    let error = #expect(throws: ProgramError.self) {
      try parsed?.value(of: .string("<r>\(content)</r>"), in: environment, at: StepSeed(time: .seconds(1)))
    }
    #expect(error?.diagnostic.message == "this XPath expression was not finished after 0 s")
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test(arguments: [(250, true), (300, false), (100_000, false)])
  func `HTML that is nested deeper than can be read is an error, and no wrong value`(depth: Int, isRead: Bool) {
    let text = "<html><body>\(String(repeating: "<div>", count: depth))<p>x</p></body></html>"
    let value = try? LanguageGapTests.value(of: "\(Self.text(of: text)) | xpath(\"count(//p)\")")
    #expect(value == (isRead ? "1" : nil))
  }

  @Test(arguments: [("1 div 0", "Infinity"), ("-1 div 0", "-Infinity"), ("0 div 0", "NaN"), ("1 div 4", "0.25")])
  func `a number that JSON does not have is its text`(expression: String, value: String) throws {
    let found = try LanguageGapTests.value(of: "\"<r/>\" | xpath(\"\(expression)\")")
    #expect(found == value)
    #expect(try LanguageGapTests.value(of: "\"<r/>\" | xpath(\"string(\(expression))\")") == value)
  }

  @Test func `what was wrong with a document is not the fault of the next one`() throws {
    let deep = String(repeating: "<div>", count: 300)
    _ = try? LanguageGapTests.value(of: "\"<html><body>\(deep)\" | xpath(\"count(//div)\")")
    let next = try LanguageGapTests.value(of: "\"<html><body><p>a</p></body></html>\" | xpath(\"string(//p)\")")
    #expect("\(next)".contains("a"), "\(next)")
  }

  @Test func `a document that is nested very deeply is an error, or is read, and nothing worse`() {
    let deep = String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
    _ = try? LanguageGapTests.value(of: "\"\(deep)\" | xpath(\"count(//a)\")")
    _ = try? LanguageGapTests.value(of: "\"<html>\(deep)\" | xpath(\"count(//a)\")")
  }
}
