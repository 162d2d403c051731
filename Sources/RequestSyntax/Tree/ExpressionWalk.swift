// Every expression in a tree, to be read or to be changed. What is directly in a node is named in one place, `change`,
// which says whether anything has changed: a tree that is only read is not copied.

extension ExpressionSyntax {
  /// Calls `body` with every expression in this one, including itself, in the order of the text.
  public func forEach(_ body: (ExpressionSyntax) -> Void) {
    body(self)
    guard !isLeaf else { return }
    var expression = self
    _ = expression.change {
      $0.forEach(body)
      return false
    }
  }

  /// Calls `body` with every expression that is directly in this one.
  public func forEachInside(_ body: (ExpressionSyntax) -> Void) {
    guard !isLeaf else { return }
    var expression = self
    _ = expression.change {
      body($0)
      return false
    }
  }

  /// Whether there is clearly no expression in it, as in most: it is not taken apart to look.
  private var isLeaf: Bool {
    switch self {
    case .member, .number, .literal: true
    case .string(let node): node.hasOnlyText
    case .word(let node): node.hasOnlyText
    case .reference(let node): node.segments.haveNoSelectors
    case .path, .parenthesized, .call, .object, .array, .unary, .binary, .pipe, .fallback, .shapeTest, .conditional,
      .quantified:
      false
    }
  }

  /// Changes every expression in this one, including itself, the inner ones first.
  public mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    _ = change {
      $0.rewriteEach(body)
      return true
    }
    body(&self)
  }

  /// Calls `body` with every reference, including those inside brackets of others.
  public func forEachReference(_ body: (ReferenceSyntax) -> Void) {
    forEach { if case .reference(let reference) = $0 { body(reference) } }
  }

  /// Changes every expression that is directly in this one.
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    let changed: ExpressionSyntax? =
      switch self {
      case .reference(var node): node.segments.change(body) ? .reference(node) : nil
      case .member, .number, .literal: nil
      case .path(var node): either(body(&node.base), node.segments.change(body)) ? .path(node) : nil
      case .parenthesized(var node): body(&node.inner) ? .parenthesized(node) : nil
      case .call(var node): node.change(body) ? .call(node) : nil
      case .string(var node): node.change(body) ? .string(node) : nil
      case .word(var node): node.change(body) ? .word(node) : nil
      case .object(var node): node.change(body) ? .object(node) : nil
      case .array(var node): node.elements.changeEach { $0.change(body) } ? .array(node) : nil
      case .unary(var node): body(&node.operand) ? .unary(node) : nil
      case .binary(var node): either(body(&node.left), body(&node.right)) ? .binary(node) : nil
      case .pipe(var node): either(body(&node.input), node.call.change(body)) ? .pipe(node) : nil
      case .fallback(var node): either(body(&node.value), body(&node.defaultValue)) ? .fallback(node) : nil
      case .shapeTest(var node): either(body(&node.value), node.shape.change(body)) ? .shapeTest(node) : nil
      case .conditional(var node):
        either(either(body(&node.condition), body(&node.value)), body(&node.otherwise)) ? .conditional(node) : nil
      case .quantified(var node): either(body(&node.items), body(&node.condition)) ? .quantified(node) : nil
      }
    guard let changed else { return false }
    self = changed
    return true
  }
}

/// Any other part of a tree that has expressions in it.
public protocol ExpressionHolder {
  /// Changes every expression that is directly in it, and in the parts that are no expressions.
  ///
  /// - Parameter body: returns whether it changed the expression.
  /// - Returns: whether any was changed; if not, this is as it was.
  mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool
}

extension ExpressionHolder {
  /// Calls `body` with every expression that is directly in it, in the order of the text.
  public func forEachInside(_ body: (ExpressionSyntax) -> Void) {
    var holder = self
    _ = holder.change {
      body($0)
      return false
    }
  }

  /// Calls `body` with every expression in it, in the order of the text.
  public func forEachExpression(_ body: (ExpressionSyntax) -> Void) {
    forEachInside { $0.forEach(body) }
  }

  /// Calls `body` with every reference in it.
  public func forEachReference(_ body: (ReferenceSyntax) -> Void) {
    forEachExpression { if case .reference(let reference) = $0 { body(reference) } }
  }

  /// Changes every expression in it, the inner ones first.
  public mutating func rewriteEach(_ body: (inout ExpressionSyntax) -> Void) {
    _ = change {
      $0.rewriteEach(body)
      return true
    }
  }
}

extension ArraySyntax.Element {
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    let changed: Self? =
      switch self {
      case .value(var value): body(&value) ? .value(value) : nil
      case .spread(var value): body(&value) ? .spread(value) : nil
      }
    guard let changed else { return false }
    self = changed
    return true
  }
}

extension CallSyntax {
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    arguments.changeEach { body(&$0.value) }
  }
}

