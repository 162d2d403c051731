// Every expression in a tree, to be read or to be changed. What is directly in a node is named in one place, `change`.

extension ExpressionSyntax {
  /// Calls `body` with every expression in this one, including itself, in the order of the text.
  public func forEach(_ body: (ExpressionSyntax) -> Void) {
    body(self)
    var expression = self
    expression.change { $0.forEach(body) }
  }

  /// Changes every expression in this one, including itself, the inner ones first.
  public mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    change { $0.rewriteEach(body) }
    body(&self)
  }

  /// Changes every expression that is directly in this one.
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Void) {
    switch self {
    case .reference(var node):
      guard node.segments.haveExpressions else { return }
      node.segments.change(body)
      self = .reference(node)
    case .member, .number, .literal: break
    case .path(var node):
      body(&node.base)
      node.segments.change(body)
      self = .path(node)
    case .parenthesized(var node):
      body(&node.inner)
      self = .parenthesized(node)
    case .call(var node):
      node.change(body)
      self = .call(node)
    case .string(var node):
      node.change(body)
      self = .string(node)
    case .word(var node):
      node.change(body)
      self = .word(node)
    case .object(var node):
      node.change(body)
      self = .object(node)
    case .array(var node):
      node.elements = node.elements.map { element in
        switch element {
        case .value(let value): .value(value.changed(body))
        case .spread(let value): .spread(value.changed(body))
        }
      }
      self = .array(node)
    case .unary(var node):
      body(&node.operand)
      self = .unary(node)
    case .binary(var node):
      body(&node.left)
      body(&node.right)
      self = .binary(node)
    case .pipe(var node):
      body(&node.input)
      node.call.change(body)
      self = .pipe(node)
    case .fallback(var node):
      body(&node.value)
      body(&node.defaultValue)
      self = .fallback(node)
    case .shapeTest(var node):
      body(&node.value)
      node.shape.change(body)
      self = .shapeTest(node)
    case .conditional(var node):
      body(&node.condition)
      body(&node.value)
      body(&node.otherwise)
      self = .conditional(node)
    case .quantified(var node):
      body(&node.items)
      body(&node.condition)
      self = .quantified(node)
    }
  }

  /// Calls `body` with every reference, including those inside brackets of others.
  public func forEachReference(_ body: (ReferenceSyntax) -> Void) {
    forEach { if case .reference(let reference) = $0 { body(reference) } }
  }

  fileprivate func changed(_ body: (inout ExpressionSyntax) -> Void) -> ExpressionSyntax {
    var expression = self
    body(&expression)
    return expression
  }
}

/// Any other part of a tree that has expressions in it.
public protocol ExpressionHolder {
  /// Changes every expression that is directly in it, and in the parts that are no expressions.
  mutating func change(_ body: (inout ExpressionSyntax) -> Void)
}

extension ExpressionHolder {
  /// Calls `body` with every expression in it, in the order of the text.
  public func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    var holder = self
    holder.change { $0.forEach(body) }
  }

  /// Calls `body` with every reference in it.
  public func forEachReference(_ body: (ReferenceSyntax) -> Void) {
    forEachExpression { if case .reference(let reference) = $0 { body(reference) } }
  }

  /// Changes every expression in it, the inner ones first.
  public mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    change { $0.rewriteEach(body) }
  }
}

extension CallSyntax {
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Void) {
    for index in arguments.indices { body(&arguments[index].value) }
  }
}

