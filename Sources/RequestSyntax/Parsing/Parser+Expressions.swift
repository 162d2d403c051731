import Diagnostics

extension Parser {
  /// `expr = quantified | "if" expr "then" expr "else" expr | or`
  mutating func expression() throws(SyntaxError) -> ExpressionSyntax {
    try nested { parser throws(SyntaxError) in
      parser.lexer.skipTrivia()
      if parser.isAtPlainOperand {
        // Mostly that is all.
        let operand = try parser.operand()
        parser.lexer.skipTrivia()
        if parser.isBehindExpression { return operand }
        return try parser.operators(after: try parser.chain(after: operand), minimum: 1)
      }
      let start = parser.lexer.position
      // Mostly the first byte tells.
      let first = parser.lexer.peek()
      if first == UInt8(ascii: "e") || first == UInt8(ascii: "s"), let quantified = try parser.quantified() {
        return .quantified(quantified)
      }
      guard parser.takeKeyword("if") else { return try parser.binary(minimum: 1) }
      let condition = try parser.expression()
      try parser.keyword("then")
      let value = try parser.expression()
      try parser.keyword("else")
      let otherwise = try parser.expression()
      return .conditional(
        ConditionalSyntax(
          condition: condition, value: value, otherwise: otherwise, range: SourceRange(start, parser.lexer.triviaStart))
      )
    }
  }

