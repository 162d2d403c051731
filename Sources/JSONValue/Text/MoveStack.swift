/// A stack whose elements are moved on and off, never copied.
struct MoveStack<Element>: ~Copyable {
  private var memory: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 64
    memory = .allocate(capacity: capacity)
  }

  deinit {
    memory.deinitialize(count: count)
    memory.deallocate()
  }

  @inline(__always)
  mutating func push(_ element: consuming Element) {
    if count == capacity { grow() }
    (memory + count).initialize(to: element)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: memory, count: count)
    memory.deallocate()
    memory = larger
    capacity *= 2
  }

  /// The last elements in their order, as an array of just that size.
  mutating func takeLast(_ length: Int) -> [Element] {
    precondition((0...count).contains(length))
    count -= length
    let first = memory + count
    return Array(unsafeUninitializedCapacity: length) { buffer, initialized in
      buffer.baseAddress?.moveInitialize(from: first, count: length)
      initialized = length
    }
  }

  /// The last elements of this and of another stack, put together two by two.
  mutating func takeLast<Other, Pair>(
    _ length: Int, with others: inout MoveStack<Other>, _ pair: (consuming Element, consuming Other) -> Pair
  ) -> [Pair] {
    precondition((0...count).contains(length) && (0...others.count).contains(length))
    count -= length
    others.count -= length
    let (first, otherFirst) = (memory + count, others.memory + others.count)
    return Array(unsafeUninitializedCapacity: length) { buffer, initialized in
      for index in 0..<length {
        buffer.initializeElement(at: index, to: pair((first + index).move(), (otherFirst + index).move()))
      }
      initialized = length
    }
  }
}
