internal import HTTPTypes

/// What is remembered of a body as it comes over the wire: enough to see that compressed data was cut off.
///
/// libcurl decodes what there is and takes the end of the body for the end of the data.
struct EncodedBody {
  /// Bytes so far, each counted before it is decoded.
  private(set) var count = 0
  /// Its last bytes.
  private var tail: [UInt8] = []

  mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    count += bytes.count
    tail = Array((tail + bytes.suffix(4)).suffix(4))
  }

  /// Whether it ends as its encoding says: gzip ends with the length of what it holds (RFC 1952 §2.3.1), which is
  /// asked where no chunks of HTTP stand between. The other encodings do not say it at a place of their own.
  func isWhole(for head: ResponseHead, decodedCount: Int) -> Bool {
    guard head.fields[.contentEncoding]?.lowercased() == "gzip", !head.fields.contains(.transferEncoding),
      !tail.isEmpty
    else { return true }
    let count = tail.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return tail.count == 4 && count == UInt32(truncatingIfNeeded: decodedCount)
  }
}
