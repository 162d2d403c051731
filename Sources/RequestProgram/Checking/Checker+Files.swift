import Diagnostics
import RequestSyntax

/// Files that steps read under a name that is written in the text. That one is missing is a remark and no error: an
/// earlier step may make it, or the step may not be needed.
extension Checker {
  /// What a text reads and saves.
  struct Files {
    var read: [(path: String, range: SourceRange)] = []
    var saved: Set<String> = []
    /// What the names begin with that are known only when something is saved.
    var savedBeginnings: [String] = []
    /// Those that are there.
    var present: Set<String> = []
  }

  /// `file("…")`, and `name@…`
  mutating func noteRead(_ value: ExpressionSyntax?) {
    guard program.hasFile != nil, !isImported, !mayRunCommands, let value, let path = value.plainText, !path.isEmpty
    else { return }
    files.read.append((path, value.range))
  }

  /// `save body to …`
  mutating func noteSaved(_ value: ExpressionSyntax) {
    guard program.hasFile != nil else { return }
    if let path = value.plainText {
      files.saved.insert(Program.joined(directory, path))
    } else if case .string(let string) = value, case .text(let beginning)? = string.pieces.first {
      files.savedBeginnings.append(Program.joined(directory, beginning))
    } else {
      files.savedBeginnings.append("")
    }
  }

  /// When everything that is saved is known.
  mutating func checkFiles() {
    guard let hasFile = program.hasFile else { return }
    for (written, range) in files.read {
      let path = Program.joined(directory, written)
      if files.present.contains(path) || files.saved.contains(path) { continue }
      if files.savedBeginnings.contains(where: path.hasPrefix) { continue }
      if hasFile(path) {
        files.present.insert(path)
      } else if !program.usedSources.contains(where: { $0.mentions("save") }) {
        report(.missingFile(written), range)
      }
    }
    files.read = []
  }
}
