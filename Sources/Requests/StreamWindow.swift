public import JSONValue

/// The part of a stream that a condition reads: it goes along with what comes, and what is before it is forgotten.
public struct StreamWindow: Sendable {
  /// What has come, of which only the last values are kept.
  public private(set) var stream: StreamValues
  /// The bytes of the part.
  public private(set) var bytes: [UInt8] = []
  /// How many events or values of lines have come.
  public private(set) var count = 0
  private let reading: StreamReading
  /// How many bytes of the part belong to each of its values.
  private var lengths: [Int] = []
  /// How many bytes were forgotten.
  private var forgotten = 0
  private var isComplete = false

  /// Nothing has come yet.
  public init(_ kind: StreamKind, reading: StreamReading) {
    stream = StreamValues(kind)
    self.reading = reading
  }

  /// What the part is read as: an array of its events or of the values of its lines; nil: it is text.
  public var values: JSON? { stream.kind == .text ? nil : .array(stream.values) }

  /// Reads up to the end of the next event or line, or of the bytes, after which the condition may hold.
  ///
  /// - Returns: how many bytes were read, and whether they complete something.
  public mutating func read(_ more: ArraySlice<UInt8>) -> (count: Int, isComplete: Bool) {
    // What was complete has been looked at.
    if isComplete { forget() }
    let before = stream.values.count
    let read = stream.read(more)
    isComplete = read.isComplete
    count += stream.values.count - before
    if reading != .head { bytes += more.prefix(read.count) }
    if case .items = reading, stream.values.count > before {
      // Events that are complete at once are one to what is forgotten later.
      lengths.append(bytes.count - lengths.reduce(0, +))
      lengths += Array(repeating: 0, count: stream.values.count - before - 1)
    }
    return read
  }

  /// The stream is over: a last line may lack its end.
  public mutating func finish() {
    let before = stream.values.count
    stream.finish()
    count += stream.values.count - before
  }

  /// The same stream in another connection: an event without its end is forgotten.
  ///
  /// - Parameter count: how many bytes came after the last event that was complete.
  public mutating func startAgain(withoutLast count: Int) {
    if reading != .head { bytes.removeLast(min(count, bytes.count)) }
    stream.startAgain()
  }

  private mutating func forget() {
    switch reading {
    case .everything: break
    case .head: stream.forget()
    case .items(let count):
      let spare = max(0, lengths.count - (count - 1))
      drop(lengths.prefix(spare).reduce(0, +))
      lengths.removeFirst(spare)
      stream.forget(exceptLast: count - 1)
    case .bytes(let count):
      stream.forget()
      // In UTF-16 and UTF-32 a character begins at a multiple of its size.
      let end = forgotten + bytes.count
      drop(max(0, end - count) / 4 * 4 - forgotten)
    }
  }

  private mutating func drop(_ count: Int) {
    guard count > 0 else { return }
    bytes.removeFirst(count)
    forgotten += count
  }
}
