internal import Diagnostics
internal import Formats
internal import RequestSyntax
internal import Requests

/// What is secret in statements by its place or its name, according to their tree.
struct TypedStatement {
  /// Literals, as UTF-8 offsets.
  private(set) var ranges: [Range<Int>] = []
  /// Their values, decoded; a text that is itself JSON or a form contains some of these.
  private(set) var values: Set<String> = []

  init(_ text: String) {
    for statement in Parser.parse(SourceText(name: "", text: text)).script.statements { visit(statement, text) }
  }

  private mutating func visit(_ statement: StatementSyntax, _ text: String) {
    var objects: [ObjectSyntax] = []
    var compared: [BinarySyntax] = []
    var calls: [CallSyntax] = []
    statement.forEachExpression { expression in
      switch expression {
      case .object(let object): objects.append(object)
      case .binary(let binary): compared.append(binary)
      case .call(let call): calls.append(call)
      default: break
      }
    }
    for object in objects { hide(object) }
    for binary in compared where binary.left.lastName.map(SensitiveName.contains) == true { hide(binary.right) }
    for call in calls {
      for argument in call.arguments { hide(argument.value, ifNamed: argument.name?.text) }
    }
    visitParts(of: statement, Array(text.utf8))
  }

  private mutating func visitParts(of statement: StatementSyntax, _ text: [UInt8]) {
    switch statement {
    case .step(let step):
      let range = step.target.range
      if range.upperBound <= text.count {
        hide(TypedURL.secrets(inTarget: text[range.lowerBound..<range.upperBound]), in: text)
      }
      for item in step.items where item.kind != .file { hide(item.value, ifNamed: item.key.text) }
      for clause in step.clauses { hide(clause) }
    case .run(let run): for argument in run.arguments { hide(argument.value, ifNamed: argument.name?.text) }
    case .binding(let binding): hide(binding.value, ifNamed: binding.name.text)
    case .secret(let secret): hide(secret.value)
    case .profile(let profile):
      for setting in profile.settings { if case .clause(let clause) = setting.kind { hide(clause) } }
    case .sequence(let sequence):
      for parameter in sequence.parameters { hide(parameter.defaultValue, ifNamed: parameter.name.text) }
      for inner in sequence.body.statements { visitParts(of: inner, text) }
    case .loop(let loop): for inner in loop.body.statements { visitParts(of: inner, text) }
    case .parallel(let block), .finally(let block): for inner in block.statements { visitParts(of: inner, text) }
    case .use, .tags: break
    }
  }

  private mutating func hide(_ clause: ClauseSyntax) {
    switch clause.kind {
    case .header(.field(let name, let value)), .query(.field(let name, let value)): hide(value, ifNamed: name.text)
    case .auth(.scheme(.bearer, let values)): for value in values { hide(value) }
    case .auth(.scheme(.basic, let values)):
      for value in values.dropFirst() { hide(value) }
      // Without a password the user is the secret: `curl -u KEY:`.
      if let user = values.first, let password = values.last?.plainText,
        password.utf8.count < Secret.fewestBytes
      {
        hide(user)
      }
    case .auth(.scheme(.signer(let name), let values)):
      let hidden = Signer(named: name)?.members.filter { $0.kind != .text }.map(\.name)
      for case .object(let object) in values {
        for case .field(let key, let value, _) in object.members {
          if let name = key.plainText, hidden?.contains(name) ?? true { hide(value) }
        }
      }
    case .json(.string(let string)), .text(.string(let string)), .body(.string(let string), _):
      if let text = string.plainText { values.formUnion(NamedSecrets.values(inBody: text).map(\.text)) }
    default: break
    }
  }

  private mutating func hide(_ object: ObjectSyntax) {
    for case .field(let key, let value, _) in object.members { hide(value, ifNamed: key.plainText) }
  }

  private mutating func hide(_ value: ExpressionSyntax?, ifNamed name: String?) {
    if let value, let name, SensitiveName.contains(name) { hide(value) }
  }

  /// The literals of a value, but not what is referred to, asked for or read.
  private mutating func hide(_ value: ExpressionSyntax) {
    switch value {
    case .string(let string): hide(string.range, string.plainText)
    case .word(let word): hide(word.range, word.plainText)
    case .number(let number): hide(number.range, number.text)
    case .parenthesized(let node): hide(node.inner)
    case .object(let object): for case .field(_, let value, _) in object.members { hide(value) }
    case .array(let array): for case .value(let value) in array.elements { hide(value) }
    case .pipe(let pipe): hide(pipe.input)
    case .fallback(let node): hide(node.defaultValue)
    case .binary(let node):
      hide(node.left)
      hide(node.right)
    case .conditional(let node):
      hide(node.value)
      hide(node.otherwise)
    case .reference, .member, .call, .path, .literal, .unary, .shapeTest: break
    }
  }

  private mutating func hide(_ range: SourceRange, _ text: String?) {
    // An expression in it is not itself a secret: text that is only `{$token}` needs no mask.
    guard text != "", range.lowerBound < range.upperBound else { return }
    ranges.append(range.lowerBound..<range.upperBound)
    if let text { values.insert(text) }
  }

  private mutating func hide(_ ranges: [Range<Int>], in text: [UInt8]) {
    self.ranges += ranges
    for range in ranges { values.insert(String(decoding: text[range], as: UTF8.self)) }
  }
}

extension ExpressionSyntax {
  /// A word or string without expressions.
  fileprivate var plainText: String? {
    switch self {
    case .word(let word): word.plainText
    case .string(let string): string.plainText
    default: nil
    }
  }

  /// The last name in a path: `$a.body.token`.
  fileprivate var lastName: String? {
    switch self {
    case .member(let name): name.text
    case .reference(let node):
      if let last = node.segments.last {
        if case .name(let name) = last.kind { name } else { nil }
      } else {
        node.root.text
      }
    case .path(let node): if case .name(let name)? = node.segments.last?.kind { name } else { nil }
    default: nil
    }
  }
}
