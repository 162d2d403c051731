import Diagnostics
import JSONValue
import RequestSyntax
import Requests

extension HurlTranslator {
  /// A condition over the response.
  mutating func condition(_ assert: HurlAssert) throws(ImportRefusal) -> ExpressionSyntax {
    let condition = try plainCondition(assert).placed(at: assert.range)
    guard assert.isNegated else { return condition }
    var operand = condition
    if case .binary(let node) = condition, node.operator == .and { operand = condition.asOperand }
    return ExpressionSyntax.unary(UnarySyntax(.not, operand)).placed(at: assert.range)
  }

  private static let wantsList: Set<String> = ["contains", "includes", "isList", "isCollection", "isObject"]

  private mutating func plainCondition(_ assert: HurlAssert) throws(ImportRefusal) -> ExpressionSyntax {
    if let condition = try flag(assert) { return condition }
    let name = assert.predicate.text
    let subject = try subject(assert.query, assert.filters, .members, asList: Self.wantsList.contains(name))
    func compared(_ operation: BinarySyntax.Operator, _ value: ExpressionSyntax) -> ExpressionSyntax {
      .binary(BinarySyntax(subject.asComparable, operation, value.asComparable))
    }
    func has(_ kind: ShapeSyntax.Kind) -> ExpressionSyntax {
      .shapeTest(ShapeTestSyntax(subject.asComparable, is: kind))
    }
    switch name {
    case "==": return compared(.equal, try value(assert))
    case "!=": return compared(.notEqual, try value(assert))
    case ">": return compared(.greater, try value(assert))
    case ">=": return compared(.greaterOrEqual, try value(assert))
    case "<": return compared(.less, try value(assert))
    case "<=": return compared(.lessOrEqual, try value(assert))
    case "startsWith": return compared(.startsWith, try value(assert))
    case "endsWith": return compared(.endsWith, try value(assert))
    case "contains", "includes": return compared(.contains, try value(assert))
    case "matches": return compared(.matches, try pattern(assert))
    case "exists": return has(.named(.any))
    case "isEmpty": return .binary(BinarySyntax(subject.through("count"), .equal, .number(NumberSyntax("0"))))
    case "isBoolean": return has(.named(.bool))
    case "isNumber": return has(.named(.number))
    case "isString": return has(.named(.string))
    case "isFloat": return has(.named(.float))
    case "isInteger":
      let whole = has(.named(.int))
      guard isExact else { return whole }
      let isFloat = ExpressionSyntax.unary(UnarySyntax(.not, has(.named(.float))))
      return .binary(BinarySyntax(whole, .and, isFloat))
    case "isDate", "isIsoDate": return has(.named(.datetime))
    case "isList": return has(.array(ShapeSyntax(.named(.any))))
    case "isObject": return has(.object([], isOpen: true))
    case "isCollection":
      return has(.either([ShapeSyntax(.array(ShapeSyntax(.named(.any)))), ShapeSyntax(.object([], isOpen: true))]))
    case "isIpv4": return compared(.matches, .string(StringSyntax(raw: #"^(\d{1,3}\.){3}\d{1,3}$"#)))
    case "isIpv6": return compared(.matches, .string(StringSyntax(raw: "^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*$")))
    case "isUuid":
      let pattern = "^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$"
      return compared(.matches, .string(StringSyntax(raw: pattern)))
    default: throw ImportRefusal("the predicate \(name) is not known", at: assert.predicate.range)
    }
  }

  /// Attributes of a cookie that are there or not, which are true or false here.
  private mutating func flag(_ assert: HurlAssert) throws(ImportRefusal) -> ExpressionSyntax? {
    guard assert.predicate.text == "exists", assert.query.name.text == "cookie", assert.filters.isEmpty,
      case .text(let text)? = assert.query.argument, let name = try constantText(text)?.lowercased(),
      name.hasSuffix("[secure]") || name.hasSuffix("[httponly]")
    else { return nil }
    return try subject(assert.query, [], .members, asList: false)
  }

  private mutating func pattern(_ assert: HurlAssert) throws(ImportRefusal) -> ExpressionSyntax {
    switch assert.value?.content {
    case .regex(let pattern)?: return .string(StringSyntax(raw: pattern))
    case .text(let text)?:
      if let known = try constantText(text) { return .string(StringSyntax(raw: known)) }
      return .string(try string(text))
    case .placeholder(let placeholder)?:
      switch try meaning(placeholder) {
      case .constant(let json): return .string(StringSyntax(raw: json.plainText))
      case .expression(let value): return value
      }
    default: throw ImportRefusal("matches needs a regular expression", at: assert.range)
    }
  }

  /// What a subject is compared with.
  private mutating func value(_ assert: HurlAssert) throws(ImportRefusal) -> ExpressionSyntax {
    guard let value = assert.value else { throw ImportRefusal("a value is missing", at: assert.range) }
    if case .number(let text) = value.content, assert.query.name.text == "duration", assert.filters.isEmpty {
      return ExpressionSyntax.number(NumberSyntax(text, .ms)).placed(at: value.range)
    }
    let isDigest = ["sha256", "md5"].contains(assert.query.name.text) && assert.filters.isEmpty
    return try self.value(value.content, value.range, isDigest: isDigest).placed(at: value.range)
  }

  private mutating func value(
    _ content: HurlValue.Content, _ range: SourceRange, isDigest: Bool
  ) throws(ImportRefusal) -> ExpressionSyntax {
    switch content {
    case .text(let text):
      // What is captured from this very response has no name yet.
      if text.pieces.count == 1, case .placeholder(let placeholder) = text.pieces[0],
        case .expression(let value) = try meaning(placeholder), value.readsMember
      {
        return value.through("to-string")
      }
      return .string(try string(text))
    case .block(let text, let language): return try block(text, language)
    case .regex: throw ImportRefusal("a regular expression is no value", hint: "write matches", at: range)
    case .number(let text):
      guard let number = JSONNumber(text) else { throw ImportRefusal("this is not a number", at: range) }
      return ExpressionSyntax(.number(number))
    case .bool(let value): return ExpressionSyntax(.bool(value))
    case .null: return ExpressionSyntax(.null)
    case .bytes(let bytes): return isDigest ? .text(bytes.hex) : self.bytes(bytes)
    case .file(let name): return try file(name).selecting([.member("bytes")])
    case .placeholder(let placeholder):
      switch try meaning(placeholder) {
      case .constant(let json): return ExpressionSyntax(json)
      case .expression(let value): return typed(value)
      }
    }
  }

  /// A variable from outside is a text here; to Hurl it is a number, a truth value or null if it reads like one.
  private func typed(_ value: ExpressionSyntax) -> ExpressionSyntax {
    guard case .reference(let reference) = value, reference.segments.isEmpty,
      variables.isFromOutside(reference.root.text)
    else { return value }
    let pattern = StringSyntax(raw: #"^(-?(0|[1-9][0-9]*)(\.[0-9]+)?|true|false|null)$"#)
    return .conditional(
      ConditionalSyntax(
        if: .binary(BinarySyntax(value, .matches, .string(pattern))), then: value.through("parse-json").asOperand,
        else: value))
  }

  /// A text between three backticks; of a GraphQL query, the JSON that carries it.
  mutating func block(_ text: HurlText, _ language: String) throws(ImportRefusal) -> ExpressionSyntax {
    guard language == "graphql" else { return .string(try string(text)) }
    guard let query = try constantText(text) else {
      throw ImportRefusal("a GraphQL query that is compared with cannot be computed", at: text.range)
    }
    let json: JSON = ["query": .string(query.droppingLastLineEnd)]
    return .text(json.description)
  }

  func bytes(_ bytes: [UInt8]) -> ExpressionSyntax {
    ExpressionSyntax.text(Base64.encode(bytes)).through("base64-decode").asOperand
  }

  // MARK: Implicit expectations

  /// What the lines of a response expect, with their places.
  mutating func expectations(_ response: HurlResponse) -> [ClauseSyntax] {
    var clauses: [ClauseSyntax] = [status(response)]
    if let version = response.version {
      let condition = BinarySyntax(.member(NameSyntax("protocol")), .equal, .text(version.text))
      clauses.append(ClauseSyntax(.expect(.binary(condition))).placed(at: version.range))
    }
    let names = response.headers.map { $0.key.plain?.lowercased() ?? "" }
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    for (pair, name) in zip(response.headers, names) {
      expect(at: pair.range, into: &clauses) { translator throws(ImportRefusal) in
        let isMany = name == "set-cookie" || counts[name] ?? 0 > 1
        guard let header = try translator.constantText(pair.key) else {
          throw ImportRefusal("the name of this header cannot be computed", at: pair.range)
        }
        let value = ExpressionSyntax.string(try translator.string(pair.value)).placed(at: pair.value.range)
        let member = Root.members.member(isMany ? "header-lines" : "headers", [.bracketed(header)])
        return .binary(BinarySyntax(member.placed(at: pair.key.range), isMany ? .contains : .equal, value))
      }
    }
    for assert in response.asserts {
      expect(at: assert.range, into: &clauses) { translator throws(ImportRefusal) in
        try translator.condition(assert)
      }
    }
    if let body = response.body {
      expect(at: body.range, into: &clauses) { translator throws(ImportRefusal) in
        .binary(try translator.comparison(body))
      }
    }
    return clauses
  }

  private func status(_ response: HurlResponse) -> ClauseSyntax {
    guard let status = response.status else {
      return ClauseSyntax(.expectStatus([.any])).placed(at: response.statusRange)
    }
    guard (100...599).contains(status) else {
      let condition = BinarySyntax(.member(NameSyntax("status")), .equal, .number(NumberSyntax("\(status)")))
      return ClauseSyntax(.expect(.binary(condition))).placed(at: response.statusRange)
    }
    return ClauseSyntax(.expectStatus([.code(status)])).placed(at: response.statusRange)
  }

  private mutating func expect(
    at range: SourceRange, into clauses: inout [ClauseSyntax],
    _ condition: (inout HurlTranslator) throws(ImportRefusal) -> ExpressionSyntax
  ) {
    do throws(ImportRefusal) {
      clauses.append(ClauseSyntax(.expect(try condition(&self))).placed(at: range))
    } catch {
      refuse(ImportRefusal(error.message, hint: error.hint, at: range))
    }
  }

  private mutating func comparison(_ body: HurlBody) throws(ImportRefusal) -> BinarySyntax {
    func text(_ value: ExpressionSyntax) -> BinarySyntax { BinarySyntax(Root.members.member("text"), .equal, value) }
    switch body.content {
    case .json(let json, _):
      let member = isExact ? Root.members.member("text").through("parse-json") : Root.members.member("body")
      guard let value = try literal(json) else {
        throw ImportRefusal("an object has a key twice", at: body.range)
      }
      return BinarySyntax(member, .equal, value)
    case .xml(let value), .line(let value): return text(.string(try string(value)))
    case .block(let value, let language): return text(try block(value, language))
    case .bytes(let bytes): return BinarySyntax(Root.members.member("bytes"), .equal, self.bytes(bytes))
    case .file(let name):
      return BinarySyntax(Root.members.member("bytes"), .equal, try file(name).selecting([.member("bytes")]))
    }
  }
}

extension ExpressionSyntax {
  /// The same where something is compared with it: pipes and sums need no parentheses.
  fileprivate var asComparable: ExpressionSyntax {
    switch self {
    case .shapeTest, .conditional, .binary: asOperand
    default: self
    }
  }
}

extension String {
  /// The line end before the closing backticks belongs to them.
  var droppingLastLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
