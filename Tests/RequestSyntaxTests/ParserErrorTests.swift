import Diagnostics
import RequestSyntax
import Testing

struct ParserErrorTests {
  @Test func `an error shows its place, the line and what to do`() {
    #expect(
      rendered(parse("let a = 1\nGET /x\n  header Accept: text/html, */*\n"))
        == """
        error: expected a clause or the end of the line, found "*/*"
         --> test.wb:3:29
          |
        3 |   header Accept: text/html, */*
          |                             ^^^ a value with spaces is quoted: 'text/html, */*'

        """)
  }

  @Test(arguments: [
    ("GET", "expected a target, found the end of the text"),
    ("get /x", "expected a statement, found \"get\""),
    ("GET /x exepct 200", "expected a clause or the end of the line, found \"exepct\""),
    ("GET /x json {a: b}", "expected a value, found the name \"b\""),
    ("GET /x json {a 1}", "expected :, found \"1\""),
    ("GET /x json {\"a\": 1", "expected }, found the end of the text"),
    ("GET /x json [1, 2", "expected ], found the end of the text"),
    ("GET /x text \"abc", "expected the closing \", found the end of the text"),
    ("GET /x text 'abc", "expected the closing ', found the end of the text"),
    ("GET /x text \"\"\"\n abc", "expected the closing \"\"\", found the end of the text"),
    ("GET /x text \"a\\q\"", "no such escape"),
    ("GET /x text \"\\ud800\"", "half a surrogate pair is not a character"),
    ("GET /x text \"a\u{1}b\"", "a control character is not allowed here"),
    ("GET /\u{1}x", "a control character is not allowed here"),
    ("GET /x timeout 10 s", "expected a clause or the end of the line, found \"s\""),
    ("GET /x timeout 10sec", "\"sec\" is not a unit"),
    ("GET /{$a", "expected }, found the end of the text"),
    ("GET $", "expected a name or a number after $, found the end of the text"),
    ("GET $a.", "expected a name after the dot, found the end of the text"),
    ("GET $a[]", "expected an index, a key, * or ?, found \"]\""),
    ("GET $a[01]", "the number is out of range"),
    ("GET $a[?@.b", "expected ], found the end of the text"),
    ("GET $a-/x", "expected /, ? or a space after the reference, found \"-\""),
    ("let a = 1 -2", "the operator - needs spaces around it"),
    ("let a = $b == 1 == 2", "only one comparison at a time"),
    ("let a = status", "\"status\" means this step's status only in expect and until"),
    ("let a = if $b then 1", "expected else, found the end of the text"),
    ("let = 3", "expected a name, found \"=\""),
    ("secret a = $env.A", "expected for, found the end of the text"),
    ("sequence a { GET /x }", "expected (, found \"{\""),
    ("sequence a() { GET /x", "expected }, found the end of the text"),
    ("}", "this } closes nothing"),
    ("profile a { bse https://x }", "a profile has no setting \"bse\""),
    ("profile a { cookies maybe }", "expected on or off, found \"maybe\""),
    ("GET /x expect body is { id: integer }", "\"integer\" is not a shape"),
    (
      "GET /x auth negotiate a",
      "expected none, bearer, basic, digest, oauth or a signer such as sigv4, found \"negotiate\""
    ),
    ("GET /x retry", "expected a whole number, found the end of the text"),
    ("GET /x redirects 99999999999", "the number is out of range"),
    ("GET /x effect twice", "expected once or idempotent, found \"twice\""),
    ("label: let a = 1", "expected a request or run after the label, found \"let\""),
    ("for x in [1] { GET /x }", "expected $name, found \"x\""),
  ])
  func `each mistake has its message`(text: String, message: String) {
    let parsed = parse(text)
    #expect(parsed.diagnostics.map(\.message) == [message])
  }

  @Test func `all errors of a text are found, and no others`() {
    let parsed = parse(
      """
      profile api {
        bsae https://x
        timeout 10x
      }
      GET /a
        json { a: b,
          c: 1
        }
        header X
        expect 200
      this is junk
      and more of it
      sequence s(a {
        GET /b
      }
      GET /c expect body is strng
      let x = (1 + 2
      let y = 3
      """)
    let lines = parsed.errors.map { parsed.source.location(of: $0.range.lowerBound).line }
    #expect(lines == [2, 3, 6, 9, 11, 13, 16, 18])
    #expect(parsed.script.statements.count == 5)
  }

  @Test func `invalid UTF-8 is an error with its place`() {
    let parsed = Parser.parse(SourceText(name: "x", bytes: Array("let a = 'b".utf8) + [0xFF] + Array("'\n".utf8)))
    #expect(parsed.errors == [SyntaxError(fact: .invalidUTF8, range: SourceRange(10, 11))])
  }

  @Test(arguments: [
    ("(", 1_000_000), ("[", 1_000_000), ("{a:", 200_000), ("-", 1_000_000), ("not ", 100_000),
    ("if ", 100_000), ("1 + ", 100_000), ("1 ?? ", 100_000), ("f(", 100_000), ("$a[", 100_000),
  ])
  func `deep nesting is an error, not a crash`(piece: String, count: Int) {
    let parsed = parse("let a = " + String(repeating: piece, count: count))
    #expect(parsed.errors.contains { $0.fact == .nestedTooDeeply })
  }

  @Test(arguments: ["sequence a() {\n", "parallel {", "GET /x expect body is [", "GET /x expect body is {a:"])
  func `deeply nested blocks and shapes too`(piece: String) {
    let repeated = piece.hasPrefix("GET") ? String(piece.suffix(1)) : piece
    let parsed = parse(piece + String(repeating: repeated, count: 50_000))
    #expect(!parsed.errors.isEmpty)
  }
}

