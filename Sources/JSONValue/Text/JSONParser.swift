/// A strict parser of RFC 8259 over bytes.
///
/// - Nothing is repaired: bytes that are not UTF-8 and `\u` escapes of half a surrogate pair are errors, since a string
///   could not hold them unchanged.
/// - `\u0000` is a character like any other; a bare control character is an error.
/// - One U+FEFF at the start is skipped (§8.1). Anything but whitespace after the value is an error.
/// - Keys that occur twice are all kept, in order.
/// - It keeps its own stack, so no input can overflow the thread's.
public struct JSONParser: Hashable, Sendable {
  /// How deep arrays and objects may be nested.
  public static let defaultDepthLimit = 512

  /// How deep arrays and objects may be nested.
  public var depthLimit: Int

  public init(depthLimit: Int = JSONParser.defaultDepthLimit) {
    self.depthLimit = depthLimit
  }

  /// Parses a whole JSON text.
  public func parse(_ bytes: some Sequence<UInt8>) throws(JSONSyntaxError) -> JSON {
    try withBytes(bytes) { bytes throws(JSONSyntaxError) in
      var scanner = JSONScanner(bytes)
      var builder = JSONTreeBuilder(bytes)
      try scanner.read(into: &builder, depthLimit: depthLimit)
      guard let value = builder.take() else { throw scanner.error(.expected(.value)) }
      return value
    }
  }

  /// Checks a whole JSON text without building anything from it.
  public func validate(_ bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
    _ = try withBytes(bytes) { bytes throws(JSONSyntaxError) in try members(of: bytes) }
  }

  /// Checks a whole JSON text.
  ///
  /// - Returns: where the members of its outermost object begin; nil if they are many.
  func members(of bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> [Int]? {
    var scanner = JSONScanner(bytes)
    var validator = JSONValidator()
    try scanner.read(into: &validator, depthLimit: depthLimit)
    return validator.members
  }
}

/// The bytes in place, if they are contiguous; else a copy of them.
func withBytes<Result>(
  _ bytes: some Sequence<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> Result
) throws(JSONSyntaxError) -> Result {
  let attempt = { (buffer: UnsafeBufferPointer<UInt8>) -> Swift.Result<Result, JSONSyntaxError> in
    do throws(JSONSyntaxError) { return .success(try body(buffer)) } catch { return .failure(error) }
  }
  if let result = bytes.withContiguousStorageIfAvailable(attempt) { return try result.get() }
  return try Array(bytes).withUnsafeBufferPointer(attempt).get()
}

extension JSON {
  /// The value of a whole JSON text in UTF-8 (RFC 8259).
  public init(parsing bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
    self = try JSONParser().parse(bytes)
  }

  /// The value of a whole JSON text (RFC 8259).
  public init(parsing text: some StringProtocol) throws(JSONSyntaxError) {
    self = try JSONParser().parse(text.utf8)
  }
}