  /// Whether an operand is here that begins with no word and no sign. Where it is asked what may stand here, the words
  /// are looked at in any case.
  @inline(__always)
  private var isAtPlainOperand: Bool {
    guard expectation == nil, let byte = lexer.peek() else { return false }
    return switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "$"), UInt8(ascii: "{"), UInt8(ascii: "["): true
    default: Lexer.isDigit(byte)
    }
  }

  /// `( "every" | "some" ) "$"·name "in" sum "satisfies" expr`; nil if something else is here.
  private mutating func quantified() throws(SyntaxError) -> QuantifiedSyntax? {
    guard isAtKeyword("every") || isAtKeyword("some") else { return nil }
    let start = lexer.position
    let length = lexer.nameLength()
    let isUniversal = length == 5
    guard lexer.isWhiteSpace(at: length) else { return nil }
    lexer.take(.name, length)
    let name = try itemName()
    try keyword("in")
    let items = try binary(minimum: BinarySyntax.Operator.comparisonPrecedence + 1)
    try keyword("satisfies")
    let condition = try expression()
    return QuantifiedSyntax(
      isUniversal: isUniversal, name: name, items: items, condition: condition,
      range: SourceRange(start, lexer.triviaStart))
  }

  /// `or`, `and`, `not`, `compare`, `sum`, `product`: operators that bind at least as tightly as `minimum`.
  private mutating func binary(minimum: Int) throws(SyntaxError) -> ExpressionSyntax {
    lexer.skipTrivia()
    let start = lexer.position
    guard minimum <= BinarySyntax.Operator.notPrecedence, takeKeyword("not") else {
      return try operators(after: try unary(), minimum: minimum)
    }
    let operand = try nested { parser throws(SyntaxError) in
      try parser.binary(minimum: BinarySyntax.Operator.notPrecedence)
    }
    let unary = UnarySyntax(operator: .not, operand: operand, range: SourceRange(start, lexer.triviaStart))
    return try operators(after: .unary(unary), minimum: minimum)
  }

  /// The operators that follow an operand, with theirs.
  private mutating func operators(
    after operand: ExpressionSyntax, minimum: Int
  ) throws(SyntaxError) -> ExpressionSyntax {
    var left = operand
    var hasComparison = false
    while true {
      lexer.skipTrivia()
      if isBehindExpression { return left }
      if minimum <= BinarySyntax.Operator.comparisonPrecedence, isAtKeyword("is") {
        if hasComparison { throw failure(.secondComparison, 2) }
        hasComparison = true
        lexer.take(.name, 2)
        try growChain()
        left = .shapeTest(ShapeTestSyntax(value: left, shape: try testedShape()))
        continue
      }
      guard let (found, length) = try peekOperator(), found.precedence >= minimum else { return left }
      if found.precedence == BinarySyntax.Operator.comparisonPrecedence {
        if hasComparison { throw failure(.secondComparison, length) }
        hasComparison = true
      }
      lexer.take(found.isWord ? .name : .punctuation, length)
      try growChain()
      let right = try binary(minimum: found.precedence + 1)
      left = .binary(BinarySyntax(left: left, operator: found, right: right))
    }
  }

  /// Whether something is at the cursor that clearly is no operator, as is mostly the case after an operand: then
  /// nothing else has to be compared.
  @inline(__always)
  var isBehindExpression: Bool {
    switch lexer.peek() {
    case nil, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "\n"): true
    default: false
    }
  }

  /// The operator at the cursor; arithmetic ones only between spaces.
  private func peekOperator() throws(SyntaxError) -> (BinarySyntax.Operator, length: Int)? {
    guard let byte = lexer.peek() else { return nil }
    switch byte {
    case UInt8(ascii: "="):
      return lexer.peek(1) == UInt8(ascii: "=") ? (.equal, 2) : nil
    case UInt8(ascii: "!"):
      return lexer.peek(1) == UInt8(ascii: "=") ? (.notEqual, 2) : nil
    case UInt8(ascii: "<"):
      return lexer.peek(1) == UInt8(ascii: "=") ? (.lessOrEqual, 2) : (.less, 1)
    case UInt8(ascii: ">"):
      return lexer.peek(1) == UInt8(ascii: "=") ? (.greaterOrEqual, 2) : (.greater, 1)
    case UInt8(ascii: "+"): return arithmetic(.add)
    case UInt8(ascii: "-"): return arithmetic(.subtract)
    case UInt8(ascii: "*"): return arithmetic(.multiply)
    case UInt8(ascii: "/"): return arithmetic(.divide)
    default:
      let length = lexer.nameLength()
      guard length > 0, length <= 11, let word = BinarySyntax.Operator(rawValue: lexer.text(length)) else { return nil }
      return (word, length)
    }
  }

  private func arithmetic(_ operation: BinarySyntax.Operator) -> (BinarySyntax.Operator, length: Int)? {
    lexer.isAfterTrivia && lexer.isWhiteSpace(at: 1) ? (operation, 1) : nil
  }

  /// `unary = "-" unary | chain`
  private mutating func unary() throws(SyntaxError) -> ExpressionSyntax {
    lexer.skipTrivia()
    guard lexer.peek() == UInt8(ascii: "-") else { return try chain(after: try operand()) }
    let start = lexer.position
    lexer.take(.punctuation, 1)
    let operand = try nested { parser throws(SyntaxError) in try parser.unary() }
    return .unary(UnarySyntax(operator: .negate, operand: operand, range: SourceRange(start, lexer.triviaStart)))
  }

  /// `chain = operand { "|" name [ args ] | "??" operand }`
  private mutating func chain(after operand: ExpressionSyntax) throws(SyntaxError) -> ExpressionSyntax {
    var value = operand
    while true {
      lexer.skipTrivia()
      if isBehindExpression { return value }
      if takePunctuation("??") {
        try growChain()
        value = .fallback(FallbackSyntax(value: value, defaultValue: try self.operand()))
      } else if takePunctuation("|") {
        try growChain()
        let name = try name("the name of a function", .function)
        let arguments = lexer.peek() == UInt8(ascii: "(") ? try self.arguments() : []
        let range = SourceRange(name.range.lowerBound, lexer.triviaStart)
        value = .pipe(PipeSyntax(input: value, call: CallSyntax(name: name, arguments: arguments, range: range)))
      } else {
        return value
      }
    }
  }

  /// `args = "(" [ [ name·":" ] expr { "," … } ] ")"`
  mutating func arguments() throws(SyntaxError) -> [ArgumentSyntax] {
    try commaSeparated("(", ")") { parser throws(SyntaxError) in
      let length = parser.lexer.nameLength()
      guard length > 0, parser.lexer.peek(length) == UInt8(ascii: ":") else {
        return ArgumentSyntax(name: nil, value: try parser.expression())
      }
      let name = parser.lexer.takeName()
      parser.lexer.take(.punctuation, 1)
      return ArgumentSyntax(name: name, value: try parser.expression())
    }
  }
}

extension BinarySyntax.Operator {
  static let notPrecedence = 3
  static let comparisonPrecedence = 4

  /// From loose to tight.
  var precedence: Int {
    switch self {
    case .or: 1
    case .and: 2
    case .equal, .notEqual, .lessOrEqual, .greaterOrEqual, .less, .greater, .contains, .startsWith, .endsWith, .matches,
      .in:
      BinarySyntax.Operator.comparisonPrecedence
    case .add, .subtract: 5
    case .multiply, .divide: 6
    }
  }

  var isWord: Bool {
    switch self {
    case .or, .and, .contains, .startsWith, .endsWith, .matches, .in: true
    default: false
    }
  }
}
