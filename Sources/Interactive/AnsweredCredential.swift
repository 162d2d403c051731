internal import Diagnostics
internal import RequestSyntax

/// A profile that takes its credential from an answer, `auth bearer $2.body.access_token`, as the two statements that
/// it means: a profile has names only, and the name is a secret's.
struct AnsweredCredential {
  /// The statements; nil if there is nothing to be said in another way.
  let text: String?

  /// - Parameter isAnswer: whether a reference's name is an answer's.
  init(_ parsed: ParsedScript, isAnswer: (String) -> Bool) {
    var edits = TextEdits()
    var secrets = ""
    for case .profile(let profile) in parsed.script.statements {
      for case .clause(let clause) in profile.settings.map(\.kind) {
        guard case .auth(.scheme(let scheme, let values)) = clause.kind, let value = values.last else { continue }
        var readsAnswer = false
        value.forEachReference { readsAnswer = readsAnswer || isAnswer($0.root.text) }
        guard readsAnswer else { continue }
        let name = "\(profile.name.text)-\(scheme == .basic ? "password" : "token")"
        edits.replace(value.range, with: "$\(name)")
        secrets += "\nsecret \(name) = \(parsed.source[value.range]) for \(profile.name.text)"
      }
    }
    text = secrets.isEmpty ? nil : edits.applied(to: parsed.source, in: parsed.source.range) + secrets
  }
}
