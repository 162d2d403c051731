/// Something that a path can be walked on: a value in memory, or one that is still text.
protocol JSONPathNode {
  /// The value of the last member with that key; nil if there is none or this is not an object.
  func member(_ key: String) -> Self?
  /// The element at that index, counted from the end if it is negative; nil if there is none or this is not an array.
  func element(_ index: Int) -> Self?
  /// The first elements, or all; none if this is not an array.
  func elements(_ limit: Int?) -> [Self]
  /// All members or elements in order. Steps to them are made only if they are wanted.
  func forEachChild(steps: Bool, _ body: (Self, JSONLocation.Step?) -> Void)
  /// What `..[…]` with these keys finds, if there is a faster way than going from node to node.
  func descendants(_ keys: [String]) -> [Self]?
  /// The number of children; nil if this is neither object nor array.
  var childCount: Int? { get }
  /// The whole value.
  var json: JSON { get }
}

extension JSON: JSONPathNode {
  func member(_ key: String) -> JSON? { self[key] }
  func element(_ index: Int) -> JSON? { self[index] }

  func elements(_ limit: Int?) -> [JSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  func forEachChild(steps: Bool, _ body: (JSON, JSONLocation.Step?) -> Void) {
    switch self {
    case .object(let object):
      for member in object.members { body(member.value, steps ? .key(member.key) : nil) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { body(element, steps ? .index(index) : nil) }
    case .string, .number, .bool, .null: break
    }
  }

  func descendants(_ keys: [String]) -> [JSON]? { nil }

  var childCount: Int? {
    switch self {
    case .object(let object): object.members.count
    case .array(let elements): elements.count
    case .string, .number, .bool, .null: nil
    }
  }
}
