import Diagnostics
import RequestSyntax

extension Program {
  /// All that is wrong with a text that could not be read completely: its syntax, and whatever is wrong in what could be
  /// read and does not follow from that.
  func diagnostics(
    ofUnread parsed: ParsedScript, directory: String, mayRunCommands: Bool, users: [String]
  ) -> [Diagnostic] {
    let unread = UnreadText(parsed)
    guard !parsed.isImported, !parsed.source.name.hasPrefix("<"), unread.isBounded else { return parsed.diagnostics }
    var extended = self
    let used = extended.addUsed(by: parsed.script, in: parsed.source, directory: directory, users: users)
    guard !used.contains(where: { $0.severity == .error }) else { return parsed.diagnostics + used }
    var checker = Checker(program: extended, source: parsed.source)
    checker.mayRunCommands = mayRunCommands
    checker.directory = directory
    checker.check(parsed.script)
    let others = checker.errors.filter { $0.severity == .error && !unread.mayExplain($0) }
    let found = parsed.diagnostics + others.map { $0.diagnostic(in: parsed.source) }
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound } + used
  }
}

/// What of a text is in no statement, because its syntax is wrong.
private struct UnreadText {
  /// The lines with errors.
  private let lines: Set<Int>
  /// The words in it, any of which may have been declared there.
  private let words: Set<Substring>
  /// Whether something in a profile was not read, or perhaps a whole profile.
  private let isInProfile: Bool
  private let source: SourceText
  /// Whether it ends where the errors end: what an open block holds is not known.
  let isBounded: Bool

  init(_ parsed: ParsedScript) {
    let source = parsed.source
    self.source = source
    isBounded =
      !parsed.isIncomplete
      && parsed.errors.allSatisfy { error in
        switch error.fact {
        case .unclosed, .unopenedBrace, .invalidUTF8, .nestedTooDeeply: false
        default: true
        }
      }
    let places = parsed.errors.map(\.range.lowerBound)
    lines = Set(places.map { source.lineIndex(at: $0) })
    var texts = lines.map { source[source.lineRange($0)] }
    var end = 0
    var isInProfile = false
    for statement in parsed.script.statements {
      let range = statement.range
      texts.append(source[SourceRange(end, max(end, range.lowerBound))])
      end = max(end, range.upperBound)
      guard places.contains(where: { range.lowerBound <= $0 && $0 <= range.upperBound }) else { continue }
      switch statement {
      case .profile: isInProfile = true
      // A statement in it may be missing.
      case .sequence, .loop, .parallel, .finally: texts.append(source[range])
      case .step, .run, .binding, .secret, .use, .tags: break
      }
    }
    texts.append(source[SourceRange(end, source.bytes.count)])
    words = Set(
      texts.joined(separator: "\n").split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }.map { $0 })
    // A statement that is none may have been one.
    let hasUnknown = parsed.errors.contains { if case .unknownStatement = $0.fact { true } else { false } }
    self.isInProfile = isInProfile || hasUnknown || words.contains("profile")
  }

  /// Whether the error may be a mere consequence of what was not read.
  func mayExplain(_ error: CheckError) -> Bool {
    if lines.contains(source.lineIndex(at: error.range.lowerBound)) || words.contains("use") { return true }
    switch error.fact {
    case .unknownReference(let name, _, _, _), .unknownSequence(let name, _), .unknownProfile(let name, _),
      .usedBeforeItRuns(let name, _), .differenceWithoutSpaces(let name, _), .inParallel(let name):
      return words.contains(name[...])
    case .noSuchStep: return true
    case .noProfileForPath, .noBase, .profileNeedsStep, .ambiguousProfiles, .secretElsewhere, .secretSetLater:
      return isInProfile
    default: return false
    }
  }
}
