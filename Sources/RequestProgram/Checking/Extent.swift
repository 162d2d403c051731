import RequestSyntax

/// A duration or a size that a clause takes, and how small it may be.
public enum Extent: Hashable, Sendable {
  /// Possibly 0s.
  case duration
  /// More than 0s.
  case timeLimit
  /// At least one byte.
  case size
  /// At least one.
  case count

  /// How messages describe what it has to be.
  var sentence: String {
    switch self {
    case .duration: "a duration is not negative"
    case .timeLimit: "a time limit must be more than 0s"
    case .size: "a size must be at least 1B"
    case .count: "a number of times is at least 1"
    }
  }

  var hint: String {
    switch self {
    case .duration, .timeLimit: "write one such as 10s"
    case .size: "write one such as 64GiB"
    case .count: "write one such as 10"
    }
  }

  /// Whether a literal is too small for it; false for what only the run can tell.
  func isTooSmall(_ expression: ExpressionSyntax) -> Bool {
    switch expression {
    case .parenthesized(let node): return isTooSmall(node.inner)
    case .number(let number): return self != .duration && number.isZero
    case .unary(let node):
      guard node.operator == .negate, case .number(let number) = node.operand else { return false }
      return self != .duration || !number.isZero
    default: return false
    }
  }
}

extension NumberSyntax {
  fileprivate var isZero: Bool { Double(text) == 0 }
}

extension Checker {
  mutating func checkExtent(_ expression: ExpressionSyntax, _ extent: Extent) {
    if extent.isTooSmall(expression) { report(.tooSmall(extent), expression.range) }
  }
}
