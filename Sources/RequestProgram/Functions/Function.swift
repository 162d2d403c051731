import Diagnostics
import RequestSyntax

/// A function of the language, either piped into or called, and everything that is displayed about it. The checker, the
/// help, completion and evaluation read it here.
public struct Function: Sendable {
  /// Its name: `hmac-sha256`.
  public let name: String
  /// Its arguments as they are written: `("key")`; empty: it has none.
  public let arguments: String
  /// What it makes, in a few words.
  public let summary: String
  /// An example of its use that can be run: `"body" | hmac-sha256("key")`.
  public let example: String
  /// What may be piped into it; nil: it is called on its own.
  let input: Input?
  /// How many arguments it takes besides the input.
  public let arity: ClosedRange<Int>
  /// What its result is known to be, given such an input.
  let result: @Sendable (StaticType?) -> StaticType?
  /// Whether it turns a file into a file without reading it.
  let leavesFilesUnread: Bool
  /// Why an argument that is written as a text cannot be used; nil: nothing is wrong with it.
  let fault: @Sendable (_ argument: String) -> ArgumentFault?
  let apply: @Sendable (FunctionCall) throws(ProgramError) -> Value
  /// What its last argument may be called, if it is left out or written with a name.
  var lastName: String?

  /// What a function accepts from a pipe.
  struct Input: Sendable {
    /// For messages: `an array`.
    let wanted: String
    let accepts: @Sendable (StaticType) -> Bool
  }

  /// What is wrong with an argument.
  enum ArgumentFault: Sendable {
    case regex(String)
    case other(String)
  }

  /// - Parameter arity: by default as many as `arguments` names.
  init(
    _ name: String, taking arguments: String = "", makes summary: String, example: String, of input: Input?,
    arity: ClosedRange<Int> = 0...0, gives result: @escaping @Sendable (StaticType?) -> StaticType?,
    leavesFilesUnread: Bool = false, fault: @escaping @Sendable (String) -> ArgumentFault? = { _ in nil },
    _ apply: @escaping @Sendable (FunctionCall) throws(ProgramError) -> Value
  ) {
    self.name = name
    self.arguments = arguments
    self.summary = summary
    self.example = example
    self.input = input
    self.arity = arity
    self.result = result
    self.leavesFilesUnread = leavesFilesUnread
    self.fault = fault
    self.apply = apply
  }

  /// The same, for a result that is always of one type.
  init(
    _ name: String, taking arguments: String = "", makes summary: String, example: String, of input: Input?,
    arity: ClosedRange<Int> = 0...0, gives result: StaticType,
    fault: @escaping @Sendable (String) -> ArgumentFault? = { _ in nil },
    _ apply: @escaping @Sendable (FunctionCall) throws(ProgramError) -> Value
  ) {
    self.init(
      name, taking: arguments, makes: summary, example: example, of: input, arity: arity, gives: { _ in result },
      fault: fault, apply)
  }

  /// All of them, ordered by kind. A new one is a value in a file of this module, and a word here.
  public static let all: [Function] = lists + texts + encodings + digests + objects + files + times + sources

  /// The names of all, in their order.
  static let names = all.map(\.name)

  private static let byName = Dictionary(all.map { ($0.name, $0) }) { $1 }

  /// The function of that name; nil: there is none.
  public init?(named name: String) {
    guard let function = Self.byName[name] else { return nil }
    self = function
  }

  /// Whether it is called on its own, and not after a pipe.
  public var isCalled: Bool { input == nil }

  /// `one argument`, for messages.
  var argumentsWanted: String {
    let noun = arity.upperBound == 1 ? "argument" : "arguments"
    if arity.upperBound == 0 { return "no arguments" }
    if arity.lowerBound == arity.upperBound { return "\(arity.lowerBound) \(noun)" }
    return "\(arity.lowerBound) to \(arity.upperBound) \(noun)"
  }
}

extension Function.Input {
  static let array = Self(wanted: "an array") { $0 == .array }
  static let text = Self(wanted: "text, a number, or true or false", accepts: \.hasText)
  static let content = Self(wanted: "text, bytes or a file") { $0.hasText || $0 == .file || $0 == .chunk }
  static let countable = Self(wanted: "an array, an object or text") {
    [.array, .object, .string, .bytes].contains($0)
  }
  static let json = Self(wanted: "a JSON value", accepts: \.isJSON)
  static let table = Self(wanted: "text or a file") { $0.hasText || $0 == .file }
  static let object = Self(wanted: "an object") { $0 == .object }
  static let time = Self(wanted: "a time such as now()") { $0 == .time || $0 == .string }
  static let sliceable = Self(wanted: "a file, text or an array") {
    $0.hasText || [.file, .chunk, .array].contains($0)
  }
  static let file = Self(wanted: "a file") { $0 == .file }
}
