extension ExpressionSyntax {
  /// Changes every expression in this one, including itself, the inner ones first.
  public mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    switch self {
    case .reference(var node):
      node.segments.rewriteEach(body)
      self = .reference(node)
    case .member, .number, .literal: break
    case .path(var node):
      node.base.rewriteEach(body)
      node.segments.rewriteEach(body)
      self = .path(node)
    case .parenthesized(var node):
      node.inner.rewriteEach(body)
      self = .parenthesized(node)
    case .call(var node):
      node.rewriteEach(body)
      self = .call(node)
    case .string(var node):
      node.rewriteEach(body)
      self = .string(node)
    case .word(var node):
      node.rewriteEach(body)
      self = .word(node)
    case .object(var node):
      node.rewriteEach(body)
      self = .object(node)
    case .array(var node):
      node.elements = node.elements.map { element in
        switch element {
        case .value(let value): .value(value.rewritten(body))
        case .spread(let value): .spread(value.rewritten(body))
        }
      }
      self = .array(node)
    case .unary(var node):
      node.operand.rewriteEach(body)
      self = .unary(node)
    case .binary(var node):
      node.left.rewriteEach(body)
      node.right.rewriteEach(body)
      self = .binary(node)
    case .pipe(var node):
      node.input.rewriteEach(body)
      node.call.rewriteEach(body)
      self = .pipe(node)
    case .fallback(var node):
      node.value.rewriteEach(body)
      node.defaultValue.rewriteEach(body)
      self = .fallback(node)
    case .shapeTest(var node):
      node.value.rewriteEach(body)
      self = .shapeTest(node)
    case .conditional(var node):
      node.condition.rewriteEach(body)
      node.value.rewriteEach(body)
      node.otherwise.rewriteEach(body)
      self = .conditional(node)
    }
    body(&self)
  }

  fileprivate func rewritten(_ body: (inout ExpressionSyntax) -> Void) -> ExpressionSyntax {
    var expression = self
    expression.rewriteEach(body)
    return expression
  }
}

extension CallSyntax {
  fileprivate mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    for index in arguments.indices { arguments[index].value.rewriteEach(body) }
  }
}

extension StringSyntax {
  /// Changes the expressions in it. One that becomes a literal becomes a part of the text: only what starts with a
  /// reference is read as an expression there.
  public mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    guard pieces.contains(where: { if case .interpolation = $0 { true } else { false } }) else { return }
    let rewritten = pieces.map { piece -> Piece in
      guard case .interpolation(let inner) = piece else { return piece }
      let expression = inner.rewritten(body)
      return expression.literalText.map { .text($0) } ?? .interpolation(expression)
    }
    pieces = StringSyntax(rewritten).pieces
  }
}

extension ExpressionSyntax {
  /// The text of a literal in the middle of a text.
  fileprivate var literalText: String? {
    switch self {
    case .string(let string): string.plainText
    case .number(let number): number.unit == nil ? number.text : nil
    case .literal(let literal): literal.kind.rawValue
    case .unary(let unary): unary.operator == .negate ? unary.operand.literalText.map { "-\($0)" } : nil
    default: nil
    }
  }
}

extension WordSyntax {
  public mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    for (index, piece) in pieces.enumerated() {
      if case .interpolation(let expression, let keepsReserved) = piece {
        pieces[index] = .interpolation(expression.rewritten(body), keepsReserved: keepsReserved)
      }
    }
  }
}

extension ObjectSyntax {
  fileprivate mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    members = members.map { member in
      switch member {
      case .field(.string(var key), let value, let typed):
        key.rewriteEach(body)
        return .field(key: .string(key), value: value.rewritten(body), typed.rewritten(body))
      case .field(.name(let key), let value, let typed):
        return .field(key: .name(key), value: value.rewritten(body), typed.rewritten(body))
      case .spread(let value): return .spread(value.rewritten(body))
      }
    }
  }
}

extension TypedSyntax {
  fileprivate func rewritten(_ body: (inout ExpressionSyntax) -> Void) -> TypedSyntax {
    var (type, fileName) = (type, fileName)
    type?.rewriteEach(body)
    fileName?.rewriteEach(body)
    return TypedSyntax(type: type, fileName: fileName)
  }
}

extension [SegmentSyntax] {
  fileprivate mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    for index in indices {
      guard case .bracket(var selectors, let isDescendant) = self[index].kind else { continue }
      for place in selectors.indices {
        guard case .reference(let reference) = selectors[place].kind else { continue }
        var expression = ExpressionSyntax.reference(reference)
        expression.rewriteEach(body)
        switch expression {
        case .reference(let reference): selectors[place].kind = .reference(reference)
        case .number(let number): if let index = Int(number.text) { selectors[place].kind = .index(index) }
        case .string(let string): if let text = string.plainText { selectors[place].kind = .name(text) }
        default: break
        }
      }
      self[index].kind = .bracket(selectors, isDescendant: isDescendant)
    }
  }
}

