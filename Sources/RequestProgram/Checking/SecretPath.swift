import RequestSyntax

/// Where in a response a secret comes from: the value there is secret wherever it is read, even before it has its name.
struct SecretPath: Sendable {
  let owners: Checker.SecretOwners
  private let root: String
  private let keys: [String]

  /// nil for a secret that is not simply read from a response.
  init?(of node: SecretSyntax, _ owners: Checker.SecretOwners) {
    guard case .reference(let reference) = node.value.withoutPipes, let keys = reference.keys, !keys.isEmpty,
      reference.root.text != "env"
    else { return nil }
    self.owners = owners
    self.keys = keys
    root = reference.root.text
  }

  /// Whether the reference is to the secret, a part of it, or something that it is a part of.
  func holds(_ reference: ReferenceSyntax) -> Bool {
    guard reference.root.text == root, let other = reference.keys, !other.isEmpty else { return false }
    return keys.starts(with: other) || other.starts(with: keys)
      || other.count == 1 && Self.wholes.contains(other[0]) && Self.wholes.contains(keys[0])
  }

  /// Members of an exchange that hold its whole body.
  private static let wholes: Set<String> = ["body", "text", "bytes"]
}

extension ReferenceSyntax {
  /// The names of its path; nil if there is anything else in it.
  fileprivate var keys: [String]? {
    var keys: [String] = []
    for segment in segments {
      guard case .name(let name) = segment.kind else { return nil }
      keys.append(name)
    }
    return keys
  }
}

extension ExpressionSyntax {
  /// The expression that is read, without the functions applied to it.
  fileprivate var withoutPipes: ExpressionSyntax {
    switch self {
    case .parenthesized(let node): node.inner.withoutPipes
    case .pipe(let node): node.input.withoutPipes
    default: self
    }
  }
}
