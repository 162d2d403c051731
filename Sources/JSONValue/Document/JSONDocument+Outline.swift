/// A value as a list of values shows it: for a container only the first keys and a count, whatever it holds.
public enum JSONOutline: Hashable, Sendable {
  /// The first keys, and how many members there are.
  case object(keys: [String], count: Int)
  /// How many elements there are.
  case array(count: Int)
  /// A string, a number, `true`, `false` or `null`.
  case scalar(JSON)
}

extension JSONDocument {
  /// The direct children of the container that the path finds, in the document's order. If a key occurs twice, each
  /// member is listed.
  ///
  /// The text is scanned at most once, and no container is turned into a value, so this takes hardly any memory. Of the
  /// outermost object only the members that are wanted are scanned, unless it has very many.
  ///
  /// - Parameters:
  ///   - path: if it finds several nodes, the first is used.
  ///   - elementLimit: how many elements of an array are examined; for an object, all members are.
  ///   - isWanted: which of them are listed.
  /// - Returns: nil if the path finds nothing, or something that is not a container.
  public func children(
    of path: JSONPath, elementLimit: Int = .max, where isWanted: (JSONLocation.Step) -> Bool = { _ in true }
  ) -> [(step: JSONLocation.Step, outline: JSONOutline)]? {
    withBytes { bytes in
      var start: Int?
      path.walk(JSONSlice(bytes), { _ in nil }, tracksLocations: false) { slice, _ in start = start ?? slice.start }
      return start.flatMap { start in
        var skipper = JSONSkipper(bytes: bytes, position: start)
        if let members, skipper.next == UInt8(ascii: "{"), start == JSONSlice(bytes).start {
          return skipper.children(at: members, where: isWanted)
        }
        return skipper.children(elementLimit: elementLimit, where: isWanted)
      }
    }
  }
}

extension JSONSkipper {
  /// How many keys of an object are named.
  private static let namedKeys = 8

  fileprivate mutating func children(
    elementLimit: Int, where isWanted: (JSONLocation.Step) -> Bool
  ) -> [(step: JSONLocation.Step, outline: JSONOutline)]? {
    let isObject = next == UInt8(ascii: "{")
    guard isObject || next == UInt8(ascii: "[") else { return nil }
    var children: [(step: JSONLocation.Step, outline: JSONOutline)] = []
    var index = 0
    var hasMore = enter()
    while hasMore, isObject || index < elementLimit {
      let step: JSONLocation.Step = isObject ? .key(JSONEscape.decode(key(), in: bytes)) : .index(index)
      if isWanted(step) { children.append((step, outline())) } else { value() }
      hasMore = advance()
      index += 1
    }
    return children
  }

  /// - Parameter members: where those of an object begin.
  fileprivate mutating func children(
    at members: [Int], where isWanted: (JSONLocation.Step) -> Bool
  ) -> [(step: JSONLocation.Step, outline: JSONOutline)] {
    members.compactMap { member in
      position = member
      let step = JSONLocation.Step.key(JSONEscape.decode(key(), in: bytes))
      return isWanted(step) ? (step, outline()) : nil
    }
  }

  /// From the start of a value to its end.
  private mutating func outline() -> JSONOutline {
    switch next {
    case UInt8(ascii: "{"):
      var keys: [String] = []
      var count = 0
      var hasMore = enter()
      while hasMore {
        let token = key()
        if count < Self.namedKeys { keys.append(JSONEscape.decode(token, in: bytes)) }
        value()
        count += 1
        hasMore = advance()
      }
      leave()
      return .object(keys: keys, count: count)
    case UInt8(ascii: "["):
      var count = 0
      var hasMore = enter()
      while hasMore {
        value()
        count += 1
        hasMore = advance()
      }
      leave()
      return .array(count: count)
    default:
      let slice = JSONSlice(self)
      value()
      return .scalar(slice.json)
    }
  }
}
