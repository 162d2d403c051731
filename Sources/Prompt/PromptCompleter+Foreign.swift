internal import Formats
internal import LineEditing

/// Lines for curl and HTTPie: their options, files where they take some, and where requests went before.
extension PromptCompleter {
  /// nil: the text is no such line, or what is typed is the language's.
  func foreignCompletions(_ typed: Substring) -> Completions? {
    let word = typed.ending { !$0.isWhitespace }
    let words = typed[..<word.startIndex].split(whereSeparator: \.isWhitespace)
    // After a pipe there is another program.
    guard ForeignInput.isForAnotherTool(String(typed)), !words.isEmpty, !word.contains("$"), !words.contains("|") else {
      return nil
    }
    let isCurl = words.prefix(2).contains { $0.lowercased() == "curl" }
    if word.hasPrefix("-") {
      let options = isCurl ? CurlCommand.options : HTTPieLine.options
      return matching(word, in: typed, options.map { Candidate($0, terminator: " ") })
    }
    if let file = file(in: word, after: words.last ?? "", isCurl: isCurl) { return unquotedFileCompletions(file) }
    return matching(word, in: typed, targets(word))
  }

  /// The part of the word that names a file; nil: none does.
  private func file(in word: Substring, after last: Substring, isCurl: Bool) -> Substring? {
    if last == "<" || last == ">" { return word }
    if let first = word.first, first == "<" || first == ">" { return word.dropFirst() }
    if let at = word.lastIndex(of: "@"), !word.contains("://") { return word[word.index(after: at)...] }
    guard isCurl else { return last == "-o" || last == "--output" ? word : nil }
    let option = last.hasPrefix("--") ? String(last) : last.last.flatMap { CurlCommand.longNames[$0] }
    return last.hasPrefix("-") && option.map(CurlCommand.fileOptions.contains) ?? false ? word : nil
  }
}
