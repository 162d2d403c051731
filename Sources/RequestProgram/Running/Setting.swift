/// What is set from outside for a top-level name, or a parameter of the sequence that is run.
public enum Setting: Sendable, Hashable {
  /// As it was written on the command line: what kind of value it is, the parameter says.
  case text(String)
  /// A value of the language, with all that it was made of.
  case value(Value)
}
