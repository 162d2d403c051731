import Diagnostics
import Foundation
import Imports
import RequestProgram
import RequestSyntax

/// A file of another tool that was read, and what it became.
struct Imported {
  let script: ImportedScript
  let text: String

  init(_ text: String, as format: ForeignScript = .hurl, isExact: Bool = false, values: [String: String] = [:]) {
    script = format.read(SourceText(name: "x.\(format.rawValue)", text: text), isExact: isExact, values: values)
    self.text = SyntaxPrinter.format(script.script)
  }

  var notes: [String] {
    script.notes.map { note in
      let (line, column) = script.source.location(of: note.range.lowerBound)
      return "\(note.grade == .refused ? "refused" : "warning") \(line):\(column) \(note.message)"
    }
  }

  /// What is wrong with the text as a script; empty: nothing.
  var faults: [String] {
    let parsed = Parser.parse(SourceText(name: "x.wb", text: text))
    guard parsed.errors.isEmpty else { return parsed.diagnostics.map(\.message) }
    if SyntaxPrinter.format(parsed.script) != text { return ["it is not in the canonical style"] }
    var program = Program()
    let found = program.add(parsed)
    return found.filter { $0.severity == .error }.map(\.message)
  }
}