extension StringSyntax: ExpressionHolder {
  /// Changes the expressions in it. One that becomes a literal becomes a part of the text: only what starts with a
  /// reference is read as an expression there.
  public mutating func change(_ body: (inout ExpressionSyntax) -> Void) {
    guard pieces.contains(where: { if case .interpolation = $0 { true } else { false } }) else { return }
    let rewritten = pieces.map { piece -> Piece in
      guard case .interpolation(let inner) = piece else { return piece }
      let expression = inner.changed(body)
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

extension WordSyntax: ExpressionHolder {
  public mutating func change(_ body: (inout ExpressionSyntax) -> Void) {
    for (index, piece) in pieces.enumerated() {
      if case .interpolation(let expression, let keepsReserved) = piece {
        pieces[index] = .interpolation(expression.changed(body), keepsReserved: keepsReserved)
      }
    }
  }
}

extension ObjectSyntax {
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Void) {
    members = members.map { member in
      switch member {
      case .field(.string(var key), let value, let typed):
        key.change(body)
        return .field(key: .string(key), value: value.changed(body), typed.changed(body))
      case .field(.name(let key), let value, let typed):
        return .field(key: .name(key), value: value.changed(body), typed.changed(body))
      case .spread(let value): return .spread(value.changed(body))
      }
    }
  }
}

extension TypedSyntax {
  fileprivate func changed(_ body: (inout ExpressionSyntax) -> Void) -> TypedSyntax {
    var (type, fileName) = (type, fileName)
    type?.change(body)
    fileName?.change(body)
    return TypedSyntax(type: type, fileName: fileName)
  }
}

extension ShapeSyntax {
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Void) {
    switch kind {
    case .named, .boolean, .number: break
    case .string(var string):
      string.change(body)
      kind = .string(string)
    case .array(var element):
      element.change(body)
      kind = .array(element)
    case .either(var choices):
      for index in choices.indices { choices[index].change(body) }
      kind = .either(choices)
    case .object(var members, let isOpen):
      for index in members.indices {
        if case .string(var key) = members[index].key {
          key.change(body)
          members[index].key = .string(key)
        }
        members[index].shape.change(body)
      }
      kind = .object(members, isOpen: isOpen)
    }
  }
}

extension [SegmentSyntax] {
  /// Whether there is any in brackets.
  fileprivate var haveExpressions: Bool {
    contains { if case .bracket = $0.kind { true } else { false } }
  }

  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Void) {
    for index in indices {
      guard case .bracket(var selectors, let isDescendant) = self[index].kind else { continue }
      for place in selectors.indices {
        guard case .reference(let reference) = selectors[place].kind else { continue }
        var expression = ExpressionSyntax.reference(reference)
        body(&expression)
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

extension ClauseSyntax: ExpressionHolder {
  public mutating func change(_ body: (inout ExpressionSyntax) -> Void) {
    switch kind {
    case .json(let value): kind = .json(value.changed(body))
    case .form(let value): kind = .form(value.changed(body))
    case .multipart(let value): kind = .multipart(value.changed(body))
    case .text(let value): kind = .text(value.changed(body))
    case .expect(let value): kind = .expect(value.changed(body))
    case .when(let value): kind = .when(value.changed(body))
    case .timeout(let value): kind = .timeout(value.changed(body))
    case .limit(let value): kind = .limit(value.changed(body))
    case .save(let value): kind = .save(value.changed(body))
    case .wait(let value): kind = .wait(value.changed(body))
    case .body(let value, let typed): kind = .body(value.changed(body), typed.changed(body))
    case .graphql(var query, let variables):
      query.change(body)
      kind = .graphql(query, variables: variables?.changed(body))
    case .header(let fields): kind = .header(fields.changed(body))
    case .query(let fields): kind = .query(fields.changed(body))
    case .auth(.scheme(let scheme, let values)): kind = .auth(.scheme(scheme, values.map { $0.changed(body) }))
    case .repetition(var repetition):
      repetition.rounds = repetition.rounds?.changed(body)
      repetition.interval = repetition.interval?.changed(body)
      repetition.limit = repetition.limit?.changed(body)
      body(&repetition.condition)
      kind = .repetition(repetition)
    case .stream(var stream):
      stream.limit = stream.limit?.changed(body)
      stream.condition = stream.condition?.changed(body)
      kind = .stream(stream)
    case .auth(.none), .expectStatus, .retry, .redirects, .effect, .profile: break
    }
  }
}

extension FieldsSyntax {
  fileprivate func changed(_ body: (inout ExpressionSyntax) -> Void) -> FieldsSyntax {
    switch self {
    case .field(let name, let value): return .field(name, value.changed(body))
    case .omitted: return self
    case .object(var object):
      object.change(body)
      return .object(object)
    }
  }
}

extension SettingSyntax: ExpressionHolder {
  public mutating func change(_ body: (inout ExpressionSyntax) -> Void) {
    switch kind {
    case .clause(var clause):
      clause.change(body)
      kind = .clause(clause)
    case .base(let value): kind = .base(value.changed(body))
    case .origin(let value): kind = .origin(value.changed(body))
    case .proxy(let value): kind = .proxy(value.changed(body))
    case .http(let value): kind = .http(value.changed(body))
    case .unixSocket(let value): kind = .unixSocket(value.changed(body))
    case .tls(var object):
      object.change(body)
      kind = .tls(object)
    case .resolve(let host, var address):
      address.change(body)
      kind = .resolve(host: host, address: address)
    case .cookies: break
    }
  }
}

extension StepSyntax: ExpressionHolder {
  public mutating func change(_ body: (inout ExpressionSyntax) -> Void) {
    switch target {
    case .word(var word):
      word.change(body)
      target = .word(word)
    case .reference(let reference, var tail):
      let start = ExpressionSyntax.reference(reference).changed(body)
      tail?.change(body)
      // A target that starts with a value continues to do so.
      switch start {
      case .reference(let reference): target = .reference(reference, tail: tail)
      case .string(let text) where text.plainText != nil:
        let pieces = tail?.pieces ?? []
        target = .word(WordSyntax([.text(text.plainText ?? "")] + pieces))
      case let other: target = .expression(.parenthesized(ParenthesizedSyntax(inner: other, range: reference.range)))
      }
    case .expression(let expression): target = .expression(expression.changed(body))
    case .string(var string):
      string.change(body)
      target = .string(string)
    }
    for index in items.indices { body(&items[index].value) }
    for index in clauses.indices { clauses[index].change(body) }
  }
}

extension StatementSyntax: ExpressionHolder {
  public mutating func change(_ body: (inout ExpressionSyntax) -> Void) {
    switch self {
    case .step(var node):
      node.change(body)
      self = .step(node)
    case .run(var node):
      for index in node.arguments.indices { body(&node.arguments[index].value) }
      for index in node.clauses.indices { node.clauses[index].change(body) }
      self = .run(node)
    case .binding(var node):
      body(&node.value)
      self = .binding(node)
    case .secret(var node):
      body(&node.value)
      self = .secret(node)
    case .sequence(var node):
      for index in node.parameters.indices {
        node.parameters[index].defaultValue = node.parameters[index].defaultValue?.changed(body)
      }
      for index in node.body.statements.indices { node.body.statements[index].change(body) }
      self = .sequence(node)
    case .loop(var node):
      body(&node.items)
      for index in node.body.statements.indices { node.body.statements[index].change(body) }
      self = .loop(node)
    case .parallel(var node):
      for index in node.statements.indices { node.statements[index].change(body) }
      self = .parallel(node)
    case .finally(var node):
      for index in node.statements.indices { node.statements[index].change(body) }
      self = .finally(node)
    case .profile(var node):
      for index in node.settings.indices { node.settings[index].change(body) }
      self = .profile(node)
    case .use, .tags: break
    }
  }
}
