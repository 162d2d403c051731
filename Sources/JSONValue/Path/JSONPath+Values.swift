extension JSONPath {
  /// The values that the path finds, in RFC 9535's order; members and elements in the order of the document.
  ///
  /// - Parameter bindings: the values of the variables in filters.
  public func values(in json: JSON, bindings: Bindings = { _ in nil }) -> [JSON] {
    values(in: json, bindings: bindings, watch: nil)
  }

  /// - Parameters:
  ///   - document: what `$` in filters is; nil: the value itself.
  ///   - watch: may stop it before it has found everything.
  package func values(
    in json: JSON, document: JSON? = nil, bindings: Bindings, watch: JSONPathWatch?
  ) -> [JSON] {
    var values: [JSON] = []
    walk(json, document: document, bindings, tracksLocations: false, watch: watch) { node, _ in values.append(node) }
    return values
  }

  /// The nodes that the path finds: each value with its location.
  public func nodes(in json: JSON, bindings: Bindings = { _ in nil }) -> [JSONNode] {
    var nodes: [JSONNode] = []
    walk(json, bindings, tracksLocations: true) { node, trail in
      nodes.append(JSONNode(location: trail.location, value: node))
    }
    return nodes
  }

  func walk<Node: JSONPathNode>(
    _ root: Node, document: Node? = nil, _ bindings: Bindings, tracksLocations: Bool, watch: JSONPathWatch? = nil,
    _ found: (Node, JSONTrail) -> Void
  ) {
    withoutActuallyEscaping(bindings) { bindings in
      JSONPathWalker(root: document ?? root, bindings: bindings, tracksLocations: tracksLocations, watch: watch)
        .walk(segments[...], from: root, .root, found)
    }
  }
}
