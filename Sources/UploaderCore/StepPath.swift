/// Where a step stands in its run: its number among the steps of its block, and before it those of the blocks
/// around it. `3` is the third step; `3.2.1` is the first step of the second child of the group that is the third.
///
/// A step has the same path whenever its run is rebuilt, since what comes next is a function of what came before.
public struct StepPath: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// From 1 on; odd ones count steps, even ones the children of a group.
  public var components: [Int]

  public init(_ components: [Int]) {
    self.components = components
  }

  /// A path as it is written: `3.2.1`.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count, numbers.allSatisfy({ (1...Int(Int32.max)).contains($0) }) else { return nil }
    components = numbers
  }

  /// The order of the steps in a run.
  public static func < (left: StepPath, right: StepPath) -> Bool {
    left.components.lexicographicallyPrecedes(right.components)
  }

  /// Whether this step comes after the other in the same block, or is part of one that does.
  public func follows(_ other: StepPath) -> Bool {
    guard let last = other.components.last, components.count >= other.components.count else { return false }
    let index = other.components.count - 1
    return components[..<index] == other.components[..<index] && components[index] > last
  }

  public var description: String {
    components.map(String.init).joined(separator: ".")
  }
}
