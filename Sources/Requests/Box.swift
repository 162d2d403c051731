/// Holds a value of many parts in one place, so that handing it on is one count of references and not one for each
/// part. Nobody changes it: who wants another value makes another box.
final class Box<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  /// The same box with something changed.
  func changed(_ change: (inout Value) -> Void) -> Box {
    var value = value
    change(&value)
    return Box(value)
  }
}

extension Box: Equatable where Value: Equatable {
  static func == (left: Box, right: Box) -> Bool {
    left === right || left.value == right.value
  }
}

extension Box: Hashable where Value: Hashable {
  func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}
