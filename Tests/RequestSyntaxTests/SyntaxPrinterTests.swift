import Diagnostics
import Foundation
import RequestSyntax
import Testing

struct SyntaxPrinterTests {
  /// Printing keeps tree and comments, and printing again changes nothing.
  private func expectRoundTrip(_ text: String) {
    let parsed = parse(text)
    #expect(rendered(parsed) == "")
    let printed = SyntaxPrinter.print(parsed.script)
    let again = parse(printed)
    #expect(rendered(again) == "")
    #expect(again.script == parsed.script)
    #expect(again.script.comments.map(\.text) == parsed.script.comments.map(\.text))
    #expect(SyntaxPrinter.print(again.script) == printed)
  }

  @Test(
    .enabled(if: !designScripts.isEmpty, "SKIPPED: ../shared/design/scripts is not here"), arguments: designScripts
  )
  func `the scripts of the design survive printing`(path: String) throws {
    expectRoundTrip(try String(contentsOfFile: path, encoding: .utf8))
  }

  @Test(arguments: [
    ParserRobustnessTests.seedText, "", "# only a comment", "# one\n\n# two\n\nlet a = 1 # three\n# four",
    "GET /x # a\n  # b\n  expect 200 # c\n# d\nGET /y", "sequence a() { # a\n # b\n}",
    "GET /x json { # a\n b: 1, # c\n # d\n ...$e # f\n}", "let a = f(1, # a\n 2) # b", "let a = [1, # one\n 2]",
    "let a = \"\"\"\n\n\"\"\"", "let a = \"\"\"x\"\"\"", "let a = \"\"\"\n  a\n\n    b \\\"\"\" {$c}{$d}\n  \"\"\"",
    "let a = \"\\\\ \\\" \\{$x} {$y} { \\u0000 \\t\"", "let a = 'a\\b'", "let a = --1 - -2",
    "let a = $b[\"x\\\"y\", 'k']..*..[0]",
    "let a = {\(Array(repeating: "key: \"a long value\"", count: 12).joined(separator: ", "))}",
    "GET {$a}/b?{+$c}", "GET /x a= b==\n  header X: {$y}z", "profile p { resolve a.b: 1.2.3.4 tls { insecure: true } }",
  ])
  func `tree and comments survive printing`(text: String) {
    expectRoundTrip(text)
  }

  @Test func `there is one canonical style`() {
    let text = """
      profile  api {base https://a.test   auth bearer $env.T # secret
        }
      sequence s( a,b:int=1 ) {
      one:
         POST api:/x  json {"a":1,b:[ 1,2 ]}   expect 201|204
      GET api:/y }
      run s(a:"x")
      """
    #expect(
      SyntaxPrinter.print(parse(text).script) == """
        profile api {
          base https://a.test
          auth bearer $env.T  # secret
        }

        sequence s(a, b: int = 1) {
          one: POST api:/x
            json { "a": 1, b: [1, 2] }
            expect 201 | 204

          GET api:/y
        }

        run s(a: "x")

        """)
  }
}
