import Diagnostics
import RequestSyntax

/// `is snapshot` needs a file beside the script, which is named after the step.
extension Checker {
  mutating func checkSnapshots(_ step: StepSyntax) {
    var nodes: [ShapeTestSyntax] = []
    for clause in step.clauses {
      if case .expect(let condition) = clause.kind { nodes += condition.requiredSnapshotNodes }
    }
    if !allowedSnapshots.isEmpty || !nodes.isEmpty { allowedSnapshots = Set(nodes.map(\.shape.range.lowerBound)) }
    guard let first = nodes.first else { return }
    if !source.isFile { return report(.snapshotWithoutFile, first.shape.range) }
    if step.label == nil { return report(.snapshotWithoutLabel, first.shape.range) }
    for test in SnapshotTest.all(of: step, in: sequence, source, directory: directory) {
      // Labels are unique in a block, and there may be several of `finally`.
      let owner = snapshotOwners[test.path] ?? step.range.lowerBound
      snapshotOwners[test.path] = owner
      if owner != step.range.lowerBound, let label = step.label {
        return report(.sharedSnapshot(label: label.text), label.range)
      }
      if case .wrong(let reason) = SnapshotFile(test.path, program.readFile) {
        report(.wrongSnapshot(reason), test.node.shape.range)
      }
    }
  }

  /// Anywhere else it would not be known which file is meant, or when it is written.
  mutating func check(_ node: ShapeTestSyntax) {
    guard node.shape.isSnapshot, !allowedSnapshots.contains(node.shape.range.lowerBound) else { return }
    report(.snapshotElsewhere, node.shape.range)
  }
}