extension StringSyntax: ExpressionHolder {
  /// Changes the expressions in it. One that becomes a literal becomes a part of the text: only what starts with a
  /// reference is read as an expression there.
  public mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    guard !hasOnlyText else { return false }
    var rewritten = pieces
    let isChanged = rewritten.changeEach { piece in
      guard case .interpolation(var expression) = piece, body(&expression) else { return false }
      piece = expression.literalText.map { .text($0) } ?? .interpolation(expression)
      return true
    }
    if isChanged { pieces = StringSyntax(rewritten).pieces }
    return isChanged
  }
}

extension StringSyntax {
  fileprivate var hasOnlyText: Bool {
    !pieces.contains { if case .interpolation = $0 { true } else { false } }
  }
}

extension WordSyntax {
  fileprivate var hasOnlyText: Bool {
    !pieces.contains { if case .interpolation = $0 { true } else { false } }
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
  public mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    guard !hasOnlyText else { return false }
    return pieces.changeEach { piece in
      guard case .interpolation(var expression, let keepsReserved) = piece, body(&expression) else { return false }
      piece = .interpolation(expression, keepsReserved: keepsReserved)
      return true
    }
  }
}

extension ObjectSyntax {
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    members.changeEach { member in
      let changed: Member? =
        switch member {
        case .field(.string(var key), var value, var typed):
          either(either(key.change(body), body(&value)), typed.change(body))
            ? .field(key: .string(key), value: value, typed) : nil
        case .field(.name(let key), var value, var typed):
          either(body(&value), typed.change(body)) ? .field(key: .name(key), value: value, typed) : nil
        case .spread(var value): body(&value) ? .spread(value) : nil
        }
      guard let changed else { return false }
      member = changed
      return true
    }
  }
}

extension TypedSyntax {
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    if isEmpty { return false }
    var (type, fileName) = (type, fileName)
    guard either(type.changeValue { $0.change(body) }, fileName.changeValue { $0.change(body) }) else { return false }
    self = TypedSyntax(type: type, fileName: fileName)
    return true
  }
}

extension ShapeSyntax {
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    let changed: Kind? =
      switch kind {
      case .string(var string): string.change(body) ? .string(string) : nil
      case .named, .boolean, .number, .snapshot: nil
      case .array(var element): element.changeValue { $0.change(body) } ? .array(element) : nil
      case .either(var choices): choices.changeEach { $0.change(body) } ? .either(choices) : nil
      case .object(var members, let isOpen):
        members.changeEach { either($0.key.change(body), $0.shape.change(body)) }
          ? .object(members, isOpen: isOpen) : nil
      }
    guard let changed else { return false }
    kind = changed
    return true
  }
}

extension KeySyntax {
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    guard case .string(var key) = self, key.change(body) else { return false }
    self = .string(key)
    return true
  }
}

extension [SegmentSyntax] {
  fileprivate var haveNoSelectors: Bool {
    !contains { if case .bracket = $0.kind { true } else { false } }
  }

  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    changeEach { segment in
      guard case .bracket(var selectors, let isDescendant) = segment.kind,
        selectors.changeEach({ $0.change(body) })
      else { return false }
      segment.kind = .bracket(selectors, isDescendant: isDescendant)
      return true
    }
  }
}

extension SelectorSyntax {
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    guard case .reference(let reference) = kind else { return false }
    var expression = ExpressionSyntax.reference(reference)
    guard body(&expression) else { return false }
    switch expression {
    case .reference(let reference): kind = .reference(reference)
    case .number(let number): if let index = Int(number.text) { kind = .index(index) }
    case .string(let string): if let text = string.plainText { kind = .name(text) }
    default: break
    }
    return true
  }
}

extension ClauseSyntax: ExpressionHolder {
  public mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    let changed: Kind? =
      switch kind {
      case .json(var value): body(&value) ? .json(value) : nil
      case .form(var value): body(&value) ? .form(value) : nil
      case .multipart(var value): body(&value) ? .multipart(value) : nil
      case .text(var value): body(&value) ? .text(value) : nil
      case .expect(var value): body(&value) ? .expect(value) : nil
      case .when(var value): body(&value) ? .when(value) : nil
      case .timeout(var value): body(&value) ? .timeout(value) : nil
      case .limit(var value): body(&value) ? .limit(value) : nil
      case .save(var value): body(&value) ? .save(value) : nil
      case .wait(var value): body(&value) ? .wait(value) : nil
      case .body(var value, var typed): either(body(&value), typed.change(body)) ? .body(value, typed) : nil
      case .graphql(var query, var variables):
        either(query.change(body), variables.changeValue(body)) ? .graphql(query, variables: variables) : nil
      case .header(var fields): fields.change(body) ? .header(fields) : nil
      case .query(var fields): fields.change(body) ? .query(fields) : nil
      case .auth(.scheme(let scheme, var values)):
        values.changeEach(body) ? .auth(.scheme(scheme, values)) : nil
      case .repetition(var repetition):
        either(
          either(repetition.rounds.changeValue(body), repetition.interval.changeValue(body)),
          either(repetition.limit.changeValue(body), body(&repetition.condition))) ? .repetition(repetition) : nil
      case .stream(var stream):
        either(stream.limit.changeValue(body), stream.condition.changeValue(body)) ? .stream(stream) : nil
      case .auth(.none), .expectStatus, .retry, .redirects, .effect, .profile: nil
      }
    guard let changed else { return false }
    kind = changed
    return true
  }
}

