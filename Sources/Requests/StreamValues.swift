public import JSONValue

/// What a response that comes bit by bit consists of so far: its events, or the values of its lines.
public struct StreamValues: Sendable {
  /// What it is read as.
  public let kind: StreamKind
  /// Events as `{ event, id, data }`, or the value of each line; nothing for text.
  public private(set) var values: [JSON] = []
  /// How many bytes there are up to the end of the last event or line that is complete; for text, all of them.
  public private(set) var completeCount = 0
  /// The events of an event stream.
  public private(set) var events: EventStream
  private var line: [UInt8] = []
  private var count = 0

  /// Nothing has come yet.
  ///
  /// - Parameter lastID: what an event stream continues after.
  public init(_ kind: StreamKind, after lastID: String? = nil) {
    self.kind = kind
    events = EventStream(after: lastID)
  }

  /// Reads up to the end of the next event or line, or of the bytes.
  ///
  /// - Returns: how many bytes were read, and whether they complete something.
  public mutating func read(_ bytes: ArraySlice<UInt8>) -> (count: Int, isComplete: Bool) {
    switch kind {
    case .text:
      count += bytes.count
      completeCount = count
      return (bytes.count, !bytes.isEmpty)
    case .events:
      var start = bytes.startIndex
      while start < bytes.endIndex {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.endIndex
        let found = events.read(bytes[start..<end])
        start = end
        completeCount = events.completeCount
        if !found.isEmpty {
          values += found.map(\.json)
          return (end - bytes.startIndex, true)
        }
      }
      return (bytes.count, false)
    case .lines:
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
        line += bytes
        count += bytes.count
        return (bytes.count, false)
      }
      let read = end - bytes.startIndex + 1
      count += read
      completeCount = count
      let whole = line + bytes[..<end]
      line = []
      if let value = Self.value(ofLine: whole) { values.append(value) }
      return (read, true)
    }
  }

  /// Forgets the values so far, except the last ones.
  public mutating func forget(exceptLast count: Int = 0) {
    values.removeFirst(max(0, values.count - count))
  }

  /// The stream is over: a last line may lack its end.
  public mutating func finish() {
    if kind == .lines, let value = Self.value(ofLine: line) { values.append(value) }
    line = []
  }

  /// The same stream in another connection: an event without its end is forgotten, and bytes are counted from there.
  public mutating func startAgain() {
    events.startAgain()
    completeCount = 0
  }

  /// All values of a stream that is over.
  public static func values(_ kind: StreamKind, in bytes: [UInt8]) -> [JSON] {
    var stream = StreamValues(kind)
    var rest = bytes[...]
    while !rest.isEmpty { rest = rest.dropFirst(stream.read(rest).count) }
    stream.finish()
    return stream.values
  }

  /// A line that is not JSON is a text; an empty one is nothing.
  private static func value(ofLine line: [UInt8]) -> JSON? {
    let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    guard text.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else { return nil }
    return (try? JSON(parsing: Array(text))) ?? .string(String(decoding: text, as: UTF8.self))
  }
}

extension ServerEvent: JSONRepresentable {
  /// `{ event, id, data }`: the data as JSON if it is that, else as a text; without an identifier it is null.
  public var json: JSON {
    [
      "event": .string(type), "id": id.map(JSON.string) ?? .null,
      "data": (try? JSON(parsing: Array(data.utf8))) ?? .string(data),
    ]
  }
}
