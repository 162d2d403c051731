internal import Diagnostics
internal import RequestSyntax
internal import Requests

/// What is secret in statements by its place or its name, according to their tree.
package struct TypedStatement {
  /// Literals, as UTF-8 offsets.
  package private(set) var ranges: [Range<Int>] = []
  /// What the values are called, by the values, decoded.
  package private(set) var names: [String: String] = [:]
  /// What they are there for.
  private var uses: [String: Set<Use>] = [:]
  private var use = Use.written
  /// Those that are in a text with something else: JSON, a form, a query for GraphQL.
  package private(set) var inTexts: Set<String> = []
  /// Whether it cannot be read to its end.
  package let isMistyped: Bool

  package var values: Set<String> { Set(names.keys) }

  /// What a value is in a statement for.
  package enum Use: Hashable {
    /// It is sent, or becomes the value of a name.
    case written
    /// It is an `auth` or a `secret`, which a run itself knows to be one.
    case declared
    /// Something is compared with it.
    case compared
  }

  /// What the values are called that are there for one of these.
  package func names(of wanted: Set<Use>) -> [String: String] {
    names.filter { uses[$0.key].map { !$0.isDisjoint(with: wanted) } ?? false }
  }

  package init(_ text: String) {
    let parsed = Parser.parse(SourceText(name: "", text: text), items: .typed)
    isMistyped = !parsed.errors.isEmpty
    for statement in parsed.script.statements { visit(statement, text) }
  }

  private mutating func visit(_ statement: StatementSyntax, _ text: String) {
    var objects: [ObjectSyntax] = []
    var compared: [BinarySyntax] = []
    var replaced: [FallbackSyntax] = []
    var calls: [CallSyntax] = []
    var texts: [String] = []
    statement.forEachExpression { expression in
      switch expression {
      case .object(let object): objects.append(object)
      case .binary(let binary): compared.append(binary)
      case .fallback(let fallback): replaced.append(fallback)
      case .call(let call): calls.append(call)
      case .string(let string): texts += string.pieces.compactMap(\.text)
      case .word(let word): texts += word.pieces.compactMap(\.text)
      default: break
      }
    }
    for object in objects { hide(object) }
    for fallback in replaced { hide(fallback.defaultValue, ifNamed: fallback.value.lastName) }
    using(.compared) { statement in
      for binary in compared { statement.hide(binary.right, ifNamed: binary.left.lastName) }
    }
    for call in calls {
      for argument in call.arguments { hide(argument.value, ifNamed: argument.name?.text) }
    }
    let forms = Set(statement.forms.flatMap { $0.pieces.compactMap(\.text) })
    for text in texts {
      var places = TypedText.places(in: text)
      if forms.contains(text), !places.isEmpty {
        // A word in a field is a part of its value.
        let fields = NamedSecrets.values(inBody: text).compactMap(\.range).map { range in
          let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
          return start..<start + text[range].utf8.count
        }
        places.removeAll { place in fields.contains { $0 != place.range && $0.contains(place.range) } }
      }
      hide(places, inText: text)
    }
    visitParts(of: statement, Array(text.utf8))
  }

  private mutating func visitParts(of statement: StatementSyntax, _ text: [UInt8]) {
    switch statement {
    case .step(let step):
      let range = step.target.range
      if range.upperBound <= text.count {
        let places = TypedURL.secrets(inTarget: text[range.lowerBound..<range.upperBound])
        ranges += places.map(\.range)
        for place in places { note(String(decoding: text[place.range], as: UTF8.self), place.name) }
      }
      for item in step.items where item.kind != .file { hide(item.value, ifNamed: item.key.text) }
      for clause in step.clauses {
        if let body = clause.bodyText { hide(body: body, isForm: clause.form != nil, text) } else { hide(clause) }
      }
    case .run(let run): for argument in run.arguments { hide(argument.value, ifNamed: argument.name?.text) }
    case .binding(let binding): hide(binding.value, ifNamed: binding.name.text)
    case .secret(let secret): using(.declared) { $0.hide(secret.value, as: secret.name.text) }
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

  /// What is found by the body is there for this.
  private mutating func using(_ use: Use, _ body: (inout TypedStatement) -> Void) {
    let before = self.use
    self.use = use
    body(&self)
    self.use = before
  }

  private mutating func hide(_ clause: ClauseSyntax) {
    switch clause.kind {
    case .header(.field(let name, let value)), .query(.field(let name, let value)): hide(value, ifNamed: name.text)
    case .header(.object(let object)), .query(.object(let object)): hide(object)
    case .auth(let credential): using(.declared) { $0.hide(credential) }
    case .graphql(let query, _):
      for text in query.pieces.compactMap(\.text) { hide(TypedText.places(in: text), inText: text) }
    default: break
    }
  }

  /// A body in which a secret is written with escapes, `"a\\\"b"`, is hidden as a whole: nobody looks for it in that form.
  ///
  /// - Parameter isForm: whether its fields show even where there are references among them.
  private mutating func hide(body: StringSyntax, isForm: Bool, _ text: [UInt8]) {
    let pieces = isForm ? body.pieces.compactMap(\.text) : [body.plainText].compactMap(\.self)
    let values = pieces.flatMap { NamedSecrets.values(inBody: $0) }
    for value in values { note(value.text, value.name, isInText: true) }
    guard body.range.upperBound <= text.count else { return }
    let range = body.range.lowerBound..<body.range.upperBound
    let isEscaped = values.contains { value in
      value.text.utf8.count >= Secret.fewestBytes && text[range].firstRange(of: Array(value.text.utf8)) == nil
    }
    if isEscaped { ranges.append(range) }
  }

  private mutating func hide(_ credential: AuthSyntax) {
    switch credential {
    case .scheme(.bearer, let values): for value in values { hide(value, as: "token") }
    case .scheme(.digest, let values): hideLogin(values)
    case .scheme(.signer(OAuthField.scheme), let values):
      for case .object(let object) in values {
        for case .field(let key, let value, _) in object.members {
          if let name = key.plainText, OAuthField(named: name)?.isSecret ?? true { hide(value, as: name) }
        }
      }
    case .scheme(.basic, let values):
      hideLogin(values)
      if values.count > 1, let password = values.last?.plainText,
        BasicCredential(user: values[0].plainText ?? "", password: password).isKey
      {
        hide(values[0], as: "user")
      }
    case .scheme(.signer(let name), let values):
      // A name that is none may be that of the secret.
      let shown = Signer(named: name)?.members.filter { $0.kind == .text }.map(\.name) ?? []
      for value in values {
        guard case .object(let object) = value else {
          hide(value, as: "token")
          continue
        }
        for case .field(let key, let value, _) in object.members {
          if let name = key.plainText, !shown.contains(name) { hide(value, as: name) }
        }
      }
    default: break
    }
  }

  /// What is alone is all of the login; in what cannot be read, it is the part before the wrong sign.
  private mutating func hideLogin(_ values: [ExpressionSyntax]) {
    for value in values.dropFirst(values.count > 1 || isMistyped ? 1 : 0) { hide(value, as: "password") }
  }

  private mutating func hide(_ object: ObjectSyntax) {
    for case .field(let key, let value, _) in object.members { hide(value, ifNamed: key.plainText) }
  }

  private mutating func hide(_ value: ExpressionSyntax?, ifNamed name: String?) {
    if let value, let name, SensitiveName.contains(name) { hide(value, as: name) }
  }

  /// The literals of a value, but not what is referred to, asked for or read.
  private mutating func hide(_ value: ExpressionSyntax, as name: String) {
    switch value {
    // `Bearer {$token}` has nothing of its own to hide.
    case .string(let string)
    where string.plainText == nil && string.pieces.compactMap(\.text).allSatisfy(AuthenticationScheme.isAll):
      break
    case .string(let string): hide(string.range, string.plainText, as: name)
    case .word(let word): hide(word.range, word.plainText, as: name)
    case .number(let number): hide(number.range, number.text, as: name)
    case .parenthesized(let node): hide(node.inner, as: name)
    case .object(let object): for case .field(_, let value, _) in object.members { hide(value, as: name) }
    case .array(let array): for case .value(let value) in array.elements { hide(value, as: name) }
    case .pipe(let pipe): hide(pipe.input, as: name)
    case .fallback(let node): hide(node.defaultValue, as: name)
    case .binary(let node):
      hide(node.left, as: name)
      hide(node.right, as: name)
    case .conditional(let node):
      hide(node.value, as: name)
      hide(node.otherwise, as: name)
    case .reference, .member, .call, .path, .literal, .unary, .shapeTest, .quantified: break
    }
  }

  private mutating func hide(_ range: SourceRange, _ text: String?, as name: String) {
    // An expression in it is not itself a secret: text that is only `{$token}` needs no mask.
    guard text != "", range.lowerBound < range.upperBound else { return }
    // `Authorization:Bearer`, whose token is a word of its own.
    if let text, AuthenticationScheme.isInHeader(named: name), AuthenticationScheme.isAll(of: text) { return }
    if let text, ReferenceText.isNoSecret(AuthenticationScheme.credential(in: text)) { return }
    ranges.append(range.lowerBound..<range.upperBound)
    if let text { note(text, name) }
  }

  private mutating func hide(_ places: [TypedPlace], inText text: String) {
    let bytes = Array(text.utf8)
    for place in places { note(String(decoding: bytes[place.range], as: UTF8.self), place.name, isInText: true) }
  }

  private mutating func note(_ text: String, _ name: String, isInText: Bool = false) {
    if names[text] == nil { names[text] = name }
    uses[text, default: []].insert(use)
    if isInText { inTexts.insert(text) }
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
}

extension StringSyntax.Piece {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension WordSyntax.Piece {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension ClauseSyntax {
  /// A body that is written as a text.
  fileprivate var bodyText: StringSyntax? {
    switch kind {
    case .json(.string(let string)), .text(.string(let string)), .body(.string(let string), _): string
    default: nil
    }
  }

  /// A body that is a form, written as a text.
  fileprivate var form: StringSyntax? {
    guard case .body(.string(let string), let type) = kind,
      type.type?.plainText?.contains("x-www-form-urlencoded") ?? false
    else { return nil }
    return string
  }
}

extension StatementSyntax {
  /// The bodies of a step that are forms, written as texts.
  fileprivate var forms: [StringSyntax] {
    if case .step(let step) = self { step.clauses.compactMap(\.form) } else { [] }
  }
}
