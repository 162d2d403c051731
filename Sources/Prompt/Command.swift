internal import Diagnostics
internal import RequestSyntax

/// A command of the prompt: what begins with `:`. It can be abbreviated as long as it is unique.
enum Command: String, ShortenedCommand {
  case show, body, diff, print
  case explain, lint
  case profile, set, vars, cookies
  case load, run, debug, check, fmt, edit, save, `import`
  case history, `repeat`, timing, clear, help, quit
  case auth, presign

  /// What other programs call them.
  static let otherNames: [String: Command] = [
    "h": .help, "?": .help, "exit": .quit, "q!": .quit, "wq": .quit, "x": .quit, "use": .profile, "env": .vars,
    "source": .run, "p": .print, "again": .repeat,
  ]

  /// The line that was probably meant: a command that is misspelled, a part that `:show` shows, a member of a response.
  ///
  /// - Parameter rest: what follows the word.
  static func meant(by word: String, _ rest: some StringProtocol) -> String? {
    let reference = rest.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("$") }.map { " \($0)" } ?? ""
    if word == "curl", reference.isEmpty, rest.contains(where: { !$0.isWhitespace }) { return "curl …" }
    if word == "save!" {
      var words = rest.split { $0.isWhitespace }.map { String($0) }
      words[..<min(1, words.count)] = ["\(words.first ?? "FILE")!"]
      return ":save \(words.joined(separator: " "))"
    }
    let parts = ShownPart.allCases.map(\.rawValue)
    if !parts.contains(word), Keywords.members.contains(word) {
      return ":print \(reference.isEmpty ? "$_" : reference.dropFirst()).\(word)"
    }
    let near = SpellingSuggestion.nearest(to: word, among: allCases.map(\.rawValue) + parts)
    guard let name = parts.contains(word) ? word : near else { return nil }
    return Command(rawValue: name).map { ":\($0.rawValue)\(reference)" } ?? ":show\(reference) \(name)"
  }
}
