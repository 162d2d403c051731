import JSONValue

/// The JSON body of items whose keys say where in it they go.
struct NestedItems {
  private indirect enum Node {
    case value(ExpressionSyntax)
    case object([(key: String, node: Node)])
    /// What has no element yet is `null`.
    case array([Node?])

    var isNull: Bool { if case .value(.literal(let node)) = self { node.kind == .null } else { false } }

    var kind: String {
      switch self {
      case .value(.literal(let node)) where node.kind == .null: "null"
      case .value(.literal): "true or false"
      case .value(.number), .value(.unary): "a number"
      case .value(.object), .object: "an object"
      case .value(.array), .array: "an array"
      case .value: "a text"
      }
    }
  }

  private var root: Node?

  /// Puts a value where the path says, in place of what is there.
  mutating func put(_ value: ExpressionSyntax, at path: ItemPath, key: String) throws(ItemError) {
    root = try Self.put(value, into: root, path, 0, key)
  }

  private static func put(
    _ value: ExpressionSyntax, into node: Node?, _ path: ItemPath, _ depth: Int, _ key: String
  ) throws(ItemError) -> Node {
    guard depth < path.steps.count else { return .value(value) }
    switch path.steps[depth] {
    case .key(let name):
      guard var members = node.map(Self.members) ?? [] else { throw conflict(node, path, depth, key, "an object") }
      let index = members.firstIndex { $0.key == name }
      let child = try put(value, into: index.flatMap { members[$0].node }, path, depth + 1, key)
      if let index { members[index].node = child } else { members.append((name, child)) }
      return .object(members)
    case .index(let index):
      guard var elements = node.map(Self.elements) ?? [] else { throw conflict(node, path, depth, key, "an array") }
      while elements.count <= index { elements.append(nil) }
      // A null may be what only holds the place.
      let child = elements[index].flatMap { $0.isNull ? nil : $0 }
      elements[index] = try put(value, into: child, path, depth + 1, key)
      return .array(elements)
    case .append:
      guard var elements = node.map(Self.elements) ?? [] else { throw conflict(node, path, depth, key, "an array") }
      elements.append(try put(value, into: nil, path, depth + 1, key))
      return .array(elements)
    }
  }

  private static func conflict(
    _ node: Node?, _ path: ItemPath, _ depth: Int, _ key: String, _ wanted: String
  ) -> ItemError {
    .conflict(key: key, place: path.text(upTo: depth), is: node?.kind ?? "nothing", wanted: wanted)
  }

  /// Nil if it is not an object.
  private static func members(_ node: Node) -> [(key: String, node: Node)]? {
    switch node {
    case .object(let members): members
    case .value(.object(let object)):
      object.members.allSatisfy { if case .field = $0 { true } else { false } }
        ? object.members.compactMap { member in
          guard case .field(let key, let value, _) = member, let name = key.text else { return nil }
          return (name, .value(value))
        } : nil
    case .value, .array: nil
    }
  }

  /// Nil if it is not an array.
  private static func elements(_ node: Node) -> [Node?]? {
    switch node {
    case .array(let elements): elements
    case .value(.array(let array)):
      array.elements.allSatisfy { if case .value = $0 { true } else { false } }
        ? array.elements.compactMap { if case .value(let value) = $0 { .value(value) } else { nil } } : nil
    case .value, .object: nil
    }
  }

  /// The body; nil if nothing was put into it.
  var expression: ExpressionSyntax? { root.map(Self.expression) }

  private static func expression(_ node: Node) -> ExpressionSyntax {
    switch node {
    case .value(let value): value
    case .object(let members): .object(ObjectSyntax(members.map { .field($0.key, expression($0.node)) }))
    case .array(let elements):
      .array(
        ArraySyntax(
          elements: elements.map { .value($0.map(expression) ?? ExpressionSyntax(JSON.null)) }, range: .nowhere))
    }
  }
}

extension KeySyntax {
  /// Nil if an expression is part of it.
  fileprivate var text: String? {
    switch self {
    case .name(let name): name.text
    case .string(let string): string.plainText
    }
  }
}
