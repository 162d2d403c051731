import Diagnostics
import JSONValue
import Requests

/// How much a value takes, counted until it is too much: otherwise a few doublings in a script would fill the memory.
struct ValueMeter {
  /// What an element costs besides its text, in bytes.
  static let element = 64
  /// How deep arrays and objects may be nested: whatever prints or frees them recurses as deep.
  static let depth = 1_000
  /// The longest text that is parsed as JSON or CSV, in bytes: the result takes many times as much.
  static let parsed = 64 << 20

  private let limit: Int
  private var left: Int

  private init(limit: Int) {
    self.limit = limit
    left = limit
  }

  /// Why the value is not allowed; nil: it is.
  static func excess(of value: Value, limit: Int) -> Excess? {
    var meter = ValueMeter(limit: limit)
    do throws(Excess) {
      try meter.take(value)
      return nil
    } catch {
      return error
    }
  }

  /// What a value has too much of.
  enum Excess: Error, Hashable {
    /// In bytes.
    case size(limit: Int)
    case depth

    /// `this value would be larger than 256 MiB, …`
    var sentence: String {
      switch self {
      case .size(let limit): "this value would be larger than \(limit >> 20) MiB, and no value may be"
      case .depth: "this value would be nested deeper than \(ValueMeter.depth), and no value may be"
      }
    }
  }

  private mutating func take(_ bytes: Int) throws(Excess) {
    left -= min(bytes, left + 1)
    if left < 0 { throw .size(limit: limit) }
  }

  private mutating func take(_ value: Value, depth: Int = 0) throws(Excess) {
    switch value.content {
    case .json(let json): try take(json, depth: depth)
    case .bytes(let bytes): try take(bytes.count)
    case .list(let values):
      guard depth < Self.depth else { throw .depth }
      for value in values {
        try take(Self.element)
        try take(value, depth: depth + 1)
      }
    case .names(let names):
      guard depth < Self.depth else { throw .depth }
      for (name, value) in names {
        try take(Self.element + name.utf8.count)
        try take(value, depth: depth + 1)
      }
    case .digest, .file, .chunk, .duration, .time, .exchange, .headers, .headerLines, .request, .timings, .cookies:
      return
    }
  }

  private mutating func take(_ json: JSON, depth: Int) throws(Excess) {
    switch json {
    case .null, .bool: return
    case .number(let number): try take(number.text.utf8.count)
    case .string(let text): try take(text.utf8.count)
    case .array(let elements):
      guard depth < Self.depth else { throw .depth }
      for element in elements {
        try take(Self.element)
        try take(element, depth: depth + 1)
      }
    case .object(let object):
      guard depth < Self.depth else { throw .depth }
      for member in object.members {
        try take(Self.element + member.key.utf8.count)
        try take(member.value, depth: depth + 1)
      }
    }
  }
}

extension Evaluator {
  /// The value, unless it is too large to be allowed.
  func bounded(_ value: Value, _ range: SourceRange) throws(ProgramError) -> Value {
    if let excess = ValueMeter.excess(of: value, limit: environment.valueLimit) {
      throw failure(.tooLarge(excess.sentence), range)
    }
    return value
  }

  /// Checks a value that would be made: `count` times `size` bytes.
  func check(_ count: Int, times size: Int = 1, _ range: SourceRange) throws(ProgramError) {
    let (total, isBeyond) = count.multipliedReportingOverflow(by: size)
    guard isBeyond || total > environment.valueLimit else { return }
    throw failure(.tooLarge(ValueMeter.Excess.size(limit: environment.valueLimit).sentence), range)
  }

  /// Checks a text that is to be parsed.
  func checkParsed(_ count: Int, _ range: SourceRange) throws(ProgramError) {
    guard count > ValueMeter.parsed else { return }
    throw failure(.tooLarge("a text of more than 64 MiB is not parsed"), range)
  }
}
