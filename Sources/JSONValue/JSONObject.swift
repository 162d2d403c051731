/// The members of a JSON object, in their order.
///
/// RFC 8259 §4 recommends that keys be unique, but does not require it. Here all members are kept as they came; looking
/// up a key finds the last of its members, as nearly every reader does; `repeatedKeys` tells what a warning should be
/// about.
public struct JSONObject: Sendable {
  /// A key with its value.
  public struct Member: Hashable, Sendable {
    /// Compared by its Unicode scalars.
    public var key: String
    /// The value of the key.
    public var value: JSON

    public init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }

    public static func == (left: Member, right: Member) -> Bool {
      left.key.hasSameScalars(as: right.key) && left.value == right.value
    }
  }

  /// All members as they came, including those whose key occurs twice.
  public var members: [Member]

  /// An object with these members, unchanged.
  public init(_ members: [Member] = []) {
    self.members = members
  }

  /// An object with these keys and values, unchanged.
  @inlinable public init(_ members: some Sequence<(String, JSON)>) {
    self.members = members.map { Member(key: $0.0, value: $0.1) }
  }

  /// The value of the last member with that key.
  ///
  /// Setting replaces that member in place, or adds one; nil removes all members with that key.
  public subscript(key: String) -> JSON? {
    get { lastIndex(of: key).map { members[$0].value } }
    set {
      switch (lastIndex(of: key), newValue) {
      case (let index?, let value?): members[index].value = value
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (.some, nil): members.removeAll { $0.key.hasSameScalars(as: key) }
      case (nil, nil): break
      }
    }
  }

  /// The members are looked at where they are: copying each would take longer.
  private func lastIndex(of key: String) -> Int? {
    var index = members.count
    while index > 0 {
      index -= 1
      if members[index].key.hasSameScalars(as: key) { return index }
    }
    return nil
  }

  /// The keys in order, including repeated ones.
  public var keys: [String] { members.map(\.key) }

  /// The keys that occur more than once, in the order of their first repetition.
  public var repeatedKeys: [String] {
    var counts: [[UInt8]: Int] = [:]
    return members.map(\.key).filter { key in
      counts[Array(key.utf8), default: 0] += 1
      return counts[Array(key.utf8)] == 2
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral members: (String, JSON)...) {
    self.init(members)
  }
}

extension JSONObject: RandomAccessCollection {
  public var startIndex: Int { members.startIndex }
  public var endIndex: Int { members.endIndex }
  public subscript(position: Int) -> Member { members[position] }
}

extension JSONObject: Hashable {
  /// The order of members makes no difference (RFC 8259 §4); how often a key occurs, and with which values in which
  /// order, does.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.members.count == right.members.count else { return false }
    // Usually they are in the same order.
    if left.members.elementsEqual(right.members, by: { $0.key.hasSameScalars(as: $1.key) }) {
      return left.members == right.members
    }
    return left.sorted == right.sorted
  }

  /// The members in a stable order by key.
  private var sorted: [Member] {
    members.enumerated().sorted { left, right in
      let (leftKey, rightKey) = (left.element.key.utf8, right.element.key.utf8)
      if leftKey.elementsEqual(rightKey) { return left.offset < right.offset }
      return leftKey.lexicographicallyPrecedes(rightKey)
    }.map(\.element)
  }

  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for member in members {
      // A sum does not depend on the order.
      var memberHasher = Hasher()
      memberHasher.combine(member.key)
      memberHasher.combine(member.value)
      sum &+= memberHasher.finalize()
    }
    hasher.combine(members.count)
    hasher.combine(sum)
  }
}
