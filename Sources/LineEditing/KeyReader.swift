internal import POSIX

/// Waits for the next character from a terminal, or for another event.
struct KeyReader {
  private let input: Int32
  private let events: Int32
  /// Bytes that were read to find out what an escape begins.
  private var ahead: [UInt8] = []

  /// Represents ``BracketedPaste/begin``. In vi's map, escape is a key of its own and cannot begin another.
  ///
  /// A control character that no keyboard has; if it is actually sent, it is dropped.
  static let pasteKey: Character = "\u{90}"

  /// Whether the rest of the last key's sequence is there, as that of an arrow: it is not only Escape.
  var isInSequence: Bool { !ahead.isEmpty }

  /// How long the rest of a key's sequence may take, in milliseconds.
  private static let escapeTimeout: Int32 = 25

  init(input: Int32, events: Int32) {
    self.input = input
    self.events = events
  }

  enum Key {
    case character(Unicode.Scalar)
    case event(TerminalGuard.Event)
    case end
  }

  /// One character of UTF-8, byte by byte: what has not been read stays in the terminal for the next reader. Bytes that
  /// are not UTF-8 are dropped.
  mutating func next() -> Key {
    var bytes: [UInt8] = []
    while true {
      let byte: UInt8
      switch waitForByte() {
      case .byte(let value): byte = value
      case .event(let event): return .event(event)
      case .end: return .end
      }
      if byte == 0x1B, beginsPaste() { return .character("\u{90}") }
      if byte < 0x80 { return .character(Unicode.Scalar(byte)) }
      if byte & 0xC0 == 0x80 {
        guard !bytes.isEmpty else { continue }
        bytes.append(byte)
      } else {
        bytes = [byte]
      }
      guard bytes.count >= Self.length(of: bytes[0]) else { continue }
      if let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first, scalar.value >= 0xA0 {
        return .character(scalar)
      }
      bytes = []
    }
  }

  /// Discards events that came and were not read.
  func dropEvents() {
    var descriptor = pollfd(fd: events, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    while poll(&descriptor, 1, 0) > 0, read(events, &byte, 1) > 0 {}
  }

  private static func length(of lead: UInt8) -> Int {
    switch lead {
    case 0xF0...: 4
    case 0xE0...: 3
    default: 2
    }
  }

  /// Whether what follows an escape makes it ``BracketedPaste/begin``, which is then consumed.
  private mutating func beginsPaste() -> Bool {
    let rest = Array(BracketedPaste.begin.utf8.dropFirst())
    while ahead.count < rest.count, rest.starts(with: ahead), let byte = byteInTime() { ahead.append(byte) }
    guard ahead.starts(with: rest) else { return false }
    ahead.removeFirst(rest.count)
    return true
  }

  private func byteInTime() -> UInt8? {
    var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    guard poll(&descriptor, 1, Self.escapeTimeout) > 0, read(input, &byte, 1) == 1 else { return nil }
    return byte
  }

  private enum Input {
    case byte(UInt8)
    case event(TerminalGuard.Event)
    case end
  }

  private mutating func waitForByte() -> Input {
    if !ahead.isEmpty { return .byte(ahead.removeFirst()) }
    while true {
      var descriptors = [
        pollfd(fd: events, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&descriptors, 2, -1) < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        return .end
      }
      var byte: UInt8 = 0
      if descriptors[0].revents != 0, read(events, &byte, 1) == 1, let event = TerminalGuard.Event(rawValue: byte) {
        return .event(event)
      }
      guard descriptors[1].revents != 0 else { continue }
      let count = read(input, &byte, 1)
      if count == 1 { return .byte(byte) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      return .end
    }
  }
}
