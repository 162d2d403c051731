internal import Patterns

extension JSONPath {
  /// A condition on a node (RFC 9535 §2.3.5). Only well-typed ones can be expressed (§2.4.3).
  public indirect enum Filter: Hashable, Sendable {
    /// `||`
    case any([Filter])
    /// `&&`
    case all([Filter])
    /// `!`
    case not(Filter)
    /// A query that finds something.
    case exists(Query)
    /// Two values compared (§2.3.5.2.2).
    case comparison(Operand, Comparison, Operand)
    /// `match(text, pattern)`: the whole text (§2.4.6).
    case match(Operand, Pattern)
    /// `search(text, pattern)`: some part of it (§2.4.7).
    case search(Operand, Pattern)
  }

  /// How two values are compared (RFC 9535 §2.3.5.2.2); its raw value is the operator.
  public enum Comparison: String, Hashable, Sendable, CaseIterable {
    /// `==`
    case equal = "=="
    /// `!=`
    case notEqual = "!="
    /// `<=`
    case lessOrEqual = "<="
    /// `>=`
    case greaterOrEqual = ">="
    /// `<`
    case less = "<"
    /// `>`
    case greater = ">"
  }

  /// Something that has one value, or none.
  public indirect enum Operand: Hashable, Sendable {
    /// A number, string, `true`, `false` or `null`.
    case literal(JSON)
    /// A query of names and indices only.
    case query(Query)
    /// `$name`, in the dialect that has it.
    case variable(Variable)
    /// `length(…)`: of a string in characters, of an array or object in children (§2.4.4).
    case length(Operand)
    /// `count(…)`: how many nodes a query finds (§2.4.5).
    case count(Query)
    /// `value(…)`: the value of the one node that a query finds (§2.4.8).
    case value(Query)
  }

  /// The second argument of `match` and `search`: an I-Regexp (RFC 9485), compiled only once if it is a literal.
  public struct Pattern: Hashable, Sendable {
    /// Where the pattern's text comes from.
    public let operand: Operand
    private let literal: Patterns.Pattern?

    /// A pattern from a literal or from the document; one that is not an I-Regexp matches nothing.
    public init(_ operand: Operand) {
      self.operand = operand
      if case .literal(.string(let text)) = operand { literal = .init(iRegexp: text) } else { literal = nil }
    }

    /// The pattern if the operand has that value; nil if it is not one.
    func regexp(_ value: JSON) -> Patterns.Pattern? {
      if case .literal = operand { return literal }
      return value.string.flatMap { .init(iRegexp: $0) }
    }

    public static func == (left: Pattern, right: Pattern) -> Bool { left.operand == right.operand }
    public func hash(into hasher: inout Hasher) { hasher.combine(operand) }
  }
}

extension JSONPath.Filter {
  /// All variables in it, in order.
  public var variables: [JSONPath.Variable] {
    switch self {
    case .any(let filters), .all(let filters): filters.flatMap(\.variables)
    case .not(let filter): filter.variables
    case .exists(let query): query.segments.flatMap(\.variables)
    case .comparison(let left, _, let right): left.variables + right.variables
    case .match(let text, let pattern), .search(let text, let pattern): text.variables + pattern.operand.variables
    }
  }
}

extension JSONPath.Operand {
  var variables: [JSONPath.Variable] {
    switch self {
    case .literal: []
    case .variable(let variable): [variable]
    case .length(let operand): operand.variables
    case .query(let query), .count(let query), .value(let query): query.segments.flatMap(\.variables)
    }
  }
}

extension JSONPath.Segment {
  /// All variables in its filters, in order.
  public var variables: [JSONPath.Variable] {
    switch self {
    case .child(let selectors), .descendant(let selectors):
      selectors.flatMap { selector -> [JSONPath.Variable] in
        switch selector {
        case .filter(let filter): filter.variables
        case .name, .wildcard, .index, .slice: []
        }
      }
    }
  }
}
