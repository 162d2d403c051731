import Diagnostics
import RequestSyntax

extension Program {
  /// The snapshots that a step is compared with.
  func snapshots(of step: StepSyntax, in source: Source) -> [SnapshotTest] {
    let sequence = sequences.first { _, located in
      located.source === source && located.node.range.contains(step.range)
    }
    return SnapshotTest.all(of: step, in: sequence?.key, source.text, directory: source.directory)
  }
}

extension SourceRange {
  fileprivate func contains(_ other: SourceRange) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
