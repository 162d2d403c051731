import Diagnostics
import RequestSyntax

/// Types that cannot fit: a file in a query, a number as a condition, a text as a duration.
extension Checker {
  /// Operands of operators, and what is piped into functions.
  mutating func checkOperands(_ expression: ExpressionSyntax) {
    switch expression {
    case .unary(let node) where node.operator == .not: expect(.truth, node.operand)
    case .unary(let node):
      expect(.number, node.operand) { $0 == .number || $0 == .duration }
    case .binary(let node):
      switch node.operator {
      case .and, .or:
        expect(.truth, node.left)
        expect(.truth, node.right)
      case .add, .subtract, .multiply, .divide:
        checkArithmetic(node)
      case .startsWith, .endsWith, .matches:
        expectText(node.left)
        expectText(node.right)
      case .less, .lessOrEqual, .greater, .greaterOrEqual: checkOrder(node)
      case .contains: expectContainer(node.left)
      case .in: expectContainer(node.right)
      case .equal, .notEqual: break
      }
    case .conditional(let node): expect(.truth, node.condition)
    case .quantified(let node):
      expect(.array, node.items)
      expect(.truth, node.condition)
    case .pipe(let node):
      guard let type = scope.type(of: node.input), let function = Function(named: node.call.name.text),
        let input = function.input, !input.accepts(type)
      else { return }
      report(.wrongType(.input(function: function.name, input.wanted), found: type), node.input.range)
    case .string(let node):
      for case .interpolation(let part) in node.pieces { expectText(part) }
    case .word(let node):
      for case .interpolation(let part, _) in node.pieces { expectText(part) }
    default: break
    }
  }

  /// What a clause does with its values.
  mutating func checkTypes(_ clause: ClauseSyntax) {
    switch clause.kind {
    case .json(let value): expectJSON(value)
    case .form(let value): expectFields(value, areParts: false)
    case .multipart(let value): expectFields(value, areParts: true)
    case .text(let value): expectText(value)
    case .body(let value, _):
      expect(.body, value) { [.file, .chunk, .bytes, .string].contains($0) }
    case .graphql(_, let variables):
      guard let variables else { return }
      expect(.object, variables)
      expectJSON(variables)
    case .header(let fields), .query(let fields):
      switch fields {
      case .field(_, let value): expectTexts(value)
      case .omitted: break
      case .object(let object):
        let isHeader = if case .header = clause.kind { true } else { false }
        expectFields(.object(isHeader ? object.withoutOmitted : object), areParts: false)
      }
    case .auth(.scheme(.bearer, let values)), .auth(.scheme(.basic, let values)):
      for value in values { expectText(value) }
    case .expect(.number(let number)): report(.noStatus(number.text), number.range)
    case .expect(let condition), .when(let condition): expect(.truth, condition)
    case .repetition(let node):
      expect(.truth, node.condition)
      checkHolding(node.condition)
      if let rounds = node.rounds {
        expect(.number, rounds)
        checkExtent(rounds, .count)
      }
      for case let value? in [node.interval, node.limit] {
        expect(.duration, value)
        checkExtent(value, .duration)
      }
    case .stream(let node):
      if let condition = node.condition {
        expect(.truth, condition)
        checkHolding(condition)
      }
      if let limit = node.limit {
        expect(.duration, limit)
        checkExtent(limit, .timeLimit)
      }
    case .wait(let value):
      expect(.duration, value)
      checkExtent(value, .duration)
    case .timeout(let value):
      expect(.duration, value)
      checkExtent(value, .timeLimit)
    case .limit(let value):
      expect(.size, value)
      checkExtent(value, .size)
    case .save(let value):
      expectText(value)
      noteSaved(value)
      if let path = value.plainText, path.isEmpty || path.hasSuffix("/") {
        report(.savedToDirectory(path), value.range)
      }
      if let text = value.plainBraces { report(.plainBraces(text), value.range) }
    case .auth, .expectStatus, .retry, .redirects, .effect, .profile: break
    }
  }

  /// `until links.next == null`, or `not links.next`, goes on for ever, from the beginning: what a server leaves out is missing. A body may say
  /// `null`; fields and links cannot. Nor is a status a text, as in `until status == "done"`.
  private mutating func checkHolding(_ condition: ExpressionSyntax) {
    if asksForSamePage { return }
    switch condition {
    case .parenthesized(let node): checkHolding(node.inner)
    case .binary(let node) where node.operator == .and || node.operator == .or:
      checkHolding(node.left)
      checkHolding(node.right)
    case .unary(let node) where node.operator == .not && node.operand.isFieldOrLink:
      report(.neverNull(source[node.operand.range], isTyped: source.isTyped), node.operand.range)
    case .binary(let node) where node.operator == .equal:
      let value = node.right.isNull ? node.left : node.right
      if node.left.isNull || node.right.isNull, value.isFieldOrLink {
        report(.neverNull(source[value.range], isTyped: source.isTyped), value.range)
      }
      for (status, text) in [(node.left, node.right), (node.right, node.left)] where status.isStatus {
        if let text = text.plainText, Int(text) == nil { report(.neverText(source[status.range]), condition.range) }
      }
    default: break
    }
  }

