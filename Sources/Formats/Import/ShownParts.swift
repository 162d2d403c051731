/// What a line for another tool asks to be shown of the response, if it is not only the body: `curl -i`, `http -v`,
/// `http --print=h`.
package enum ShownParts: Hashable, Sendable {
  /// And nothing else.
  case headers
  /// The headers, too.
  case wholeResponse
  /// The request, too.
  case everything
  /// The request and the headers, beside the body and not before it: `curl -v`.
  case everythingBeside

  /// - Parameter line: for curl, HTTPie or xh; nil: it asks for nothing.
  package init?(_ line: String) {
    guard let words = try? ShellWords.splitCommand(line).words else { return nil }
    self.init(words: words)
  }

  /// - Parameter words: those of such a line.
  package init?(words: [String]) {
    var words = words[...]
    if let first = words.first, ["$", "%", ">"].contains(first) { words = words.dropFirst() }
    guard let tool = words.popFirst()?.lowercased() else { return nil }
    let isCurl = tool == "curl"
    guard isCurl || ["http", "https", "xh", "xhs", "httpie"].contains(tool) else { return nil }
    if !isCurl, let letters = Self.printed(words) {
      guard let parts = ShownParts(printed: letters) else { return nil }
      self = parts
      return
    }
    var found: ShownParts?
    // The values of options are other words; one that looks like an option is one.
    for word in words {
      if word == "--verbose" { found = .everything }
      if isCurl, word == "--include", found == nil { found = .wholeResponse }
      if !isCurl, word == "--headers", found == nil { found = .headers }
      guard word.hasPrefix("-"), !word.hasPrefix("--") else { continue }
      // Letters up to the first one that takes a value.
      let letters = word.dropFirst().prefix { !isCurl || !"XHAebudFmowT".contains($0) }
      if letters.contains("v") { found = .everything }
      if found == nil, letters.contains(isCurl ? "i" : "h") { found = isCurl ? .wholeResponse : .headers }
    }
    guard let found else { return nil }
    self = isCurl && found == .everything ? .everythingBeside : found
  }

  /// What HTTPie calls the parts: headers and body of the request, headers and body of the response, metadata.
  static let printedLetters = "HBhbm"

  /// The least that has everything that HTTPie's `--print` names; nil: the body only.
  private init?(printed letters: Substring) {
    if letters.contains(where: { "HB".contains($0) }) {
      self = .everything
    } else if letters.contains("b") {
      guard letters.contains("h") else { return nil }
      self = .wholeResponse
    } else {
      self = .headers
    }
  }

  /// The value of the last `--print`; nil: there is none.
  private static func printed(_ words: ArraySlice<String>) -> Substring? {
    for index in words.indices.reversed() {
      let word = words[index]
      if word.hasPrefix("--print=") { return word.dropFirst("--print=".count) }
      if ["-p", "--print"].contains(word), words.indices.contains(index + 1) { return words[index + 1][...] }
    }
    return nil
  }
}
