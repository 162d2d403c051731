package import Diagnostics
internal import Imports
package import RequestSyntax
package import Requests
internal import Sessions

/// What was done at a prompt, statement by statement, as it was written.
package struct SessionLog: Sendable {
  package struct Entry: Sendable {
    package var node: StatementSyntax
    /// Those within it, and one after it on its last line.
    package var comments: [CommentSyntax]
    package var source: SourceText
    /// The directory that its relative paths start from; empty: the working directory.
    package var directory: String
    /// How many responses there were before it.
    var answersBefore: Int
  }

  /// A step, wherever it was written.
  package struct WrittenStep {
    package var step: StepSyntax
    package var comments: [CommentSyntax]
    package var source: SourceText
    var directory: String
    /// Its position in the log; nil if it came from a block or a used file.
    var logIndex: Int?
  }

  package private(set) var entries: [Entry] = []

  package init() {}

  package mutating func record(_ parsed: ParsedScript, directory: String, answersBefore: Int) {
    entries += parsed.script.statements.map { node in
      Entry(
        node: node, comments: parsed.script.comments.filter { $0.belongs(to: node.range, in: parsed.source) },
        source: parsed.source, directory: directory, answersBefore: answersBefore)
    }
  }

  /// The step at the place.
  ///
  /// - Parameter used: the files that are used.
  package func step(at place: TextPlace?, among used: [SourceText] = []) -> WrittenStep? {
    guard let place else { return nil }
    for (index, entry) in entries.enumerated().reversed() where entry.source.name == place.source {
      guard let step = entry.node.step(at: place) else { continue }
      let isTopLevel = entry.node.range == step.range
      return WrittenStep(
        step: step, comments: entry.comments.filter { $0.belongs(to: step.range, in: entry.source) },
        source: entry.source, directory: entry.directory, logIndex: isTopLevel ? index : nil)
    }
    guard let source = used.first(where: { $0.name == place.source }) else { return nil }
    let script = Parser.parse(source).script
    return script.statements.lazy.compactMap { $0.step(at: place) }.first.map { step in
      WrittenStep(
        step: step, comments: script.comments.filter { $0.belongs(to: step.range, in: source) }, source: source,
        directory: ScriptFile.directory(of: source.name), logIndex: nil)
    }
  }

  /// The position of the statement that the step at the place is, or is in; nil if it is in a used file.
  package func index(ofStepAt place: TextPlace?) -> Int? {
    guard let place else { return nil }
    return entries.lastIndex { $0.source.name == place.source && $0.node.step(at: place) != nil }
  }

  /// The last `let` or `secret` of that name before the statement at `index`.
  package func declaration(of name: String, before index: Int) -> Int? {
    entries[..<min(index, entries.count)].lastIndex { $0.node.declaredName == name }
  }

  /// The last secret of the profiles before the statement at `index` that is a variable of the environment.
  ///
  /// - Parameter isIt: whether it is the one, by its variable.
  func secret(for profiles: [String], before index: Int, _ isIt: (_ variable: String) -> Bool) -> Int? {
    entries[..<min(index, entries.count)].lastIndex { entry in
      guard case .secret(let node) = entry.node, profiles.allSatisfy(node.profiles.map(\.text).contains),
        case .reference(let reference) = node.value, reference.root.text == "env", reference.segments.count == 1,
        case .name(let variable)? = reference.segments.first?.kind
      else { return false }
      return isIt(variable)
    }
  }

  /// The last declaration of the profile.
  package func profile(_ name: String) -> (ProfileSyntax, Entry)? {
    for entry in entries.reversed() {
      if case .profile(let node) = entry.node, node.name.text == name { return (node, entry) }
    }
    return nil
  }
}

extension CommentSyntax {
  /// Whether it is within a statement, or after it on its last line.
  fileprivate func belongs(to statement: SourceRange, in source: SourceText) -> Bool {
    if range.lowerBound < statement.upperBound { return range.lowerBound >= statement.lowerBound }
    return !standsAlone
      && source.lineIndex(at: range.lowerBound) == source.lineIndex(at: max(0, statement.upperBound - 1))
  }
}

extension StatementSyntax {
  /// The step at the place: this one or one in its block.
  func step(at place: TextPlace) -> StepSyntax? {
    switch self {
    case .step(let step):
      step.range.lowerBound == place.range.lowerBound && step.range.upperBound == place.range.upperBound ? step : nil
    case .sequence(let node): node.body.step(at: place)
    case .loop(let node): node.body.step(at: place)
    case .parallel(let block), .finally(let block): block.step(at: place)
    case .run, .binding, .secret, .use, .tags, .profile: nil
    }
  }
}

extension BlockSyntax {
  fileprivate func step(at place: TextPlace) -> StepSyntax? {
    statements.lazy.compactMap { $0.step(at: place) }.first
  }
}
