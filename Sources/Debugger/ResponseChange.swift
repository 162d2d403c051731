internal import JSONValue
package import RequestProgram
package import RequestSyntax

/// A value that is put into the body of a response.
package struct ResponseChange: Sendable {
  /// The step, as a reference names it.
  package let step: String
  let place: Place
  let value: Value

  enum Place: Sendable {
    /// In its JSON body.
    case body([Key])
    case header(String)
  }

  enum Key: Sendable {
    case name(String)
    case index(Int)
  }

  /// - Parameter reference: `$allocate.body.snapshot.url`.
  /// - Returns: nil if it names neither a place in a body by names and indices nor a header field.
  package init?(_ reference: ReferenceSyntax, to value: Value) {
    guard case .name(let member)? = reference.segments.first?.kind, let keys = reference.segments.dropFirst().keys
    else { return nil }
    switch (member, keys.first) {
    case ("body", _): place = .body(keys)
    case ("headers", .name(let name)?) where keys.count == 1: place = .header(name)
    default: return nil
    }
    step = reference.root.text
    self.value = value
  }
}

extension Sequence<SegmentSyntax> {
  /// Names and indices; nil if there is anything else.
  fileprivate var keys: [ResponseChange.Key]? {
    var keys: [ResponseChange.Key] = []
    for segment in self {
      switch segment.kind {
      case .name(let name): keys.append(.name(name))
      case .bracket(let selectors, false):
        guard selectors.count == 1 else { return nil }
        switch selectors[0].kind {
        case .name(let name): keys.append(.name(name))
        case .index(let index): keys.append(.index(index))
        case .wildcard, .slice, .filter, .reference: return nil
        }
      case .bracket, .wildcard, .descendantName, .descendantWildcard: return nil
      }
    }
    return keys
  }
}

extension JSON {
  /// Puts a value where the keys lead; a missing name is added.
  ///
  /// - Returns: whether the keys lead anywhere.
  mutating func set(_ keys: ArraySlice<ResponseChange.Key>, to value: JSON) -> Bool {
    guard let key = keys.first else {
      self = value
      return true
    }
    switch (key, self) {
    case (.name(let name), .object(var object)):
      var inner = object[name] ?? .null
      guard inner.set(keys.dropFirst(), to: value) else { return false }
      object[name] = inner
      self = .object(object)
    case (.index(let index), .array(var elements)):
      let index = index < 0 ? elements.count + index : index
      guard elements.indices.contains(index), elements[index].set(keys.dropFirst(), to: value) else { return false }
      self = .array(elements)
    default: return false
    }
    return true
  }
}