extension ClauseSyntax {
  /// Changes every expression of the clause, the inner ones first.
  public mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    switch kind {
    case .json(let value): kind = .json(value.rewritten(body))
    case .form(let value): kind = .form(value.rewritten(body))
    case .multipart(let value): kind = .multipart(value.rewritten(body))
    case .text(let value): kind = .text(value.rewritten(body))
    case .expect(let value): kind = .expect(value.rewritten(body))
    case .when(let value): kind = .when(value.rewritten(body))
    case .timeout(let value): kind = .timeout(value.rewritten(body))
    case .limit(let value): kind = .limit(value.rewritten(body))
    case .save(let value): kind = .save(value.rewritten(body))
    case .body(let value, let typed): kind = .body(value.rewritten(body), typed.rewritten(body))
    case .graphql(var query, let variables):
      query.rewriteEach(body)
      kind = .graphql(query, variables: variables?.rewritten(body))
    case .header(let fields): kind = .header(fields.rewritten(body))
    case .query(let fields): kind = .query(fields.rewritten(body))
    case .auth(.scheme(let scheme, let values)): kind = .auth(.scheme(scheme, values.map { $0.rewritten(body) }))
    case .repetition(var repetition):
      repetition.interval?.rewriteEach(body)
      repetition.limit?.rewriteEach(body)
      repetition.condition.rewriteEach(body)
      kind = .repetition(repetition)
    case .auth(.none), .expectStatus, .retry, .redirects, .effect, .profile: break
    }
  }
}

extension FieldsSyntax {
  fileprivate func rewritten(_ body: (inout ExpressionSyntax) -> Void) -> FieldsSyntax {
    switch self {
    case .field(let name, let value): return .field(name, value.rewritten(body))
    case .object(var object):
      object.rewriteEach(body)
      return .object(object)
    }
  }
}

extension SettingSyntax {
  /// Changes every expression of the setting, the inner ones first.
  public mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    switch kind {
    case .clause(var clause):
      clause.rewriteEach(body)
      kind = .clause(clause)
    case .base(let value): kind = .base(value.rewritten(body))
    case .origin(let value): kind = .origin(value.rewritten(body))
    case .proxy(let value): kind = .proxy(value.rewritten(body))
    case .http(let value): kind = .http(value.rewritten(body))
    case .unixSocket(let value): kind = .unixSocket(value.rewritten(body))
    case .tls(var object):
      object.rewriteEach(body)
      kind = .tls(object)
    case .resolve(let host, var address):
      address.rewriteEach(body)
      kind = .resolve(host: host, address: address)
    case .cookies: break
    }
  }
}

extension StepSyntax {
  /// Changes every expression of target, items and clauses, the inner ones first.
  public mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    switch target {
    case .word(var word):
      word.rewriteEach(body)
      target = .word(word)
    case .reference(let reference, var tail):
      tail?.rewriteEach(body)
      // A target that starts with a value continues to do so.
      switch ExpressionSyntax.reference(reference).rewritten(body) {
      case .reference(let reference): target = .reference(reference, tail: tail)
      case .string(let text) where text.plainText != nil:
        let pieces = tail?.pieces ?? []
        target = .word(WordSyntax([.text(text.plainText ?? "")] + pieces))
      case let other: target = .expression(.parenthesized(ParenthesizedSyntax(inner: other, range: reference.range)))
      }
    case .expression(let expression): target = .expression(expression.rewritten(body))
    case .string(var string):
      string.rewriteEach(body)
      target = .string(string)
    }
    for index in items.indices { items[index].value.rewriteEach(body) }
    for index in clauses.indices { clauses[index].rewriteEach(body) }
  }
}

extension StatementSyntax {
  /// Changes every expression of the statement, including inner blocks.
  public mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    switch self {
    case .step(var node):
      node.rewriteEach(body)
      self = .step(node)
    case .run(var node):
      for index in node.arguments.indices { node.arguments[index].value.rewriteEach(body) }
      for index in node.clauses.indices { node.clauses[index].rewriteEach(body) }
      self = .run(node)
    case .binding(var node):
      node.value.rewriteEach(body)
      self = .binding(node)
    case .secret(var node):
      node.value.rewriteEach(body)
      self = .secret(node)
    case .sequence(var node):
      for index in node.parameters.indices { node.parameters[index].defaultValue?.rewriteEach(body) }
      for index in node.body.statements.indices { node.body.statements[index].rewriteEach(body) }
      self = .sequence(node)
    case .loop(var node):
      node.items.rewriteEach(body)
      for index in node.body.statements.indices { node.body.statements[index].rewriteEach(body) }
      self = .loop(node)
    case .parallel(var node):
      for index in node.statements.indices { node.statements[index].rewriteEach(body) }
      self = .parallel(node)
    case .finally(var node):
      for index in node.statements.indices { node.statements[index].rewriteEach(body) }
      self = .finally(node)
    case .profile(var node):
      for index in node.settings.indices { node.settings[index].rewriteEach(body) }
      self = .profile(node)
    case .use, .tags: break
    }
  }
}
