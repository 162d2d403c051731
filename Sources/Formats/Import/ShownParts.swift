/// What a line for another tool asks to be shown of an exchange: `curl -i`, `http -v`, `http --print=h`.
package struct ShownParts: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let requestHeaders = ShownParts(rawValue: 1)
  package static let requestBody = ShownParts(rawValue: 2)
  package static let headers = ShownParts(rawValue: 4)
  package static let body = ShownParts(rawValue: 8)
  /// How long it took.
  package static let metadata = ShownParts(rawValue: 16)
  /// What is shown goes beside the body and not before it: `curl -v`.
  package static let beside = ShownParts(rawValue: 32)

  package static let request: ShownParts = [.requestHeaders, .requestBody]
  package static let everything: ShownParts = [.request, .headers, .body]

  /// - Parameter letters: as HTTPie's `--print` has them; nil: there is another one among them, or none.
  init?(letters: Substring) {
    let meanings: [Character: ShownParts] = [
      "H": .requestHeaders, "B": .requestBody, "h": .headers, "b": .body, "m": .metadata,
    ]
    self = []
    for letter in letters {
      guard let part = meanings[letter] else { return nil }
      insert(part)
    }
    if isEmpty { return nil }
  }
}
