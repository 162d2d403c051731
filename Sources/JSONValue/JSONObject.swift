/// The members of a JSON object, in their order. Keys that occur twice are all kept.
public struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
  /// A key with its value.
  public struct Member: Hashable, Sendable {
    public var key: String
    public var value: JSON

    public init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }
  }

  public var members: [Member]

  public init(_ members: [Member] = []) {
    self.members = members
  }

  public init(dictionaryLiteral members: (String, JSON)...) {
    self.members = members.map { Member(key: $0.0, value: $0.1) }
  }

  /// The value of the last member with that key, as most readers take it.
  ///
  /// Setting replaces that member where it stands, or adds one; nil takes all of that key away.
  public subscript(key: String) -> JSON? {
    get { members.last { $0.key.utf8.elementsEqual(key.utf8) }?.value }
    set {
      let index = members.lastIndex { $0.key.utf8.elementsEqual(key.utf8) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (_, nil): members.removeAll { $0.key.utf8.elementsEqual(key.utf8) }
      }
    }
  }

  /// The keys in their order.
  public var keys: [String] { members.map(\.key) }
}

extension JSONObject: Hashable {
  /// The order of members is no difference (RFC 8259 §4); how often a key occurs is.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.members.count == right.members.count else { return false }
    if left.members.elementsEqual(right.members) { return true }
    let grouped = { (object: JSONObject) in Dictionary(grouping: object.members) { Array($0.key.utf8) } }
    return grouped(left).mapValues { $0.map(\.value) } == grouped(right).mapValues { $0.map(\.value) }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(Set(members.map(\.key)))
  }
}
