extension JSONPath: CustomStringConvertible {
  /// The path in one canonical spelling, which reads back as the same path.
  public var description: String { "$" + segments.map(\.description).joined() }
}

extension JSONPath.Segment: CustomStringConvertible {
  public var description: String {
    switch self {
    case .child(let selectors): Self.text(selectors, dots: ".", bracketDots: "")
    case .descendant(let selectors): Self.text(selectors, dots: "..", bracketDots: "..")
    }
  }

  private static func text(_ selectors: [JSONPath.Selector], dots: String, bracketDots: String) -> String {
    switch selectors.first {
    case .name(let name)? where selectors.count == 1 && isShorthand(name): dots + name
    case .wildcard? where selectors.count == 1: dots + "*"
    default: "\(bracketDots)[\(selectors.map(\.description).joined(separator: ", "))]"
    }
  }

  /// `member-name-shorthand`
  private static func isShorthand(_ name: String) -> Bool {
    var parser = JSONPathParser(name, dialect: .standard)
    return (try? parser.memberName()) != nil && parser.position == parser.bytes.count
  }
}

extension JSONPath.Selector: CustomStringConvertible {
  public var description: String {
    switch self {
    case .name(let name): JSONLocation.quoted(name)
    case .wildcard: "*"
    case .index(let index): "\(index)"
    case .slice(let slice):
      "\(slice.start.map(String.init) ?? ""):\(slice.end.map(String.init) ?? "")\(slice.step == 1 ? "" : ":\(slice.step)")"
    case .filter(let filter): "?\(filter)"
    }
  }
}

extension JSONPath.Filter: CustomStringConvertible {
  public var description: String {
    switch self {
    case .any(let filters): filters.map { $0.text(within: .any) }.joined(separator: " || ")
    case .all(let filters): filters.map { $0.text(within: .all) }.joined(separator: " && ")
    case .not(let filter): "!" + filter.text(within: .not)
    case .exists(let query): "\(query)"
    case .comparison(let left, let comparison, let right): "\(left) \(comparison.rawValue) \(right)"
    case .match(let text, let pattern): "match(\(text), \(pattern.operand))"
    case .search(let text, let pattern): "search(\(text), \(pattern.operand))"
    }
  }

  /// What surrounds a condition, from loose to tight.
  private enum Context { case any, all, not }

  /// In parentheses if it would be read as something else without them.
  private func text(within context: Context) -> String {
    let isClosed =
      switch self {
      case .any: false
      case .all: context == .any
      case .not, .comparison: context != .not
      case .exists, .match, .search: true
      }
    return isClosed ? description : "(\(description))"
  }
}

extension JSONPath.Operand: CustomStringConvertible {
  public var description: String {
    switch self {
    case .literal(.string(let text)): JSONLocation.quoted(text)
    case .literal(let value): "\(value)"
    case .query(let query): "\(query)"
    case .variable(let variable): "$\(variable.name)\(variable.segments.map(\.description).joined())"
    case .length(let operand): "length(\(operand))"
    case .count(let query): "count(\(query))"
    case .value(let query): "value(\(query))"
    }
  }
}

extension JSONPath.Query: CustomStringConvertible {
  public var description: String {
    (root == .document ? "$" : "@") + segments.map(\.description).joined()
  }
}
