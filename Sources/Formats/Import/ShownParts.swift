/// What a line for another tool asks to be shown of the response, if it is not only the body: `curl -i`, `http -v`.
package enum ShownParts: Hashable, Sendable {
  /// And nothing else.
  case headers
  /// The headers, too.
  case wholeResponse
  /// The request, too.
  case everything

  /// - Parameter line: for curl, HTTPie or xh; nil: it asks for nothing.
  package init?(_ line: String) {
    guard var words = try? ShellWords.splitCommand(line).words[...] else { return nil }
    if let first = words.first, ["$", "%", ">"].contains(first) { words = words.dropFirst() }
    guard let tool = words.popFirst()?.lowercased() else { return nil }
    let isCurl = tool == "curl"
    guard isCurl || ["http", "https", "xh", "xhs", "httpie"].contains(tool) else { return nil }
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
    self = found
  }
}
