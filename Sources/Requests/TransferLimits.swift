/// How long a transfer may wait and how much it takes in, so that no server can hold it for ever or fill the machine.
public struct TransferLimits: Hashable, Sendable {
  /// Until the connection stands, TLS included.
  public var connect: Duration
  /// From the last byte of the request until the head of the answer is whole: a head that drips in, or an
  /// endless row of interim answers, does not stretch it.
  public var firstByte: Duration
  /// The longest time in which no byte of a body moves, in either direction.
  public var idle: Duration
  /// All header lines of an answer together, in bytes, those of interim answers (1xx) included.
  public var headBytes: Int
  /// How many header lines an answer may have, those of interim answers included.
  public var headLines: Int
  /// How much of the decoded body is kept, in bytes. Whatever it is, the disk keeps a reserve (`diskReserve`).
  public var bodyBytes: Int
  /// How many decoded bytes may come of one on the wire; looked at from `ratioFloor` decoded bytes on.
  public var ratio: Int

  /// Small bodies may be as dense as they like, in bytes: nothing is lost by decoding them.
  public static let ratioFloor = 16 << 20

  /// What large bodies leave free where they are kept, in bytes: for whoever else writes there.
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

  /// What an answer had too much of, with the limit.
  public enum Excess: Error, Hashable, Sendable {
    /// The status line and the header fields.
    case headBytes(limit: Int)
    /// The number of header fields.
    case headLines(limit: Int)
    /// The body, after it was decoded.
    case bodyBytes(limit: Int)
    /// More of the body, and the file system of that directory would be full: less than that many bytes would be free.
    case disk(directory: String, reserve: Int)
    /// Decoded bytes for one on the wire.
    case ratio(limit: Int)
  }
}
