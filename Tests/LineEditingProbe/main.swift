// A program around LineEditing for tests to type into: it says what each read brought.

import Foundation
import LineEditing

try await run(environment: ProcessInfo.processInfo.environment)

func run(environment: [String: String]) async throws {
  let history = History(path: environment["PROBE_HISTORY"])
  let editor: any LineEditor =
    EditLineEditor(input: 0, output: 1, history: history, environment: environment) ?? ScriptedLineEditor(reading: 0)
  if let delay = environment["PROBE_EXIT_AFTER"].flatMap(Double.init) {
    Task {
      try await Task.sleep(for: .seconds(delay))
      exit(3)
    }
  }
  if let delay = environment["PROBE_CANCEL_AFTER"].flatMap(Double.init) {
    let reading = Task { await editor.readLine(prompt: "cancelled> ") }
    try await Task.sleep(for: .seconds(delay))
    reading.cancel()
    say("<\(await reading.value)>")
  }
  var reader = StatementReader(editor: editor, syntax: BracketSyntax())
  while true {
    switch await reader.next(prompt: "\u{1B}[32mprobe\u{1B}[0m> ", continuation: "...> ", completer: WordCompleter()) {
    case .statement(let statement):
      try history.append(statement)
      say("<\(statement.replacing("\n", with: "|"))>")
    case .interrupted:
      say("<interrupted>")
    case .endOfInput:
      return say("<end>")
    }
  }
}

func say(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

/// Open brackets need more; lines that begin with a blank are clauses.
struct BracketSyntax: StatementSyntax {
  func completeness(of text: String) -> Completeness {
    text.count { $0 == "{" } > text.count { $0 == "}" } ? .incomplete : .complete
  }

  func isContinuation(_ line: String) -> Bool { line.hasPrefix(" ") }

  func isBlank(_ line: String) -> Bool { line.allSatisfy(\.isWhitespace) }
}

struct WordCompleter: Completer {
  static let words = ["body.snapshot", "body.state", "headers", "größe", "日本語"]

  func completions(of line: String, at cursor: String.Index) -> Completions {
    let start = line[..<cursor].lastIndex { $0.isWhitespace }.map { line.index(after: $0) } ?? line.startIndex
    let prefix = line[start..<cursor]
    return Completions(
      replacing: start..<cursor,
      candidates: Self.words.filter { $0.hasPrefix(prefix) }
        .map { Completions.Candidate($0, preview: "\"\($0.count) characters\"", terminator: " ") })
  }
}
