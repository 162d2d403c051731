internal import CEditLine

/// The libedit that this program was built with; the library itself does not say.
package enum EditLineLibrary {
  /// `2.11`: its interface, not its date.
  package static var version: String { "\(LIBEDIT_MAJOR).\(LIBEDIT_MINOR)" }
}
