/// Names and values in order, not yet encoded: `["state": "open", "page": "\(page)"]`.
///
/// A name may occur more than once; an item whose value is nil is left out.
public struct Query: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// In the order they are sent.
  public var items: [QueryItem]

  /// A query of these items.
  public init(_ items: [QueryItem]) {
    self.items = items
  }

  public init(dictionaryLiteral elements: (String, String?)...) {
    items = elements.compactMap { name, value in value.map { QueryItem(name: name, value: $0) } }
  }

  /// As `application/x-www-form-urlencoded`.
  var formEncoded: String {
    items.map { "\(PercentEncoding.form.encode($0.name))=\(PercentEncoding.form.encode($0.value))" }
      .joined(separator: "&")
  }
}
