/// The query of a request target, with its items decoded, in order.
struct QueryText: Hashable, Sendable {
  struct Item: Hashable, Sendable {
    var name: String
    var value: String
  }

  var items: [Item]

  /// nil if a `%` is not followed by two hex digits or the bytes are not UTF-8. A `+` is a plus, as in S3.
  init?(ofTarget target: String) {
    items = []
    guard let mark = target.firstIndex(of: "?") else { return }
    for text in target[target.index(after: mark)...].split(separator: "&") {
      let name = text.prefix { $0 != "=" }
      guard let decodedName = PercentEncoding.decode(name),
        let value = PercentEncoding.decode(text.dropFirst(name.count + 1))
      else { return nil }
      items.append(Item(name: decodedName, value: value))
    }
  }

  init(_ items: [Item]) {
    self.items = items
  }

  /// The value of an item; names are case-sensitive.
  subscript(name: String) -> String? {
    items.first { $0.name == name }?.value
  }

  /// Items in the order of their encoded bytes, with everything except unreserved characters encoded.
  var canonical: String {
    items.map { (PercentEncoding.canonical($0.name), PercentEncoding.canonical($0.value)) }
      .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
  }
}
