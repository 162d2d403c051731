/// The links of `Link` header fields (RFC 8288 §3).
package enum LinkHeader {
  /// Where each relation leads, in order; of several with the same relation, the first. Relations are in lowercase.
  ///
  /// A link with an `anchor` is about something else than the response, so it is left out.
  ///
  /// - Parameters:
  ///   - fields: the values of the fields.
  ///   - base: the URL of the response, which relative ones are resolved against.
  package static func links(in fields: [String], of base: String) -> [(relation: String, url: String)] {
    var links: [(relation: String, url: String)] = []
    for field in fields {
      var rest = field[...]
      while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
        let target = String(rest[rest.index(after: open)..<close])
        rest = rest[close...].dropFirst()
        let parameters = parameters(&rest)
        guard !parameters.contains(where: { $0.name == "anchor" }) else { continue }
        let relations = parameters.first { $0.name == "rel" }?.value ?? ""
        for relation in relations.split(whereSeparator: \.isWhitespace).map({ $0.lowercased() })
        where !links.contains(where: { $0.relation == relation }) {
          links.append((relation, URLReference.resolve(target, against: base)))
        }
      }
    }
    return links
  }

  /// `; rel="next"; title="a, b"`, up to the comma before the next link.
  private static func parameters(_ rest: inout Substring) -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" }
      guard rest.first == ";" else { return parameters }
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let name = rest.prefix { !"=;, \t".contains($0) }
      rest = rest.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
      var value = ""
      if rest.first == "=" {
        rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
        if rest.first == "\"" {
          value = quoted(&rest)
        } else {
          let token = rest.prefix { !";, \t".contains($0) }
          value = String(token)
          rest = rest.dropFirst(token.count)
        }
      }
      if !name.isEmpty { parameters.append((name.lowercased(), value)) }
    }
  }

  private static func quoted(_ rest: inout Substring) -> String {
    var value = ""
    rest = rest.dropFirst()
    while let character = rest.popFirst(), character != "\"" {
      value.append(character == "\\" ? rest.popFirst() ?? character : character)
    }
    return value
  }
}
