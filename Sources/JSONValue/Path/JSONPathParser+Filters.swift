extension JSONPathParser {
  /// What a condition starts with, before it is known what it is.
  private enum Term {
    case operand(JSONPath.Operand)
    case query(JSONPath.Query)
    case condition(JSONPath.Filter, function: String)
  }

  /// `logical-or-expr = logical-and-expr *(S "||" S logical-and-expr)`
  mutating func filter() throws(JSONPathSyntaxError) -> JSONPath.Filter {
    var filters = [try conjunction()]
    while takeOperator("||") { filters.append(try conjunction()) }
    return filters.count == 1 ? filters[0] : .any(filters)
  }

  /// `logical-and-expr = basic-expr *(S "&&" S basic-expr)`
  private mutating func conjunction() throws(JSONPathSyntaxError) -> JSONPath.Filter {
    var filters = [try basic()]
    while takeOperator("&&") { filters.append(try basic()) }
    return filters.count == 1 ? filters[0] : .all(filters)
  }

  /// `S operator S`; consumes nothing if that is not what follows.
  private mutating func takeOperator(_ text: StaticString) -> Bool {
    let start = position
    skipWhitespace()
    guard take(text) else {
      position = start
      return false
    }
    skipWhitespace()
    return true
  }

  /// `basic-expr = paren-expr / comparison-expr / test-expr`
  private mutating func basic() throws(JSONPathSyntaxError) -> JSONPath.Filter {
    let start = position
    if peek == UInt8(ascii: "!") {
      position += 1
      skipWhitespace()
      if peek == UInt8(ascii: "(") { return .not(try parenthesized()) }
      return .not(try condition(try term(), at: start))
    }
    if peek == UInt8(ascii: "(") { return try parenthesized() }
    let left = try term()
    let end = position
    skipWhitespace()
    guard let comparison = JSONPath.Comparison.allCases.first(where: { take($0) }) else {
      position = end
      return try condition(left, at: start)
    }
    let leftOperand = try comparable(left, at: start)
    skipWhitespace()
    let rightStart = position
    return .comparison(leftOperand, comparison, try comparable(try term(), at: rightStart))
  }

  private mutating func parenthesized() throws(JSONPathSyntaxError) -> JSONPath.Filter {
    try nested { parser throws(JSONPathSyntaxError) in
      parser.position += 1
      parser.skipWhitespace()
      let filter = try parser.filter()
      parser.skipWhitespace()
      guard parser.take(")") else { throw parser.error(.expected(.parenthesis)) }
      return filter
    }
  }

  /// `test-expr`: a query that finds something, or a function that is true or false.
  private func condition(_ term: Term, at start: Int) throws(JSONPathSyntaxError) -> JSONPath.Filter {
    switch term {
    case .query(let query): return .exists(query)
    case .condition(let filter, _): return filter
    case .operand: throw error(.mustBeCompared, at: start)
    }
  }

  /// `comparable = literal / singular-query / function-expr`
  private func comparable(_ term: Term, at start: Int) throws(JSONPathSyntaxError) -> JSONPath.Operand {
    switch term {
    case .operand(let operand): return operand
    case .query(let query):
      guard query.isSingular else { throw error(.mustBeSingular, at: start) }
      return .query(query)
    case .condition(_, let function): throw error(.notComparable(function: function), at: start)
    }
  }

  private mutating func term() throws(JSONPathSyntaxError) -> Term {
    switch peek ?? 0 {
    case UInt8(ascii: "@"):
      position += 1
      return .query(JSONPath.Query(.current, try segments()))
    case UInt8(ascii: "$"):
      position += 1
      if dialect == .reference, isAtVariable { return .operand(try variable()) }
      return .query(JSONPath.Query(.document, try segments()))
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      return .operand(.literal(.string(try string())))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .operand(.literal(.number(try number())))
    case UInt8(ascii: "a")...UInt8(ascii: "z"):
      return try wordOrFunction()
    default:
      throw error(.expected(.condition))
    }
  }

  /// Whether a name or a number follows the `$`; else that is the document's root.
  private var isAtVariable: Bool {
    guard let next = peek else { return false }
    switch next {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      return true
    default: return false
    }
  }

  /// `$name` or `$2`, followed by names and indices
  private mutating func variable() throws(JSONPathSyntaxError) -> JSONPath.Operand {
    let start = position
    var name = try memberName()
    if name == nil {
      while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
      name = position > start ? text(from: start) : nil
    }
    guard let name else { throw error(.bareRoot, at: start - 1) }
    let variable = JSONPath.Variable(name: name, segments: try segments())
    guard variable.segments.allSatisfy(\.isSingular) else { throw error(.mustBeSingular, at: start - 1) }
    return .variable(variable)
  }

  /// `number = (int / "-0") [ frac ] [ exp ]`, which is JSON's.
  private mutating func number() throws(JSONPathSyntaxError) -> JSONNumber {
    let start = position
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
        UInt8(ascii: "+"), UInt8(ascii: "-"):
        position += 1
        continue
      default: break
      }
      break
    }
    guard let number = JSONNumber(text(from: start)) else { throw error(.invalidNumber, at: start) }
    return number
  }

  /// `true`, `false`, `null`, or `function-name "(" …`
  private mutating func wordOrFunction() throws(JSONPathSyntaxError) -> Term {
    let start = position
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        position += 1
        continue
      default: break
      }
      break
    }
    let name = text(from: start)
    if peek == UInt8(ascii: "(") { return try function(name, at: start) }
    switch name {
    case "true": return .operand(.literal(true))
    case "false": return .operand(.literal(false))
    case "null": return .operand(.literal(.null))
    default: throw error(.expected(.condition), at: start)
    }
  }

  /// The five functions of RFC 9535 §2.4, with the types of their arguments.
  private mutating func function(_ name: String, at start: Int) throws(JSONPathSyntaxError) -> Term {
    switch name {
    case "length":
      return .operand(.length(try value(try arguments(of: name, 1)[0])))
    case "count":
      return .operand(.count(try query(try arguments(of: name, 1)[0], of: name)))
    case "value":
      return .operand(.value(try query(try arguments(of: name, 1)[0], of: name)))
    case "match", "search":
      let arguments = try arguments(of: name, 2)
      let (text, pattern) = (try value(arguments[0]), JSONPath.Pattern(try value(arguments[1])))
      return .condition(name == "match" ? .match(text, pattern) : .search(text, pattern), function: name)
    default:
      throw error(.unknownFunction(name), at: start)
    }
  }

  /// `"(" S [function-argument *(S "," S function-argument)] S ")"`, each with its start
  private mutating func arguments(of name: String, _ count: Int) throws(JSONPathSyntaxError) -> [(Term, Int)] {
    let start = position
    return try nested { parser throws(JSONPathSyntaxError) in
      parser.position += 1
      parser.skipWhitespace()
      var arguments: [(Term, Int)] = []
      if parser.peek != UInt8(ascii: ")") {
        repeat {
          parser.skipWhitespace()
          let start = parser.position
          arguments.append((try parser.term(), start))
          parser.skipWhitespace()
        } while parser.take(",")
      }
      guard parser.take(")") else { throw parser.error(.expected(.commaOrParenthesis)) }
      guard arguments.count == count else {
        throw parser.error(.argumentCount(function: name, expected: count), at: start)
      }
      return arguments
    }
  }

  /// An argument of ValueType (RFC 9535 §2.4.1).
  private func value(_ argument: (Term, Int)) throws(JSONPathSyntaxError) -> JSONPath.Operand {
    try comparable(argument.0, at: argument.1)
  }

  /// An argument of NodesType.
  private func query(_ argument: (Term, Int), of name: String) throws(JSONPathSyntaxError) -> JSONPath.Query {
    guard case .query(let query) = argument.0 else { throw error(.argumentMustBeQuery(function: name), at: argument.1) }
    return query
  }

  private mutating func take(_ comparison: JSONPath.Comparison) -> Bool {
    guard bytes[position...].starts(with: comparison.rawValue.utf8) else { return false }
    position += comparison.rawValue.utf8.count
    return true
  }
}

extension JSONPath.Query {
  var isSingular: Bool { segments.allSatisfy(\.isSingular) }
}
