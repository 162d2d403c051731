internal import Formats
internal import LineEditing
internal import RequestSyntax

/// Where a statement ends at the prompt; a command is a line.
struct PromptSyntax: LineEditing.StatementSyntax {
  func completeness(of text: String) -> Completeness {
    if let first = text.drop(while: \.isWhitespace).first, first == ":" || first == "|" { return .complete }
    if let isWhole = ForeignInput.hasWholeDocument(text) { return isWhole ? .complete : .incomplete }
    if text.drop(while: \.isWhitespace).hasPrefix("curl ") {
      do { _ = try ShellWords.split(text) } catch { return error == .open ? .incomplete : .complete }
      return .complete
    }
    switch HabitualInput(text) {
    case .foreign(.open)?: return .incomplete
    case .foreign?, .command?, .hint?, nil: return InputCompleteness(of: text) == .open ? .incomplete : .complete
    }
  }

  /// The line after a command may be meant for what the command opens.
  func standsAlone(_ statement: String) -> Bool {
    statement.drop(while: \.isWhitespace).first.map { $0 == ":" || $0 == "|" } ?? false
  }

  func isContinuation(_ line: String) -> Bool {
    !isBlank(line) && InputCompleteness.continuesStep(line)
  }

  func isBlank(_ line: String) -> Bool {
    let text = line.drop(while: \.isWhitespace)
    return text.isEmpty || text.first == "#"
  }
}
