internal import Requests

/// A text that a command reads, which follows it: `<<END` with lines up to `END`, or `<<< 'text'`.
struct HereDocument {
  private let text: String
  /// Nothing is expanded in it.
  private let isLiteral: Bool
  /// The word that ends it; empty: none does.
  let end: String
  /// Whether that word is there.
  let isComplete: Bool

  /// nil: the command reads none.
  ///
  /// - Parameters:
  ///   - command: it is taken out of it.
  ///   - nextLine: the lines that follow, one after the other.
  init?(takenFrom command: inout String, nextLine: () -> String?) {
    guard var rest = try? ShellWords.command(command, .text).rest, rest.hasPrefix("<<") else { return nil }
    let before = command.replacing("\r\n", with: "\n").dropLast(rest.count)
    rest = rest.dropFirst(2)
    let isWord = rest.first == "<"
    let isIndented = rest.first == "-"
    if isWord || isIndented { rest.removeFirst() }
    rest = rest.drop { $0 == " " || $0 == "\t" }
    if isWord {
      guard let words = try? ShellWords.splitCommand(String(rest), .marked), let first = words.words.first else {
        return nil
      }
      command = "\(before) \(words.rest)"
      guard words.words.count == 1 else { return nil }
      (text, isLiteral, end, isComplete) = (first + "\n", true, "", true)
      return
    }
    // The first word, and what the command says after it.
    let word = rest.prefix { !$0.isWhitespace && !"|;&<>".contains($0) }
    end = word.filter { !"'\"\\".contains($0) }
    guard !end.isEmpty else { return nil }
    isLiteral = end.count < word.count
    command = "\(before)\(rest.dropFirst(word.count))"
    var document = ""
    var hasEnd = false
    while !hasEnd, let next = nextLine() {
      // Documentation indents it with everything else.
      hasEnd = next.trimmed == end
      if !hasEnd { document += (isIndented ? String(next.drop { $0 == "\t" }) : next) + "\n" }
    }
    (text, isComplete) = (document, hasEnd)
  }

  /// What the command reads.
  ///
  /// - Parameter expansion: what becomes of variables in it.
  func content(_ expansion: ShellWords.Expansion = .marked) throws(ShellWords.ParseError) -> String {
    isLiteral ? text : try ShellWords.hereDocument(text, expansion)
  }

  /// The first command of a text, without the text that it reads, that text, and the lines after both; nil: it reads none.
  static func first(in text: String) -> (command: String, document: HereDocument, rest: String)? {
    guard text.contains("<<") else { return nil }
    var lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)[...]
    var command = lines.popFirst().map(String.init) ?? ""
    var end = CommandEnd()
    end.add(command)
    while end.isOpen, let next = lines.popFirst() {
      end.add("\n\(next)")
      command += "\n\(next)"
    }
    guard let document = HereDocument(takenFrom: &command, nextLine: { lines.popFirst().map(String.init) }) else {
      return nil
    }
    return (command, document, lines.joined(separator: "\n"))
  }
}
