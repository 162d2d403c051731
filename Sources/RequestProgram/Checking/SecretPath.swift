import RequestSyntax

/// Where a secret comes from, in the environment or in a response: the value there is secret wherever it is read, even
/// before the secret has its name, and even if it is only a part of the secret.
struct SecretPath: Sendable, Equatable {
  var owners: Checker.SecretOwners
  let root: String
  private let keys: [String]

  /// The paths that the expression reads in any case.
  ///
  /// - Parameter names: the top-level `let` names, which are followed.
  static func all(
    in expression: ExpressionSyntax, names: [String: ExpressionSyntax], _ owners: Checker.SecretOwners
  ) -> [SecretPath] {
    var reader = SecretPathReader(names: names)
    reader.read(expression, isPart: false)
    return reader.found.map { path in
      var owners = owners
      owners.isPart = path.isPart
      return SecretPath(owners: owners, root: path.root, keys: path.keys)
    }
  }

  /// Whether the reference is to the secret, a part of it, or something that it is a part of.
  func holds(_ reference: ReferenceSyntax) -> Bool {
    guard reference.root.text == root, let other = reference.segments.keys, !other.isEmpty else { return false }
    return keys.starts(with: other) || other.starts(with: keys)
      || other.count == 1 && Self.wholes.contains(other[0]) && Self.wholes.contains(keys[0])
  }

  /// Whether both are the same place.
  func isSame(as other: SecretPath) -> Bool { root == other.root && keys == other.keys }

  /// Members of an exchange that hold its whole body.
  private static let wholes: Set<String> = ["body", "text", "bytes"]
}

extension [SecretPath] {
  /// The same text may be the secret of several profiles. What is given to several steps belongs to the first of them.
  mutating func add(_ path: SecretPath) {
    guard let index = firstIndex(where: { $0.isSame(as: path) && $0.owners.steps.isEmpty == path.owners.steps.isEmpty })
    else { return append(path) }
    self[index].owners.profiles += path.owners.profiles
  }
}

/// Collects the paths that a value is made from.
private struct SecretPathReader {
  let names: [String: ExpressionSyntax]
  var found: [(root: String, keys: [String], isPart: Bool)] = []
  /// The names that are being followed.
  private var followed: Set<String> = []

  init(names: [String: ExpressionSyntax]) {
    self.names = names
  }

  /// - Parameter isPart: whether it is only a part of the value.
  mutating func read(_ expression: ExpressionSyntax, isPart: Bool) {
    switch expression {
    case .reference(let node): read(node, isPart)
    case .parenthesized(let node): read(node.inner, isPart: isPart)
    case .pipe(let node):
      read(node.input, isPart: isPart)
      for argument in node.call.arguments { read(argument.value, isPart: true) }
    case .path(let node): read(node.base, isPart: true)
    case .string(let node): for case .interpolation(let part) in node.pieces { read(part, isPart: true) }
    case .word(let node): for case .interpolation(let part, _) in node.pieces { read(part, isPart: true) }
    case .object(let node):
      for member in node.members {
        switch member {
        case .field(_, let value, _), .spread(let value): read(value, isPart: true)
        }
      }
    case .array(let node):
      for element in node.elements {
        switch element {
        case .value(let value), .spread(let value): read(value, isPart: true)
        }
      }
    case .unary(let node): read(node.operand, isPart: true)
    case .binary(let node):
      read(node.left, isPart: true)
      read(node.right, isPart: true)
    // What a function is called with says where its value is, and is not in it. What may not be read is for the run.
    case .member, .call, .number, .literal, .fallback, .shapeTest, .conditional, .quantified: break
    }
  }

  private mutating func read(_ reference: ReferenceSyntax, _ isPart: Bool) {
    let name = reference.root.text
    if let value = names[name] {
      guard followed.insert(name).inserted else { return }
      let count = found.count
      read(value, isPart: isPart)
      followed.remove(name)
      // `$t.id`, where `$t` is `$g.body`.
      if case .reference = value, found.count == count + 1, let keys = reference.segments.keys {
        found[count].keys += keys
      }
      return
    }
    if let keys = reference.segments.keys, !keys.isEmpty { found.append((name, keys, isPart)) }
  }
}

extension [SegmentSyntax] {
  /// The names and indices of a path; nil if there is anything else in it.
  fileprivate var keys: [String]? {
    var keys: [String] = []
    for segment in self {
      switch segment.kind {
      case .name(let name): keys.append(name)
      case .bracket(let selectors, isDescendant: false) where selectors.count == 1:
        switch selectors[0].kind {
        case .name(let name): keys.append(name)
        case .index(let index): keys.append("[\(index)]")
        case .wildcard, .slice, .filter, .reference: return nil
        }
      case .bracket, .wildcard, .descendantName, .descendantWildcard: return nil
      }
    }
    return keys
  }
}
