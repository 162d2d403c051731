/// Where a step is in a run: its index, and for a step inside groups the index of each group with that of the child.
/// `[4]` is the fifth step, `[4, 1, 0]` the first step of the second child of the group that is the fifth step.
public struct StepPosition: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// An odd number of indices from 0: step, and child and step for every group on the way.
  public let indices: [Int]

  /// From the outermost step inwards, each counted from 0.
  public init(_ indices: [Int]) {
    self.indices = indices
  }

  /// The index of the step in its own run.
  public var index: Int { indices.last ?? 0 }

  /// From 1, as people count: `5`, `5.2.1`.
  public var description: String {
    indices.map { "\($0 + 1)" }.joined(separator: ".")
  }

  public static func < (left: Self, right: Self) -> Bool {
    left.indices.lexicographicallyPrecedes(right.indices)
  }
}

extension RunHistory {
  /// Notes that the sequence at the position was asked with this seed. A journal that is notified of what happens, as
  /// it happens, builds the history of the run with this and `record`.
  public mutating func ask(at position: StepPosition, _ moment: StepSeed) {
    change(position.indices[...]) { history, index in
      history.close(before: index)
      history.moments.removeSubrange(min(index, history.moments.count)...)
      history.moments.append(moment)
    }
  }

  /// Notes the outcome of the step at the position.
  public mutating func record(_ record: StepRecord, at position: StepPosition) {
    change(position.indices[...]) { history, index in
      history.close(before: index)
      history.records.removeSubrange(min(index, history.records.count)...)
      history.records.append(record)
      history.openGroup = []
    }
  }

  /// The history before the step at the position: a run rebuilt from it is about to take that step.
  ///
  /// - Parameter keepsBesides: whether what later children of the same groups did is kept, as after a run in which they
  ///   ran in parallel; a step back discards it.
  public func before(_ position: StepPosition, keepsBesides: Bool = false) -> RunHistory {
    var history = self
    history.cut(position.indices[...], keepsBesides)
    return history
  }

  private mutating func cut(_ path: ArraySlice<Int>, _ keepsBesides: Bool) {
    guard let index = path.first else { return }
    let group: [RunHistory] =
      if records.indices.contains(index) {
        if case .group(let children) = records[index] { children } else { [] }
      } else {
        openGroup
      }
    records.removeSubrange(min(index, records.count)...)
    let inner = path.dropFirst()
    guard let child = inner.first, group.indices.contains(child) else {
      // Asked again: time has passed.
      moments.removeSubrange(min(index, moments.count)...)
      openGroup = []
      return
    }
    moments.removeSubrange(min(index + 1, moments.count)...)
    openGroup = keepsBesides ? group : Array(group[...child])
    openGroup[child].cut(inner.dropFirst(), keepsBesides)
  }

  /// A group that is followed by something has ended.
  private mutating func close(before index: Int) {
    guard records.count < index, !openGroup.isEmpty else { return }
    records.append(.group(openGroup))
    openGroup = []
  }

  private mutating func change(_ path: ArraySlice<Int>, _ body: (inout RunHistory, Int) -> Void) {
    guard let index = path.first else { return }
    let inner = path.dropFirst()
    guard let child = inner.first else { return body(&self, index) }
    close(before: index)
    while openGroup.count <= child { openGroup.append(RunHistory()) }
    openGroup[child].change(inner.dropFirst(), body)
  }
}
