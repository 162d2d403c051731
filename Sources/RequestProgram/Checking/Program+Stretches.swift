public import Diagnostics
public import RequestSyntax
internal import Synchronization

extension Program {
  /// Whether the check of a text would find nothing, as far as that shows when it is read a stretch at a time, of which
  /// nothing is kept. Large texts are nearly always right, and then that takes a fraction of the time and of the memory.
  ///
  /// - Parameters:
  ///   - directory: where its relative paths start.
  ///   - mayRunCommands: whether it is the user's own, so that its secrets may come from running a program.
  ///   - isSpotless: another rule that has to hold for each stretch.
  /// - Returns: false also if only the check of the whole text can tell.
  public func isSpotless(
    _ source: SourceText, directory: String, mayRunCommands: Bool,
    and isSpotless: @escaping @Sendable (ScriptSyntax) -> Bool
  ) -> Bool {
    let checker = Mutex<Checker?>(nil)
    return Parser.forEachStretch(of: source) { script in
      guard isSpotless(script) else { return false }
      let script = replaced.removed(from: script)
      return checker.withLock { checker in
        if checker == nil {
          var extended = self
          let used = extended.addUsed(
            by: script, in: source, directory: directory, users: [Self.joined("", source.name)])
          guard used.isEmpty else { return false }
          checker = Checker(program: extended, source: source)
          checker?.mayRunCommands = mayRunCommands
          checker?.directory = directory
        }
        return checker?.checksWell(next: script) ?? false
      }
    }
  }
}
