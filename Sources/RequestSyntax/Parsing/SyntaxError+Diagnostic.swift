public import Diagnostics

extension SyntaxError {
  /// The fact as a sentence.
  public func diagnostic(in source: SourceText) -> Diagnostic {
    func diagnostic(_ message: String, _ label: String? = nil, notes: [String] = []) -> Diagnostic {
      Diagnostic(message, in: source, at: range, label: label, notes: notes)
    }
    let advice = SyntaxAdvice(range, in: source)
    switch fact {
    case .invalidUTF8:
      return diagnostic("the text is not valid UTF-8", "these bytes are not; save the file as UTF-8")
    case .controlCharacter:
      return diagnostic(
        "a control character is not allowed here", "remove it; in a string it is an escape such as \\u001b")
    case .expected(let wanted):
      return diagnostic("expected \(wanted), found \(found(in: source))", advice.expected(wanted))
    case .unclosed(let bracket, let opened):
      let line = source.location(of: opened.lowerBound).line
      return diagnostic(
        "expected \(SyntaxError.closing(of: bracket)), found \(found(in: source))",
        advice.unclosed(bracket) ?? "the \(bracket) of line \(line) is still open here")
    case .unopenedBrace:
      return diagnostic("this } closes nothing", "remove it")
    case .nestedTooDeeply:
      return diagnostic(
        "nested deeper than \(SyntaxError.nestingLimit) levels", "give the inner part a name: let name = …")
    case .unknownStatement(let word):
      return diagnostic(
        "expected a statement, found \(SyntaxError.quoted(word))", advice.statement(word),
        notes: [
          "a statement is a request (GET /path), or begins with \(Keywords.statements.joined(separator: ", "))"
        ])
    case .unknownClause(let word):
      return diagnostic(
        "expected a clause or the end of the line, found \(SyntaxError.quoted(word))",
        advice.clause(word))
    case .unknownSetting(let word):
      return diagnostic(
        "a profile has no setting \(SyntaxError.quoted(word))",
        SyntaxError.suggestion(word, Keywords.settings)
          ?? "settings are \(Keywords.settings.joined(separator: ", "))")
    case .unknownUnit(let unit):
      return diagnostic(
        "\(SyntaxError.quoted(unit)) is not a unit",
        unit.hasPrefix("x") || unit.hasPrefix("_")
          ? "numbers are decimal, and have no separators"
          : "durations are in ms, s, m, h; sizes in B, KB, MB, GB, TB, KiB, MiB, GiB, TiB")
    case .unknownShape(let name):
      let names = ShapeSyntax.Named.allCases.map(\.rawValue)
      return diagnostic(
        "\(SyntaxError.quoted(name)) is not a shape",
        SyntaxError.suggestion(name, names)
          ?? "shapes are \(names.joined(separator: ", ")), literals, [shape], {key: shape}")
    case .partialSnapshot:
      return diagnostic("a snapshot is a whole shape", "write expect body is snapshot; its file is a shape to edit")
    case .bareName(let name):
      return diagnostic(
        "expected a value, found the name \(SyntaxError.quoted(name))",
        advice.bareName(name))
    case .memberOutsideExpectation(let name):
      return diagnostic(
        "\(SyntaxError.quoted(name)) means this step's \(name) only in expect and until",
        advice.quoted(name) ?? "name the step: $label.\(name)")
    case .invalidEscape:
      return diagnostic(
        "no such escape",
        "escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000 \\{; in '…' a \\ is itself")
    case .loneSurrogate:
      return diagnostic(
        "half a surrogate pair is not a character", "write both halves, \\ud83d\\ude00, or the character itself")
    case .numberOutOfRange:
      return diagnostic("the number is out of range", "at most 2147483647")
    case .operatorWithoutSpaces(let text):
      return diagnostic("the operator \(text) needs spaces around it", advice.operatorWithoutSpaces(text))
    case .secondComparison:
      return diagnostic("only one comparison at a time", "join two with and, or put one in parentheses")
    case .valueOfSeveralWords(let value):
      if source[value] == ":" {
        return diagnostic(
          "expected a value, found \":\"", "a setting has no colon after it: base https://…")
      }
      let line = source.lineRange(source.lineIndex(at: value.lowerBound))
      let rest = source[SourceRange(value.lowerBound, min(line.upperBound, value.lowerBound + 200))]
      return diagnostic(
        "expected a clause or the end of the line, found \(found(in: source))",
        advice.bodyOfOtherTool
          ?? advice.afterItem(source[range])
          ?? SyntaxError.suggestion(source[range], Keywords.clauses)
          ?? SyntaxAdvice.quotes(SyntaxError.trimmed(rest)))
    case .item(let error): return diagnostic(error.description, error.advice)
    case .ambiguousItem(let meanings):
      return diagnostic(
        "at the prompt this item means something else than in a script",
        meanings.count > 1
          ? "write \(meanings[0]) for what HTTPie means, \(meanings[1]) for what is written"
          : "write \(meanings.joined()) for what is written")
    case .quotedJSON(let meanings):
      return diagnostic(
        "the quotes make a text of this JSON",
        meanings.count > 1
          ? "write \(meanings[0]) for JSON, \(meanings[1]) for the text" : "write \(meanings.joined()) for the text")
    case .shallowLine:
      return diagnostic("this line is indented less than the closing \"\"\"", "indent it at least as far")
    }
  }

  /// What is at the place of the error.
  private func found(in source: SourceText) -> String {
    guard range.lowerBound < source.bytes.count else { return "the end of the text" }
    let byte = source.bytes[range.lowerBound]
    let next = range.lowerBound + 1 < source.bytes.count ? source.bytes[range.lowerBound + 1] : nil
    if byte == UInt8(ascii: "\r"), next != UInt8(ascii: "\n") { return "a carriage return" }
    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return "the end of the line" }
    let length = range.isEmpty ? 20 : min(range.upperBound - range.lowerBound, 200)
    let text = source[SourceRange(range.lowerBound, range.lowerBound + length)]
    let word = text.prefix { !$0.isWhitespace }
    if word.isEmpty { return "a space" }
    return SyntaxError.quoted(String(range.isEmpty ? word.prefix(1) : word))
  }

  private static func quoted(_ text: String) -> String {
    if text == "\"" { return "a quote" }
    return text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
  }

  private static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  private static func closing(of bracket: String) -> String {
    switch bracket {
    case "{": "}"
    case "[": "]"
    case "(": ")"
    default: "the closing \(bracket)"
    }
  }

  private static func suggestion(_ word: String, _ candidates: [String]) -> String? {
    SpellingSuggestion.nearest(to: word, among: candidates).map { "did you mean \($0)?" }
  }
}
