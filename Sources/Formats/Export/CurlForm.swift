internal import Requests

/// The items of a form or a query as options of curl. It encodes what has a secret in it itself: the variable has the
/// secret as it is.
struct CurlForm {
  enum Kind {
    case form, query
    /// A text that looks like one: only the same bytes will do.
    case text
  }

  /// Those for items whose secret is encoded and for what is between and after them; empty if there is no such item.
  private(set) var options: [String] = []
  /// What is before the first of them, without the `&` between.
  private(set) var start: String
  /// What the line does in another way.
  private(set) var notes: [String] = []

  init(_ text: String, _ kind: Kind, _ writer: ShellWriter) {
    start = text
    let items = text.split(separator: "&", omittingEmptySubsequences: false)
    let decoded = items.map { Self.decoded($0, kind, writer) }
    // An empty text is no data for curl.
    guard let first = decoded.firstIndex(where: { $0 != nil }), first != 1 || items[0] != "" else { return }
    start = items[..<first].joined(separator: "&")
    var plain: [Substring] = []
    func takePlain() {
      if !plain.isEmpty { options.append("--data-raw \(writer.word(plain.joined(separator: "&")))") }
      plain = []
    }
    for (item, decoded) in zip(items, decoded).dropFirst(first) {
      guard let decoded else {
        plain.append(item)
        continue
      }
      takePlain()
      options.append("--data-urlencode \(writer.word(decoded.text))")
      // Of a query, some versions of curl write %2f.
      if !decoded.isExact || kind == .query {
        notes = ["curl may encode it in other bytes (~, *, spaces, %2f), which mean the same"]
      }
    }
    takePlain()
  }

  /// `name=value`, without the encoding of the value; nil: no secret is encoded in it.
  private static func decoded(
    _ item: Substring, _ kind: Kind, _ writer: ShellWriter
  ) -> (text: String, isExact: Bool)? {
    guard let equals = item.firstIndex(of: "="), equals > item.startIndex else { return nil }
    let value = item[item.index(after: equals)...]
    let encoded = kind == .form ? String(value).replacing("+", with: " ") : String(value)
    let decoded = String(decoding: PercentEncoding.decode(encoded), as: UTF8.self)
    let isExact = PercentEncoding.component.encode(decoded) == value
    guard decoded != value, writer.holdsSecret(decoded), isExact || kind != .text && !encoded.contains("+") else {
      return nil
    }
    return ("\(item[...equals])\(decoded)", isExact)
  }
}
