import RequestSyntax

/// What is known about a value before anything is sent: its kind, where that follows from the text alone.
enum StaticType: Hashable, Sendable {
  case null, bool, number, string, object, array
  case bytes, digest, file, chunk, duration, time
  /// A step, as a whole.
  case step

  /// Its name in messages, the same as that of the values themselves.
  var name: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .object: "an object"
    case .array: "an array"
    case .bytes: "bytes"
    case .digest: "a digest"
    case .file, .chunk: "a file"
    case .duration: "a duration"
    case .time: "a time"
    case .step: "a step"
    }
  }

  /// Whether it has a plain text, as headers, queries and paths need.
  var hasText: Bool {
    switch self {
    case .bool, .number, .string, .bytes, .digest, .time: true
    case .null, .object, .array, .file, .chunk, .duration, .step: false
    }
  }

  /// Whether it can be a JSON value.
  var isJSON: Bool {
    switch self {
    case .null, .bool, .number, .string, .object, .array, .bytes, .digest, .duration, .time: true
    case .file, .chunk, .step: false
    }
  }

  /// The names of all its members; nil if only the run can tell.
  var memberNames: [String]? {
    switch self {
    case .object, .array, .null: nil
    case .file: FileMember.allCases.map(\.rawValue)
    case .chunk: FileMember.allCases.map(\.rawValue) + ["number", "offset"]
    case .step: Self.stepMembers
    case .bool, .number, .string, .bytes, .digest, .duration, .time: []
    }
  }

  /// Whether no value of the type has the member.
  func lacks(_ member: String) -> Bool {
    // It is asked for most, and has many.
    if self == .step { return member != "body" && !Keywords.isMember(member) && member != "rounds" }
    return memberNames.map { !$0.contains(member) } ?? false
  }

  private static let stepMembers = Keywords.members + ["rounds"]

  /// The kind of a member; nil if it is not known.
  func member(_ name: String) -> StaticType? {
    switch self {
    case .file, .chunk:
      switch FileMember(rawValue: name) {
      case .size: return .number
      case .name, .type, .text: return .string
      case .sha256, .md5: return .digest
      case .bytes: return .bytes
      case .json: return nil
      case nil: return self == .chunk && (name == "number" || name == "offset") ? .number : nil
      }
    case .step:
      switch name {
      // Most are that.
      case "body": return nil
      case "status", "size": return .number
      case "url", "text", "location", "protocol", "address": return .string
      case "redirects": return .array
      case "links", "set-cookie": return .object
      case "bytes": return .bytes
      default: return nil
      }
    case .null, .bool, .number, .string, .object, .array, .bytes, .digest, .duration, .time: return nil
    }
  }
}

extension ParameterType {
  /// What a value of the type is known to be.
  var staticType: StaticType? {
    switch self {
    case .string, .url: .string
    case .int, .number: .number
    case .bool: .bool
    case .object: .object
    case .array: .array
    case .file: .file
    case .duration: .duration
    case .any, .datetime: nil
    }
  }

  /// Whether a value of that kind can be of the type.
  func allows(_ type: StaticType) -> Bool {
    switch self {
    case .any: true
    case .string: [.string, .digest, .time].contains(type)
    case .int, .number: type == .number
    case .bool: type == .bool
    case .url, .datetime: [.string, .digest, .time, .bytes].contains(type)
    case .object: type == .object
    case .array: type == .array
    case .file: type == .file || type == .chunk
    case .duration: type == .duration
    }
  }
}

extension CheckScope {
  /// What an expression's value is known to be; nil if only the run can tell.
  func type(of expression: ExpressionSyntax) -> StaticType? {
    switch expression {
    case .reference(let node): return type(of: node)
    case .member(let name): return StaticType.step.member(name.text)
    case .path: return nil
    case .call(let node): return Function(named: node.name.text)?.result(nil)
    case .pipe(let node): return Function(named: node.call.name.text)?.result(type(of: node.input))
    case .parenthesized(let node): return type(of: node.inner)
    case .number(let node): return node.unit?.nanoseconds == nil ? .number : .duration
    case .string, .word: return .string
    case .object: return .object
    case .array: return .array
    case .literal(let node): return node.kind == .null ? .null : .bool
    case .unary(let node): return node.operator == .not ? .bool : type(of: node.operand)
    case .binary(let node):
      switch node.operator {
      case .add, .subtract, .multiply, .divide:
        let (left, right) = (type(of: node.left), type(of: node.right))
        return left == .number && right == .number ? .number : nil
      default: return .bool
      }
    case .fallback(let node):
      let type = type(of: node.value)
      return type == self.type(of: node.defaultValue) ? type : nil
    case .shapeTest, .quantified: return .bool
    case .conditional(let node):
      let type = type(of: node.value)
      return type == self.type(of: node.otherwise) ? type : nil
    }
  }

  /// The type after a `$`, without its path.
  func type(ofRoot name: String) -> StaticType? {
    if Int(name) != nil { return .step }
    if let known = declared(name) { return known.typeOfReference }
    return globals.contains(name) ? outerNames[name]?.type : nil
  }

  private func type(of reference: ReferenceSyntax) -> StaticType? {
    let name = reference.root.text
    if name == "env" { return .string }
    // Nothing is known of members of members.
    guard reference.segments.count < 2 else { return nil }
    var type = type(ofRoot: name)
    if type == .step, case .name("rounds")? = reference.segments.first?.kind, kind(of: name) == .step { return nil }
    for segment in reference.segments {
      guard case .name(let member) = segment.kind else { return nil }
      type = type?.member(member)
    }
    return type
  }
}
