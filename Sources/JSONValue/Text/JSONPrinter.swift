/// Prints JSON, the same value always in the same way: members in order, numbers as they were written, and in strings
/// only the escapes that are required.
public struct JSONPrinter: Hashable, Sendable {
  /// Whether each member and element is on a line of its own, indented by two spaces per level.
  public var isPretty: Bool

  /// Without any whitespace.
  public static let compact = JSONPrinter(isPretty: false)
  /// Two spaces per level, no line end after the last line.
  public static let pretty = JSONPrinter(isPretty: true)

  public init(isPretty: Bool) {
    self.isPretty = isPretty
  }

  /// What a piece of the output is, for coloring.
  public enum Role: Hashable, Sendable {
    /// Brackets, commas, colons and the whitespace around them.
    case punctuation
    /// A member's key, including its quotes.
    case key
    /// A string that is a value, including its quotes.
    case string
    /// A number.
    case number
    /// `true`, `false`, `null`
    case literal
  }

  /// The JSON text in UTF-8.
  public func print(_ value: JSON) -> [UInt8] {
    var layout = JSONLayout(isPretty: isPretty, sink: WholeSink())
    layout.print(value)
    return Array(layout.buffer.bytes)
  }

  /// Passes the text on in chunks of about 64 KiB, so that it is never in memory as a whole.
  public func print<Failure: Error>(
    _ value: JSON, chunks write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try withoutActuallyEscaping(write) { write throws(Failure) in
      var layout = JSONLayout(isPretty: isPretty, sink: ChunkSink(write: write))
      try layout.print(value)
      try layout.sink.flush(&layout.buffer)
    }
  }

  /// Passes the text on piece by piece, each with its role.
  public func print(_ value: JSON, to sink: (String, Role) -> Void) {
    withoutActuallyEscaping(sink) { sink in
      var layout = JSONLayout(isPretty: isPretty, sink: RoleSink(write: sink))
      layout.print(value)
    }
  }
}

extension JSONPrinter {
  /// The same JSON with everything that a terminal would obey, or not show, as `\u` escapes: DEL, C1, bidirectional
  /// controls, zero-width characters. They can only be in strings.
  public static func visible(_ json: String) -> String {
    guard json.utf8.contains(where: { $0 >= 0x7F }) else { return json }
    var visible = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      switch scalar {
      case "\u{7F}"..."\u{9F}", "\u{61C}", "\u{200B}"..."\u{200F}", "\u{2028}"..."\u{202E}", "\u{2060}"..."\u{2069}",
        "\u{FEFF}":
        visible.append(contentsOf: "\\u\(scalar.value.hex(4))".unicodeScalars)
      default: visible.append(scalar)
      }
    }
    return String(visible)
  }
}

extension JSONLayout {
  /// A container that is being printed.
  private enum Frame {
    case object(IndexingIterator<[JSONObject.Member]>)
    case array(IndexingIterator<[JSON]>)
  }

  /// Prints a value. The stack is an array on the heap, so depth costs only memory.
  mutating func print(_ value: JSON) throws(Sink.Failure) {
    var stack: [Frame] = []
    try begin(value, &stack)
    containers: while let frame = stack.popLast() {
      switch frame {
      case .object(var members):
        while let member = members.next() {
          try key { JSONString.append(member.key, to: &$0) }
          if member.value.isContainer { stack.append(.object(members)) }
          if try begin(member.value, &stack) { continue containers }
        }
        try end("}")
      case .array(var elements):
        while let element = elements.next() {
          if element.isContainer { stack.append(.array(elements)) }
          if try begin(element, &stack) { continue containers }
        }
        try end("]")
      }
    }
  }

  /// - Returns: whether it is a container, whose contents are to be printed next.
  @discardableResult
  private mutating func begin(_ value: JSON, _ stack: inout [Frame]) throws(Sink.Failure) -> Bool {
    switch value {
    case .object(let object):
      try begin("{")
      stack.append(.object(object.members.makeIterator()))
      return true
    case .array(let elements):
      try begin("[")
      stack.append(.array(elements.makeIterator()))
      return true
    case .string(let text): try scalar(.string) { JSONString.append(text, to: &$0) }
    case .number(let number): try scalar(.number) { number.append(to: &$0) }
    case .bool(let value): try scalar(.literal) { $0.append(value ? "true" : "false") }
    case .null: try scalar(.literal) { $0.append("null") }
    }
    return false
  }
}

extension JSON {
  fileprivate var isContainer: Bool {
    switch self {
    case .object, .array: true
    case .string, .number, .bool, .null: false
    }
  }
}
