/// Somebody who can sign in: what is said to them, the browser that is opened for them.
package struct SignInInteraction: Sendable {
  /// Shows a text of one or more lines.
  package var say: @Sendable (String) -> Void
  /// Opens a browser; false: there is none here, and the address has to be opened by hand.
  package var open: @Sendable (_ url: String) -> Bool
  /// A line that was typed meanwhile; nil: there is none yet. It does not wait.
  package var line: @Sendable () -> String?
  /// What is typed from now on is for `line`, and is not shown; or that is over.
  package var listen: @Sendable (_ isListening: Bool) -> Void

  package init(
    say: @escaping @Sendable (String) -> Void, open: @escaping @Sendable (String) -> Bool,
    line: @escaping @Sendable () -> String? = { nil }, listen: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.say = say
    self.open = open
    self.line = line
    self.listen = listen
  }
}
