import Diagnostics
public import JSONValue

// Nodes that a program writes. They are in no text, so their ranges are empty. How a text has to be quoted is decided
// here and by the printer, and nowhere else.

extension SourceRange {
  /// The place of a node that nobody typed.
  static let nowhere = SourceRange(at: 0)
}

extension NameSyntax {
  public init(_ text: String) {
    self.init(text: text, range: .nowhere)
  }

  /// Whether the text can be a name: a letter or `_`, then those, digits, and `-` between them.
  public static func isName(_ text: String) -> Bool {
    !text.isEmpty && Lexer(SourceText(name: "", text: text)).nameLength() == text.utf8.count
  }
}

extension ScriptSyntax {
  public init(_ statements: [StatementSyntax], comments: [CommentSyntax] = []) {
    self.init(statements: statements, comments: comments)
  }
}

extension CommentSyntax {
  /// A comment on a line of its own, or after what is printed before it.
  ///
  /// - Parameter text: without the `#`.
  public init(_ text: String, standsAlone: Bool, endsParagraph: Bool = false) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    self.init(text: "# \(line)", range: .nowhere, standsAlone: standsAlone, endsParagraph: endsParagraph)
  }
}

// MARK: - Expressions

extension StringSyntax {
  /// The text between double quotes.
  public init(_ text: String) {
    self.init([.text(text)])
  }

  /// The text between single quotes, as regular expressions are written, where that is possible.
  public init(raw text: String) {
    let isRaw = !text.contains("'") && !text.contains(where: \.isNewline) && !text.isEmpty
    self.init(style: isRaw ? .raw : .quoted, pieces: text.isEmpty ? [] : [.text(text)], range: .nowhere)
  }

  /// Texts and expressions between double quotes. An expression has to start with a reference: nothing else is read as
  /// one there.
  public init(_ pieces: [Piece]) {
    self.init(style: .quoted, pieces: [], range: .nowhere)
    for piece in pieces {
      switch (self.pieces.last, piece) {
      case (_, .text("")): break
      case (.text(let before)?, .text(let text)): self.pieces[self.pieces.count - 1] = .text(before + text)
      case (_, .text), (_, .interpolation): self.pieces.append(piece)
      }
    }
  }
}

extension WordSyntax {
  public init(_ pieces: [Piece]) {
    self.init(pieces: [], range: .nowhere)
    for piece in pieces {
      switch (self.pieces.last, piece) {
      case (_, .text("")): break
      case (.text(let before)?, .text(let text)): self.pieces[self.pieces.count - 1] = .text(before + text)
      case (_, .text), (_, .interpolation): self.pieces.append(piece)
      }
    }
  }

  /// Whether a text stands for itself as a word, wherever a word is allowed.
  public static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        guard scalar.isASCII else { return !scalar.properties.isWhitespace }
        switch scalar {
        case " ", "{", "}", "\"", "'", "$", "#", "(", ")", "[", "]": return false
        default: return !Lexer.isControl(UInt8(scalar.value))
        }
      }
  }
}

extension ReferenceSyntax {
  public init(_ root: String, _ segments: [SegmentSyntax] = []) {
    self.init(root: NameSyntax(root), segments: segments, range: .nowhere)
  }
}

extension SegmentSyntax {
  /// `.name`, or `["odd name"]`.
  public static func member(_ name: String) -> SegmentSyntax {
    NameSyntax.isName(name) ? SegmentSyntax(kind: .name(name), range: .nowhere) : bracketed(name)
  }

  /// `["name"]`
  public static func bracketed(_ name: String) -> SegmentSyntax {
    let selector = SelectorSyntax(kind: .name(name), range: .nowhere)
    return SegmentSyntax(kind: .bracket([selector], isDescendant: false), range: .nowhere)
  }

  /// `[0]`
  public static func element(_ index: Int) -> SegmentSyntax {
    let selector = SelectorSyntax(kind: .index(index), range: .nowhere)
    return SegmentSyntax(kind: .bracket([selector], isDescendant: false), range: .nowhere)
  }
}