struct ParserRobustnessTests {
  /// A small deterministic generator, so that a failure can be reproduced.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var mixed = state
      mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
      return mixed ^ (mixed >> 33)
    }
  }

  static let seedText = """
    # a comment
    profile api { base https://api.example.com/v1
      auth bearer $env.TOKEN
      header Accept: application/json }
    sequence s(a, b: file = file("x")) {
      one: POST api:/x/{$a}?q={+$b.name} form a=b c==d e:=[1,2] F:g h@i
        json { "a": [1, 2.5e3, ...$x], b: "t{$y | f(1, '2')}\\u00e9", ...$z } # end
        multipart { f: $b as "image/png" named "x.png" }
        expect 2xx | 404
        expect body is { id: int, note?: string | null, tags: [{ a: "x" | 3, ... }], ... }
        repeat every 500ms for 30s until body.state == "ready" and not headers.x-y contains 'z' ?? 3
      for $i in 1 + 2 | chunks(8MiB) parallel 4 { two: GET $one.body..id[?@.a == $b.c, 0, 1:2, 'k', $i] }
      finally { run t(x: if $a then -1 else (2)) when $one.status ?? 0 == 200 }
    }
    let v = \"\"\"
      multi {$line}
        text
      \"\"\"
    """

  @Test func `the seed is valid`() {
    #expect(rendered(parse(Self.seedText)) == "")
  }

  @Test(arguments: 0..<8)
  func `no bytes crash or hang the parser, and tokens still concatenate`(seed: Int) {
    var generator = Generator(state: UInt64(seed) + 1)
    let seed = Array(Self.seedText.utf8)
    let alphabet = Array("{}[]()\"'#$.:,|?=<>!+-*/\\ \n\r\tab1".utf8) + [0x00, 0x7F, 0x80, 0xC3, 0xE2, 0xF0, 0xFF]
    for _ in 0..<150 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = byte
        case 1: bytes.insert(byte, at: index)
        case 2: bytes.remove(at: index)
        default:
          let end = min(bytes.count, index + Int.random(in: 1..<40, using: &generator))
          if Bool.random(using: &generator) { bytes.removeSubrange(index..<end) } else { bytes += bytes[index..<end] }
        }
        if bytes.isEmpty { bytes = [byte] }
      }
      let source = SourceText(name: "fuzz", bytes: bytes)
      let parsed = Parser.parse(source)
      var end = 0
      var isGapless = true
      for token in Parser.tokens(of: source) {
        isGapless = isGapless && token.triviaStart == end && token.range.lowerBound >= end
        end = token.range.upperBound
      }
      #expect(isGapless && end == bytes.count)
      for diagnostic in parsed.diagnostics.prefix(3) { _ = DiagnosticRenderer().render(diagnostic) }
    }
  }

  @Test func `a prefix of a script never crashes, and open brackets are known`() {
    for length in 0...Self.seedText.utf8.count {
      let parsed = Parser.parse(SourceText(name: "prefix", bytes: Array(Self.seedText.utf8.prefix(length))))
      #expect(parsed.errors.allSatisfy { $0.range.upperBound <= length })
      #expect(!parsed.isIncomplete || !parsed.errors.isEmpty)
    }
  }

  @Test(arguments: [
    ("GET /x", InputCompleteness.complete), ("GET /x json {", .open), ("GET /x json { a: [1,\n", .open),
    ("GET /x json { a: b", .complete), ("sequence a() {\n GET /x\n", .open), ("profile a {", .open),
    ("GET /x text \"\"\"\nabc", .open), ("GET /x text \"abc", .complete), ("label:", .open), ("", .complete),
    ("run a(", .open), ("GET /{$a", .open), ("let a = (", .open), ("for $x in [1] {", .open), ("}", .complete),
    ("GET /x graphql \"\"\"\n{ a }\n\"\"\" variables {", .open), ("GET", .complete),
  ])
  func `open brackets ask for more lines`(text: String, expected: InputCompleteness) {
    #expect(InputCompleteness(of: text) == expected)
  }

  @Test(arguments: [
    ("  expect 200", true), ("text: GET /x", false), ("", true), ("# note", true), ("GET /y", false), ("}", false),
    ("json {", true),
  ])
  func `clause lines belong to the step above`(line: String, expected: Bool) {
    #expect(InputCompleteness.continuesStep(line) == expected)
  }
}
