/// Prints JSON, the same value always the same way.
public struct JSONPrinter: Hashable, Sendable {
  /// Whether each member and element has a line of its own.
  public var isPretty: Bool

  /// Without any white space.
  public static let compact = JSONPrinter(isPretty: false)
  /// Two blanks a level.
  public static let pretty = JSONPrinter(isPretty: true)

  public init(isPretty: Bool) {
    self.isPretty = isPretty
  }

  /// What a piece of the output is, for colours.
  public enum Role: Hashable, Sendable {
    case punctuation
    case key
    case string
    case number
    case literal
  }

  /// The JSON text in UTF-8.
  public func print(_ value: JSON) -> [UInt8] {
    var bytes: [UInt8] = []
    print(value) { piece, _ in bytes += piece.utf8 }
    return bytes
  }

  /// Hands the text over piece by piece.
  public func print(_ value: JSON, to sink: (String, Role) -> Void) {
    write(value, level: 0, to: sink)
  }

  private func write(_ value: JSON, level: Int, to sink: (String, Role) -> Void) {
    switch value {
    case .object(let object):
      list(object.members, "{", "}", level: level, to: sink) { member in
        sink(Self.quoted(member.key), .key)
        sink(isPretty ? ": " : ":", .punctuation)
        write(member.value, level: level + 1, to: sink)
      }
    case .array(let elements):
      list(elements, "[", "]", level: level, to: sink) { write($0, level: level + 1, to: sink) }
    case .string(let text): sink(Self.quoted(text), .string)
    case .number(let number): sink(number.text, .number)
    case .bool(let value): sink(value ? "true" : "false", .literal)
    case .null: sink("null", .literal)
    }
  }

  private func list<Element>(
    _ elements: [Element], _ open: String, _ close: String, level: Int, to sink: (String, Role) -> Void,
    write: (Element) -> Void
  ) {
    sink(open, .punctuation)
    for (index, element) in elements.enumerated() {
      if index > 0 { sink(",", .punctuation) }
      newLine(level + 1, to: sink)
      write(element)
    }
    if !elements.isEmpty { newLine(level, to: sink) }
    sink(close, .punctuation)
  }

  private func newLine(_ level: Int, to sink: (String, Role) -> Void) {
    if isPretty { sink("\n" + String(repeating: "  ", count: level), .punctuation) }
  }

  /// A JSON string: only what must be escaped is.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{00}"..."\u{1F}":
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
