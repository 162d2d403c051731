import RequestSyntax
import Requests

/// A block under way: the top level, or a sequence that was run.
struct Frame: Sendable {
  var statements: [Program.Located<StatementSyntax>]
  /// The statement that comes next.
  var next = 0
  var scope = Scope()
  /// The `let` names, which a label on `run` gives to the outside.
  var letNames: [String: Value] = [:]
  /// The label of the `run` that began this block.
  var label: String?
  /// What the step under way has done so far, if it repeats.
  var rounds: [Exchange] = []

  /// The statement that comes next; nil at the end.
  var current: Program.Located<StatementSyntax>? {
    next < statements.count ? statements[next] : nil
  }
}
