public import Diagnostics

// What a reader makes of another format's text gets the place in that text that it was made from, so that whatever is
// said about it later is said there.

extension SourceRange {
  fileprivate var isNowhere: Bool { lowerBound == 0 && upperBound == 0 }

  fileprivate mutating func place(at range: SourceRange) {
    if isNowhere { self = range }
  }
}

extension ExpressionSyntax {
  /// The same, with each node that has no place yet at this one.
  public func placed(at range: SourceRange) -> ExpressionSyntax {
    var expression = self
    expression.rewriteEach { $0.placeNode(at: range) }
    return expression
  }

  /// Places this node, and what is in it and not an expression.
  fileprivate mutating func placeNode(at range: SourceRange) {
    switch self {
    case .reference(var node):
      node.root.range.place(at: range)
      node.segments.place(at: range)
      node.range.place(at: range)
      self = .reference(node)
    case .member(var name):
      name.range.place(at: range)
      self = .member(name)
    case .call(var node):
      node.name.range.place(at: range)
      node.range.place(at: range)
      self = .call(node)
    case .path(var node):
      node.segments.place(at: range)
      node.range.place(at: range)
      self = .path(node)
    case .parenthesized(var node):
      node.range.place(at: range)
      self = .parenthesized(node)
    case .number(var node):
      node.range.place(at: range)
      self = .number(node)
    case .string(var node):
      node.range.place(at: range)
      self = .string(node)
    case .word(var node):
      node.range.place(at: range)
      self = .word(node)
    case .object(var node):
      node.range.place(at: range)
      self = .object(node)
    case .array(var node):
      node.range.place(at: range)
      self = .array(node)
    case .literal(var node):
      node.range.place(at: range)
      self = .literal(node)
    case .unary(var node):
      node.range.place(at: range)
      self = .unary(node)
    case .conditional(var node):
      node.range.place(at: range)
      self = .conditional(node)
    case .quantified(var node):
      node.name.range.place(at: range)
      node.range.place(at: range)
      self = .quantified(node)
    case .pipe(var node):
      node.call.name.range.place(at: range)
      node.call.range.place(at: range)
      self = .pipe(node)
    case .shapeTest(var node):
      node.shape.place(at: range)
      self = .shapeTest(node)
    case .binary, .fallback: break
    }
  }
}

extension [SegmentSyntax] {
  fileprivate mutating func place(at range: SourceRange) {
    for index in indices {
      self[index].range.place(at: range)
      guard case .bracket(var selectors, let isDescendant) = self[index].kind else { continue }
      for place in selectors.indices { selectors[place].range.place(at: range) }
      self[index].kind = .bracket(selectors, isDescendant: isDescendant)
    }
  }
}

extension ShapeSyntax {
  fileprivate mutating func place(at range: SourceRange) {
    self.range.place(at: range)
    switch kind {
    case .named, .boolean, .string, .number, .snapshot: break
    case .array(var element):
      element?.place(at: range)
      kind = .array(element)
    case .object(var members, let isOpen):
      for index in members.indices { members[index].shape.place(at: range) }
      kind = .object(members, isOpen: isOpen)
    case .either(var choices):
      for index in choices.indices { choices[index].place(at: range) }
      kind = .either(choices)
    }
  }
}

extension ClauseSyntax {
  /// The same, with each node that has no place yet at this one.
  public func placed(at range: SourceRange) -> ClauseSyntax {
    var clause = self
    clause.rewriteEach { $0.placeNode(at: range) }
    clause.keyword.range.place(at: range)
    clause.range.place(at: range)
    switch clause.kind {
    case .header(let fields): clause.kind = .header(fields.placed(at: range))
    case .query(let fields): clause.kind = .query(fields.placed(at: range))
    case .profile(var name):
      name.range.place(at: range)
      clause.kind = .profile(name)
    default: break
    }
    return clause
  }
}

extension FieldsSyntax {
  fileprivate func placed(at range: SourceRange) -> FieldsSyntax {
    switch self {
    case .field(var name, let value):
      name.range.place(at: range)
      return .field(name, value)
    case .omitted(var name):
      name.range.place(at: range)
      return .omitted(name)
    case .object(var object):
      object.range.place(at: range)
      return .object(object)
    }
  }
}

extension StatementSyntax {
  /// The same, with each node that has no place yet at this one.
  public func placed(at range: SourceRange) -> StatementSyntax {
    var statement = self
    statement.rewriteEach { $0.placeNode(at: range) }
    switch statement {
    case .step(var node):
      node.label?.range.place(at: range)
      node.method.range.place(at: range)
      node.range.place(at: range)
      node.clauses = node.clauses.map { $0.placed(at: range) }
      switch node.target {
      case .word(var word):
        word.range.place(at: range)
        node.target = .word(word)
      case .string(var string):
        string.range.place(at: range)
        node.target = .string(string)
      case .reference(var reference, var tail):
        reference.root.range.place(at: range)
        reference.range.place(at: range)
        tail?.range.place(at: range)
        node.target = .reference(reference, tail: tail)
      case .expression: break
      }
      statement = .step(node)
    case .binding(var node):
      node.name.range.place(at: range)
      node.range.place(at: range)
      statement = .binding(node)
    case .secret(var node):
      node.name.range.place(at: range)
      node.range.place(at: range)
      statement = .secret(node)
    case .loop(var node):
      node.name.range.place(at: range)
      node.range.place(at: range)
      node.body.range.place(at: range)
      statement = .loop(node)
    case .run, .sequence, .parallel, .finally, .use, .tags, .profile: break
    }
    return statement
  }
}
