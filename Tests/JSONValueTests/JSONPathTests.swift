import JSONValue
import Testing

@Suite struct JSONPathTests {
  @Test(
    arguments: [
      ("", .expected(.root), 0), ("a", .expected(.root), 0), ("$ ", .trailingText, 1), ("$.", .expected(.name), 2),
      ("$..", .expected(.name), 3), ("$.1", .expected(.name), 2), ("$[", .expected(.selector), 2),
      ("$[a]", .expected(.selector), 2), ("$['a'", .expected(.commaOrBracket), 5), ("$['a", .expected(.stringEnd), 4),
      ("$[01]", .invalidInteger, 2), ("$[-0]", .invalidInteger, 2), ("$[9007199254740992]", .invalidInteger, 2),
      ("$[?]", .expected(.condition), 3), ("$[?1]", .mustBeCompared, 3), ("$[?@.a==]", .expected(.condition), 8),
      ("$[?@.*==1]", .mustBeSingular, 3), ("$[?foo(@)]", .unknownFunction("foo"), 3),
      ("$[?length(@,@)==1]", .argumentCount(function: "length", expected: 1), 9),
      ("$[?count(1)==1]", .argumentMustBeQuery(function: "count"), 9), ("$[?length(@.*)==1]", .mustBeSingular, 10),
      ("$[?match(@,'a')==true]", .notComparable(function: "match"), 3), ("$[?count(@)]", .mustBeCompared, 3),
      ("$[?(@.a]", .expected(.parenthesis), 7), ("$['\\x']", .invalidEscape, 3), ("$['\\ud800']", .loneSurrogate, 3),
      ("$['\u{01}']", .controlCharacter, 3), ("$[?@==1.]", .invalidNumber, 6),
      ("$[?$x==1]", .expected(.commaOrBracket), 4),
      ("$.é.x y", .trailingText, 6),
    ] as [(String, JSONPathSyntaxError.Fact, Int)])
  func `an invalid path is refused where it goes wrong`(text: String, fact: JSONPathSyntaxError.Fact, offset: Int) {
    let error = #expect(throws: JSONPathSyntaxError.self) { try JSONPath(text) }
    #expect(error?.fact == fact)
    #expect(error?.offset == offset)
  }

  @Test func `nesting too deeply overflows nothing`() {
    for opening in ["[?@", "[?(", "[?!("] {
      #expect(throws: JSONPathSyntaxError.self) { try JSONPath("$" + String(repeating: opening, count: 100_000)) }
    }
  }

  @Test(arguments: [
    ("$", true), ("$.a[0]['b'][-1]", true), ("$.*", false), ("$..a", false), ("$['a','b']", false), ("$[0:1]", false),
  ])
  func `a path of names and indices finds at most one node`(text: String, isSingular: Bool) throws {
    #expect(try JSONPath(text).isSingular == isSingular)
  }

  @Test(arguments: [
    ("$['a']['b c'][0] [ 1 , *]", "$.a['b c'][0][1, *]"), ("$..['a']..[1:2:1,::-1]", "$..a..[1:2, ::-1]"),
    (#"$[?@["a"]=='it\'s'&&(!(@.b>1)||$.c)]"#, #"$[?@.a == 'it\'s' && (!(@.b > 1) || $.c)]"#),
    ("$[?(@.a&&@.b)||!@.c]", "$[?@.a && @.b || !@.c]"), ("$[?match( @.a ,'x')]", "$[?match(@.a, 'x')]"),
  ])
  func `a path has one spelling, which reads back as the same path`(text: String, spelling: String) throws {
    let path = try JSONPath(text)
    #expect(path.description == spelling)
    #expect(try JSONPath(spelling) == path)
  }

  @Test func `locations are normalized paths`() throws {
    let json = try JSON(parsing: #"{"a'\\\n\u000b\"é": [[0]]}"#)
    let nodes = try JSONPath("$..*").nodes(in: json)
    #expect(
      nodes.map(\.location.description) == [
        #"$['a\'\\\n\u000b"é']"#, #"$['a\'\\\n\u000b"é'][0]"#, #"$['a\'\\\n\u000b"é'][0][0]"#,
      ])
    for node in nodes { #expect(try JSONPath(node.location.description).values(in: json) == [node.value]) }
  }

  @Test func `filters may compare with the names of another language`() throws {
    let filter = try JSONPath.Filter(
      #"@.state == $wanted.body.state && @.first-byte != $2 && !@.gone"#, dialect: .reference)
    #expect(
      filter.variables == [
        .init(name: "wanted", segments: [.child([.name("body")]), .child([.name("state")])]), .init(name: "2"),
      ])
    let path = JSONPath([.child([.filter(filter)])])
    let json: JSON = [
      ["state": "ready", "first-byte": 1], ["state": "ready", "first-byte": 2], ["state": "new"],
      ["state": "ready", "gone": nil],
      ["state": "ready"],
    ]
    let values = path.values(in: json) { variable in variable.name == "wanted" ? "ready" : 2 }
    #expect(values == [["state": "ready", "first-byte": 1], ["state": "ready"]])
    #expect(path.values(in: json).isEmpty)
    let text = try JSONDocument(JSONPrinter.compact.print(json))
    #expect(text.values(of: path) { $0.name == "wanted" ? "ready" : 2 } == values)
  }

  @Test(arguments: [
    ("$x", JSONPathSyntaxError.Fact.mustBeCompared, 0), ("@.a == $x.*", .mustBeSingular, 7),
    ("@.a-b- == 1", .expected(.bracketOrOperator), 5),
  ])
  func `another language's filters have their own errors`(text: String, fact: JSONPathSyntaxError.Fact, offset: Int) {
    let error = #expect(throws: JSONPathSyntaxError.self) { try JSONPath.Filter(text, dialect: .reference) }
    #expect(error?.fact == fact)
    #expect(error?.offset == offset)
  }

  @Test func `comparisons are exact, and by Unicode scalars`() throws {
    let json = try JSON(parsing: "[9007199254740993, 9007199254740992, 1.0, \"\u{E9}\", \"e\u{301}\", 1e400]")
    #expect(try JSONPath("$[?@ == 9007199254740993]").values(in: json).count == 1)
    #expect(try JSONPath("$[?@ == 1]").values(in: json).count == 1)
    #expect(try JSONPath("$[?@ == '\u{E9}']").values(in: json).count == 1)
    #expect(try JSONPath("$[?@ > 1e399]").values(in: json).count == 1)
  }
}
