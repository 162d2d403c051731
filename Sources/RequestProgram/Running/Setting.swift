public import JSONValue

/// What is set from outside for a top-level name, or for a parameter of the sequence that is run.
public enum Setting: Sendable, Hashable {
  /// As it was written on the command line: the parameter determines what kind of value it is.
  case text(String)
  /// A value of the language, with everything that it was made from.
  case value(Value)
  /// What a file of values says. One that the parameter does not take counts as its text, as it does on the command
  /// line.
  case read(JSON)
}

extension JSON {
  /// The text that stands for it where a text is wanted: a string's own, else its JSON.
  public var settingText: String {
    if case .string(let text) = self { return text }
    return String(decoding: JSONPrinter.compact.print(self), as: UTF8.self)
  }
}
