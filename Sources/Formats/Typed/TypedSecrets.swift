package import Imports
package import RequestSyntax
package import Requests

/// Text as it may be written down: without anything in the places of passwords, tokens and keys, however the line was
/// meant (a request, a command, JSON, a line for curl).
package enum TypedSecrets {
  package static let mask = "••••"

  package static func masked(_ text: String) -> String {
    let meant = meaning(of: text)
    let result = masking(text, hidden(in: text, meaning: meant))
    // A line for another program has its own syntax: the values found by meaning are looked for in it.
    guard let meant, case let meaning = TypedStatement(meant),
      !meaning.values.allSatisfy({ $0.utf8.count < fewestBytes || !places(of: [$0], in: text).isEmpty })
    else { return result }
    return masking(meant, meaning.ranges + TypedText.places(in: meant).map(\.range))
  }

  /// The pieces of a text that was typed, as it may be shown: the same number, with the mask where a secret begins.
  ///
  /// - Parameter isForeign: whether it is of another tool's file: words that are not the language's name nothing.
  package static func masked(_ pieces: [String], isForeign: Bool = false) -> [String] {
    let text = pieces.joined()
    let hidden =
      isForeign ? TypedText.places(in: text).map(\.range) : hidden(in: text, meaning: meaning(of: text))
    var start = 0
    return pieces.map { piece in
      let range = start..<start + piece.utf8.count
      start = range.upperBound
      let inside = hidden.filter { $0.overlaps(range) }
      // What began in an earlier piece is masked there.
      let begun = inside.filter { $0.lowerBound < range.lowerBound }.map { min($0.upperBound, range.upperBound) }.max()
      let first = begun ?? range.lowerBound
      let rest = inside.filter { $0.lowerBound >= first && $0.upperBound > first }
        .map { ($0.lowerBound - first)..<(min($0.upperBound, range.upperBound) - first) }
      return masking(String(decoding: piece.utf8.dropFirst(first - range.lowerBound), as: UTF8.self), rest)
    }
  }

  /// What is hidden in it, without quotation marks; without what is so short that it would be found in everything.
  package static func values(in text: String, isForeign: Bool = false) -> Set<String> {
    let bytes = Array(text.utf8)
    let hidden =
      isForeign ? TypedText.places(in: text).map(\.range) : hidden(in: text, meaning: meaning(of: text))
    return Set(
      hidden.map { range in
        let value = bytes[range]
        let isQuoted = value.count > 1 && value.first == value.last && value.first.map("\"'".utf8.contains) ?? false
        return String(decoding: isQuoted ? value.dropFirst().dropLast() : value, as: UTF8.self)
      }
    ).filter { $0.utf8.count >= fewestBytes }
  }

  /// Where something is hidden, as UTF-8 offsets; they may overlap.
  private static func hidden(in text: String, meaning meant: String?) -> [Range<Int>] {
    let statement = spoken(text)
    let own = TypedStatement(statement)
    let hidden = own.ranges + TypedText.places(in: text).map(\.range)
    guard let meant else {
      let mistyped = own.isMistyped ? MistypedText.places(in: statement).map(\.range) : []
      return hidden + mistyped + places(of: own.inTexts, in: text)
    }
    return hidden + places(of: TypedStatement(meant).values.union(own.values), in: text)
  }

  /// What is hidden from now on of what was typed for another tool; hiding very short texts would hide too much.
  ///
  /// - Parameters:
  ///   - known: what else is secret, each with a name for it.
  ///   - names: those of the session, as for `hidden`.
  package static func secrets(
    in script: ScriptSyntax, and known: [(text: String, name: String)] = [], knowing declared: [String] = []
  ) -> [Secret] {
    let statements = TypedStatement(SyntaxPrinter.print(script))
    // What something is compared with is from the response that is looked at.
    let named = statements.names(of: [.written, .declared]).sorted { $0.key < $1.key }
    var names: [String: String] = [:]
    for (text, name) in known + named {
      for (text, name) in cookies(in: text, named: name) ?? [(text, name)] where names[text] == nil {
        names[text] = name
      }
    }
    return names.sorted { $0.key < $1.key }.flatMap { text, name -> [Secret] in
      let values = credentials(in: text, named: name)
      guard text.utf8.count >= Secret.fewestBytes, !values.allSatisfy({ isReference($0, to: declared) }) else {
        return []
      }
      return values.filter { $0.utf8.count >= Secret.fewestBytes }
        .flatMap { readings(of: String($0), named: name) }.map { Secret(hidden: $0, name: $1) }
    }
  }

  /// What of a value is secret: an echo of a header's value may have the credential alone.
  private static func credentials(in text: String, named name: String) -> [Substring] {
    let values = CredentialNames.values(of: name, text)
    return values.isEmpty ? [text[...]] : values
  }

  /// A text, and what a server reads in its place if it is in a form or a query.
  private static func readings(of text: String, named name: String) -> [(text: String, name: String)] {
    guard let read = PercentEncoding.decodedInForm(text), read.utf8.count >= Secret.fewestBytes else {
      return [(text, name)]
    }
    return [(text, name), (read, Secret.name(ofDecoded: name))]
  }

  /// What is hidden from now on of what was typed here. Nobody said where it may go, so it goes wherever it is written.
  /// What signs a form is hidden where it does.
  ///
  /// - Parameters:
  ///   - uses: what it is there for; what is declared is a secret of the run, once that has come to it.
  ///   - names: those of the session: one that was typed as a text was meant as a reference.
  package static func hidden(
    in script: ScriptSyntax, for uses: Set<TypedStatement.Use> = [.written], knowing names: [String] = []
  ) -> [Secret] {
    let named = TypedStatement(SyntaxPrinter.print(script)).names(of: uses)
    return named.sorted { $0.key < $1.key }.flatMap { text, name -> [Secret] in
      if SensitiveName.isSignature(name) { return [] }
      if let cookies = cookies(in: text, named: name) {
        return cookies.map { Secret(hidden: $0.text, name: $0.name) }
      }
      return credentials(in: text, named: name).filter { value in
        value.utf8.count >= Secret.fewestBytes && !isReference(value, to: names)
      }.flatMap { readings(of: String($0), named: name) }.map { Secret(hidden: $0, name: $1) }
    }
  }

  /// Whether all of it is a reference to something that the session has, written as a text: `$1.body.token`, `{$name}`.
  private static func isReference(_ text: some StringProtocol, to names: [String]) -> Bool {
    var text = Substring(text)
    let isInterpolation = text.hasPrefix("{") && text.hasSuffix("}")
    if isInterpolation { text = text.dropFirst().dropLast() }
    guard text.hasPrefix("$") else { return isInterpolation && names.contains(String(text)) }
    if ReferenceText.isNoSecret(text) { return true }
    return ReferenceText.reference(text).map { names.contains($0.root.text) } ?? false
  }

  /// The values of cookies, by the rule for those that a server sets; nil: it is no list of cookies.
  private static func cookies(in text: String, named name: String) -> [(text: String, name: String)]? {
    let pairs = text.split(separator: ";")
    guard name.lowercased() == "cookie",
      pairs.allSatisfy({ $0.contains(/^\s*[^=\s]+=[^=]/) || $0.allSatisfy(\.isWhitespace) })
    else { return nil }
    return CookieSecrets.found(in: pairs.map(String.init)).map { cookie in
      (cookie.withExposedText { $0 }, cookie.name)
    }
  }

  /// The text as a statement of the same length: `:set` is a `let`, and the argument of another command may be a
  /// request.
  private static func spoken(_ text: String) -> String {
    guard text.utf8.first == UInt8(ascii: ":") else { return text }
    if text.hasPrefix(":set ") { return " let " + text.dropFirst(5) }
    let command = text.prefix { !$0.isWhitespace }
    return String(repeating: " ", count: command.utf8.count) + text[command.endIndex...]
  }

  /// The request that a line for another program means.
  private static func meaning(of text: String) -> String? {
    var line = text.drop(while: \.isWhitespace)
    if line.hasPrefix(":import ") { line = line.dropFirst(8).drop(while: \.isWhitespace) }
    switch ForeignInput(String(line)) {
    case .script(let meaning)?: return SyntaxPrinter.print(meaning.script)
    case .hint?, .open?, nil: return nil
    }
  }

  /// What is shorter is not looked for: it would be found in everything.
  private static let fewestBytes = 4

  /// Where these are, or what they were encoded from, as in `--data-urlencode`.
  private static func places(of values: Set<String>, in text: String) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    return values.union(values.compactMap(PercentEncoding.decodedInForm)).filter { $0.utf8.count >= fewestBytes }
      .flatMap { ShortWord.places(of: Array($0.utf8), in: bytes) }
  }

  private static func masking(_ text: String, _ hidden: [Range<Int>]) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    for range in hidden.sorted(by: { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }) {
      // A range that extends beyond the previous one is masked with it.
      if range.lowerBound < position {
        position = max(position, range.upperBound)
        continue
      }
      let text = bytes[range]
      let quote = text.first.flatMap { "\"'".utf8.contains($0) && text.count > 1 && text.last == $0 ? $0 : nil }
      result += bytes[position..<range.lowerBound] + (quote.map { [$0] } ?? []) + mask.utf8 + (quote.map { [$0] } ?? [])
      position = range.upperBound
    }
    return String(decoding: result + bytes[position...], as: UTF8.self)
  }
}

extension CommentSyntax {
  /// As the history would have it.
  package var withoutSecrets: CommentSyntax {
    var comment = self
    comment.text = TypedSecrets.masked(text)
    return comment
  }
}
