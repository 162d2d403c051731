/// Why bytes are no JSON text, and where.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Fact: Hashable, Sendable {
    /// This was expected: `a value`, `"," or "}"`.
    case expected(String)
    /// The text goes on after its value.
    case trailingData
    case invalidNumber
    case invalidEscape
    /// A surrogate without its other half: it stands for no character.
    case loneSurrogate
    /// A control character that must be escaped in a string.
    case controlCharacter
    case invalidUTF8
    /// More than 512 arrays and objects inside each other.
    case nestedTooDeeply
    /// U+FEFF at the beginning, which RFC 8259 §8.1 forbids to send.
    case byteOrderMark
  }

  public let fact: Fact
  /// In bytes, from 0.
  public let offset: Int
  /// From 1.
  public let line: Int
  /// In bytes, from 1.
  public let column: Int

  init(_ fact: Fact, at offset: Int, in bytes: [UInt8]) {
    self.fact = fact
    self.offset = offset
    let before = bytes.prefix(offset)
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = offset - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
  }

  public var description: String {
    "\(sentence) at line \(line), column \(column)"
  }

  private var sentence: String {
    switch fact {
    case .expected(let what): "expected \(what)"
    case .trailingData: "something follows the value"
    case .invalidNumber: "this is no number"
    case .invalidEscape: "this escape is not known"
    case .loneSurrogate: "half of a surrogate pair"
    case .controlCharacter: "a control character must be escaped"
    case .invalidUTF8: "this is not UTF-8"
    case .nestedTooDeeply: "nested more than \(JSONParser.depthLimit) deep"
    case .byteOrderMark: "a byte order mark"
    }
  }
}
