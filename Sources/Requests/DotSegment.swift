extension StringProtocol {
  /// Whether this path segment is "." or "..", however a URL may spell a dot ("." or "%2e"): clients and servers remove
  /// such a segment, and for ".." the one before it, from the path (RFC 3986, 5.2.4, and the WHATWG URL standard for
  /// the spelling).
  public var isDotSegment: Bool {
    var bytes = utf8.makeIterator()
    var dots = 0
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "."): break
      case UInt8(ascii: "%"):
        guard bytes.next() == UInt8(ascii: "2"), let last = bytes.next(), last | 0x20 == UInt8(ascii: "e") else {
          return false
        }
      default: return false
      }
      dots += 1
      if dots > 2 { return false }
    }
    return dots > 0
  }
}
