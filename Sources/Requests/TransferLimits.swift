/// How long a transfer may wait and how much it accepts, so that no server can hold it forever or fill the machine.
public struct TransferLimits: Hashable, Sendable {
  /// Until the connection is open, TLS included.
  public var connect: Duration
  /// From the last byte of the request until the head of the response is complete: neither a head that trickles in nor
  /// an endless series of interim responses extends it.
  public var firstByte: Duration
  /// The longest time in which no byte of a body moves, in either direction.
  public var idle: Duration
  /// All header lines of a response together, in bytes, including those of interim responses (1xx).
  public var headBytes: Int
  /// How many header lines a response may have, including those of interim responses.
  public var headLines: Int
  /// How much of the decoded body is kept, in bytes. Whatever it is, the disk keeps a reserve (`diskReserve`).
  public var bodyBytes: Int
  /// How many decoded bytes one received byte may become; checked from `ratioFloor` decoded bytes on.
  public var ratio: Int

  /// Up to this size, in bytes, bodies may be arbitrarily dense: decoding them does no harm.
  public static let ratioFloor = 16 << 20

  /// What large bodies leave free on the disk where they are kept, in bytes, for other programs.
  public static let diskReserve = 256 << 20

  public init(
    connect: Duration = .seconds(30), firstByte: Duration = .seconds(120), idle: Duration = .seconds(60),
    headBytes: Int = 256 << 10, headLines: Int = 1000, bodyBytes: Int = 1 << 30, ratio: Int = 250
  ) {
    self.connect = connect
    self.firstByte = firstByte
    self.idle = idle
    self.headBytes = headBytes
    self.headLines = headLines
    self.bodyBytes = bodyBytes
    self.ratio = ratio
  }

  /// What a response had too much of, with the limit.
  public enum Excess: Error, Hashable, Sendable {
    /// The status line and the header fields.
    case headBytes(limit: Int)
    /// The number of header fields.
    case headLines(limit: Int)
    /// The body, after it was decoded.
    case bodyBytes(limit: Int)
    /// Keeping more of the body would fill the file system of that directory: less than that many bytes would be free.
    case disk(directory: String, reserve: Int)
    /// Decoded bytes per received byte.
    case ratio(limit: Int)
  }
}
