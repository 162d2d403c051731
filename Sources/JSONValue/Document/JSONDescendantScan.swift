/// Finds all members with certain keys, at any depth, in one pass over the text.
///
/// RFC 9535 §2.5.2.2 requires that what is found in a node comes before what is found in its children, so each object
/// reserves places for its own members before the scan continues.
struct JSONDescendantScan {
  private let keys: [[UInt8]]
  private var skipper: JSONSkipper
  /// The objects and arrays that are open: where the places of an object's members start, nil for an array.
  private var open: [Int?] = []
  /// Where the members' values start; nil if an object does not have the key.
  private(set) var places: [Int?] = []

  init(_ slice: JSONSlice, keys: [String]) {
    self.keys = keys.map { Array($0.utf8) }
    skipper = JSONSkipper(bytes: slice.bytes, position: slice.start)
    scan()
  }

  /// Goes from the start of a value to its end.
  private mutating func scan() {
    repeat {
      var hasMore: Bool
      switch skipper.next {
      case UInt8(ascii: "{"):
        open.append(places.count)
        places.append(contentsOf: repeatElement(nil, count: keys.count))
        hasMore = skipper.enter()
      case UInt8(ascii: "["):
        open.append(nil)
        hasMore = skipper.enter()
      default:
        skipper.value()
        hasMore = !open.isEmpty && skipper.advance()
      }
      while !hasMore, let mark = open.popLast() {
        skipper.leave()
        if let mark { drop(mark) }
        hasMore = !open.isEmpty && skipper.advance()
      }
      if hasMore, let mark = open.last ?? nil { key(mark) }
    } while !open.isEmpty
  }

  /// From a key to its value.
  private mutating func key(_ mark: Int) {
    let token = skipper.key()
    for (index, key) in keys.enumerated() where skipper.isKey(token, key) {
      // Whatever was found in an earlier member of the same key stays: it is a descendant too.
      places[mark + index] = skipper.position
    }
  }

  /// An object in which nothing was found needs no places.
  private mutating func drop(_ mark: Int) {
    if places.count == mark + keys.count, places[mark...].allSatisfy({ $0 == nil }) { places.removeSubrange(mark...) }
  }
}
