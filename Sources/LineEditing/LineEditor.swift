/// Reads what a person types, or the contents of a stream, one line at a time.
///
/// This module knows terminals, lines and history. It does not know what a statement means, what is worth completing,
/// or what happens to the input: the language provides that through ``StatementSyntax`` and ``Completer``.
public protocol LineEditor: Sendable {
  /// Whether someone is typing, so that a finished statement is wanted immediately.
  ///
  /// False for a stream, where a statement's last line is known only when the line after it, or the end, has been seen.
  var isInteractive: Bool { get }

  /// How many columns the terminal has where it is shown; nil: there is no terminal.
  var columns: Int? { get }

  /// Shows `prompt` and waits for the next input.
  ///
  /// One read at a time; a second waits for the first. At a terminal,
  /// cancelling the task ends the read as ``LineInput/interrupted``.
  func readLine(prompt: EditorPrompt, completer: any Completer) async -> LineInput
}

extension LineEditor {
  public var columns: Int? { nil }

  /// Reads without completion.
  public func readLine(prompt: EditorPrompt) async -> LineInput {
    await readLine(prompt: prompt, completer: NoCompleter())
  }
}

/// The result of one read.
public enum LineInput: Sendable, Hashable {
  /// A line without its line ending. Several lines, if they were pasted as one text or recalled from the history.
  case line(String)

  /// ^C: what had been typed is to be discarded.
  case interrupted

  /// ^D on an empty line, or the end of the stream.
  case endOfInput
}
