package import RequestSyntax
import Requests

/// What a response gave that later requests prove themselves with, and variables that are used so: they become secrets,
/// so that no record, screen or report has them.
package struct CapturedCredentials {
  /// The names that hold one.
  private let names: Set<String>
  private let labels: Set<String>

  /// - Parameter declarations: what is bound before the statements.
  package init(in statements: [StatementSyntax], _ declarations: [StatementSyntax] = []) {
    var (sent, bound): (Set<String>, [String: Set<String>]) = ([], [:])
    var addresses: Set<String> = []
    var labels: Set<String> = []
    (declarations + statements).forEachStatement { statement in
      switch statement {
      case .step(let step):
        if let label = step.label { labels.insert(label.text) }
        step.target.start?.forEachReference { addresses.insert($0.root.text) }
        for clause in step.clauses {
          clause.forEachCredential { value in value.forEachReference { sent.insert($0.root.text) } }
        }
      case .binding(let node):
        node.value.forEachReference { bound[node.name.text, default: []].insert($0.root.text) }
        if SensitiveName.contains(node.name.text) { sent.insert(node.name.text) }
      default: break
      }
    }
    // What one of them is made of is one, too.
    var open = Array(sent)
    while let name = open.popLast() {
      for part in bound[name] ?? [] where sent.insert(part).inserted { open.append(part) }
    }
    // Where requests go is nothing secret.
    names = sent.subtracting(labels).subtracting(addresses)
    self.labels = labels
  }

  /// Whether the value of that name is a credential.
  package func contains(_ name: String) -> Bool { names.contains(name) }

  /// The statements with these secrets, which go to the profiles alone.
  ///
  /// - Parameter names: those of the script.
  func concealed(
    in statements: [StatementSyntax], for profiles: ImportedProfiles, _ names: inout ImportedNames
  ) -> [StatementSyntax] {
    if profiles.names.isEmpty { return statements }
    var statements = statements
    var known: [ReferenceSyntax: String] = [:]
    var made: [String: [StatementSyntax]] = [:]
    let profileNames = profiles.names
    statements.changeEachStep { step in
      for index in step.clauses.indices where step.clauses[index].hasCredential {
        step.clauses[index].rewriteEach { expression in
          guard case .reference(let node) = expression, labels.contains(node.root.text), node.isPartOfResponse else {
            return
          }
          if known[node] == nil {
            let name = names.unused(node.lastName ?? "token")
            known[node] = name
            let secret = SecretSyntax(name, .reference(node), for: profileNames)
            made[node.root.text, default: []].append(StatementSyntax.secret(secret).placed(at: node.range))
          }
          known[node].map {
            expression = .reference(ReferenceSyntax(root: NameSyntax($0), segments: [], range: node.range))
          }
        }
      }
    }
    return secrets(in: statements, made, profiles.names, profiles.addressNames)
  }

  private func secrets(
    in statements: [StatementSyntax], _ made: [String: [StatementSyntax]], _ profiles: [String],
    _ addresses: Set<String>
  ) -> [StatementSyntax] {
    statements.flatMap { statement -> [StatementSyntax] in
      switch statement {
      case .binding(let node):
        var readsStep = false
        node.value.forEachReference { readsStep = readsStep || labels.contains($0.root.text) }
        let name = node.name.text
        guard readsStep, names.contains(name), !addresses.contains(name) else { return [statement] }
        let secret = SecretSyntax(name, node.value, for: profiles)
        return [StatementSyntax.secret(secret).placed(at: node.range)]
      case .secret(let node):
        return [
          StatementSyntax.secret(SecretSyntax(node.name.text, node.value, for: profiles)).placed(at: node.range)
        ]
      case .step(let step): return [statement] + (step.label.flatMap { made[$0.text] } ?? [])
      case .loop(var node):
        node.body.statements = secrets(in: node.body.statements, made, profiles, addresses)
        return [.loop(node)]
      default: return [statement]
      }
    }
  }
}

extension [StatementSyntax] {
  fileprivate func forEachStatement(_ body: (StatementSyntax) -> Void) {
    for statement in self {
      body(statement)
      if case .loop(let node) = statement { node.body.statements.forEachStatement(body) }
    }
  }

  mutating func changeEachStep(_ body: (inout StepSyntax) -> Void) {
    for index in indices {
      switch self[index] {
      case .step(var step):
        body(&step)
        self[index] = .step(step)
      case .loop(var node):
        node.body.statements.changeEachStep(body)
        self[index] = .loop(node)
      default: break
      }
    }
  }
}

extension ClauseSyntax {
  /// Calls `body` with each value that proves who asks: of `auth`, and of what is called so.
  fileprivate func forEachCredential(_ body: (ExpressionSyntax) -> Void) {
    switch kind {
    case .auth(.scheme(.basic, let values)), .auth(.scheme(.digest, let values)): values.dropFirst().forEach(body)
    case .auth(.scheme(_, let values)): values.forEach(body)
    case .header(.field(let name, let value)), .query(.field(let name, let value)):
      if SensitiveName.contains(name.text) { body(value) }
    case .header(.object(let object)), .query(.object(let object)), .form(.object(let object)),
      .json(.object(let object)), .multipart(.object(let object)):
      for case .field(let key, let value, _) in object.members {
        if let name = key.plainText, SensitiveName.contains(name) { body(value) }
      }
    default: break
    }
  }

  /// Whether it is nothing else.
  fileprivate var hasCredential: Bool {
    switch kind {
    case .auth(.scheme): true
    case .header(.field(let name, _)), .query(.field(let name, _)): SensitiveName.contains(name.text)
    default: false
    }
  }
}

extension TargetSyntax {
  /// What it begins with, if that is computed.
  fileprivate var start: ExpressionSyntax? {
    switch self {
    case .reference(let reference, _): .reference(reference)
    case .expression(let value): value
    case .string(let string): if case .interpolation(let value)? = string.pieces.first { value } else { nil }
    case .word(let word): if case .interpolation(let value, _)? = word.pieces.first { value } else { nil }
    }
  }
}

extension ReferenceSyntax {
  /// Whether it leads into the body, the headers or the cookies of a response.
  fileprivate var isPartOfResponse: Bool {
    guard case .name(let name)? = segments.first?.kind else { return false }
    return ["body", "headers", "set-cookie", "text"].contains(name)
  }

  fileprivate var lastName: String? {
    segments.lazy.reversed().compactMap { segment in
      switch segment.kind {
      case .name(let name) where name != "value": name
      case .bracket(let selectors, _):
        if selectors.count == 1, case .name(let name) = selectors[0].kind { name } else { nil }
      default: nil
      }
    }.first
  }
}
