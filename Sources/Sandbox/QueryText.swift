/// The query of a request target, its items decoded, in their order.
struct QueryText: Hashable, Sendable {
  struct Item: Hashable, Sendable {
    var name: String
    var value: String
  }

  var items: [Item]

  /// Nil if a `%` is not followed by two hex digits or the bytes are no UTF-8. A `+` is a plus, as S3 has it.
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

  /// The value of an item; names are compared with their case.
  subscript(name: String) -> String? {
    items.first { $0.name == name }?.value
  }

  /// Items in the order of their encoded bytes, all but unreserved characters encoded.
  var canonical: String {
    items.map { (PercentEncoding.canonical($0.name), PercentEncoding.canonical($0.value)) }
      .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
  }
}
