internal import Diagnostics
internal import RequestSyntax
internal import Requests

/// What was done at a prompt, statement by statement, as it was written.
struct SessionLog: Sendable {
  struct Entry: Sendable {
    var node: RequestSyntax.StatementSyntax
    var source: SourceText
    /// Where its relative paths begin; empty: the working directory.
    var directory: String
    /// How many answers there were before it.
    var answersBefore: Int
  }

  private(set) var entries: [Entry] = []

  mutating func record(_ parsed: ParsedScript, directory: String, answersBefore: Int) {
    entries += parsed.script.statements.map {
      Entry(node: $0, source: parsed.source, directory: directory, answersBefore: answersBefore)
    }
  }

  /// The step that stands at the place; nil for one that a sequence brought.
  func step(at place: TextPlace?) -> (index: Int, step: StepSyntax)? {
    guard let place else { return nil }
    for (index, entry) in entries.enumerated().reversed() where entry.source.name == place.source {
      guard case .step(let step) = entry.node else { continue }
      if step.range.lowerBound == place.range.lowerBound, step.range.upperBound == place.range.upperBound {
        return (index, step)
      }
    }
    return nil
  }

  /// The last `let` or `secret` of that name before the statement at `index`.
  func declaration(of name: String, before index: Int) -> Int? {
    entries[..<min(index, entries.count)].lastIndex { entry in
      switch entry.node {
      case .binding(let node): node.name.text == name
      case .secret(let node): node.name.text == name
      case .step, .run, .sequence, .loop, .parallel, .finally, .use, .profile: false
      }
    }
  }

  /// The last declaration of the profile.
  func profile(_ name: String) -> Int? {
    entries.lastIndex { entry in
      if case .profile(let node) = entry.node { node.name.text == name } else { false }
    }
  }
}
