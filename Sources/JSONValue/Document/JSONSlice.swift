/// A value that is still text: where it starts in a document that was checked as a whole.
struct JSONSlice: JSONPathNode {
  let bytes: UnsafeBufferPointer<UInt8>
  let start: Int

  /// The root of a document.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var scanner = JSONScanner(bytes)
    scanner.skipByteOrderMark()
    scanner.skipWhiteSpace()
    self.init(bytes, at: scanner.position)
  }

  /// The value that starts there.
  init(_ skipper: JSONSkipper) {
    self.init(skipper.bytes, at: skipper.position)
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
    self.bytes = bytes
    self.start = start
  }

  private var skipper: JSONSkipper { JSONSkipper(bytes: bytes, position: start) }
  private var isObject: Bool { skipper.next == UInt8(ascii: "{") }
  private var isArray: Bool { skipper.next == UInt8(ascii: "[") }

  /// The value as it was written, from its first byte to its last.
  var text: UnsafeBufferPointer<UInt8> {
    var skipper = skipper
    skipper.value()
    return UnsafeBufferPointer(rebasing: bytes[start..<skipper.position])
  }

  var json: JSON {
    // It was checked before, including its depth, so there is an error only if somebody has written to the file since.
    (try? JSONParser(depthLimit: .max).parse(text)) ?? .null
  }

  func member(_ key: String) -> JSONSlice? {
    guard isObject else { return nil }
    var key = key
    return key.withUTF8 { key in
      var found: Int?
      var skipper = skipper
      var hasMore = skipper.enter()
      while hasMore {
        let token = skipper.key()
        if skipper.isKey(token, key) { found = skipper.position }
        skipper.value()
        hasMore = skipper.advance()
      }
      return found.map { JSONSlice(bytes, at: $0) }
    }
  }

  func element(_ index: Int) -> JSONSlice? {
    guard isArray else { return nil }
    if index < 0 {
      let count = childCount ?? 0
      return count + index >= 0 ? element(count + index) : nil
    }
    var skipper = skipper
    var hasMore = skipper.enter()
    for _ in 0..<index {
      guard hasMore else { return nil }
      skipper.value()
      hasMore = skipper.advance()
    }
    return hasMore ? JSONSlice(bytes, at: skipper.position) : nil
  }

  func elements(_ limit: Int?) -> [JSONSlice] {
    guard isArray else { return [] }
    var elements: [JSONSlice] = []
    var skipper = skipper
    var hasMore = skipper.enter()
    while hasMore, elements.count < limit ?? Int.max {
      elements.append(JSONSlice(bytes, at: skipper.position))
      skipper.value()
      hasMore = skipper.advance()
    }
    return elements
  }

  func forEachChild(steps: Bool, _ body: (JSONSlice, JSONLocation.Step?) -> Void) {
    guard isObject || isArray else { return }
    let isObject = isObject
    var skipper = skipper
    var index = 0
    var hasMore = skipper.enter()
    while hasMore {
      var step: JSONLocation.Step?
      if isObject {
        let token = skipper.key()
        if steps { step = .key(JSONEscape.decode(token, in: bytes)) }
      } else if steps {
        step = .index(index)
      }
      body(JSONSlice(bytes, at: skipper.position), step)
      skipper.value()
      hasMore = skipper.advance()
      index += 1
    }
  }

  func descendants(_ keys: [String]) -> [JSONSlice]? {
    JSONDescendantScan(self, keys: keys).places.compactMap { $0.map { JSONSlice(bytes, at: $0) } }
  }

  var childCount: Int? {
    guard isObject || isArray else { return nil }
    var count = 0
    forEachChild(steps: false) { _, _ in count += 1 }
    return count
  }
}
