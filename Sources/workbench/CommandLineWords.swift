/// The words of an unfinished command line, as a shell passes them for completion.
struct CommandLineWords {
  /// Options that are followed by a value: what they are followed by is no argument.
  static let optionsWithValue: Set<String> = [
    "--set", "--store", "--color", "--output", "-o", "--profile", "-p", "--from", "--again", "--done", "--break-on",
    "--run", "--script", "--key", "--count", "-c", "--keep", "--jobs", "-j", "--vars", "--env-file", "--use", "--data",
    "-d", "-H", "--header", "-u", "--user", "-X", "--request", "-a", "--auth", "-A", "--auth-type", "--report",
    "--tags",
    "--only", "--shard", "--repeat", "--retry-failed", "--expires", "--env",
    "--rows", "--rate", "--out", "--select", "--failed", "--unknown", "--stop-after", "--resume",
  ]

  /// After the subcommands.
  private(set) var arguments: [String] = []
  private var values: [String: String] = [:]

  /// - Parameter words: from the program's name on; some may be quoted for the shell.
  init(_ words: [String], subcommands: Set<String>) {
    var rest = words.dropFirst().map(Self.unquoted)[...]
    var isAfterOptions = false
    while let word = rest.popFirst() {
      if isAfterOptions || !word.hasPrefix("-") || word == "-" {
        if !arguments.isEmpty || !subcommands.contains(word) { arguments.append(word) }
      } else if word == "--" {
        isAfterOptions = true
      } else if let equals = word.firstIndex(of: "=") {
        values[String(word[..<equals])] = String(word[word.index(after: equals)...])
      } else if Self.optionsWithValue.contains(word) {
        values[word] = rest.popFirst()
      }
    }
  }

  /// The value of an option; nil if it is not there, or not complete.
  subscript(option: String) -> String? { values[option].flatMap { $0.isEmpty ? nil : $0 } }

  /// Without the quotes and backslashes that a shell would remove.
  private static func unquoted(_ word: String) -> String {
    var text = ""
    var quote: Character?
    var isEscaped = false
    for character in word {
      if isEscaped {
        text.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else {
        text.append(character)
      }
    }
    return text
  }
}
