/// Assembles lines into whole statements.
///
/// At a terminal a statement ends with the line that completes it. In a stream it ends before the first line that is
/// not one of its clauses, as in a file.
public struct StatementReader<Syntax: StatementSyntax>: Sendable {
  /// The result of one call of ``next(prompt:continuation:completer:)``.
  public enum Input: Sendable, Hashable {
    /// One statement, its lines joined by line feeds. Several, if they were pasted as one text.
    ///
    /// A statement cut off by the end of the input is returned as it is: the parser reports what is missing.
    case statement(String)
    /// ^C: the statement, continuation lines included, was discarded.
    case interrupted
    /// There is no more.
    case endOfInput
  }

  private let editor: any LineEditor
  private let syntax: Syntax
  /// Lines that were read to find out where a statement ends.
  private var lookahead: [String] = []

  public init(editor: any LineEditor, syntax: Syntax) {
    self.editor = editor
    self.syntax = syntax
  }

  /// Reads the next statement; `continuation` is the prompt of its second and later lines.
  public mutating func next(
    prompt: EditorPrompt, continuation: EditorPrompt, completer: any Completer = NoCompleter()
  ) async -> Input {
    var statement: String
    switch await readLine(prompt: prompt, completer: completer) {
    case .line(let line): statement = line
    case .interrupted: return .interrupted
    case .endOfInput: return .endOfInput
    }

    while true {
      while syntax.completeness(of: statement) == .incomplete {
        let rest = ContinuationCompleter(preceding: statement + "\n", completer: completer)
        switch await readLine(prompt: continuation, completer: rest) {
        case .line(let line): statement += "\n" + line
        case .interrupted: return .interrupted
        case .endOfInput: return .statement(statement)
        }
      }
      guard !editor.isInteractive, !syntax.isBlank(statement), !syntax.standsAlone(statement),
        let clause = await nextClause(prompt: continuation)
      else { return .statement(statement) }
      statement += "\n" + clause
    }
  }

  /// The next line with the blank ones before it, if it continues the statement; otherwise they are kept for the next
  /// one.
  private mutating func nextClause(prompt: EditorPrompt) async -> String? {
    var seen: [String] = []
    while case .line(let line) = await readLine(prompt: prompt, completer: NoCompleter()) {
      seen.append(line)
      if syntax.isBlank(line) { continue }
      if syntax.isContinuation(line) { return seen.joined(separator: "\n") }
      break
    }
    lookahead.insert(contentsOf: seen, at: 0)
    return nil
  }

  private mutating func readLine(prompt: EditorPrompt, completer: any Completer) async -> LineInput {
    guard lookahead.isEmpty else { return .line(lookahead.removeFirst()) }
    return await editor.readLine(prompt: prompt, completer: completer)
  }
}

/// Completes a continuation line in the context of the lines before it.
struct ContinuationCompleter: Completer {
  let preceding: String
  let completer: any Completer

  func completions(of line: String, at cursor: String.Index) -> Completions {
    let whole = preceding + line
    let start = preceding.utf8.count
    func inWhole(_ index: String.Index) -> String.Index {
      whole.utf8.index(whole.startIndex, offsetBy: start + line.utf8.distance(from: line.startIndex, to: index))
    }
    func inLine(_ index: String.Index) -> String.Index {
      let offset = whole.utf8.distance(from: whole.startIndex, to: index) - start
      return line.utf8.index(line.startIndex, offsetBy: max(0, offset))
    }
    let found = completer.completions(of: whole, at: inWhole(cursor))
    // A word that began on an earlier line cannot be completed on this one.
    guard whole.utf8.distance(from: whole.startIndex, to: found.range.lowerBound) >= start else {
      return Completions(replacing: cursor..<cursor, candidates: [])
    }
    return Completions(
      replacing: inLine(found.range.lowerBound)..<inLine(found.range.upperBound), candidates: found.candidates)
  }
}
