import Diagnostics

/// A reference that somebody wrote as a text.
package enum ReferenceText {
  /// The reference that the text is, as a whole; nil: it is none.
  package static func reference(_ text: some StringProtocol) -> ReferenceSyntax? {
    guard text.hasPrefix("$"),
      case .reference(let reference)? = Parser.parseExpression(SourceText(name: "", text: String(text))).expression
    else { return nil }
    return reference
  }

  /// The name that the text is, as a whole: `token` of `$token` and of `{$token}`; nil: it is no name.
  package static func name(_ text: some StringProtocol) -> String? {
    let inside = text.hasPrefix("{") && text.hasSuffix("}") ? String(text.dropFirst().dropLast()) : String(text)
    guard let reference = reference(inside), reference.segments.isEmpty else { return nil }
    return reference.root.text
  }

  /// The reference that may follow a `$` in a longer text, as far as it goes, and what of it is the name: `1.body.id` of
  /// `1.body.id/x`, whose name is `1`; nil: nothing there can be one.
  package static func beginning(_ rest: Substring) -> (whole: Substring, name: Substring)? {
    let reference =
      /([0-9]+|[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*)(?:\.[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*|\[(?:-?[0-9]+|\*)\])*/
    return rest.prefixMatch(of: reference).map { ($0.output.0, $0.output.1) }
  }

  /// Whether nobody has such a password: it is one to a part of a response, or to a variable, `$env.TOKEN`.
  package static func isNoSecret(_ text: some StringProtocol) -> Bool {
    if text.hasPrefix("$env."), let reference = reference(text) { return reference.segments.count == 1 }
    return isOfResponse(text)
  }

  /// Whether it is one to a part of a response, `$1.body.token`: nobody has such a password.
  package static func isOfResponse(_ text: some StringProtocol) -> Bool {
    guard case .name(let member)? = reference(text)?.segments.first?.kind else { return false }
    return Keywords.isMember(member)
  }
}
