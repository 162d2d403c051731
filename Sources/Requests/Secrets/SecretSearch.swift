/// Finds which of several secrets are in a text, in any of their forms.
package struct SecretSearch: Sendable {
  private var search = FormSearch()
  private var owners: [[UInt8]: Set<Secret>] = [:]

  package init() {}

  package init(_ secrets: some Sequence<Secret>) {
    for secret in secrets { insert(secret) }
  }

  package var isEmpty: Bool { search.isEmpty }

  package mutating func insert(_ secret: Secret) {
    search.insert(secret, fewest: Secret.fewestBytes)
    for form in SecretForms.all(of: secret) where form.count >= Secret.fewestBytes {
      owners[form, default: []].insert(secret)
    }
  }

  /// Those that occur.
  package func found(in text: String) -> Set<Secret> {
    var text = text
    guard text.withUTF8({ search.isMatched(in: $0) }) else { return [] }
    return found(in: Array(text.utf8))
  }

  /// Those that occur.
  package func found(in bytes: [UInt8]) -> Set<Secret> {
    found(in: bytes, touching: bytes.indices)
  }

  /// Those that occur in a file, or that an end of the slice cuts in two: a part of the secret is in it then.
  package func found(in file: FileSlice) throws(FileError) -> Set<Secret> {
    guard !isEmpty else { return [] }
    let whole = file.widened(by: search.widest - 1)
    var found: Set<Secret> = []
    var held: [UInt8] = []
    // Where the slice begins, relative to what was read.
    var start = file.offset - whole.offset
    try whole.forEachChunk { chunk in
      held += chunk
      found.formUnion(self.found(in: held, touching: start..<start + file.count))
      let done = search.end(of: held)
      held.removeFirst(done)
      start -= done
    }
    return found
  }

  /// Those that overlap the range by at least a byte.
  private func found(in bytes: [UInt8], touching range: Range<Int>) -> Set<Secret> {
    guard search.isMatched(in: bytes) else { return [] }
    return search.matches(in: bytes).reduce(into: []) { found, match in
      if match.range.overlaps(range) { found.formUnion(owners[Array(match.form)] ?? []) }
    }
  }
}
