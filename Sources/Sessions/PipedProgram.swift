package import Requests

/// A program that the user typed after `|` at the prompt, with what it is to read.
package struct PipedProgram: Sendable {
  /// For the shell.
  package let command: String
  /// Hands over its input piece by piece, until a piece is refused: it reads no more.
  package let input: @Sendable (_ write: (_ piece: [UInt8]) -> Bool) throws -> Void

  /// Called when it has ended, also while its input still waits for something to hand over.
  package let ended: @Sendable () -> Void

  /// Whether its input comes bit by bit, so that what it writes is wanted line by line.
  package let isLive: Bool

  package init(
    _ command: String, isLive: Bool = false, ended: @escaping @Sendable () -> Void = {},
    input: @escaping @Sendable (_ write: (_ piece: [UInt8]) -> Bool) throws -> Void
  ) {
    self.command = command
    self.isLive = isLive
    self.ended = ended
    self.input = input
  }

  /// How it ended.
  package enum End: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// It was not started.
    case failed(SystemError)
  }

  /// Whether a program understands nothing but JSON: `jq`, unless it is told to read text.
  package static func readsJSON(_ command: String) -> Bool {
    let words = command.split(separator: "|").first?.split(whereSeparator: \.isWhitespace) ?? []
    let name = words.first?.split(separator: "/").last ?? ""
    return ["jq", "gojq", "jaq"].contains(name)
      && !words.dropFirst().contains { $0 == "--raw-input" || $0.wholeMatch(of: /-[A-Za-z]*R[A-Za-z]*/) != nil }
  }

  /// Whether it needs the terminal for itself: then it is its input that is cleaned, because its output cannot be.
  package var needsTerminal: Bool {
    // The last one of a pipeline writes to the terminal.
    let last = command.split(separator: "|").last ?? ""
    let words = last.split(whereSeparator: \.isWhitespace).drop { $0.contains("=") || $0 == "exec" || $0 == "command" }
    let name = words.first?.split(separator: "/").last.map(String.init) ?? ""
    return Self.interactive.contains(name)
  }

  /// Pagers, editors and choosers.
  package static let interactive: Set<String> = [
    "ed", "emacs", "fx", "fzf", "hx", "jless", "joe", "kak", "less", "lnav", "lynx", "mcedit", "micro", "more", "most",
    "nano", "nvim", "pico", "tig", "vi", "view", "vim", "visidata", "vd", "w3m",
  ]
}