extension NumberSyntax {
  public init(_ text: String, _ unit: Unit? = nil) {
    self.init(text: text, unit: unit, range: .nowhere)
  }

  /// In the largest unit that needs no fraction: `90s`, `1500ms`.
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    guard attoseconds != 0 else {
      self.init("\(seconds)", .s)
      return
    }
    let (milliseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    let whole = "\(seconds * 1_000 + milliseconds)"
    var fraction = "\(1_000_000_000_000_000 + rest)".dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    self.init(fraction.isEmpty ? whole : "\(whole).\(fraction)", .ms)
  }
}

extension ExpressionSyntax {
  /// A JSON value as a literal.
  public init(_ json: JSON) {
    switch json {
    case .object(let object):
      self = .object(ObjectSyntax(object.members.map { .field($0.key, ExpressionSyntax($0.value)) }))
    case .array(let elements):
      self = .array(ArraySyntax(elements: elements.map { .value(ExpressionSyntax($0)) }, range: .nowhere))
    case .string(let text): self = .text(text)
    case .number(let number):
      let digits = number.text.hasPrefix("-") ? String(number.text.dropFirst()) : number.text
      let literal = ExpressionSyntax.number(NumberSyntax(digits))
      self =
        digits == number.text
        ? literal : .unary(UnarySyntax(operator: .negate, operand: literal, range: .nowhere))
    case .bool(let value): self = .literal(LiteralSyntax(kind: value ? .true : .false, range: .nowhere))
    case .null: self = .literal(LiteralSyntax(kind: .null, range: .nowhere))
    }
  }

  /// The text between double quotes.
  public static func text(_ text: String) -> ExpressionSyntax { .string(StringSyntax(text)) }

  /// A word if it stands for the text, otherwise the text between double quotes.
  public static func value(_ text: String) -> ExpressionSyntax {
    WordSyntax.isPlain(text) ? .word(WordSyntax([.text(text)])) : .text(text)
  }

  /// `$root.segment…`
  public static func reference(_ root: String, _ segments: [SegmentSyntax] = []) -> ExpressionSyntax {
    .reference(ReferenceSyntax(root, segments))
  }

  /// `$env.NAME`
  public static func environment(_ variable: String) -> ExpressionSyntax { .reference("env", [.member(variable)]) }

  /// `name(argument, …)`
  public static func call(_ name: String, _ arguments: ExpressionSyntax...) -> ExpressionSyntax {
    .call(CallSyntax(name, arguments))
  }

  /// `self.segment…` of a call, a member or parentheses.
  public func path(_ segments: [SegmentSyntax]) -> ExpressionSyntax {
    .path(PathSyntax(base: self, segments: segments, range: .nowhere))
  }

  /// `(self | name(argument, …))`
  public func piped(to name: String, _ arguments: ExpressionSyntax...) -> ExpressionSyntax {
    let pipe = ExpressionSyntax.pipe(PipeSyntax(input: self, call: CallSyntax(name, arguments)))
    return .parenthesized(ParenthesizedSyntax(inner: pipe, range: .nowhere))
  }

  /// `(self | name(argument, …) | …)`
  public func piped(through calls: [(name: String, arguments: [ExpressionSyntax])]) -> ExpressionSyntax {
    let pipe = calls.reduce(self) { .pipe(PipeSyntax(input: $0, call: CallSyntax($1.name, $1.arguments))) }
    return .parenthesized(ParenthesizedSyntax(inner: pipe, range: .nowhere))
  }

  /// The text, if it is a string or a word without an expression in it.
  public var plainText: String? {
    switch self {
    case .string(let string): string.plainText
    case .word(let word): word.plainText
    default: nil
    }
  }
}

extension ParenthesizedSyntax {
  public init(_ inner: ExpressionSyntax) {
    self.init(inner: inner, range: .nowhere)
  }
}

extension PipeSyntax {
  public init(_ input: ExpressionSyntax, _ call: CallSyntax) {
    self.init(input: input, call: call)
  }
}

