/// An event of a `text/event-stream` (WHATWG HTML §9.2).
public struct ServerEvent: Hashable, Sendable {
  /// Its type: `message` if the server names none.
  public var type: String
  /// The last identifier up to this event; nil: there was none yet.
  public var id: String?
  /// Its `data` fields, joined with line feeds.
  public var data: String

  public init(type: String = "message", id: String? = nil, data: String) {
    self.type = type
    self.id = id
    self.data = data
  }
}

/// Reads the events of a stream that arrives in pieces.
public struct EventStream: Sendable {
  /// The identifier to continue after; nil: the server sent none.
  public private(set) var lastID: String?
  /// How long to wait before connecting again, if the server said so.
  public private(set) var retry: Duration?
  /// How many bytes there are up to the end of the last event that is complete.
  public private(set) var completeCount = 0

  /// How many events were complete.
  public private(set) var count = 0

  private var line: [UInt8] = []
  private var endsWithReturn = false
  private var byteCount = 0
  private var type = ""
  private var data: String?
  private var id: String?

  /// A stream that has not begun.
  ///
  /// - Parameter lastID: what it continues after.
  public init(after lastID: String? = nil) {
    self.lastID = lastID
    id = lastID
  }

  /// - Returns: the events that these bytes complete.
  public mutating func read(_ bytes: some Sequence<UInt8>) -> [ServerEvent] {
    var events: [ServerEvent] = []
    for byte in bytes {
      byteCount += 1
      switch byte {
      // The second half of a line end.
      case UInt8(ascii: "\n") where endsWithReturn:
        endsWithReturn = false
        if line.isEmpty, completeCount == byteCount - 1 { completeCount = byteCount }
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        endsWithReturn = byte == UInt8(ascii: "\r")
        if let event = endLine() { events.append(event) }
      default:
        endsWithReturn = false
        line.append(byte)
      }
    }
    return events
  }

  /// The same stream in another connection: an event without its end is forgotten.
  public mutating func startAgain() {
    let (count, retry) = (count, retry)
    self = EventStream(after: lastID)
    (self.count, self.retry) = (count, retry)
  }

  /// All events of a stream that is over; one without its empty line at the end is none.
  public static func events(in bytes: [UInt8]) -> [ServerEvent] {
    var stream = EventStream()
    return stream.read(bytes)
  }

  private mutating func endLine() -> ServerEvent? {
    defer { line.removeAll(keepingCapacity: true) }
    if byteCount <= line.count + 1, line.starts(with: Self.mark) { line.removeFirst(Self.mark.count) }
    guard !line.isEmpty else { return dispatch() }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    // A comment.
    if colon == 0 { return nil }
    let name = String(decoding: line[..<(colon ?? line.count)], as: UTF8.self)
    var value = colon.map { line[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch name {
    case "event": type = text
    case "data": data = data.map { "\($0)\n\(text)" } ?? text
    case "id": if !value.contains(0) { id = text }
    case "retry": if let milliseconds = Int(text), milliseconds >= 0 { retry = .milliseconds(milliseconds) }
    default: break
    }
    return nil
  }

  private mutating func dispatch() -> ServerEvent? {
    completeCount = byteCount
    lastID = id
    if data != nil { count += 1 }
    defer {
      type = ""
      data = nil
    }
    return data.map { ServerEvent(type: type.isEmpty ? "message" : type, id: lastID, data: $0) }
  }

  /// A byte order mark.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
