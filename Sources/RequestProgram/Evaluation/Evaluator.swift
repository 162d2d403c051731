import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// Evaluates expressions over what is known so far. Pure except for the files and secrets of the injected environment.
struct Evaluator {
  private(set) var source: SourceText
  /// Where relative paths start.
  let directory: String
  let environment: ProgramEnvironment
  /// The time, and where randomness comes from.
  let moment: StepSeed
  private(set) var scope: Scope
  /// Responses that need not be parsed again.
  var bodies = ParsedBodies()
  /// Whether the user wrote it, so that it may run programs.
  var mayRunCommands = false
  /// The exchange that `status`, `body`, … without `$` are members of.
  var exchange: Exchange?

  /// The same for nodes of another text.
  func reading(_ source: SourceText) -> Evaluator {
    var evaluator = self
    evaluator.source = source
    return evaluator
  }

  func failure(_ fact: ProgramError.Fact, _ range: SourceRange) -> ProgramError {
    ProgramError(fact, in: source, at: range)
  }

  func evaluate(_ expression: ExpressionSyntax) throws(ProgramError) -> Value {
    switch expression {
    case .reference(let node): return try evaluate(node)
    case .member(let name):
      guard let exchange else { throw failure(.notRun(name.text), name.range) }
      return try select(
        [.init(name)], from: Value(.exchange(exchange)),
        root: .init(node: exchange, step: "the step", start: name.range.lowerBound))
    case .path(let node): return try evaluate(node)
    case .call(let node): return try call(node, input: nil)
    case .parenthesized(let node): return try evaluate(node.inner)
    case .number(let node): return try evaluate(node)
    case .string(let node): return try evaluate(node)
    case .word(let node): return try evaluate(node)
    case .object(let node): return try bounded(try evaluate(node), node.range)
    case .array(let node): return try bounded(try evaluate(node), node.range)
    case .literal(let node):
      switch node.kind {
      case .true: return Value(.bool(true))
      case .false: return Value(.bool(false))
      case .null: return Value(.null)
      }
    case .unary(let node): return try evaluate(node)
    case .binary(let node): return try evaluate(node)
    case .pipe(let node): return try call(node.call, input: (try evaluate(node.input), node.input.range))
    case .fallback(let node): return try evaluate(node)
    case .shapeTest(let node):
      let value: Value
      do throws(ProgramError) {
        value = try evaluate(node.value)
      } catch {
        // What is missing has no shape.
        guard error.isMissing, environment.language >= LanguageVersion.second else { throw error }
        return Value(.bool(false))
      }
      return Value(.bool(try mismatches(value, node.shape).isEmpty)).carrying(value)
    case .quantified(let node):
      let (items, failing) = try decisive(node)
      return Value(.bool((failing == nil) == node.isUniversal)).carrying(items)
    case .conditional(let node):
      let condition = try truth(node.condition)
      return try evaluate(condition ? node.value : node.otherwise)
    }
  }

  /// The items of a quantified condition, and the first that decides it: one that it does not hold for, or for `some`
  /// one that it does.
  func decisive(
    _ node: QuantifiedSyntax
  ) throws(ProgramError) -> (items: Value, found: (index: Int, value: Value)?) {
    let items = try evaluate(node.items)
    guard let elements = items.elements else {
      throw failure(.wrongKind(wanted: "an array", actual: items.kind), node.items.range)
    }
    var inner = self
    var missing: ProgramError?
    for (index, element) in elements.enumerated() {
      inner.scope.bindings[node.name.text] = element
      do throws(ProgramError) {
        if try inner.truth(node.condition) != node.isUniversal { return (items, (index, element)) }
      } catch {
        // One that lacks what is asked for is not the one that is looked for.
        guard error.isMissing, !node.isUniversal else { throw error }
        missing = missing ?? error
      }
    }
    if let missing { throw missing }
    return (items, nil)
  }

  /// The value that gets a name: unless it came from elsewhere, its origin is where it is written.
  func evaluateNamed(_ expression: ExpressionSyntax) throws(ProgramError) -> Value {
    var value = try evaluate(expression)
    let range = expression.range
    if value.provenance == .script {
      value.provenance = .declared(TextPlace(source: source.name, range: range.lowerBound..<range.upperBound))
    }
    return value
  }

  /// A condition: true or false, nothing else.
  func truth(_ expression: ExpressionSyntax) throws(ProgramError) -> Bool {
    try truth(of: try evaluate(expression), expression.range)
  }

