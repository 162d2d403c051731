/// A text as an error quotes it. It is made either from a value, which is shown as values are: a secret, or anything
/// made from one, is hidden; or from the text of a script or of the command line.
public struct Quoted: Sendable, Hashable, CustomStringConvertible {
  /// As it may be shown.
  public let description: String

  /// A text that came from a value.
  ///
  /// - Parameter text: the part of the value that is meant; nil: all of it.
  init(_ value: Value, _ text: String? = nil) {
    description = value.isOpen ? text ?? value.text ?? value.shown() : Value.mask
  }

  /// A text that somebody wrote, and that came from no value.
  init(written text: String) {
    description = text
  }
}