extension FallbackSyntax {
  public init(_ value: ExpressionSyntax, or defaultValue: ExpressionSyntax) {
    self.init(value: value, defaultValue: defaultValue)
  }
}

extension ShapeTestSyntax {
  public init(_ value: ExpressionSyntax, is kind: ShapeSyntax.Kind) {
    self.init(value: value, shape: ShapeSyntax(kind: kind, range: .nowhere))
  }
}

extension ShapeSyntax {
  public init(_ kind: Kind) {
    self.init(kind: kind, range: .nowhere)
  }
}

extension UnarySyntax {
  public init(_ operator: Operator, _ operand: ExpressionSyntax) {
    self.init(operator: `operator`, operand: operand, range: .nowhere)
  }
}

extension ConditionalSyntax {
  public init(if condition: ExpressionSyntax, then value: ExpressionSyntax, else otherwise: ExpressionSyntax) {
    self.init(condition: condition, value: value, otherwise: otherwise, range: .nowhere)
  }
}

extension LoopSyntax {
  /// `for $name in items { … }`
  public init(_ name: String, in items: ExpressionSyntax, _ statements: [StatementSyntax]) {
    self.init(
      name: NameSyntax(name), items: items, limit: nil, body: BlockSyntax(statements: statements, range: .nowhere),
      range: .nowhere)
  }
}

extension CallSyntax {
  public init(_ name: String, _ arguments: [ExpressionSyntax]) {
    self.init(
      name: NameSyntax(name), arguments: arguments.map { ArgumentSyntax(name: nil, value: $0) }, range: .nowhere)
  }
}

extension ArraySyntax {
  public init(_ values: [ExpressionSyntax]) {
    self.init(elements: values.map { .value($0) }, range: .nowhere)
  }
}

extension BinarySyntax {
  public init(_ left: ExpressionSyntax, _ operator: Operator, _ right: ExpressionSyntax) {
    self.init(left: left, operator: `operator`, right: right)
  }
}

extension KeySyntax {
  /// A bare name if it is easily read as one, otherwise a string.
  public init(_ text: String) {
    let isBare =
      NameSyntax.isName(text) && !text.contains("-") && !["true", "false", "null", "not", "if"].contains(text)
    self = isBare ? .name(NameSyntax(text)) : .string(StringSyntax(text))
  }
}

extension ObjectSyntax {
  public init(_ members: [Member]) {
    self.init(members: members, range: .nowhere)
  }
}

extension ObjectSyntax.Member {
  public static func field(
    _ key: String, _ value: ExpressionSyntax, _ typed: TypedSyntax = TypedSyntax()
  ) -> ObjectSyntax.Member {
    .field(key: KeySyntax(key), value: value, typed)
  }
}

extension TypedSyntax {
  /// `as "type" named "file name"`, either of which may be missing.
  public init(type: String?, fileName: String? = nil) {
    self.init(type: type.map { StringSyntax($0) }, fileName: fileName.map { StringSyntax($0) })
  }
}

// MARK: - Statements

extension ClauseSyntax {
  public init(_ kind: Kind) {
    self.init(kind: kind, keyword: NameSyntax(kind.keyword), range: .nowhere)
  }

  /// `header Name: value`
  public static func header(_ name: String, _ value: ExpressionSyntax) -> ClauseSyntax {
    ClauseSyntax(.header(FieldsSyntax(name, value)))
  }

  /// `header Name:`, which leaves it out.
  public static func omittedHeader(_ name: String) -> ClauseSyntax {
    ClauseSyntax(.header(FieldsSyntax.omitting(name)))
  }

  /// `query name: value`
  public static func query(_ name: String, _ value: ExpressionSyntax) -> ClauseSyntax {
    ClauseSyntax(.query(FieldsSyntax(name, value)))
  }

  /// `auth scheme value, …`
  public static func auth(_ scheme: AuthSyntax.Scheme, _ values: ExpressionSyntax...) -> ClauseSyntax {
    ClauseSyntax(.auth(.scheme(scheme, values)))
  }