  func truth(of value: Value, _ range: SourceRange) throws(ProgramError) -> Bool {
    guard case .json(.bool(let truth)) = value.content else {
      throw failure(.wrongKind(wanted: "true or false", actual: value.kind), range)
    }
    return truth
  }

  /// A value that has a plain text.
  func text(_ expression: ExpressionSyntax) throws(ProgramError) -> (text: String, value: Value) {
    let value = try evaluate(expression)
    return (try text(of: value, expression.range), value)
  }

  func text(of value: Value, _ range: SourceRange) throws(ProgramError) -> String {
    guard let text = value.text else {
      throw failure(.wrongKind(wanted: "text, a number, or true or false", actual: value.kind), range)
    }
    return text
  }

  func duration(_ expression: ExpressionSyntax) throws(ProgramError) -> Duration {
    try duration(of: try evaluate(expression), .duration, expression.range)
  }

  /// A duration in which something can happen. It is shown as it is: in what a request is made of, and when it has
  /// passed.
  func timeLimit(_ expression: ExpressionSyntax) throws(ProgramError) -> Duration {
    let value = try evaluate(expression)
    guard value.taint.isEmpty else { throw failure(.secretMisplaced("a time limit"), expression.range) }
    return try duration(of: value, .timeLimit, expression.range)
  }

  private func duration(
    of value: Value, _ extent: Extent, _ range: SourceRange
  ) throws(ProgramError) -> Duration {
    guard case .duration(let duration) = value.content else {
      throw failure(.wrongKind(wanted: "a duration such as 10s", actual: value.kind), range)
    }
    guard duration > .zero || duration == .zero && extent == .duration else { throw failure(.tooSmall(extent), range) }
    return duration
  }

  /// A number of bytes.
  func size(_ expression: ExpressionSyntax) throws(ProgramError) -> Int {
    let value = try evaluate(expression)
    guard let size = value.json?.int else {
      throw failure(.wrongKind(wanted: "a size such as 64GiB", actual: value.kind), expression.range)
    }
    guard value.taint.isEmpty else { throw failure(.secretMisplaced("a limit"), expression.range) }
    guard size > 0 else { throw failure(.tooSmall(.size), expression.range) }
    return size
  }

  /// How often something is done, at least once.
  func count(_ expression: ExpressionSyntax) throws(ProgramError) -> Int {
    let value = try evaluate(expression)
    let count = try integer(value, expression.range)
    guard value.taint.isEmpty else { throw failure(.secretMisplaced("a number of times"), expression.range) }
    guard count > 0 else { throw failure(.tooSmall(.count), expression.range) }
    return count
  }

  func integer(_ value: Value, _ range: SourceRange) throws(ProgramError) -> Int {
    guard let number = value.json?.int else {
      throw failure(.wrongKind(wanted: "a whole number", actual: value.kind), range)
    }
    return number
  }

  func json(_ expression: ExpressionSyntax) throws(ProgramError) -> (json: JSON, value: Value) {
    let value = try evaluate(expression)
    guard let json = value.json else {
      throw failure(.wrongKind(wanted: "a JSON value", actual: value.kindOfNoJSON), expression.range)
    }
    return (json, value)
  }

  private func evaluate(_ node: FallbackSyntax) throws(ProgramError) -> Value {
    do throws(ProgramError) {
      let value = try evaluate(node.value)
      if !value.isNull { return value }
    } catch {
      guard error.isMissing else { throw error }
    }
    return try evaluate(node.defaultValue)
  }

  private func evaluate(_ node: NumberSyntax) throws(ProgramError) -> Value {
    guard let number = JSONNumber(node.text) else { throw failure(.number(Quoted(written: node.text)), node.range) }
    guard let unit = node.unit else { return Value(.number(number)) }
    guard let amount = number.double else { throw failure(.number(Quoted(written: node.text)), node.range) }
    if let nanoseconds = unit.nanoseconds {
      let total = amount * nanoseconds
      guard total.magnitude < 9e18 else { throw failure(.number(Quoted(written: node.text)), node.range) }
      return Value(.duration(.nanoseconds(Int64(total.rounded()))))
    }
    let total = amount * unit.bytes
    guard total.magnitude < 9e15 else { throw failure(.number(Quoted(written: node.text)), node.range) }
    return Value(.number(JSONNumber(Int(total.rounded()))))
  }

  private func evaluate(_ node: StringSyntax) throws(ProgramError) -> Value {
    var text = JoinedText()
    var result = Value("")
    for piece in node.pieces {
      switch piece {
      case .text(let literal): text.append(literal)
      case .interpolation(let expression):
        let (part, value) = try self.text(expression)
        if text.isEmpty { result.provenance = value.provenance }
        try check(text.count + part.utf8.count, expression.range)
        text.append(part, of: value)
        result = result.holding(value)
      }
    }
    result.content = .json(.string(text.text))
    return text.marking(result)
  }

