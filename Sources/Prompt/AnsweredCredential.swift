internal import RequestSyntax

/// A profile that takes its credential from a response, `auth bearer $2.body.access_token`, or from what was named of one,
/// as the two statements that it means: a profile may only use names, and the name is a secret's.
struct AnsweredCredential {
  /// The statements.
  private(set) var script: ScriptSyntax

  /// - Parameter isResponse: whether a reference's name is a response's, or that of something of one.
  init(_ typed: ScriptSyntax, isResponse: (String) -> Bool) {
    var meant = typed
    var secrets: [StatementSyntax] = []
    for (index, statement) in typed.statements.enumerated() {
      guard case .profile(var profile) = statement else { continue }
      for place in profile.settings.indices {
        guard case .clause(var clause) = profile.settings[place].kind,
          case .auth(.scheme(let scheme, var values)) = clause.kind, let value = values.popLast()
        else { continue }
        var readsResponse = false
        value.forEachReference { readsResponse = readsResponse || isResponse($0.root.text) }
        guard readsResponse else { continue }
        let name = "\(profile.name.text)-\(scheme == .basic ? "password" : "token")"
        secrets.append(.secret(SecretSyntax(name, value, for: [profile.name.text])))
        clause.kind = .auth(.scheme(scheme, values + [.reference(name)]))
        profile.settings[place].kind = .clause(clause)
      }
      meant.statements[index] = .profile(profile)
    }
    meant.statements += secrets
    script = meant
  }
}
