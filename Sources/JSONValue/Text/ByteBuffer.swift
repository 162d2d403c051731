/// Bytes, piece after piece. An array would ask at each piece whether somebody else holds it; this has one owner.
struct ByteBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity = 512

  init() { base = .allocate(capacity: capacity) }

  deinit { base.deallocate() }

  var isEmpty: Bool { count == 0 }

  /// Valid until the next change.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// Forgets what is in it, and keeps the memory.
  mutating func removeAll() { count = 0 }

  /// The place after the last byte, where there is room for at least as many more.
  ///
  /// Whoever has written there says so by `advance`.
  @inline(__always)
  mutating func room(for more: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity &- count < more { grow(by: more) }
    return base + count
  }

  /// That many bytes have been written at the end.
  @inline(__always)
  mutating func advance(by written: Int) { count &+= written }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    room(for: 1).pointee = byte
    advance(by: 1)
  }

  @inline(__always)
  mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    room(for: bytes.count).update(from: start, count: bytes.count)
    advance(by: bytes.count)
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(repeating byte: UInt8, count: Int) {
    room(for: count).update(repeating: byte, count: count)
    advance(by: count)
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    capacity = max(2 * capacity, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}
