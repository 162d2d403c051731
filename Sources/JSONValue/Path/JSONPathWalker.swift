internal import Patterns

/// Walks a path from node to node, depth first, so that the results come in RFC 9535's order and nothing is kept.
///
/// It recurses once for each level of the value and each segment, never deeper.
struct JSONPathWalker<Node: JSONPathNode> {
  let root: Node
  let bindings: JSONPath.Bindings
  /// Whether the location of each node is wanted.
  let tracksLocations: Bool
  /// nil: it continues to the end.
  var watch: JSONPathWatch?

  typealias Found = (Node, JSONTrail) -> Void

  func walk(_ segments: ArraySlice<JSONPath.Segment>, from node: Node, _ trail: JSONTrail = .root, _ found: Found) {
    if let watch, !watch.goesOn() { return }
    guard let segment = segments.first else { return found(node, trail) }
    let rest = segments.dropFirst()
    switch segment {
    case .child(let selectors):
      for selector in selectors {
        select(selector, in: node, trail) { walk(rest, from: $0, $1, found) }
      }
    case .descendant(let selectors):
      if !tracksLocations, let keys = Self.keys(selectors), let nodes = node.descendants(keys) {
        for node in nodes { walk(rest, from: node, trail, found) }
        return
      }
      descend(selectors, node, trail) { walk(rest, from: $0, $1, found) }
    }
  }

  /// The keys, if the selectors are nothing else.
  private static func keys(_ selectors: [JSONPath.Selector]) -> [String]? {
    var keys: [String] = []
    for selector in selectors {
      guard case .name(let key) = selector else { return nil }
      keys.append(key)
    }
    return keys
  }

  /// The node itself, then its children in order (RFC 9535 §2.5.2.2).
  private func descend(_ selectors: [JSONPath.Selector], _ node: Node, _ trail: JSONTrail, _ found: Found) {
    if let watch, !watch.goesOn() { return }
    for selector in selectors { select(selector, in: node, trail, found) }
    node.forEachChild(steps: tracksLocations) { child, step in
      descend(selectors, child, extend(trail, step), found)
    }
  }

  private func select(_ selector: JSONPath.Selector, in node: Node, _ trail: JSONTrail, _ found: Found) {
    switch selector {
    case .name(let key):
      if let child = node.member(key) { found(child, extend(trail, .key(key))) }
    case .index(let index):
      guard let child = node.element(index) else { return }
      let place = tracksLocations && index < 0 ? (node.childCount ?? 0) + index : index
      found(child, extend(trail, .index(place)))
    case .wildcard:
      node.forEachChild(steps: tracksLocations) { found($0, extend(trail, $1)) }
    case .slice(let slice):
      let elements = node.elements(slice.prefixLength)
      for index in slice.indices(count: elements.count) { found(elements[index], extend(trail, .index(index))) }
    case .filter(let filter):
      node.forEachChild(steps: tracksLocations) { child, step in
        if watch?.goesOn() ?? true, holds(filter, for: child) { found(child, extend(trail, step)) }
      }
    }
  }

  @inline(__always)
  private func extend(_ trail: JSONTrail, _ step: @autoclosure () -> JSONLocation.Step?) -> JSONTrail {
    guard tracksLocations, let step = step() else { return trail }
    return .step(trail, step)
  }
}

// MARK: Filters (RFC 9535 §2.3.5.2)

extension JSONPathWalker {
  private func holds(_ filter: JSONPath.Filter, for current: Node) -> Bool {
    switch filter {
    case .any(let filters): return filters.contains { holds($0, for: current) }
    case .all(let filters): return filters.allSatisfy { holds($0, for: current) }
    case .not(let filter): return !holds(filter, for: current)
    case .exists(let query): return count(query, current) > 0
    case .comparison(let left, let comparison, let right):
      return compare(value(left, current), comparison, value(right, current))
    case .match(let text, let pattern): return matches(text, pattern, current) { $0.matches($1) }
    case .search(let text, let pattern): return matches(text, pattern, current) { $0.isFound(in: $1) }
    }
  }

  private func matches(
    _ text: JSONPath.Operand, _ pattern: JSONPath.Pattern, _ current: Node, _ test: (Patterns.Pattern, String) -> Bool
  ) -> Bool {
    guard case .string(let text)? = value(text, current), let value = value(pattern.operand, current),
      let regexp = pattern.regexp(value)
    else { return false }
    return test(regexp, text)
  }

  /// nil is RFC 9535's "Nothing".
  private func value(_ operand: JSONPath.Operand, _ current: Node) -> JSON? {
    switch operand {
    case .literal(let value): return value
    case .variable(let variable): return bindings(variable)
    case .query(let query), .value(let query):
      var (node, count): (Node?, Int) = (nil, 0)
      walk(query, current) {
        node = $0
        count += 1
      }
      guard count == 1 else { return nil }
      return node?.json
    case .count(let query): return ^count(query, current)
    case .length(let operand):
      if case .query(let query) = operand {
        var length: Int?
        walk(query, current) { length = $0.childCount ?? $0.json.length }
        return length.map { ^$0 }
      }
      return value(operand, current)?.length.map { ^$0 }
    }
  }

  private func count(_ query: JSONPath.Query, _ current: Node) -> Int {
    var count = 0
    walk(query, current) { _ in count += 1 }
    return count
  }

  private func walk(_ query: JSONPath.Query, _ current: Node, _ found: (Node) -> Void) {
    let start =
      switch query.root {
      case .current: current
      case .document: root
      }
    let walker = JSONPathWalker(root: root, bindings: bindings, tracksLocations: false, watch: watch)
    walker.walk(query.segments[...], from: start) { node, _ in found(node) }
  }

  private func compare(_ left: JSON?, _ comparison: JSONPath.Comparison, _ right: JSON?) -> Bool {
    switch comparison {
    case .equal: left == right
    case .notEqual: left != right
    case .less: precedes(left, right)
    case .greater: precedes(right, left)
    case .lessOrEqual: precedes(left, right) || left == right
    case .greaterOrEqual: precedes(right, left) || left == right
    }
  }

  /// Numbers by value, strings by their Unicode scalars; nothing else has an order.
  private func precedes(_ left: JSON?, _ right: JSON?) -> Bool {
    switch (left, right) {
    case (.number(let left)?, .number(let right)?): left < right
    case (.string(let left)?, .string(let right)?): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: false
    }
  }
}

extension JSON {
  /// The result of the function `length` (RFC 9535 §2.4.4): Unicode scalars of a string, children of an array or
  /// object.
  fileprivate var length: Int? {
    if case .string(let text) = self { text.unicodeScalars.count } else { childCount }
  }
}
