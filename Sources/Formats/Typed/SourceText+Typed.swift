package import Diagnostics

extension SourceText {
  /// Whether it was typed, and is not a file.
  package var isTyped: Bool { name.hasPrefix("<") }
}
