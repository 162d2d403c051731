public import Diagnostics
public import RequestSyntax

extension Program {
  /// Adds an environment: what it declares counts, whatever a script and the files that it uses say about the same
  /// names. Comes before everything else.
  ///
  /// - Returns: all errors and warnings; if there is an error, nothing was added.
  public mutating func add(environment parsed: ParsedScript, directory: String) -> [Diagnostic] {
    guard parsed.errors.isEmpty else { return parsed.diagnostics }
    var declared = ReplacedDeclarations()
    var errors: [Diagnostic] = []
    for statement in parsed.script.statements {
      switch statement {
      case .binding(let node): declared.names.insert(node.name.text)
      case .secret(let node): declared.names.insert(node.name.text)
      case .profile(let node): declared.profiles.insert(node.name.text)
      case .step, .run, .sequence, .loop, .parallel, .finally, .use:
        errors.append(CheckError(fact: .notInEnvironment, range: statement.range).diagnostic(in: parsed.source))
      }
    }
    guard errors.isEmpty else { return errors }
    let earlier = replaced
    // Of two environments neither replaces the other.
    replaced = ReplacedDeclarations()
    let diagnostics = add(parsed, directory: directory)
    replaced = earlier
    if !diagnostics.contains(where: { $0.severity == .error }) {
      replaced.names.formUnion(declared.names)
      replaced.profiles.formUnion(declared.profiles)
    }
    return diagnostics
  }
}

/// The names of declarations that do not count, because an environment has them.
struct ReplacedDeclarations: Sendable {
  /// Of `let` and `secret`.
  var names: Set<String> = []
  var profiles: Set<String> = []

  var isEmpty: Bool { names.isEmpty && profiles.isEmpty }

  /// The text without them.
  func removed(from parsed: ParsedScript) -> ParsedScript {
    var parsed = parsed
    parsed.script.statements.removeAll { statement in
      switch statement {
      case .binding(let node): names.contains(node.name.text)
      case .secret(let node): names.contains(node.name.text)
      case .profile(let node): profiles.contains(node.name.text)
      case .step, .run, .sequence, .loop, .parallel, .finally, .use: false
      }
    }
    return parsed
  }
}
