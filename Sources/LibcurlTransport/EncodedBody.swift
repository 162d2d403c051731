internal import HTTPTypes

/// What is remembered of a body as it comes over the wire: enough to see that compressed data was cut off.
///
/// libcurl decodes what there is and takes the end of the body for the end of the data.
struct EncodedBody {
  /// Bytes so far, each counted before it is decoded.
  private(set) var count = 0
  /// Its last four bytes, the first of them least.
  private var tail: UInt32 = 0

  mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    count += bytes.count
    for byte in bytes.suffix(4) { tail = tail >> 8 | UInt32(byte) << 24 }
  }

  /// Whether it ends as its encoding says: gzip ends with the length of what it holds (RFC 1952 §2.3.1), which is
  /// asked where no chunks of HTTP stand between. The other encodings do not say it at a place of their own.
  func isWhole(for head: ResponseHead, decodedCount: Int) -> Bool {
    guard head.isEncoded, count > 0, head.fields[.contentEncoding]?.lowercased() == "gzip",
      !head.fields.contains(.transferEncoding)
    else { return true }
    return count >= 4 && tail == UInt32(truncatingIfNeeded: decodedCount)
  }
}
