import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// Where a request goes, and which secrets are in that.
struct LoweredTarget {
  var target: RequestTarget
  var secrets: Set<Secret> = []
}

extension Evaluator {
  /// The target of a step. The result of an expression is never read as the name of a profile, nor appended to a base
  /// unless the script itself wrote it.
  func target(_ target: TargetSyntax, profiles: SessionProfiles) throws(ProgramError) -> LoweredTarget {
    switch target {
    case .word(let word):
      return try self.target(word, profiles: profiles)
    case .string(let string):
      if let text = string.plainText {
        return LoweredTarget(target: try scriptTarget(text, Value(.string(text)), profiles: profiles, string.range))
      }
      let (text, value) = try text(.string(string))
      return try given(encodingQuery(text), value, string.range)
    case .expression(let expression):
      let (text, value) = try text(expression)
      return try given(text, value, expression.range)
    case .reference(let reference, let tail):
      let (text, value) = try text(.reference(reference))
      var given = try given(text, value, reference.range)
      guard let tail else { return given }
      let (end, ofTail) = try encode(tail)
      given.secrets.take(ofTail)
      given.target = given.target.appending(end)
      return given
    }
  }

  /// A word of the script: its own text determines what it is, its expressions are encoded according to their place.
  private func target(_ word: WordSyntax, profiles: SessionProfiles) throws(ProgramError) -> LoweredTarget {
    let (text, value) = try encode(word)
    var target = LoweredTarget(target: try scriptTarget(text, value, profiles: profiles, word.range))
    target.secrets.take(value)
    return target
  }

  /// A target that the script wrote: a path, `profile:/path`, or a URL.
  private func scriptTarget(
    _ text: String, _ value: Value, profiles: SessionProfiles, _ range: SourceRange
  ) throws(ProgramError) -> RequestTarget {
    let text = encodingQuery(text).withoutSpaces
    if text.hasPrefix("/") || text.hasPrefix("?") { return .path(text, profile: nil) }
    if let (name, path) = TargetSyntax.profileAndPath(text) {
      guard profiles[name] != nil else {
        throw failure(.unknownProfile(name, known: profiles.all.map { $0.name }), range)
      }
      return .path(String(path), profile: name)
    }
    guard text.isURL else { throw failure(.invalidURL(Quoted(value, text)), range) }
    return .url(text)
  }

  /// What a person typed into a query beyond ASCII, percent-encoded as UTF-8; the transport does it for the path.
  private func encodingQuery(_ text: String) -> String {
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")), text.utf8[mark...].contains(where: { $0 >= 0x80 })
    else { return text }
    return text[..<mark]
      + text[mark...].map { $0.isASCII ? String($0) : PercentEncoding.component.encode(String($0)) }.joined()
  }

  /// A target that came from an expression. A relative one is resolved against the URL it was returned by or, if the
  /// script wrote it, appended to the base.
  private func given(_ text: String, _ value: Value, _ range: SourceRange) throws(ProgramError) -> LoweredTarget {
    let invalid = failure(.invalidURL(Quoted(value, text)), range)
    var lowered = LoweredTarget(target: .url(text))
    lowered.secrets.take(value)
    if text.isURL {
      try checkHost(of: text, value, range)
      return lowered
    }
    if text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) { throw invalid }
    switch value.provenance {
    case .response(_, _, let url):
      let resolved = URLReference.resolve(text, against: url)
      guard resolved.isURL else { throw invalid }
      lowered.target = .url(resolved)
    case .script, .declared:
      guard text.hasPrefix("/") || text.hasPrefix("?") else { throw invalid }
      lowered.target = .path(text, profile: nil)
    case .environment, .setting, .file, .secret:
      throw failure(.relativeURL(Quoted(value, text), from: value.provenance), range)
    }
    return lowered
  }

  /// A host is shown, looked up and written in lowercase by everyone along the way; a name and a password before it are
  /// in every copy of the URL. A value read verbatim from outside may name any host: it is checked before it is sent.
  private func checkHost(of url: String, _ value: Value, _ range: SourceRange) throws(ProgramError) {
    guard !value.taint.isEmpty, !value.isVerbatim, let scheme = url.firstRange(of: "://") else { return }
    let authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
    let search = SecretSearch(value.exposed.secrets)
    guard !search.found(in: String(authority)).isEmpty else { return }
    let host = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
    let isInHost = host.startIndex == authority.startIndex || !search.found(in: String(host)).isEmpty
    throw failure(.secretMisplaced(isInHost ? "the host of a URL" : "the user name and password of a URL"), range)
  }

  /// The text of a word with every expression percent-encoded according to its place.
  private func encode(_ word: WordSyntax) throws(ProgramError) -> (String, Value) {
    var text = JoinedText()
    // The values of its expressions.
    var whole = Value(.null)
    if case .text(let literal)? = word.pieces.first, word.pieces.count == 1 {
      text.append(literal)
      return (text.text, text.marking(whole))
    }
    var isInQuery = false
    // The current path segment, and whether an expression is part of it.
    var segment = ""
    var isMixed = false
    func checkSegment() throws(ProgramError) {
      defer { (segment, isMixed) = ("", false) }
      if isMixed, segment.isDotSegment { throw failure(.pathSegment(Quoted(whole, segment)), word.range) }
    }
    for piece in word.pieces {
      switch piece {
      case .text(let literal):
        text.append(literal)
        for character in literal.unicodeScalars where !isInQuery {
          if character == "?" || character == "#" { isInQuery = true }
          if character == "/" || isInQuery { try checkSegment() } else { segment.unicodeScalars.append(character) }
        }
      case .interpolation(let expression, let keepsReserved):
        let (part, value) = try self.text(expression)
        whole = whole.holding(value)
        if part.isEmpty, !isInQuery { throw failure(.pathSegment(Quoted(value, part)), expression.range) }
        let encoded = (keepsReserved ? PercentEncoding.reserved : .component).encode(part)
        text.append(encoded, of: value)
        guard !isInQuery else { continue }
        isMixed = true
        for character in encoded {
          if character == "?" || character == "#" { isInQuery = true }
          if character == "/" || isInQuery {
            try checkSegment()
            isMixed = true
          } else {
            segment.append(character)
          }
          if isInQuery { break }
        }
      }
    }
    try checkSegment()
    return (text.text, text.marking(whole))
  }
}

extension TargetSyntax {
  /// `name:/path`, unless it is a URL.
  package static func profileAndPath(_ text: String) -> (name: String, path: Substring)? {
    var copy = text
    let offset = copy.withUTF8 { bytes -> Int? in
      guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), case let path = bytes[colon...].dropFirst(),
        path.first == UInt8(ascii: "/"), path.dropFirst().first != UInt8(ascii: "/")
      else { return nil }
      return colon
    }
    guard let offset else { return nil }
    let colon = text.utf8.index(text.utf8.startIndex, offsetBy: offset)
    return (String(text[..<colon]), text[text.utf8.index(after: colon)...])
  }
}

extension RequestTarget {
  fileprivate func appending(_ tail: String) -> RequestTarget {
    func join(_ head: String) -> String {
      head.hasSuffix("/") && tail.hasPrefix("/") ? head + tail.dropFirst() : head + tail
    }
    switch self {
    case .url(let url): return .url(join(url))
    case .path(let path, let profile): return .path(join(path), profile: profile)
    }
  }
}
