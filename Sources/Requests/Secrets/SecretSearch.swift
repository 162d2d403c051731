/// Finds which of several secrets are in a text, in any of their forms.
package struct SecretSearch: Sendable {
  private var search = ByteSearch()
  private var owners: [[UInt8]: Set<Secret>] = [:]

  package init(_ secrets: some Sequence<Secret> = []) {
    for secret in secrets { insert(secret) }
  }

  package var isEmpty: Bool { search.isEmpty }

  package mutating func insert(_ secret: Secret) {
    let forms = SecretForms.all(of: secret).filter { $0.count >= Secret.fewestBytes }
    search.insert(forms)
    for form in forms { owners[form, default: []].insert(secret) }
  }

  /// Those that are there.
  package func found(in text: String) -> Set<Secret> {
    var text = text
    guard text.withUTF8({ search.isMatched(in: $0) }) else { return [] }
    return found(in: Array(text.utf8))
  }

  /// Those that are there.
  package func found(in bytes: [UInt8]) -> Set<Secret> {
    guard bytes.withUnsafeBufferPointer({ search.isMatched(in: $0) }) else { return [] }
    var found: Set<Secret> = []
    var start = 0
    while let match = search.firstMatch(in: bytes, from: start) {
      found.formUnion(owners[Array(bytes[match])] ?? [])
      // One may begin inside of another.
      start = match.lowerBound + 1
    }
    return found
  }
}
