/// One `name=value` of a query, not yet encoded.
public struct QueryItem: Hashable, Sendable {
  /// Not yet encoded.
  public var name: String
  /// Not yet encoded.
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