  private func evaluate(_ node: WordSyntax) throws(ProgramError) -> Value {
    var text = JoinedText()
    var result = Value("")
    for piece in node.pieces {
      switch piece {
      case .text(let literal): text.append(literal)
      case .interpolation(let expression, _):
        let (part, value) = try self.text(expression)
        try check(text.count + part.utf8.count, expression.range)
        text.append(part, of: value)
        result = result.holding(value)
      }
    }
    result.content = .json(.string(text.text))
    return text.marking(result)
  }

  private func evaluate(_ node: ObjectSyntax) throws(ProgramError) -> Value {
    var object = JSONObject()
    var result = Value(.null)
    for member in node.members {
      switch member {
      case .field(let key, let expression, _):
        let (json, value) = try json(expression)
        let (name, named) = try text(of: key)
        object[name] = json
        result = result.holding(value).holding(named)
      case .spread(let expression):
        let (json, value) = try json(expression)
        guard case .object(let more) = json else {
          throw failure(.wrongKind(wanted: "an object", actual: value.kind), expression.range)
        }
        for member in more.members { object[member.key] = member.value }
        result = result.holding(value)
      }
    }
    result.content = .json(.object(object))
    return result
  }

  func text(of key: KeySyntax) throws(ProgramError) -> (text: String, value: Value) {
    switch key {
    case .name(let name): return (name.text, Value(.string(name.text)))
    case .string(let string): return try text(.string(string))
    }
  }

  private func evaluate(_ node: ArraySyntax) throws(ProgramError) -> Value {
    var values: [Value] = []
    for element in node.elements {
      switch element {
      case .value(let expression): values.append(try evaluate(expression))
      case .spread(let expression):
        let value = try evaluate(expression)
        guard let more = value.elements else {
          throw failure(.wrongKind(wanted: "an array", actual: value.kind), expression.range)
        }
        try check(values.count + more.count, times: ValueMeter.element, expression.range)
        values += more
      }
    }
    return Value.array(values)
  }
}

extension Value {
  /// An array as JSON, if all its elements can be JSON.
  static func array(_ values: [Value]) -> Value {
    var list = Value(.list(values), provenance: values.first?.provenance ?? .script)
    list.isForeign = false
    list = values.reduce(list) { $0.holding($1) }
    if let json = list.json { list.content = .json(json) }
    return list
  }

  /// The elements of an array.
  var elements: Elements? { Elements(of: self) }

  /// The elements of an array, or the value if it is none.
  var oneOrMany: [Value] { elements.map(Array.init) ?? [self] }

  /// The elements of an array, each made when it is looked at: to count them, none is.
  struct Elements: RandomAccessCollection {
    private let array: Value
    /// In most cases at most one of them has a secret in it.
    private let search: SecretSearch
    let endIndex: Int

    fileprivate init?(of array: Value) {
      switch array.content {
      case .json(.array(let elements)): endIndex = elements.count
      case .list(let values): endIndex = values.count
      default: return nil
      }
      self.array = array
      search = SecretSearch(array.taint.secrets)
    }

    var startIndex: Int { 0 }

    subscript(index: Int) -> Value {
      switch array.content {
      case .json(.array(let elements)): search.marking(array.with(.json(elements[index])))
      case .list(let values): values[index]
      default: preconditionFailure("it is an array")
      }
    }
  }
}

extension NumberSyntax.Unit {
  /// How many nanoseconds a duration unit has; nil for a size unit.
  var nanoseconds: Double? {
    switch self {
    case .ms: 1e6
    case .s: 1e9
    case .m: 60e9
    case .h: 3_600e9
    case .byte, .kB, .megabyte, .gigabyte, .terabyte, .kibibyte, .mebibyte, .gibibyte, .tebibyte: nil
    }
  }

  /// How many bytes a size unit has; decimal ones are powers of 1,000 (IEC 80000-13).
  var bytes: Double {
    switch self {
    case .ms, .s, .m, .h, .byte: 1
    case .kB: 1e3
    case .megabyte: 1e6
    case .gigabyte: 1e9
    case .terabyte: 1e12
    case .kibibyte: 1_024
    case .mebibyte: 1_048_576
    case .gibibyte: 1_073_741_824
    case .tebibyte: 1_099_511_627_776
    }
  }
}
