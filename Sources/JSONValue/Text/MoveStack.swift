internal import POSIX

/// A stack whose elements are moved on and off, never copied.
///
/// It is `malloc`'s memory, not an array: elements move out of it without touching their reference counts, and it grows
/// and shrinks with `realloc`, which does not copy large memory but maps it elsewhere. Swift's types may be moved byte
/// by byte, except those with weak references, which no JSON holds.
struct MoveStack<Element>: ~Copyable {
  private var memory: UnsafeMutablePointer<Element>?
  private var capacity = 0
  private(set) var count = 0

  init() {}

  deinit {
    memory?.deinitialize(count: count)
    free(memory)
  }

  @inline(__always)
  mutating func push(_ element: consuming Element) {
    if count == capacity { resize(max(64, capacity * 2)) }
    // After `resize` there is memory.
    if let memory { (memory + count).initialize(to: element) }
    count &+= 1
  }

  @inline(never)
  private mutating func resize(_ capacity: Int) {
    guard let larger = realloc(memory, capacity * MemoryLayout<Element>.stride) else {
      preconditionFailure("out of memory")
    }
    memory = larger.bindMemory(to: Element.self, capacity: capacity)
    self.capacity = capacity
  }

  // Arrays are filled with `append` here: `Array(unsafeUninitializedCapacity:)` looks its class up at run time, which
  // takes longer for small ones than everything else.

  /// The last elements in order, as an array of exactly that size.
  mutating func takeLast(_ length: Int) -> [Element] {
    precondition((0...count).contains(length))
    if length > Self.blockSize { return takeManyLast(length) }
    guard length > 0, let memory else { return [] }
    count -= length
    let first = memory + count
    var elements: [Element] = []
    elements.reserveCapacity(length)
    for index in 0..<length { elements.append((first + index).move()) }
    return elements
  }

  private static var blockSize: Int { 1 << 16 }

  /// From the end, freeing what is empty: there are never two copies of a large array.
  private mutating func takeManyLast(_ length: Int) -> [Element] {
    Array(unsafeUninitializedCapacity: length) { buffer, initialized in
      var left = length
      while left > 0, let memory, let target = buffer.baseAddress {
        let size = min(left, Self.blockSize)
        left -= size
        count -= size
        (target + left).moveInitialize(from: memory + count, count: size)
        if left > 0 { resize(count) }
      }
      initialized = length
    }
  }

  /// The last elements of this and of another stack, combined in pairs.
  mutating func takeLast<Other, Pair>(
    _ length: Int, with others: inout MoveStack<Other>, _ pair: (consuming Element, consuming Other) -> Pair
  ) -> [Pair] {
    precondition((0...count).contains(length) && (0...others.count).contains(length))
    guard length > 0, let memory, let otherMemory = others.memory else { return [] }
    count -= length
    others.count -= length
    let (first, otherFirst) = (memory + count, otherMemory + others.count)
    var pairs: [Pair] = []
    pairs.reserveCapacity(length)
    for index in 0..<length { pairs.append(pair((first + index).move(), (otherFirst + index).move())) }
    return pairs
  }
}
