/// What is set from outside for a top-level name, or for a parameter of the sequence that is run.
public enum Setting: Sendable, Hashable {
  /// As it was written on the command line: the parameter determines what kind of value it is.
  case text(String)
  /// A value of the language, with everything that it was made from.
  case value(Value)
}