  /// `body file("path") as "type"`
  public static func body(file path: String, type: String? = nil) -> ClauseSyntax {
    ClauseSyntax(.body(.call("file", .text(path)), TypedSyntax(type: type)))
  }
}

extension ClauseSyntax.Kind {
  /// The word that such a clause starts with.
  public var keyword: String {
    switch self {
    case .json: "json"
    case .form: "form"
    case .multipart: "multipart"
    case .text: "text"
    case .body: "body"
    case .graphql: "graphql"
    case .header: "header"
    case .query: "query"
    case .auth: "auth"
    case .expectStatus, .expect: "expect"
    case .when: "when"
    case .repetition: "repeat"
    case .stream: "stream"
    case .retry: "retry"
    case .timeout: "timeout"
    case .limit: "limit"
    case .redirects: "redirects"
    case .save: "save"
    case .effect: "effect"
    case .profile: "with"
    case .wait: "wait"
    }
  }
}

extension FieldsSyntax {
  /// `name: value` if the name may be written bare, otherwise an object with one member.
  public init(_ name: String, _ value: ExpressionSyntax) {
    self = Self.isBare(name) ? .field(NameSyntax(name), value) : .object(ObjectSyntax([.field(name, value)]))
  }

  /// `name:` if the name may be written bare, otherwise an object whose one member is `null`.
  static func omitting(_ name: String) -> FieldsSyntax {
    Self.isBare(name)
      ? .omitted(NameSyntax(name)) : .object(ObjectSyntax([.field(name, ExpressionSyntax(.null))]))
  }

  private static func isBare(_ name: String) -> Bool {
    !name.isEmpty && name.unicodeScalars.allSatisfy { $0 > " " && !"=:@{}\"'#()\u{7F}".unicodeScalars.contains($0) }
  }
}

extension RepeatSyntax {
  public init(every interval: Duration, for limit: Duration, until condition: ExpressionSyntax) {
    self.init(
      interval: .number(NumberSyntax(interval)), limit: .number(NumberSyntax(limit)), condition: condition)
  }
}

extension TargetSyntax {
  /// A word if it stands for the text, otherwise a string.
  public init(_ text: String) {
    self = WordSyntax.isPlain(text) ? .word(WordSyntax([.text(text)])) : .string(StringSyntax(text))
  }
}

extension RequestItemSyntax {
  /// `keykindvalue`, such as `name=value`; nil: the key cannot be written this way.
  public init?(_ key: String, _ kind: Kind, _ value: ExpressionSyntax) {
    let length = Parser.keyLength(of: key)
    guard length > 0, length == key.utf8.count else { return nil }
    self.init(key: NameSyntax(key), kind: kind, value: value, range: .nowhere)
  }
}

extension StepSyntax {
  public init(
    label: String? = nil, _ method: String, _ target: TargetSyntax, itemBody: ItemBody? = nil,
    items: [RequestItemSyntax] = [], _ clauses: [ClauseSyntax] = []
  ) {
    self.init(
      label: label.map { NameSyntax($0) }, method: NameSyntax(method), target: target, itemBody: itemBody, items: items,
      clauses: clauses, range: .nowhere)
  }
}

extension LetSyntax {
  public init(_ name: String, _ value: ExpressionSyntax) {
    self.init(name: NameSyntax(name), value: value, range: .nowhere)
  }
}

extension SecretSyntax {
  public init(_ name: String, _ value: ExpressionSyntax, for profiles: [String]) {
    self.init(name: NameSyntax(name), value: value, profiles: profiles.map { NameSyntax($0) }, range: .nowhere)
  }
}

extension UseSyntax {
  public init(_ path: String) {
    self.init(path: StringSyntax(path), range: .nowhere)
  }
}

extension ProfileSyntax {
  public init(_ name: String, _ settings: [SettingSyntax.Kind]) {
    self.init(
      name: NameSyntax(name), settings: settings.map { SettingSyntax(kind: $0, range: .nowhere) }, range: .nowhere)
  }
}
