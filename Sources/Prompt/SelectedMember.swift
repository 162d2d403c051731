internal import JSONValue
internal import RequestSyntax

extension SegmentSyntax {
  /// The one name or index that it selects; nil if it may select many.
  var selected: JSONPath.Selector? {
    switch kind {
    case .name(let name): return .name(name)
    case .bracket(let selectors, isDescendant: false) where selectors.count == 1:
      switch selectors[0].kind {
      case .name(let name): return .name(name)
      case .index(let index): return .index(index)
      case .wildcard, .slice, .filter, .reference: return nil
      }
    case .bracket, .wildcard, .descendantName, .descendantWildcard: return nil
    }
  }
}

extension JSONPath {
  /// Names and indices; nil if there is anything else.
  init?(_ segments: some Collection<SegmentSyntax>) {
    let selected = segments.compactMap(\.selected)
    guard selected.count == segments.count else { return nil }
    self.init(selected.map { .child([$0]) })
  }
}
