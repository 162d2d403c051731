internal import HTTPTypes

/// What is remembered of a body as it is received: enough to detect that compressed data was cut off.
///
/// libcurl decodes what there is and takes the end of the body for the end of the data.
struct EncodedBody {
  /// Bytes so far, each counted before it is decoded.
  private(set) var count = 0
  /// Its last four bytes, least significant first.
  private var tail: UInt32 = 0

  mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    count += bytes.count
    for byte in bytes.suffix(4) { tail = tail >> 8 | UInt32(byte) << 24 }
  }

  /// Whether it ends as its encoding requires: gzip ends with the length of its content (RFC 1952 §2.3.1), which is
  /// checked unless HTTP chunks are interspersed. The other encodings have no such field at a fixed place.
  ///
  /// - Parameter fields: those of its head.
  func isWhole(after fields: HTTPFields, decodedCount: Int) -> Bool {
    guard count > 0, fields[.contentEncoding]?.lowercased() == "gzip", !fields.contains(.transferEncoding) else {
      return true
    }
    return count >= 4 && tail == UInt32(truncatingIfNeeded: decodedCount)
  }
}
