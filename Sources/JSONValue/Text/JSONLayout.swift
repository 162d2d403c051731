/// Receives what a printer has written into its buffer, piece by piece.
protocol JSONSink {
  associatedtype Failure: Error
  /// Called after each piece; may empty the buffer.
  mutating func take(_ buffer: inout ByteBuffer, _ role: JSONPrinter.Role) throws(Failure)
}

/// Puts commas, colons and whitespace between the pieces of a JSON text.
struct JSONLayout<Sink: JSONSink>: ~Copyable {
  var buffer = ByteBuffer()
  var sink: Sink
  let isPretty: Bool
  /// How many containers are open.
  private(set) var level = 0
  private var isFirst = true
  private var isAfterKey = false

  init(isPretty: Bool, sink: Sink) {
    self.isPretty = isPretty
    self.sink = sink
  }

  mutating func begin(_ bracket: Unicode.Scalar) throws(Sink.Failure) {
    separate()
    buffer.append(UInt8(ascii: bracket))
    level += 1
    isFirst = true
    try sink.take(&buffer, .punctuation)
  }

  mutating func end(_ bracket: Unicode.Scalar) throws(Sink.Failure) {
    level -= 1
    if !isFirst { newLine() }
    isFirst = false
    buffer.append(UInt8(ascii: bracket))
    try sink.take(&buffer, .punctuation)
  }

  /// A key; `write` appends it as it should appear in the text.
  mutating func key(_ write: (inout ByteBuffer) -> Void) throws(Sink.Failure) {
    separate()
    try sink.take(&buffer, .punctuation)
    write(&buffer)
    try sink.take(&buffer, .key)
    buffer.append(UInt8(ascii: ":"))
    if isPretty { buffer.append(UInt8(ascii: " ")) }
    isAfterKey = true
  }

  /// A value that contains no others; `write` appends it as it should appear in the text.
  mutating func scalar(_ role: JSONPrinter.Role, _ write: (inout ByteBuffer) -> Void) throws(Sink.Failure) {
    separate()
    try sink.take(&buffer, .punctuation)
    write(&buffer)
    try sink.take(&buffer, role)
  }

  @inline(__always)
  private mutating func separate() {
    if isAfterKey {
      isAfterKey = false
      return
    }
    if level > 0 {
      if !isFirst { buffer.append(UInt8(ascii: ",")) }
      newLine()
    }
    isFirst = false
  }

  private mutating func newLine() {
    guard isPretty else { return }
    buffer.append(UInt8(ascii: "\n"))
    buffer.append(repeating: UInt8(ascii: " "), count: 2 * level)
  }
}

/// Leaves everything in the buffer.
struct WholeSink: JSONSink {
  mutating func take(_ buffer: inout ByteBuffer, _ role: JSONPrinter.Role) {}
}

/// Hands the buffer over whenever it is large enough.
struct ChunkSink<Failure: Error>: JSONSink {
  static var size: Int { 1 << 16 }
  let write: ([UInt8]) throws(Failure) -> Void

  mutating func take(_ buffer: inout ByteBuffer, _ role: JSONPrinter.Role) throws(Failure) {
    if buffer.count >= Self.size { try flush(&buffer) }
  }

  func flush(_ buffer: inout ByteBuffer) throws(Failure) {
    if !buffer.isEmpty { try write(Array(buffer.bytes)) }
    buffer.removeAll()
  }
}

/// Hands each piece over with its role.
struct RoleSink: JSONSink {
  let write: (String, JSONPrinter.Role) -> Void

  mutating func take(_ buffer: inout ByteBuffer, _ role: JSONPrinter.Role) {
    if !buffer.isEmpty { write(String(decoding: buffer.bytes, as: UTF8.self), role) }
    buffer.removeAll()
  }
}
