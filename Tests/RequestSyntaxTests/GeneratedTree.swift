import Diagnostics

@testable import RequestSyntax

/// Trees of every production, made at random from a seed, in the form that the parser gives them.
struct GeneratedTree {
  /// SplitMix64: the same seed gives the same trees everywhere.
  private var state: UInt64
  /// How deep it may still go.
  private var depth = 5
  /// Whether `status`, `body`, … may be written without `$`.
  private var allowsMembers = false
  /// Whether everything stays on one line, so that no `"""` may be used.
  private var isInline = false
  private let place = SourceRange(at: 0)

  init(seed: UInt64) {
    state = seed
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  private mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  private mutating func one<Element>(of all: [Element]) -> Element { all[below(all.count)] }

  private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? { below(2) == 0 ? nil : make(&self) }

  private mutating func some<Value>(_ range: ClosedRange<Int>, _ make: (inout Self) -> Value) -> [Value] {
    (0..<range.lowerBound + below(range.count)).map { _ in make(&self) }
  }

  private mutating func deeper<Value>(_ make: (inout Self) -> Value) -> Value {
    depth -= 1
    defer { depth += 1 }
    return make(&self)
  }

  private mutating func inline<Value>(_ make: (inout Self) -> Value) -> Value {
    let outer = isInline
    isInline = true
    defer { isInline = outer }
    return make(&self)
  }

  private mutating func withMembers<Value>(_ make: (inout Self) -> Value) -> Value {
    allowsMembers = true
    defer { allowsMembers = false }
    return make(&self)
  }

  // MARK: Names and texts

  private mutating func name() -> NameSyntax {
    NameSyntax(text: one(of: ["a", "id", "up-load", "x1", "größe", "_y", "every", "on"]), range: place)
  }

  private mutating func key() -> NameSyntax {
    NameSyntax(text: one(of: ["a", "X-Api-Key", "filter[x]", "a.b", "1", "*"]), range: place)
  }

  private mutating func text(_ pieces: [String], _ range: ClosedRange<Int> = 1...4) -> String {
    some(range) { $0.one(of: pieces) }.joined()
  }

  private mutating func string() -> StringSyntax {
    switch below(isInline ? 3 : 4) {
    case 0:
      let text = text(["a", " ", "\"", "\\", "{$x}", "\t", "ß"], 0...3)
      return StringSyntax(style: .raw, pieces: text.isEmpty ? [] : [.text(text)], range: place)
    case 3: return StringSyntax(style: .block, pieces: pieces(), range: place)
    default: return StringSyntax(style: .quoted, pieces: pieces(), range: place)
    }
  }

  private mutating func pieces() -> [StringSyntax.Piece] {
    let pieces = some(0...3) { generator -> StringSyntax.Piece in
      if generator.depth > 0, generator.below(3) == 0 {
        return .interpolation(generator.inline { $0.deeper { $0.beginningWithReference() } })
      }
      return .text(
        generator.text([
          "a", "it's", " ", "  ", "\"", "\"\"\"", "\\", "{", "}", "{$", "$", "\n", "\r", "\t", "\u{0}", "\u{7F}", "ß",
          "#",
          "\u{1F600}",
        ]))
    }
    return StringSyntax(pieces).pieces
  }

  /// An expression between the braces of a string.
  private mutating func beginningWithReference() -> ExpressionSyntax {
    let reference = ExpressionSyntax.reference(reference())
    return switch below(4) {
    case 0: .pipe(PipeSyntax(input: reference, call: call()))
    case 1: .fallback(FallbackSyntax(value: reference, defaultValue: operand()))
    case 2: .binary(BinarySyntax(left: reference, operator: .add, right: unary()))
    default: reference
    }
  }

  /// - Parameters:
  ///   - isEmpty: whether it may be.
  ///   - first: what it may start with.
  private mutating func word(mayBeEmpty: Bool = false, beginning first: [String] = ["/", "a", "1", "-", "~"])
    -> WordSyntax
  {
    if mayBeEmpty, below(4) == 0 { return WordSyntax(pieces: [], range: place) }
    let begin: WordSyntax.Piece = .text(one(of: first))
    let rest = some(0...3) { generator -> WordSyntax.Piece in
      if generator.depth > 0, generator.below(3) == 0 {
        let value = generator.inline { $0.deeper { $0.expression() } }
        return .interpolation(value, keepsReserved: generator.below(2) == 0)
      }
      return .text(generator.text(["b", "/", "?q=1", "&", "#", "%20", ":", "\"", "'", "$", "ß", "=", "@"]))
    }
    return WordSyntax([begin] + rest)
  }

  /// As it is written after a colon or a setting.
  private mutating func value() -> ExpressionSyntax {
    below(2) == 0 ? .word(word(beginning: ["/", "b", "1", "-", "~"])) : valueExpression()
  }

  private mutating func valueExpression() -> ExpressionSyntax {
    switch below(5) {
    case 0: .reference(reference())
    case 1: .string(string())
    case 2: .parenthesized(ParenthesizedSyntax(inner: deeper { $0.expression() }, range: place))
    case 3: .array(array())
    default: .call(call())
    }
  }

  // MARK: References

  private mutating func reference() -> ReferenceSyntax {
    let root = below(4) == 0 ? NameSyntax(text: one(of: ["1", "27", "_"]), range: place) : name()
    return ReferenceSyntax(root: root, segments: some(0...3) { $0.segment() }, range: place)
  }

  private mutating func segment() -> SegmentSyntax {
    let kind: SegmentSyntax.Kind =
      switch below(5) {
      case 0: .name(name().text)
      case 1: .wildcard
      case 2: .descendantName(name().text)
      case 3: .descendantWildcard
      default: .bracket(some(1...3) { $0.selector() }, isDescendant: below(2) == 0)
      }
    return SegmentSyntax(kind: kind, range: place)
  }

  private mutating func selector() -> SelectorSyntax {
    let kind: SelectorSyntax.Kind =
      switch below(depth > 0 ? 6 : 5) {
      case 0: .wildcard
      case 1: .index(one(of: [0, 3, -1]))
      case 2:
        .slice(start: maybe { $0.below(4) }, end: maybe { -$0.below(4) }, step: maybe { $0.below(3) })
      case 3: .name(text(["a", "\"", "'", "\\", " ", "ß", "\n", "{$x}"], 0...3))
      case 4: .filter(one(of: ["@.a > 1", "@.b == 'x, y'", "match(@.c, \"[a]\")", "@[?@.d]"]))
      default: .reference(deeper { $0.reference() })
      }
    return SelectorSyntax(kind: kind, range: place)
  }

  // MARK: Expressions

  mutating func expression() -> ExpressionSyntax {
    guard depth > 0 else { return operand() }
    return deeper { generator in
      guard generator.below(8) == 0 else { return generator.binary(minimum: 1) }
      if generator.below(3) == 0 {
        return .quantified(
          QuantifiedSyntax(
            isUniversal: generator.below(2) == 0, name: generator.name(), items: generator.binary(minimum: 5),
            condition: generator.expression(), range: generator.place))
      }
      return .conditional(
        ConditionalSyntax(
          condition: generator.expression(), value: generator.expression(), otherwise: generator.expression(),
          range: generator.place))
    }
  }

  /// Operators that bind at least as tightly as `minimum`.
  private mutating func binary(minimum: Int) -> ExpressionSyntax {
    guard depth > 0, below(3) > 0, minimum < 7 else { return unary() }
    return deeper { generator in
      let level = minimum + generator.below(7 - minimum)
      if level == BinarySyntax.Operator.notPrecedence {
        let operand = generator.binary(minimum: level)
        return .unary(UnarySyntax(operator: .not, operand: operand, range: generator.place))
      }
      let isComparison = level == BinarySyntax.Operator.comparisonPrecedence
      // `not` binds more loosely than a comparison, so it cannot be on the left of one; chains grow to the left.
      let left = generator.binary(minimum: isComparison ? level + 1 : max(level, minimum == 1 ? level : minimum))
      if isComparison, generator.below(4) == 0 {
        return .shapeTest(ShapeTestSyntax(value: left, shape: generator.testedShape()))
      }
      let operators = BinarySyntax.Operator.allCases.filter { $0.precedence == level }
      guard !operators.isEmpty, !left.endsWithNot else { return left }
      return .binary(
        BinarySyntax(
          left: left, operator: generator.one(of: operators), right: generator.binary(minimum: level + 1)))
    }
  }

  private mutating func unary() -> ExpressionSyntax {
    guard depth > 0, below(6) == 0 else { return chain() }
    return .unary(UnarySyntax(operator: .negate, operand: deeper { $0.unary() }, range: place))
  }

  private mutating func chain() -> ExpressionSyntax {
    guard depth > 0 else { return operand() }
    return deeper { generator in
      switch generator.below(5) {
      case 0: .pipe(PipeSyntax(input: generator.chain(), call: generator.call()))
      case 1: .fallback(FallbackSyntax(value: generator.chain(), defaultValue: generator.operand()))
      default: generator.operand()
      }
    }
  }

  private mutating func operand() -> ExpressionSyntax {
    guard depth > 0 else { return below(2) == 0 ? .number(number()) : .reference(ReferenceSyntax("a")) }
    return deeper { generator in
      switch generator.below(generator.allowsMembers ? 11 : 9) {
      case 0: .reference(generator.reference())
      case 1: .call(generator.call())
      case 2: generator.path(after: .call(generator.call()))
      case 3:
        .parenthesized(ParenthesizedSyntax(inner: generator.expression(), range: generator.place))
      case 4: .number(generator.number())
      case 5: .string(generator.string())
      case 6: .object(generator.object())
      case 7: .array(generator.array())
      case 8: .literal(LiteralSyntax(kind: generator.one(of: LiteralSyntax.Kind.allCases), range: generator.place))
      case 9: .member(generator.member())
      default: generator.path(after: .member(generator.member()))
      }
    }
  }

  private mutating func member() -> NameSyntax {
    NameSyntax(text: one(of: Keywords.members), range: place)
  }

  private mutating func path(after base: ExpressionSyntax) -> ExpressionSyntax {
    .path(PathSyntax(base: base, segments: some(1...2) { $0.segment() }, range: place))
  }

  private mutating func call() -> CallSyntax {
    let name = NameSyntax(text: one(of: ["f", "base64-decode", "uuid"]), range: place)
    return CallSyntax(name: name, arguments: depth > 0 ? deeper { $0.arguments() } : [], range: place)
  }

  private mutating func arguments() -> [ArgumentSyntax] {
    some(0...2) { generator in ArgumentSyntax(name: generator.maybe { $0.name() }, value: generator.expression()) }
  }

  private mutating func number() -> NumberSyntax {
    NumberSyntax(
      text: one(of: ["0", "7", "1.5", "2e3", "10", "6.02E+23"]), unit: maybe { $0.one(of: NumberSyntax.Unit.allCases) },
      range: place)
  }

  private mutating func objectKey() -> KeySyntax { below(2) == 0 ? .name(name()) : .string(inline { $0.string() }) }

  private mutating func object() -> ObjectSyntax {
    guard depth > 0 else { return ObjectSyntax(members: [], range: place) }
    return deeper { generator in
      ObjectSyntax(
        members: generator.some(0...3) { generator in
          if generator.below(5) == 0 { return .spread(generator.expression()) }
          return .field(key: generator.objectKey(), value: generator.expression(), generator.typed())
        }, range: generator.place)
    }
  }

  private mutating func typed() -> TypedSyntax {
    below(3) > 0 ? TypedSyntax() : TypedSyntax(type: maybe { $0.string() }, fileName: maybe { $0.string() })
  }

  private mutating func array() -> ArraySyntax {
    guard depth > 0 else { return ArraySyntax(elements: [], range: place) }
    return deeper { generator in
      ArraySyntax(
        elements: generator.some(0...3) { generator in
          generator.below(5) == 0 ? .spread(generator.expression()) : .value(generator.expression())
        }, range: generator.place)
    }
  }

  private mutating func testedShape() -> ShapeSyntax {
    below(8) == 0 ? ShapeSyntax(kind: .snapshot, range: place) : shape()
  }

  private mutating func shape(isChoice: Bool = false) -> ShapeSyntax {
    let kind: ShapeSyntax.Kind =
      switch below(depth <= 0 ? 4 : isChoice ? 6 : 7) {
      case 0: .named(one(of: ShapeSyntax.Named.allCases))
      case 1: .boolean(below(2) == 0)
      case 2: .string(inline { $0.string() })
      case 3: .number(one(of: ["1", "-2.5"]))
      case 4: .array(below(6) == 0 ? nil : deeper { $0.shape() })
      case 5:
        .object(
          deeper { generator in
            generator.some(0...3) { generator in
              ShapeSyntax.Member(
                key: generator.objectKey(), isOptional: generator.below(2) == 0, shape: generator.shape())
            }
          }, isOpen: below(2) == 0)
      default: .either(deeper { generator in generator.some(2...3) { $0.shape(isChoice: true) } })
      }
    return ShapeSyntax(kind: kind, range: place)
  }

  // MARK: Clauses

  private static let kinds = 23

  private mutating func clause(_ index: Int? = nil) -> ClauseSyntax {
    let kind: ClauseSyntax.Kind =
      switch index ?? below(Self.kinds) {
      case 0: .json(expression())
      case 1: .form(expression())
      case 2: .multipart(expression())
      case 3: .text(expression())
      case 4: .body(expression(), typed())
      case 5: .graphql(string(), variables: maybe { $0.expression() })
      case 6: .header(below(4) == 0 ? .omitted(key()) : fields())
      case 7: .query(fields())
      case 8: .auth(.none)
      case 9:
        below(2) == 0
          ? .auth(.scheme(one(of: [.bearer, .basic, .digest]), some(1...2) { $0.expression() }))
          : .auth(.scheme(.signer("sigv4"), [.object(object())]))
      case 10: .expectStatus(below(4) == 0 ? [.any] : statuses())
      case 11: .expect(condition())
      case 12: .when(expression())
      case 13:
        below(2) == 0
          ? .stream(StreamSyntax(limit: maybe { $0.operand() }, condition: maybe { $0.condition() }))
          : .repetition(
            RepeatSyntax(
              rounds: maybe { .number(NumberSyntax("\(1 + $0.below(9))")) }, interval: maybe { $0.operand() },
              limit: maybe { $0.operand() }, condition: condition()))
      case 14: .retry(.none)
      case 15: .retry(.attempts(below(9), on: below(2) == 0 ? [] : statuses()))
      case 16: .timeout(operand())
      case 17: .limit(operand())
      case 18: .redirects(maybe { $0.below(9) })
      case 19: .save(expression())
      case 20: .effect(one(of: EffectSyntax.allCases))
      case 21: .wait(operand())
      default: .profile(name())
      }
    return ClauseSyntax(kind)
  }

  private mutating func condition() -> ExpressionSyntax {
    withMembers { generator in
      let left = generator.path(after: .member(generator.member()))
      switch generator.below(3) {
      case 0: return left
      case 1: return .shapeTest(ShapeTestSyntax(value: left, shape: generator.testedShape()))
      default:
        return .binary(BinarySyntax(left: left, operator: .equal, right: generator.binary(minimum: 5)))
      }
    }
  }

  private mutating func fields() -> FieldsSyntax {
    below(3) == 0 ? .object(object()) : .field(key(), below(4) == 0 ? .word(word(beginning: ["#"])) : value())
  }

  private mutating func statuses() -> [StatusSyntax] {
    some(1...3) { generator in
      generator.below(2) == 0 ? .code(100 + generator.below(500)) : .statusClass(1 + generator.below(5))
    }
  }

  // MARK: Statements

  private mutating func step() -> StepSyntax {
    var items = some(0...3) { $0.item() }
    let body: StepSyntax.ItemBody? = maybe { $0.one(of: [.form, .multipart]) }
    // What HTTPie means by something else is an error in a script.
    items.removeAll { $0.meanings(in: body, with: [$0]) != nil || $0.meanings(in: .multipart, with: [$0]) != nil }
    return StepSyntax(
      label: maybe { $0.name() }, method: NameSyntax(text: one(of: ["GET", "POST", "X-9"]), range: place),
      target: target(), itemBody: items.isEmpty ? nil : body, items: items,
      clauses: some(0...3) { $0.clause() }, range: place)
  }

  private mutating func target() -> TargetSyntax {
    switch below(5) {
    case 0:
      .reference(reference(), tail: maybe { $0.word(beginning: ["/", "?"]) })
    case 1: .expression(.parenthesized(ParenthesizedSyntax(inner: expression(), range: place)))
    case 2: .string(inline { $0.string() })
    default: .word(word(beginning: ["/", "api:/", "https://a.example"]))
    }
  }

  private mutating func item() -> RequestItemSyntax {
    let kind = one(of: RequestItemSyntax.Kind.allCases)
    let value: ExpressionSyntax =
      kind == .json
      ? inline { $0.operand() } : below(2) == 0 ? .word(word(mayBeEmpty: true)) : inline { $0.valueExpression() }
    return RequestItemSyntax(key: key(), kind: kind, value: value, range: place)
  }

  private mutating func setting() -> SettingSyntax {
    let kind: SettingSyntax.Kind =
      switch below(9) {
      case 0: .clause(clause(one(of: [6, 7, 8, 9, 14, 15, 16, 17, 18])))
      case 1: .base(value())
      case 2: .origin(value())
      case 3: .proxy(value())
      case 4: .http(value())
      case 5: .unixSocket(value())
      case 6: .cookies(isOn: below(2) == 0)
      case 7: .tls(object())
      default: .resolve(host: "a.example", address: word(beginning: ["127.0.0.1", "["]))
      }
    return SettingSyntax(kind: kind, range: place)
  }

  private mutating func block() -> BlockSyntax {
    BlockSyntax(statements: depth > 1 ? deeper { $0.some(0...2) { $0.statement() } } : [], range: place)
  }

  mutating func statement() -> StatementSyntax {
    switch below(12) {
    case 0:
      .run(
        RunSyntax(
          label: maybe { $0.name() }, name: name(), arguments: arguments(), clauses: some(0...2) { $0.clause() },
          range: place))
    case 1: .binding(LetSyntax(name: name(), value: expression(), range: place))
    case 2:
      .secret(SecretSyntax(name: name(), value: expression(), profiles: some(1...2) { $0.name() }, range: place))
    case 3:
      .sequence(
        SequenceSyntax(
          name: name(),
          parameters: some(0...2) { generator in
            ParameterSyntax(
              name: generator.name(), type: generator.maybe { $0.name() },
              defaultValue: generator.maybe { $0.expression() })
          }, body: block(), range: place))
    case 4:
      .loop(
        LoopSyntax(name: name(), items: expression(), limit: maybe { $0.below(9) }, body: block(), range: place))
    case 5: .parallel(block())
    case 6: .finally(block())
    case 7: .use(UseSyntax(path: string(), range: place))
    case 8: .tags(TagsSyntax(names: some(1...3) { $0.name() }, range: place))
    case 9: .profile(ProfileSyntax(name: name(), settings: some(0...3) { $0.setting() }, range: place))
    default: .step(step())
    }
  }
}

extension ExpressionSyntax {
  /// Whether what follows would belong to the operand of `not`.
  fileprivate var endsWithNot: Bool {
    switch self {
    case .unary(let unary): unary.operator == .not
    case .binary(let binary): binary.right.endsWithNot
    default: false
    }
  }
}
