extension JSON {
  /// Where a key appears in an object that already has it: what a warning should be about, since readers differ on
  /// which of the members counts (RFC 8259 §4). An object's own repeated keys come before those within its members.
  public var repeatedKeys: [JSONLocation] {
    var locations: [JSONLocation] = []
    appendRepeatedKeys(to: &locations, JSONLocation())
    return locations
  }

  private func appendRepeatedKeys(to locations: inout [JSONLocation], _ place: JSONLocation) {
    switch self {
    case .object(let object):
      locations += object.repeatedKeys.map { JSONLocation(place.steps + [.key($0)]) }
      for member in object.members where member.value.childCount != nil {
        member.value.appendRepeatedKeys(to: &locations, JSONLocation(place.steps + [.key(member.key)]))
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() where element.childCount != nil {
        element.appendRepeatedKeys(to: &locations, JSONLocation(place.steps + [.index(index)]))
      }
    case .string, .number, .bool, .null: break
    }
  }
}
