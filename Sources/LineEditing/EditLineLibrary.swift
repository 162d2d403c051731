internal import CEditLine

/// The libedit at which lines are typed.
package enum EditLineLibrary {
  /// The one that this program was built with, `2.11`: the library itself does not say. It is its interface, not its
  /// date.
  package static var version: String { "\(LIBEDIT_MAJOR).\(LIBEDIT_MINOR)" }

  /// Whether there is one here; it is opened when the first line is read from a terminal.
  package static var isAvailable: Bool { editline_library() != nil }
}
