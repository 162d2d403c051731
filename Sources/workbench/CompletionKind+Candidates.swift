internal import ArgumentParser
internal import Sessions
internal import Subcommands

/// What a Tab in a shell offers for arguments that only the program itself knows.
extension CompletionKind {
  static var run: CompletionKind {
    candidates { found, words in found.runs(in: words["--store"]) }
  }

  /// The steps of the run that is the first argument, or that `--run` names.
  static var step: CompletionKind {
    candidates { found, words in
      (words["--run"] ?? words.arguments.first).map { found.steps(of: $0, in: words["--store"]) } ?? []
    }
  }

  /// The sequences of the script that is the first argument.
  static var sequence: CompletionKind {
    candidates { found, words in words.arguments.first.map(found.sequences) ?? [] }
  }

  static var setting: CompletionKind {
    candidates { found, words in
      words.arguments.first.map { found.settings(of: $0, sequence: words.arguments.dropFirst().first) } ?? []
    }
  }

  static var profile: CompletionKind {
    candidates { found, _ in found.profiles() }
  }

  static var operation: CompletionKind {
    candidates { found, words in found.operations(in: words["--store"]) }
  }

  static var script: CompletionKind { .file(extensions: ["wb"]) }

  private static func candidates(
    _ find: @escaping @Sendable (ArgumentCandidates, CommandLineWords) -> [ArgumentCandidates.Candidate]
  ) -> CompletionKind {
    .custom { words, _, prefix in
      let parsed = CommandLineWords(words, subcommands: Workbench.allCommandNames)
      return find(ArgumentCandidates(world: .real(color: .never)), parsed).filter { $0.word.hasPrefix(prefix) }
        .map(\.shown)
    }
  }
}

extension ArgumentCandidates.Candidate {
  /// As the shell that asks shows a word with a note.
  fileprivate var shown: String {
    let note = note.filter { !$0.isNewline && $0 != "\t" }
    guard !note.isEmpty else { return word }
    switch CompletionShell.requesting {
    case .zsh?: return "\(word.replacing(":", with: "\\:")):\(note)"
    case .fish?: return "\(word)\t\(note)"
    default: return word
    }
  }
}
