import ConformanceSuites
import JSONValue
import Testing

/// jsonpath-standard/jsonpath-compliance-test-suite, each case on a value and on its text.
private let suite = ConformanceSuite(
  "jsonpath", file: "cts.json", purpose: "no path is checked against the JSONPath compliance test suite")

@Suite(.enabled(if: suite.isHere, "\(ConformanceSuite.absence)")) struct JSONPathComplianceTests {
  static let cases: [JSON] = {
    guard let bytes = suite.bytes("cts.json") else { return [] }
    return (try? JSON(parsing: bytes))?["tests"]?.array ?? []
  }()

  @Test func `the suite is the expected one`() {
    #expect(Self.cases.count == 703)
    #expect(Self.cases.count { $0["invalid_selector"] == true } == 247)
  }

  @Test func `all invalid paths are refused, with a place within the text`() throws {
    for test in Self.cases where test["invalid_selector"] == true {
      let selector = try #require(test["selector"]?.string)
      let error = #expect(throws: JSONPathSyntaxError.self, "\(test)") { try JSONPath(selector) }
      #expect((0...selector.utf8.count).contains(error?.offset ?? -1))
    }
  }

  @Test func `all valid paths find what they should, where they should`() throws {
    for test in Self.cases where test["invalid_selector"] == nil {
      let document = try #require(test["document"])
      let path: JSONPath
      do { path = try JSONPath(try #require(test["selector"]?.string)) } catch {
        Issue.record("\(test["name"] ?? ""): \(error)")
        continue
      }
      let (results, paths) = (
        test["result"].map { [$0] } ?? test["results"]?.array,
        test["result_paths"].map { [$0] } ?? test["results_paths"]?.array
      )
      #expect(try JSONPath(path.description) == path, "\(path)")
      let nodes = path.nodes(in: document)
      #expect(try #require(results).contains(.array(nodes.map(\.value))), "\(test)")
      #expect(try #require(paths).contains(.array(nodes.map { ^$0.location.description })), "\(test)")
      #expect(path.values(in: document) == nodes.map(\.value), "\(test)")

      let text = try JSONDocument(JSONPrinter.pretty.print(document))
      #expect(text.nodes(of: path) == nodes, "as text: \(test)")
      #expect(text.values(of: path) == nodes.map(\.value), "as text: \(test)")
      for node in nodes {
        #expect(try JSONPath(node.location.description) == node.location.path)
        #expect(node.location.path.values(in: document) == [node.value])
      }
    }
  }
}
