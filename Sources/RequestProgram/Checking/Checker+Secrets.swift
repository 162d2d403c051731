import Diagnostics
import RequestSyntax
import Requests

/// Secrets that would go where they are not allowed, and profiles that would need theirs too soon.
extension Checker {
  /// Who may have a secret, by its name or as `env.NAME`.
  struct SecretOwners: Sendable, Equatable {
    var name: String
    var profiles: [String]
    /// The steps whose own `auth` it is given to, by their origins; nil: only the run knows.
    var steps: [Origin?] = []
    /// Whether what is read is only a part of the secret, or all of it.
    var isPart = false

    /// Whether it belongs to the `auth` of a step.
    var isGiven: Bool { profiles.isEmpty && !steps.isEmpty }
  }

  /// Every secret that a step sends must be allowed for the origin it goes to, as far as both are known.
  mutating func checkSecrets(_ step: StepSyntax) {
    guard !secretOwners.isEmpty || !environmentOwners.isEmpty || !secretPaths.isEmpty else { return }
    guard let origin = staticOrigin(of: step) else { return }
    var found: [(SecretOwners, ReferenceSyntax)] = []
    step.forEachSentExpression { expression in
      guard case .reference(let reference) = expression else { return }
      for owners in owners(of: reference) { found.append((owners, reference)) }
    }
    var reported: Set<SourceRange> = []
    let own = step.secretCredential.map(\.range)
    for (secret, reference) in found where !reported.contains(reference.range) {
      // A step may be given what another was given.
      if secret.isGiven, own.contains(where: { $0.union(reference.range) == $0 }) { continue }
      // Anything only the run knows is not judged here.
      if secret.steps.contains(nil) { return }
      var allowed = secret.steps.compactMap(\.self).map { OriginPattern($0) }
      if allowed.contains(where: { $0.isSameServer(as: origin) }) { continue }
      for name in secret.profiles {
        guard let profile = staticProfiles[name] else { return }
        allowed += profile.origins
      }
      if !allowed.contains(where: { $0.matches(origin) }) {
        let part = secret.isPart ? source[reference.range] : nil
        report(
          .secretElsewhere(secret.name, part: part, allowed: allowed.map(\.description), origin: "\(origin)"),
          reference.range)
        reported.insert(reference.range)
      }
    }
  }

  private func owners(of reference: ReferenceSyntax) -> [SecretOwners] {
    let name = reference.root.text
    if name == "env", case .name(let variable)? = reference.segments.first?.kind,
      let profiles = environmentOwners[variable]
    {
      let steps: [Origin?] = endpointVariables.contains(variable) ? [nil] : []
      return [SecretOwners(name: "$env.\(variable)", profiles: profiles, steps: steps)]
    }
    var paths: [SecretPath] = []
    // The labels of the top level mean nothing in a sequence.
    if sequence == nil || name == "env" {
      for path in secretPaths[name] ?? [] where path.holds(reference) { paths.add(path) }
    }
    // What is declared keeps its own origins.
    let declared = paths.filter { $0.owners.steps.isEmpty }
    if !paths.isEmpty { return (declared.isEmpty ? paths : declared).map(\.owners) }
    // A name of this block hides a secret of the top level.
    if let kind = scope.kind(of: name), kind != .secret { return [] }
    return secretOwners[name].map { [$0] } ?? []
  }

  /// The origin that a step goes to, if the text gives it.
  func staticOrigin(of step: StepSyntax) -> Origin? {
    let text: String?
    switch step.target {
    case .word(let word): if case .text(let head)? = word.pieces.first { text = head } else { text = nil }
    case .string(let string): text = string.plainText
    case .expression, .reference: text = nil
    }
    guard let text else { return nil }
    if let url = text.originText { return try? Origin(url) }
    return staticProfile(of: step).flatMap { staticProfiles[$0]?.base?.origin }
  }

  /// The profile whose base a step's path is appended to.
  func staticProfile(of step: StepSyntax) -> String? {
    guard case .word(let word) = step.target, case .text(let text)? = word.pieces.first else { return nil }
    if let (name, _) = TargetSyntax.profileAndPath(text) { return name }
    guard text.hasPrefix("/") || text.hasPrefix("?") else { return nil }
    return step.profileName ?? (program.isPrompt || basedProfiles.count != 1 ? nil : basedProfiles[0])
  }

  /// A profile may use a secret that is set later, but no step may need it sooner.
  mutating func checkIsSet(_ step: StepSyntax) {
    guard !lateSecrets.isEmpty, let name = staticProfile(of: step), let profile = profiles[name] else { return }
    let hasOwn = step.clauses.contains { if case .auth = $0.kind { true } else { false } }
    let names = hasOwn ? profile.namesWithoutCredential : profile.referencedNames
    for secret in names where lateSecrets.contains(secret) {
      report(.secretSetLater(secret, profile: name), step.target.range)
    }
  }
}

extension StepSyntax {
  /// Calls `body` with every expression whose value is sent in any case: not with conditions and expectations, nor with
  /// what is in `if` and `??`.
  func forEachSentExpression(_ body: (ExpressionSyntax) -> Void) {
    func visit(_ expression: ExpressionSyntax) {
      var isCertain = true
      expression.forEach { node in
        switch node {
        case .conditional, .fallback: isCertain = false
        default: break
        }
      }
      if isCertain { expression.forEach(body) }
    }
    for expression in targetExpressions { visit(expression) }
    for item in items { visit(item.value) }
    for clause in clauses {
      switch clause.kind {
      case .json(let value), .form(let value), .multipart(let value), .text(let value), .body(let value, _):
        visit(value)
      case .graphql(_, let variables): if let variables { visit(variables) }
      case .header(.field(_, let value)), .query(.field(_, let value)): visit(value)
      case .header(.object(let object)), .query(.object(let object)): visit(.object(object))
      case .header(.omitted), .query(.omitted): break
      case .auth(.scheme(_, let values)): for value in values { visit(value) }
      case .auth(.none), .expectStatus, .expect, .when, .repetition, .stream, .retry, .timeout, .limit, .redirects,
        .save,
        .effect,
        .profile, .wait:
        break
      }
    }
  }
}
