import Diagnostics
package import RequestSyntax

/// An `is snapshot` of a step, and where its file is.
struct SnapshotTest {
  let node: ShapeTestSyntax
  /// `FILE.snapshots/[SEQUENCE.]STEP[-N].shape`
  let path: String
  /// The directory of the script; empty: the working directory.
  let directory: String

  /// Those of a step, in the order of its text.
  ///
  /// - Parameter sequence: the sequence that the step is written in; nil: the file's own steps.
  static func all(of step: StepSyntax, in sequence: String?, _ source: SourceText, directory: String) -> [SnapshotTest]
  {
    guard let label = step.label?.text, source.isFile else { return [] }
    let name = (sequence.map { "\($0)." } ?? "") + label
    let file = source.name.split(separator: "/").last ?? ""
    return step.snapshotNodes.enumerated().map { index, node in
      let number = index == 0 ? "" : "-\(index + 1)"
      return SnapshotTest(
        node: node, path: Program.joined(directory, "\(file).snapshots/\(name)\(number).shape"), directory: directory)
    }
  }
}

extension SourceText {
  /// Whether it is a file, beside which another can be.
  var isFile: Bool { !name.isEmpty && !name.hasPrefix("<") }
}

extension StepSyntax {
  /// Every `is snapshot` among its expectations.
  fileprivate var snapshotNodes: [ShapeTestSyntax] {
    clauses.flatMap { clause -> [ShapeTestSyntax] in
      guard case .expect(let condition) = clause.kind else { return [] }
      return condition.snapshotNodes
    }
  }
}

extension ClauseSyntax {
  /// Whether it expects what the file of a snapshot says.
  package var hasSnapshot: Bool {
    if case .expect(let condition) = kind { !condition.snapshotNodes.isEmpty } else { false }
  }
}

extension ExpressionSyntax {
  /// Every `is snapshot` in it.
  var snapshotNodes: [ShapeTestSyntax] {
    var nodes: [ShapeTestSyntax] = []
    forEach { if case .shapeTest(let node) = $0, node.shape.isSnapshot { nodes.append(node) } }
    return nodes
  }

  /// Those of them that have to hold for the condition to hold, whatever else does.
  var requiredSnapshotNodes: [ShapeTestSyntax] {
    switch self {
    case .parenthesized(let node): node.inner.requiredSnapshotNodes
    case .binary(let node) where node.operator == .and:
      node.left.requiredSnapshotNodes + node.right.requiredSnapshotNodes
    case .shapeTest(let node): node.shape.isSnapshot ? [node] : []
    default: []
    }
  }
}
