/// A text as an error quotes it. It is made from a value, which is shown as values are: a secret, or what was made of
/// one, is not; or from the text of a script or of the command line.
public struct Quoted: Sendable, Hashable, CustomStringConvertible {
  /// As it may be shown.
  public let description: String

  /// A text that a value gave.
  ///
  /// - Parameter text: what of the value is meant; nil: all of it.
  init(_ value: Value, _ text: String? = nil) {
    description = value.isOpen ? text ?? value.text ?? value.shown() : Value.mask
  }

  /// What somebody wrote, and no value gave.
  init(written text: String) {
    description = text
  }
}
