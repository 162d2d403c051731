/// Looks from time to time whether a path may go on: a filter within a filter takes the square of what it looks at.
package final class JSONPathWatch {
  private let mayGoOn: () -> Bool
  private var steps = 0
  /// Whether it was ended. What the path found is then not all.
  package private(set) var isOver = false

  /// - Parameter mayGoOn: asked every few dozen nodes.
  package init(_ mayGoOn: @escaping () -> Bool) {
    self.mayGoOn = mayGoOn
  }

  /// One node more.
  ///
  /// - Returns: whether to look at it.
  @inline(__always)
  func goesOn() -> Bool {
    steps &+= 1
    if steps & 0x3F == 0, !isOver { isOver = !mayGoOn() }
    return !isOver
  }
}
