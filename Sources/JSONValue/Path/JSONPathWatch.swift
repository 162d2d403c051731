/// Checks from time to time whether a path may continue: a filter within a filter takes quadratic time.
package final class JSONPathWatch {
  private let mayGoOn: () -> Bool
  private var steps = 0
  /// Whether it was stopped. What the path found is then incomplete.
  package private(set) var isOver = false

  /// - Parameter mayGoOn: asked every few dozen nodes.
  package init(_ mayGoOn: @escaping () -> Bool) {
    self.mayGoOn = mayGoOn
  }

  /// Counts one more node.
  ///
  /// - Returns: whether to examine it.
  @inline(__always)
  func goesOn() -> Bool {
    steps &+= 1
    if steps & 0x3F == 0, !isOver { isOver = !mayGoOn() }
    return !isOver
  }
}
