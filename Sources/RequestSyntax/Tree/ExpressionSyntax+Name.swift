extension ExpressionSyntax {
  /// The last name in a path, which says what is there: `token` of `$a.body.token`; nil: it is no path, or ends with
  /// something else.
  package var lastName: String? {
    switch self {
    case .member(let name): name.text
    case .reference(let node):
      if let last = node.segments.last {
        if case .name(let name) = last.kind { name } else { nil }
      } else {
        node.root.text
      }
    case .path(let node): if case .name(let name)? = node.segments.last?.kind { name } else { nil }
    case .parenthesized(let node): node.inner.lastName
    case .fallback(let node): node.value.lastName
    default: nil
    }
  }
}
