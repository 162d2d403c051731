/// Reads what a person types, or what a stream says, one line at a time.
///
/// This module knows terminals, lines and history. It does not know what a
/// statement means, what is worth completing, or what happens to the input:
/// the language tells it through ``StatementSyntax`` and ``Completer``.
public protocol LineEditor: Sendable {
  /// Whether someone is typing, so that a finished statement is wanted at once.
  ///
  /// False for a stream, where a statement's last line is only known when the
  /// line after it, or the end, has been seen.
  var isInteractive: Bool { get }

  /// Shows `prompt` and waits for the next input.
  ///
  /// One read at a time; a second waits for the first. At a terminal,
  /// cancelling the task ends the read as ``LineInput/interrupted``.
  func readLine(prompt: EditorPrompt, completer: any Completer) async -> LineInput
}

extension LineEditor {
  /// Reads without completion.
  public func readLine(prompt: EditorPrompt) async -> LineInput {
    await readLine(prompt: prompt, completer: NoCompleter())
  }
}

/// What one read brought.
public enum LineInput: Sendable, Hashable {
  /// A line without its end. Several lines, if they were pasted as one text or recalled from the history.
  case line(String)

  /// ^C: what had been typed is to be forgotten.
  case interrupted

  /// ^D on an empty line, or the end of the stream.
  case endOfInput
}
