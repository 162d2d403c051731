package import RequestSyntax
internal import Requests

/// What was read from another tool's file, with names in the place of its secrets, so that the text of none is written.
package struct LiftedSecrets {
  package let script: ScriptSyntax
  /// The environment variables that the script needs, with what is in the file in their place.
  package let variables: [String: String]

  /// - Parameter environment: the variables that exist.
  package init(_ imported: ImportedScript, environment: [String: String]) {
    var script = imported.script
    let profiles = script.statements.compactMap(\.profileName)
    guard let first = profiles.first else {
      self.script = script
      variables = [:]
      return
    }
    var names = Set<String>()
    for statement in script.statements {
      if let name = statement.declaredName { names.insert(name) }
    }
    var secrets = SavedSecrets(names: names, environment: environment)
    Self.liftBindings(of: &script, profiles, &secrets)
    for index in script.statements.indices where script.statements[index].profileName == nil {
      Self.rewrite(&script.statements[index], first, imported.constants, &secrets)
    }
    let end = (script.statements.lastIndex { $0.profileName != nil } ?? -1) + 1
    // What is so short that it would be found in everything is no secret of a run.
    let short = Set(secrets.texts.filter { $0.utf8.count < Secret.fewestBytes }.compactMap(secrets.name(ofText:)))
    let lines = secrets.lines.map { line -> StatementSyntax in
      short.contains(line.name)
        ? .binding(LetSyntax(line.name, line.source)) : .secret(SecretSyntax(line.name, line.source, for: profiles))
    }
    script.statements.insert(contentsOf: lines, at: end)
    self.script = script
    variables = secrets.variables
  }

  /// What is called like a secret, or sent as a credential, is the environment's under its own name.
  private static func liftBindings(
    of script: inout ScriptSyntax, _ profiles: [String], _ secrets: inout SavedSecrets
  ) {
    let credentials = CapturedCredentials(in: script.statements)
    // What a profile is made of is there before it: no secret of the profile, but not in the text either.
    var early = Set<String>()
    for statement in script.statements.reversed() {
      switch statement {
      case .profile(let node):
        for setting in node.settings { setting.kind.value?.forEachReference { early.insert($0.root.text) } }
      case .binding(let node) where early.contains(node.name.text):
        node.value.forEachReference { early.insert($0.root.text) }
      default: break
      }
    }
    var late = Set<String>()
    var moved: [StatementSyntax] = []
    var kept: [StatementSyntax] = []
    let end = (script.statements.lastIndex { $0.profileName != nil } ?? -1) + 1
    for (index, statement) in script.statements.enumerated() {
      guard case .binding(var node) = statement else {
        kept.append(statement)
        continue
      }
      let name = node.name.text
      if let text = node.value.plainText, !text.isEmpty, SensitiveName.contains(name) || credentials.contains(name) {
        if early.contains(name) {
          node.value = .environment(secrets.variable(holding: text, hint: name, profile: profiles[0]))
          kept.append(.binding(node))
        } else {
          secrets.add(text, named: name, profiles)
          late.insert(name)
        }
        continue
      }
      // What is made of one comes after it.
      var isLate = false
      node.value.forEachReference { isLate = isLate || late.contains($0.root.text) }
      if isLate, index < end, !early.contains(name) {
        late.insert(name)
        moved.append(statement)
      } else {
        kept.append(statement)
      }
    }
    let place = (kept.lastIndex { $0.profileName != nil } ?? -1) + 1
    script.statements = kept
    script.statements.insert(contentsOf: moved, at: place)
  }

  private static func rewrite(
    _ statement: inout StatementSyntax, _ profile: String, _ constants: [String: String], _ secrets: inout SavedSecrets
  ) {
    switch statement {
    case .loop(var node):
      for index in node.body.statements.indices {
        rewrite(&node.body.statements[index], profile, constants, &secrets)
      }
      statement = .loop(node)
    case .step(var step):
      let literals = LiteralSecrets(statement, and: constants)
      var found = secrets
      func name(_ text: String, _ hint: String) -> ExpressionSyntax {
        .reference(found.name(ofText: text, hint: hint, profile: profile))
      }
      // What is expected says nothing to anybody.
      for index in step.clauses.indices {
        if case .expect = step.clauses[index].kind { continue }
        step.clauses[index].rewriteCredential(name)
        step.clauses[index].rewriteEach { literals.rewrite(&$0, name) }
      }
      if case .string(var string) = step.target {
        literals.rewrite(&string, name)
        step.target = .string(string)
      } else if case .word(let word) = step.target, word.plainText != nil {
        var target = ExpressionSyntax.word(word)
        literals.rewrite(&target, name)
        if case .string(let string) = target { step.target = .string(string) }
      }
      secrets = found
      statement = .step(step)
    case .run, .binding, .secret, .sequence, .parallel, .finally, .use, .tags, .profile: break
    }
  }
}

extension ClauseSyntax {
  /// Puts names in the place of passwords and tokens, however short they are.
  fileprivate mutating func rewriteCredential(_ name: (String, String) -> ExpressionSyntax) {
    guard case .auth(.scheme(let scheme, var values)) = kind else { return }
    let (first, hint): (Int, String)
    switch scheme {
    case .basic, .digest: (first, hint) = (1, "password")
    case .bearer: (first, hint) = (0, "token")
    case .signer: return
    }
    for index in values.indices.dropFirst(first) {
      if case .string(let string) = values[index], let text = string.plainText, !text.isEmpty {
        values[index] = name(text, hint)
      }
    }
    kind = .auth(.scheme(scheme, values))
  }
}

extension SettingSyntax.Kind {
  /// What it is made of, if that may be a variable of another tool's file.
  fileprivate var value: ExpressionSyntax? {
    switch self {
    case .base(let value), .origin(let value), .proxy(let value), .http(let value), .unixSocket(let value): value
    case .clause, .cookies, .tls, .resolve: nil
    }
  }
}

extension StatementSyntax {
  package var profileName: String? { if case .profile(let node) = self { node.name.text } else { nil } }
}

extension StatementSyntax {
  /// The name that a `let` or `secret` gives.
  package var declaredName: String? {
    switch self {
    case .binding(let node): node.name.text
    case .secret(let node): node.name.text
    case .step, .run, .sequence, .loop, .parallel, .finally, .use, .tags, .profile: nil
    }
  }
}
