package import Requests

extension RunHistory {
  /// Every step that has a record, including those inside groups, with its position.
  package var stepRecords: [(position: StepPosition, record: StepRecord)] { stepRecords(at: []) }

  private func stepRecords(at path: [Int]) -> [(position: StepPosition, record: StepRecord)] {
    var found: [(position: StepPosition, record: StepRecord)] = []
    for (index, record) in records.enumerated() {
      if case .group(let children) = record {
        found += Self.steps(of: children, at: path + [index])
      } else {
        found.append((StepPosition(path + [index]), record))
      }
    }
    return found + Self.steps(of: openGroup, at: path + [records.count])
  }

  private static func steps(
    of children: [RunHistory], at path: [Int]
  ) -> [(position: StepPosition, record: StepRecord)] {
    children.enumerated().flatMap { $1.stepRecords(at: path + [$0]) }
  }

  /// Replaces one record by another, and leaves what came after it.
  package mutating func replaceRecord(at position: StepPosition, with record: StepRecord) {
    replace(position.indices[...], record)
  }

  private mutating func replace(_ path: ArraySlice<Int>, _ record: StepRecord) {
    guard let index = path.first else { return }
    guard let child = path.dropFirst().first else {
      if records.indices.contains(index) { records[index] = record }
      return
    }
    let rest = path.dropFirst(2)
    if index == records.count, openGroup.indices.contains(child) {
      openGroup[child].replace(rest, record)
    } else if records.indices.contains(index), case .group(var children) = records[index],
      children.indices.contains(child)
    {
      children[child].replace(rest, record)
      records[index] = .group(children)
    }
  }
}

extension RequestDescription {
  /// Whether both ask for the same thing, wherever they are written and whatever they are called.
  package func isSameRequest(as other: RequestDescription) -> Bool {
    anonymous == other.anonymous
  }

  private var anonymous: RequestDescription {
    var copy = self
    copy.head.label = nil
    copy.head.number = nil
    copy.head.place = nil
    copy.head.round = nil
    copy.head.delay = .zero
    copy.head.timeout = nil
    copy.head.limit = nil
    return copy
  }
}
