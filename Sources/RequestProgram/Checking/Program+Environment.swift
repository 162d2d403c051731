public import Diagnostics
public import RequestSyntax

extension Program {
  /// Adds an environment: what it declares counts, whatever a script and the files that it uses say about the same
  /// names. Comes before everything else.
  ///
  /// - Returns: all errors and warnings; if there is an error, nothing was added.
  public mutating func add(environment parsed: ParsedScript, directory: String) -> [Diagnostic] {
    guard parsed.errors.isEmpty else { return parsed.diagnostics }
    let others = parsed.script.statements.filter { !ReplacedDeclarations.mayReplace($0) }
    guard others.isEmpty else {
      return others.map { CheckError(fact: .notInEnvironment, range: $0.range).diagnostic(in: parsed.source) }
    }
    let earlier = replaced
    // Of two environments neither replaces the other.
    replaced = ReplacedDeclarations()
    let diagnostics = add(parsed, directory: directory)
    replaced = earlier
    if !diagnostics.contains(where: { $0.severity == .error }) {
      replaced.add(parsed)
    }
    return diagnostics
  }
}

/// The names of declarations that do not count, because an environment has them.
public struct ReplacedDeclarations: Sendable {
  private var lets: Set<String> = []
  private var secrets: Set<String> = []
  private var profiles: Set<String> = []

  /// None, until environments are added.
  public init() {}

  var isEmpty: Bool { lets.isEmpty && secrets.isEmpty && profiles.isEmpty }

  /// Those that the environment has.
  public mutating func add(_ environment: ParsedScript) {
    for statement in environment.script.statements {
      switch statement {
      case .binding(let node): lets.insert(node.name.text)
      case .secret(let node): secrets.insert(node.name.text)
      case .profile(let node): profiles.insert(node.name.text)
      case .step, .run, .sequence, .loop, .parallel, .finally, .use, .tags: continue
      }
    }
  }

  /// Whether it may be in an environment.
  static func mayReplace(_ statement: StatementSyntax) -> Bool {
    switch statement {
    case .binding, .secret, .profile: true
    case .step, .run, .sequence, .loop, .parallel, .finally, .use, .tags: false
    }
  }

  /// The text without them. What a script calls a secret is one, though an environment has another value for it in a
  /// `let`.
  public func removed(from parsed: ParsedScript) -> ParsedScript {
    var parsed = parsed
    parsed.script = removed(from: parsed.script)
    return parsed
  }

  func removed(from script: ScriptSyntax) -> ScriptSyntax {
    guard !isEmpty else { return script }
    var script = script
    script.statements = script.statements.compactMap { statement in
      switch statement {
      case .binding(let node): isReplaced(node.name) ? nil : statement
      case .secret(let node) where lets.contains(node.name.text): .secret(node.ofReplaced)
      case .secret(let node): isReplaced(node.name) ? nil : statement
      case .profile(let node): profiles.contains(node.name.text) ? nil : statement
      case .step, .run, .sequence, .loop, .parallel, .finally, .use, .tags: statement
      }
    }
    return script
  }

  private func isReplaced(_ name: NameSyntax) -> Bool { lets.contains(name.text) || secrets.contains(name.text) }
}

extension SecretSyntax {
  /// The same of what an environment gives that name.
  fileprivate var ofReplaced: SecretSyntax {
    var secret = self
    secret.value = .reference(name.text)
    secret.name.text += "-of-the-script"
    return secret
  }
}