extension FieldsSyntax {
  fileprivate mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    let changed: Self? =
      switch self {
      case .field(let name, var value): body(&value) ? .field(name, value) : nil
      case .omitted: nil
      case .object(var object): object.change(body) ? .object(object) : nil
      }
    guard let changed else { return false }
    self = changed
    return true
  }
}

extension SettingSyntax: ExpressionHolder {
  public mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    let changed: Kind? =
      switch kind {
      case .clause(var clause): clause.change(body) ? .clause(clause) : nil
      case .base(var value): body(&value) ? .base(value) : nil
      case .origin(var value): body(&value) ? .origin(value) : nil
      case .proxy(var value): body(&value) ? .proxy(value) : nil
      case .http(var value): body(&value) ? .http(value) : nil
      case .unixSocket(var value): body(&value) ? .unixSocket(value) : nil
      case .tls(var object): object.change(body) ? .tls(object) : nil
      case .resolve(let host, var address): address.change(body) ? .resolve(host: host, address: address) : nil
      case .cookies: nil
      }
    guard let changed else { return false }
    kind = changed
    return true
  }
}

extension StepSyntax: ExpressionHolder {
  public mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    either(
      either(target.change(body), items.changeEach { body(&$0.value) }), clauses.changeEach { $0.change(body) })
  }
}

extension TargetSyntax: ExpressionHolder {
  public mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    let changed: Self? =
      switch self {
      case .word(var word): word.change(body) ? .word(word) : nil
      case .expression(var expression): body(&expression) ? .expression(expression) : nil
      case .string(var string): string.change(body) ? .string(string) : nil
      case .reference(let reference, var tail): Self.changed(reference, &tail, body)
      }
    guard let changed else { return false }
    self = changed
    return true
  }

  /// A target that starts with a value continues to do so.
  private static func changed(
    _ reference: ReferenceSyntax, _ tail: inout WordSyntax?, _ body: (inout ExpressionSyntax) -> Bool
  ) -> Self? {
    var start = ExpressionSyntax.reference(reference)
    guard either(body(&start), tail.changeValue { $0.change(body) }) else { return nil }
    return switch start {
    case .reference(let reference): .reference(reference, tail: tail)
    case .string(let text) where text.plainText != nil:
      .word(WordSyntax([.text(text.plainText ?? "")] + (tail?.pieces ?? [])))
    case let other: .expression(.parenthesized(ParenthesizedSyntax(inner: other, range: reference.range)))
    }
  }
}

extension StatementSyntax: ExpressionHolder {
  public mutating func change(_ body: (inout ExpressionSyntax) -> Bool) -> Bool {
    let changed: Self? =
      switch self {
      case .step(var node): node.change(body) ? .step(node) : nil
      case .run(var node):
        either(node.arguments.changeEach { body(&$0.value) }, node.clauses.changeEach { $0.change(body) })
          ? .run(node) : nil
      case .binding(var node): body(&node.value) ? .binding(node) : nil
      case .secret(var node): body(&node.value) ? .secret(node) : nil
      case .sequence(var node):
        either(
          node.parameters.changeEach { $0.defaultValue.changeValue(body) },
          node.body.statements.changeEach { $0.change(body) }) ? .sequence(node) : nil
      case .loop(var node):
        either(body(&node.items), node.body.statements.changeEach { $0.change(body) }) ? .loop(node) : nil
      case .parallel(var node): node.statements.changeEach { $0.change(body) } ? .parallel(node) : nil
      case .finally(var node): node.statements.changeEach { $0.change(body) } ? .finally(node) : nil
      case .profile(var node): node.settings.changeEach { $0.change(body) } ? .profile(node) : nil
      case .use, .tags: nil
      }
    guard let changed else { return false }
    self = changed
    return true
  }
}

extension Array {
  /// Changes the elements one after another; those that stay are not copied.
  fileprivate mutating func changeEach(_ change: (inout Element) -> Bool) -> Bool {
    var isChanged = false
    for index in indices {
      var element = self[index]
      guard change(&element) else { continue }
      replace(index, with: element)
      isChanged = true
    }
    return isChanged
  }

  /// Apart, so that the array is not copied before it is known whether anything changes.
  @inline(never)
  private mutating func replace(_ index: Int, with element: Element) { self[index] = element }
}

extension Optional {
  fileprivate mutating func changeValue(_ change: (inout Wrapped) -> Bool) -> Bool {
    guard var value = self, change(&value) else { return false }
    self = value
    return true
  }
}

/// Both were looked at, in the order of the text.
private func either(_ first: Bool, _ second: Bool) -> Bool { first || second }
