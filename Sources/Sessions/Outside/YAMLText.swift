internal import JSONValue
internal import Requests
internal import Yams

/// A text in YAML as the JSON value that it stands for, by the core schema of YAML 1.2 (§10.3.2): `yes`, `12:30` and
/// dates are texts. What JSON cannot say (tags, keys that are not texts) is an error, and so is what costs more than it
/// says.
struct YAMLText {
  /// The longest text, in bytes: its tree takes about a hundred times as much.
  private static let longest = 1 << 20
  /// How often `*name` may be written: each may double what all of them stand for.
  private static let mostAliases = 12
  /// How many values they may stand for.
  private static let mostValues = 100_000

  let value: JSON

  init(_ bytes: [UInt8], path: String) throws(OutsideFileError) {
    func failure(_ problem: String, line: Int? = nil, _ advice: String...) -> OutsideFileError {
      .content(path: path, line: line, problem: problem, advice: advice)
    }
    guard bytes.count <= Self.longest else {
      throw failure("this is more than 1 MiB of YAML", "write it as JSON")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("this is not text in UTF-8") }
    guard Self.aliasCount(in: bytes) <= Self.mostAliases else {
      throw failure("more than \(Self.mostAliases) aliases (*name) are not read", "write out what they stand for")
    }
    let root: Node?
    do {
      root = try Parser(yaml: text, resolver: .basic).singleRoot()
    } catch let error as YamlError {
      throw failure("this is not YAML: \(error.problem)", line: error.line)
    } catch {
      throw failure("this is not YAML")
    }
    var reader = NodeReader(limit: Self.mostValues)
    do throws(NodeReader.Problem) {
      value = try root.map { node throws(NodeReader.Problem) in try reader.json(node) } ?? .object([:])
    } catch {
      throw failure(error.sentence, line: error.line)
    }
  }

  /// How many places look like `*name`, perhaps some in texts too.
  private static func aliasCount(in bytes: [UInt8]) -> Int {
    var count = 0
    var isBeginning = true
    for (index, byte) in bytes.enumerated() {
      let isFollowed = index + 1 < bytes.count && bytes[index + 1] > UInt8(ascii: " ")
      if byte == UInt8(ascii: "*"), isBeginning, isFollowed { count += 1 }
      isBeginning = byte <= UInt8(ascii: " ") || "[]{},:?-\"'".utf8.contains(byte)
    }
    return count
  }
}

/// From the nodes of YAML to JSON.
private struct NodeReader {
  struct Problem: Error {
    let sentence: String
    let line: Int?
  }

  /// How many values may still come: aliases stand for the same nodes again and again.
  private var remaining: Int

  init(limit: Int) {
    remaining = limit
  }

  mutating func json(_ node: Node) throws(Problem) -> JSON {
    remaining -= 1
    guard remaining >= 0 else { throw problem("its aliases stand for too many values", node) }
    switch node {
    case .scalar(let scalar): return try value(of: scalar, node)
    case .sequence(let sequence):
      try checkTag(sequence.tag, allowed: ["seq"], node)
      var elements: [JSON] = []
      for element in sequence { elements.append(try json(element)) }
      return .array(elements)
    case .mapping(let mapping):
      try checkTag(mapping.tag, allowed: ["map"], node)
      return .object(try object(mapping))
    case .alias: throw problem("an alias stands for nothing", node)
    }
  }

  /// The members, after those that `<<` merges in: its own take precedence.
  private mutating func object(_ mapping: Node.Mapping) throws(Problem) -> JSONObject {
    var merged: [JSONObject.Member] = []
    var own: [JSONObject.Member] = []
    for (key, value) in mapping {
      guard case .scalar(let name) = key else { throw problem("a key that is not a text", key) }
      if name.string == "<<", name.style == .plain {
        merged += try sources(of: value)
      } else {
        try checkTag(name.tag, allowed: ["str"], key)
        own.append(JSONObject.Member(key: name.string, value: try json(value)))
      }
    }
    guard !merged.isEmpty else { return JSONObject(own) }
    var seen = Set(own.map(\.key))
    return JSONObject(merged.filter { seen.insert($0.key).inserted } + own)
  }

  private mutating func sources(of node: Node) throws(Problem) -> [JSONObject.Member] {
    switch try json(node) {
    case .object(let object): return object.members
    case .array(let elements):
      var members: [JSONObject.Member] = []
      for element in elements {
        guard let object = element.object else { throw problem("<< merges maps only", node) }
        members += object.members
      }
      return members
    case .string, .number, .bool, .null: throw problem("<< merges maps only", node)
    }
  }

  private func value(of scalar: Node.Scalar, _ node: Node) throws(Problem) -> JSON {
    let text = scalar.string
    try checkTag(scalar.tag, allowed: ["str", "int", "float", "bool", "null"], node)
    let tag = Self.explicit(scalar.tag)
    if tag == "str" || tag == nil && scalar.style != .plain { return .string(text) }
    if tag == nil || tag == "null", ["", "~", "null", "Null", "NULL"].contains(text) { return .null }
    if tag == nil || tag == "bool" {
      if ["true", "True", "TRUE"].contains(text) { return .bool(true) }
      if ["false", "False", "FALSE"].contains(text) { return .bool(false) }
    }
    if tag == nil || tag == "int" || tag == "float", let number = Self.number(text) { return .number(number) }
    if [".inf", "-.inf", "+.inf", ".nan"].contains(text.lowercased()) {
      throw problem("\(text) is not a JSON number", node)
    }
    guard tag == nil else { throw problem("\"\(CutText.cut(text, to: 40))\" is not \(tag ?? "")", node) }
    return .string(text)
  }

  /// With leading zeros it is a text: a postcode, not a number.
  private static func number(_ text: String) -> JSONNumber? {
    for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
      return Int(text.dropFirst(2), radix: radix).map { JSONNumber($0) }
    }
    let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
    return JSONNumber(digits.hasPrefix(".") ? "0\(digits)" : digits)
  }

  /// What follows `!!`, or the whole of another tag; nil if none was written.
  private static func explicit(_ tag: Tag) -> String? {
    let name = tag.rawValue
    if name.isEmpty { return nil }
    if name == "!" { return "str" }
    let standard = "tag:yaml.org,2002:"
    return name.hasPrefix(standard) ? String(name.dropFirst(standard.count)) : name
  }

  private func checkTag(_ tag: Tag, allowed: Set<String>, _ node: Node) throws(Problem) {
    guard let name = Self.explicit(tag), !allowed.contains(name) else { return }
    throw problem("the tag \(name.hasPrefix("!") ? "" : "!!")\(CutText.cut(name, to: 40)) is not understood here", node)
  }

  private func problem(_ sentence: String, _ node: Node) -> Problem {
    Problem(sentence: sentence, line: node.mark?.line)
  }
}

extension YamlError {
  /// What is wrong, without the text that it is in.
  fileprivate var problem: String {
    switch self {
    case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _),
      .reader(let problem, _, _, _):
      problem.contains("nesting level") ? "it nests more than 1,000 deep" : problem
    case .duplicatedKeysInMapping(let names, _):
      "\(names.prefix(3).map { "\"\(CutText.cut($0, to: 40))\"" }.joined(separator: ", ")) is in it twice"
    case .memory: "it nests too deep"
    default: "it cannot be read"
    }
  }

  fileprivate var line: Int? {
    switch self {
    case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
    case .duplicatedKeysInMapping(_, let context): context.mark.line
    default: nil
    }
  }
}
