internal import Formats

/// What of an exchange a program after `|` reads, and what is on the screen meanwhile: as with `workbench send` in a
/// shell, the heads that `-i` asks for go before the body, and those of `-v` beside it.
struct PipedParts {
  /// What is before the body; nil: nothing.
  let head: ReportAmount?
  let hasBody: Bool
  /// What is on the screen.
  let shown: ReportAmount

  /// - Parameter asked: what the line asks to be shown; nil: nothing.
  init(_ asked: ShownParts?) {
    let parts = asked ?? .body
    let heads = parts.subtracting([.body, .beside])
    let areBefore = !heads.isEmpty && !parts.contains(.beside)
    hasBody = parts.contains(.body)
    head = areBefore ? .parts(heads) : nil
    shown = areBefore ? .quiet : heads.isEmpty ? .normal : .parts(heads)
  }
}
