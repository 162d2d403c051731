// What other tools wrote, as trees of the language. This module knows their formats and ours; neither how a request is
// sent, nor how a script is run. A reader makes trees and never text: whoever wants text prints them.

package import Diagnostics
internal import JSONValue
package import RequestSyntax
internal import Requests

/// What a reader made of another tool's file, and what it has to say about it.
package struct ImportedScript: Sendable {
  /// The text that was read; the places of all nodes are in it.
  package var source: SourceText
  package var script: ScriptSyntax
  /// In the order of the text.
  package var notes: [ImportNote]
  /// Whether JSON is written as JSON, in other bytes than it has in the file.
  package var rewritesJSON: Bool
  /// The texts of variables that are called like secrets and written out where they are used, with their names.
  package var constants: [String: String] = [:]

  package init(source: SourceText, script: ScriptSyntax, notes: [ImportNote], rewritesJSON: Bool = false) {
    var (script, notes) = (script, notes)
    var left: [CommentSyntax] = []
    script.statements.changeEachStep { step in
      for found in step.makeSound() {
        notes.append(found.note)
        guard let text = found.text else { continue }
        left.append(
          CommentSyntax(
            text: "# not translated: \(text)", range: found.note.range, standsAlone: true, endsParagraph: false))
      }
    }
    script.comments += left
    script.comments.sort { $0.range.lowerBound < $1.range.lowerBound }
    self.source = source
    self.script = script
    self.rewritesJSON = rewritesJSON
    for index in script.comments.indices { self.script.comments[index].text.makeVisible() }
    var seen: Set<ImportNote> = []
    self.notes = notes.filter { seen.insert($0).inserted }.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Whether anything was left out that the script should do.
  package var isRefused: Bool { notes.contains { $0.grade == .refused } }

  package var diagnostics: [Diagnostic] { notes.map { $0.diagnostic(in: source) } }

  /// As whoever runs scripts takes it: what an import would take out of it is hidden when it is run.
  package var parsed: ParsedScript {
    var parsed = ParsedScript(source: source, script: script, remarks: diagnostics)
    // Of `Bearer …`, the second word is the secret.
    parsed.secrets = LiftedSecrets(self, environment: [:]).variables.mapValues { text in
      guard let rest = AuthenticationScheme.rest(of: text[...]), !rest.isEmpty, !rest.contains(where: \.isWhitespace)
      else {
        return text
      }
      return String(rest)
    }
    return parsed
  }
}

/// What is not as it was: said with its place, never passed over.
package struct ImportNote: Hashable, Sendable {
  package enum Grade: Hashable, Sendable {
    /// It runs, and something is different.
    case warning
    /// It is left out: what it asks for is not done here, or cannot be read.
    case refused
  }

  package var grade: Grade
  package var message: String
  /// What to do about it.
  package var hint: String?
  package var range: SourceRange

  package init(_ grade: Grade, _ message: String, hint: String? = nil, at range: SourceRange) {
    self.grade = grade
    self.message = message
    self.hint = hint
    self.range = range
  }

  package func diagnostic(in source: SourceText) -> Diagnostic {
    Diagnostic(message, in: source, at: range, label: hint, severity: grade == .refused ? .error : .warning)
  }
}

extension String {
  /// Whether it is JSON as it is written where nobody asks for its bytes.
  var isCompactJSON: Bool {
    (try? JSON(parsing: Array(utf8))).map { JSONPrinter.compact.print($0) == Array(utf8) } ?? false
  }

  /// Puts a visible character in the place of each that a script may not have in a comment.
  fileprivate mutating func makeVisible() {
    guard unicodeScalars.contains(where: { $0 < " " && $0 != "\t" || $0 == "\u{7F}" }) else { return }
    var visible = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      visible.append(scalar < " " && scalar != "\t" || scalar == "\u{7F}" ? "\u{FFFD}" : scalar)
    }
    self = String(visible)
  }
}
