import RequestSyntax
import Testing

@Suite struct ExpectedSyntaxTests {
  /// What has been typed already of what the parser expects, and the items that are not words.
  @Test(arguments: [
    ("GET /it", "/it", [ExpectedSyntax.Item.target]), ("GET /x header If-", "If-", [.headerName]),
    ("a: run up", "up", [.sequence]), ("secret k = $env.K for a, b", "b", [.profile]),
    ("let x = $a.body | co", "co", [.function]), ("GET /x expect not st", "st", [.member]),
    ("profile p { base https://a", "https://a", [.origin]), ("PUT /x body file(\"a b", "a b", [.fileName]),
    ("GET /x json {a: \"{$to", "to", [.root]), ("GET $a", "a", [.root]), ("GET /x auth b", "b", [.authScheme]),
    ("GET $a.bo", ".bo", [.segment(root: "a", [])]), ("GET /x/{$a[\"b c", "[\"b c", [.segment(root: "a", [])]),
  ])
  func `the parser reports what could follow at the end of a text`(
    text: String, typed: String, items: [ExpectedSyntax.Item]
  ) {
    let expectation = Parser.expectation(atEndOf: text[...])
    #expect(String(decoding: Array(text.utf8)[expectation.start...], as: UTF8.self) == typed)
    #expect(expectation.items.filter { if case .words = $0 { false } else { true } } == items)
  }

  @Test(arguments: [
    ("", ["GET", "let"]), ("GET /x retry 3 ", ["on", "timeout"]), ("GET /x\n", ["expect", "GET"]),
    ("a: ", ["POST", "run"]), ("profile p { tls {}\n ", ["cookies"]),
    ("PUT /x body $b ", ["as", "named", "header"]),
  ])
  func `words of several productions may be expected at one place`(text: String, words: [String]) {
    let offered = Parser.expectation(atEndOf: text[...]).items.flatMap { item in
      if case .words(let words) = item { words } else { [String]() }
    }
    #expect(Set(words).isSubset(of: offered), "\(offered)")
  }

  @Test(arguments: ["GET /x json {\"a b", "GET /x nonsense ", "let x = 'it", "GET /x header If: 1 2 "])
  func `nothing is expected after an error that extends to the end`(text: String) {
    let expectation = Parser.expectation(atEndOf: text[...])
    let typed = String(decoding: Array(text.utf8)[expectation.start...], as: UTF8.self)
    #expect(typed.contains { $0.isWhitespace || "{'".contains($0) } || expectation.items.isEmpty, "\(expectation)")
  }

  @Test func `an expression alone is completed too`() {
    #expect(Parser.expectation(atEndOf: "$a.b | ", isExpression: true).items == [.function])
    #expect(Parser.expectation(atEndOf: "1 + $", isExpression: true).items == [.root])
  }
}
