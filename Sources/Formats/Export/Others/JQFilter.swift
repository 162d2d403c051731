internal import JSONValue
internal import RequestSyntax

/// A path into a JSON body as jq has it.
struct JQFilter {
  let text: String

  /// Nil: jq selects something else with it, or nothing.
  init?(_ path: [SegmentSyntax]) {
    var text = "."
    for segment in path {
      switch segment.kind {
      case .name(let name): text += "[\(JSON.string(name))]"
      case .bracket(let selectors, isDescendant: false) where selectors.count == 1:
        switch selectors[0].kind {
        case .name(let name): text += "[\(JSON.string(name))]"
        case .index(let index): text += "[\(index)]"
        case .wildcard, .slice, .filter, .reference: return nil
        }
      case .bracket, .wildcard, .descendantName, .descendantWildcard: return nil
      }
    }
    self.text = text
  }
}
