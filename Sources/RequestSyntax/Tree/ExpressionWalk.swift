extension ExpressionSyntax {
  /// Calls `body` with every expression in this one, including itself, in the order of the text.
  public func forEach(_ body: (ExpressionSyntax) -> Void) {
    body(self)
    switch self {
    case .reference(let node): node.segments.forEachExpression(body)
    case .member, .number, .literal: break
    case .path(let node):
      node.base.forEach(body)
      node.segments.forEachExpression(body)
    case .parenthesized(let node): node.inner.forEach(body)
    case .call(let node): node.forEachExpression(body)
    case .string(let node): node.forEachExpression(body)
    case .word(let node): node.forEachExpression(body)
    case .object(let node): node.forEachExpression(body)
    case .array(let node):
      for element in node.elements {
        switch element {
        case .value(let expression), .spread(let expression): expression.forEach(body)
        }
      }
    case .unary(let node): node.operand.forEach(body)
    case .binary(let node):
      node.left.forEach(body)
      node.right.forEach(body)
    case .pipe(let node):
      node.input.forEach(body)
      node.call.forEachExpression(body)
    case .fallback(let node):
      node.value.forEach(body)
      node.defaultValue.forEach(body)
    case .shapeTest(let node):
      node.value.forEach(body)
      node.shape.forEachExpression(body)
    case .conditional(let node):
      node.condition.forEach(body)
      node.value.forEach(body)
      node.otherwise.forEach(body)
    }
  }

  /// Calls `body` with every reference, including those inside brackets of others.
  public func forEachReference(_ body: (ReferenceSyntax) -> Void) {
    forEach { if case .reference(let reference) = $0 { body(reference) } }
  }
}

extension CallSyntax {
  fileprivate func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    for argument in arguments { argument.value.forEach(body) }
  }
}

extension StringSyntax {
  fileprivate func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    for case .interpolation(let expression) in pieces { expression.forEach(body) }
  }
}

extension WordSyntax {
  fileprivate func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    for case .interpolation(let expression, _) in pieces { expression.forEach(body) }
  }
}

extension ObjectSyntax {
  fileprivate func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    for member in members {
      switch member {
      case .field(let key, let value, let typed):
        if case .string(let string) = key { string.forEachExpression(body) }
        value.forEach(body)
        typed.forEachExpression(body)
      case .spread(let expression): expression.forEach(body)
      }
    }
  }
}

extension TypedSyntax {
  fileprivate func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    type?.forEachExpression(body)
    fileName?.forEachExpression(body)
  }
}

extension ShapeSyntax {
  fileprivate func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    switch kind {
    case .named, .boolean, .number: break
    case .string(let string): string.forEachExpression(body)
    case .array(let element): element.forEachExpression(body)
    case .either(let choices): for choice in choices { choice.forEachExpression(body) }
    case .object(let members, _):
      for member in members {
        if case .string(let string) = member.key { string.forEachExpression(body) }
        member.shape.forEachExpression(body)
      }
    }
  }
}

extension [SegmentSyntax] {
  fileprivate func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    for segment in self {
      guard case .bracket(let selectors, _) = segment.kind else { continue }
      for selector in selectors {
        if case .reference(let reference) = selector.kind { ExpressionSyntax.reference(reference).forEach(body) }
      }
    }
  }
}

extension ClauseSyntax {
  /// Calls `body` with every expression of the clause.
  public func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    switch kind {
    case .json(let value), .form(let value), .multipart(let value), .text(let value), .expect(let value),
      .when(let value), .timeout(let value), .limit(let value), .save(let value):
      value.forEach(body)
    case .body(let value, let typed):
      value.forEach(body)
      typed.forEachExpression(body)
    case .graphql(let query, let variables):
      query.forEachExpression(body)
      variables?.forEach(body)
    case .header(let fields), .query(let fields):
      switch fields {
      case .field(_, let value): value.forEach(body)
      case .object(let object): object.forEachExpression(body)
      }
    case .auth(.scheme(_, let values)): for value in values { value.forEach(body) }
    case .repetition(let repetition):
      repetition.interval?.forEach(body)
      repetition.limit?.forEach(body)
      repetition.condition.forEach(body)
    case .auth(.none), .expectStatus, .retry, .redirects, .effect, .profile: break
    }
  }

  public func forEachReference(_ body: (ReferenceSyntax) -> Void) {
    forEachExpression { if case .reference(let reference) = $0 { body(reference) } }
  }
}

extension SettingSyntax {
  /// Calls `body` with every expression of the setting.
  public func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    switch kind {
    case .clause(let clause): clause.forEachExpression(body)
    case .base(let value), .origin(let value), .proxy(let value), .http(let value), .unixSocket(let value):
      value.forEach(body)
    case .tls(let object): object.forEachExpression(body)
    case .resolve(_, let address): address.forEachExpression(body)
    case .cookies: break
    }
  }

  public func forEachReference(_ body: (ReferenceSyntax) -> Void) {
    forEachExpression { if case .reference(let reference) = $0 { body(reference) } }
  }
}

extension StatementSyntax {
  /// Calls `body` with every expression of the statement, including inner blocks.
  public func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    switch self {
    case .step(let node): node.forEachExpression(body)
    case .run(let node):
      for argument in node.arguments { argument.value.forEach(body) }
      for clause in node.clauses { clause.forEachExpression(body) }
    case .binding(let node): node.value.forEach(body)
    case .secret(let node): node.value.forEach(body)
    case .sequence(let node):
      for parameter in node.parameters { parameter.defaultValue?.forEach(body) }
      for statement in node.body.statements { statement.forEachExpression(body) }
    case .loop(let node):
      node.items.forEach(body)
      for statement in node.body.statements { statement.forEachExpression(body) }
    case .parallel(let node), .finally(let node):
      for statement in node.statements { statement.forEachExpression(body) }
    case .profile(let node): for setting in node.settings { setting.forEachExpression(body) }
    case .use, .tags: break
    }
  }
}

extension StepSyntax {
  /// Calls `body` with every expression of target, items and clauses.
  public func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    switch target {
    case .word(let word): word.forEachExpression(body)
    case .reference(let reference, let tail):
      ExpressionSyntax.reference(reference).forEach(body)
      tail?.forEachExpression(body)
    case .expression(let expression): expression.forEach(body)
    case .string(let string): string.forEachExpression(body)
    }
    for item in items { item.value.forEach(body) }
    for clause in clauses { clause.forEachExpression(body) }
  }
}
