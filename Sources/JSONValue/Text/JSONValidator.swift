/// Keeps nothing of a text, which is only checked, but where the members of its outermost object begin: whoever looks for
/// one of them need not go through the others again.
struct JSONValidator: JSONReceiver {
  /// Of more, nothing is kept.
  private static let most = 1_000

  /// At their keys, in the order of the text; nil: they are too many.
  private(set) var members: [Int]? = []
  private var depth = 0

  @inline(__always) mutating func beginObject() { depth &+= 1 }
  @inline(__always) mutating func endObject() { depth &-= 1 }
  @inline(__always) mutating func beginArray() { depth &+= 1 }
  @inline(__always) mutating func endArray() { depth &-= 1 }
  @inline(__always) mutating func key(_ token: JSONScanner.StringToken) { if depth == 1 { note(token) } }
  @inline(__always) mutating func string(_ token: JSONScanner.StringToken) {}
  @inline(__always) mutating func number(_ range: Range<Int>) {}
  @inline(__always) mutating func bool(_ value: Bool) {}
  @inline(__always) mutating func null() {}

  @inline(never)
  private mutating func note(_ key: JSONScanner.StringToken) {
    if let members, members.count == Self.most { self.members = nil }
    members?.append(key.range.lowerBound - 1)
  }
}
