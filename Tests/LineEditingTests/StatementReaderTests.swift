import Synchronization
import Testing

@testable import LineEditing

@Suite("Statements")
struct StatementReaderTests {
  typealias Input = StatementReader<BracketSyntax>.Input

  private func inputs(from editor: ScriptedLineEditor) async -> [Input] {
    var reader = StatementReader(editor: editor, syntax: BracketSyntax())
    var inputs: [Input] = []
    repeat {
      inputs.append(await reader.next(prompt: "> ", continuation: ". ", completer: WordCompleter()))
    } while inputs.last != .endOfInput
    return inputs
  }

  @Test(
    "at a terminal a statement ends with the line that completes it",
    arguments: [
      ("a\nb\n\u{4}", [.statement("a"), .statement("b"), .endOfInput]),
      ("a {\n1\n}\nb\n", [.statement("a {\n1\n}"), .statement("b"), .endOfInput]),
      ("a\n clause\n", [.statement("a"), .statement(" clause"), .endOfInput]),
      ("half\u{3}b\n", [.interrupted, .statement("b"), .endOfInput]),
      ("a {\nmore\u{3}b\n", [.interrupted, .statement("b"), .endOfInput]),
      ("a {\n\u{4}", [.statement("a {"), .endOfInput]),
      ("\n", [.statement(""), .endOfInput]),
      ("no line ending", [.statement("no line ending"), .endOfInput]),
    ] as [(String, [Input])])
  func atATerminal(keys: String, expected: [Input]) async {
    #expect(await inputs(from: ScriptedLineEditor(typing: keys)) == expected)
  }

  @Test(
    "in a stream a statement continues with the clauses below it",
    arguments: [
      (["a", " clause", " another", "b"], [.statement("a\n clause\n another"), .statement("b"), .endOfInput]),
      (["a", "", " clause", "", "b"], [.statement("a\n\n clause"), .statement(""), .statement("b"), .endOfInput]),
      (["a", " clause {", "1", "}", " last"], [.statement("a\n clause {\n1\n}\n last"), .endOfInput]),
      (["a {", "1"], [.statement("a {\n1"), .endOfInput]),
      (["a\tb"], [.statement("a\tb"), .endOfInput]),
      ([], [.endOfInput]),
    ] as [([String], [Input])])
  func inAStream(lines: [String], expected: [Input]) async {
    #expect(await inputs(from: ScriptedLineEditor(lines: lines)) == expected)
  }

  @Test("continuation lines complete in the context of the lines before them")
  func completionInContinuations() async {
    #expect(
      await inputs(from: ScriptedLineEditor(typing: "größe {\nx he\t}\n")) == [
        .statement("größe {\nx headers }"), .endOfInput,
      ])
  }

  @Test("typing shows what a terminal would show")
  func transcript() async {
    let screen = Mutex("")
    let editor = ScriptedLineEditor(typing: "b\t\tt\t\nx\u{3}\u{4}") { text in screen.withLock { $0 += text } }
    _ = await inputs(from: editor)
    #expect(
      screen.withLock(\.self) == """
        > body.s
        body.snapshot  a preview
        body.state     a preview
        > body.state\u{20}
        > x^C
        >\u{20}

        """)
  }
}

/// Open brackets need more; lines that begin with a space are clauses.
struct BracketSyntax: StatementSyntax {
  func completeness(of text: String) -> Completeness {
    text.count { $0 == "{" } > text.count { $0 == "}" } ? .incomplete : .complete
  }

  func isContinuation(_ line: String) -> Bool { line.hasPrefix(" ") }

  func isBlank(_ line: String) -> Bool { line.allSatisfy(\.isWhitespace) }
}

struct WordCompleter: Completer {
  func completions(of line: String, at cursor: String.Index) -> Completions {
    let start = line[..<cursor].lastIndex { $0.isWhitespace }.map { line.index(after: $0) } ?? line.startIndex
    let prefix = line[start..<cursor]
    return Completions(
      replacing: start..<cursor,
      candidates: ["body.snapshot", "body.state", "headers"].filter { $0.hasPrefix(prefix) }
        .map { Completions.Candidate($0, preview: "a preview", terminator: " ") })
  }
}
