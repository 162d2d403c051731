/// Holds a value with many parts in one place, so that passing it on retains one reference instead of one per part. It
/// never changes: a different value needs another box.
package final class Box<Value: Sendable>: Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }

  /// The same box with something changed.
  package func changed(_ change: (inout Value) -> Void) -> Box {
    var value = value
    change(&value)
    return Box(value)
  }
}

extension Box: Equatable where Value: Equatable {
  package static func == (left: Box, right: Box) -> Bool {
    left === right || left.value == right.value
  }
}

extension Box: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}