  mutating func expectText(_ expression: ExpressionSyntax) {
    expect(.text, expression, \.hasText)
  }

  private mutating func expectContainer(_ expression: ExpressionSyntax) {
    expect(.container, expression) { [.string, .bytes, .digest, .time, .array, .object].contains($0) }
  }

  mutating func expect(_ wanted: WantedType, _ expression: ExpressionSyntax) {
    expect(wanted, expression) { $0 == wanted.only }
  }

  /// An array stands for that many fields.
  private mutating func expectTexts(_ expression: ExpressionSyntax) {
    guard case .array(let array) = expression else {
      return expect(.text, expression) { $0.hasText || $0 == .array }
    }
    for case .value(let element) in array.elements { expectText(element) }
  }

  private mutating func expect(
    _ wanted: WantedType, _ expression: ExpressionSyntax, _ isFine: (StaticType) -> Bool
  ) {
    guard let type = scope.type(of: expression), !isFine(type) else { return }
    report(.wrongType(wanted, found: type), expression.range)
  }

  private mutating func checkArithmetic(_ node: BinarySyntax) {
    let operands = [node.left, node.right].map { (expression: $0, type: scope.type(of: $0)) }
    if node.operator == .add, operands.contains(where: { $0.type == .string }) {
      return report(.addedText, node.left.range.union(node.right.range))
    }
    for (expression, type) in operands {
      guard let type, ![.number, .duration, .time].contains(type) else { continue }
      report(.wrongType(.number, found: type), expression.range)
    }
  }

  private mutating func checkOrder(_ node: BinarySyntax) {
    guard let left = scope.type(of: node.left), let right = scope.type(of: node.right) else { return }
    let ordered: Set<StaticType> = [.number, .string, .duration, .time]
    if left != right || !ordered.contains(left) {
      report(.notComparable(left, right), node.left.range.union(node.right.range))
    }
  }

  /// A value all of whose members can be JSON.
  private mutating func expectJSON(_ expression: ExpressionSyntax) {
    switch expression {
    case .object(let object):
      var names = SmallSet<String>(capacity: object.members.count)
      for member in object.members {
        switch member {
        case .field(let key, let value, let typed):
          if let name = key.plainText, !names.insert(name) { report(.repeatedMember(name), value.range) }
          expectJSON(value)
          if let string = typed.type ?? typed.fileName { report(.typedOutsideMultipart, string.range) }
        case .spread(let value): expect(.object, value)
        }
      }
    case .array(let array):
      for element in array.elements {
        switch element {
        case .value(let value): expectJSON(value)
        case .spread(let value): expect(.array, value)
        }
      }
    default: expect(.json, expression, \.isJSON)
    }
  }

  /// The fields of a form: texts, and in parts files too.
  private mutating func expectFields(_ expression: ExpressionSyntax, areParts: Bool) {
    guard case .object(let object) = expression else { return expect(.object, expression) }
    for member in object.members {
      switch member {
      case .field(_, let value, let typed):
        if areParts {
          guard let type = scope.type(of: value), !type.hasText else { continue }
          expect(.part, value) { [.file, .chunk, .array].contains($0) }
        } else {
          if [.file, .chunk].contains(scope.type(of: value)) {
            expect(.field, value) { _ in false }
          } else {
            expectTexts(value)
          }
          if let string = typed.type ?? typed.fileName { report(.typedOutsideMultipart, string.range) }
        }
      case .spread(let value): expect(.object, value)
      }
    }
  }
}

extension ExpressionSyntax {
  /// What is in braces in its text, where an expression may have been meant: `{body.id}`.
  fileprivate var plainBraces: String? {
    guard case .string(let string) = self, string.style != .raw else { return nil }
    for case .text(let text) in string.pieces {
      if let match = text.firstMatch(of: /\{([A-Za-z_][\w.\-\[\]]*)\}/) { return String(match.output.1) }
    }
    return nil
  }
}

/// A set that is mostly so small that looking at each element costs less than hashing one.
private struct SmallSet<Element: Hashable> {
  private var few: [Element] = []
  private var many: Set<Element> = []

  init(capacity: Int) {
    few.reserveCapacity(min(capacity, 9))
  }

  /// - Returns: whether it was not there.
  mutating func insert(_ element: Element) -> Bool {
    guard many.isEmpty else { return many.insert(element).inserted }
    guard !few.contains(element) else { return false }
    few.append(element)
    if few.count > 8 { many = Set(few) }
    return true
  }
}

extension ExpressionSyntax {
  /// Whether it is the status of a response.
  fileprivate var isStatus: Bool {
    switch self {
    case .member(let name): return name.text == "status"
    case .reference(let node):
      if case .name("status")? = node.segments.first?.kind { return node.segments.count == 1 }
    default: break
    }
    return false
  }

  /// Whether it is a header field or a link of a response.
  fileprivate var isFieldOrLink: Bool {
    let members = ["headers", "links"]
    switch self {
    case .path(let node):
      if case .member(let name) = node.base { return members.contains(name.text) }
    case .reference(let node):
      if case .name(let name)? = node.segments.first?.kind { return node.segments.count > 1 && members.contains(name) }
    default: break
    }
    return false
  }
}
