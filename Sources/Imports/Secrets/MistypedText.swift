internal import Diagnostics
internal import RequestSyntax
internal import Requests

/// What may be secret in a text that cannot be read: a sign was forgotten, or is that of another language. Its words
/// alone say what is meant, so more is hidden than in a statement.
package enum MistypedText {
  // A question or a file is one part, and so is what is in quotation marks, whose last may be missing.
  private nonisolated(unsafe) static let part =
    /(?:ask|command|file)\([^()\n]*\)?|"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s"'(){}\[\],:;=\/|+<>][^\s"'(){}\[\],]*|[^\S\n]*\n|\S/

  package static func places(in text: String) -> [TypedPlace] {
    let parts = text.matches(of: part).map { $0.output.first?.isWhitespace ?? true ? "\n" : $0.output }
    return parts.indices.flatMap { index -> [TypedPlace] in
      if beginsLogin(index, of: parts) {
        return login(parts[(index + 1)...]).compactMap { place("password", $0, in: text) }
      }
      if beginsCredential(index, of: parts) {
        return credential(parts[(index + 1)...]).compactMap { place("token", $0, in: text) }
      }
      let continued = continuation(after: index, of: parts).compactMap { place("token", $0, in: text) }
      guard let name = name(at: index, of: parts) else { return continued }
      return continued + values(after: index, of: parts).compactMap { place(name, $0, in: text) }
    }
  }

  /// In the language's quotation marks `$` is a sign like any other.
  private static func place(_ name: String, _ value: Substring, in text: String) -> TypedPlace? {
    TypedText.place(name, value, in: text, isLiteral: value.dropFirst().first == "$" && isQuoted(value))
  }

  private static func values(after name: Int, of parts: [Substring]) -> [Substring] {
    if let value = value(after: name, of: parts) { return [value] }
    // Each text in braces.
    let rest = parts[(name + 1)...].drop { $0 == ":" || $0 == "=" }
    return rest.first == "{" ? rest.dropFirst().prefix { $0 != "}" }.filter(isQuoted) : []
  }

  /// `auth basic`; before a text either word will do.
  private static func beginsLogin(_ index: Int, of parts: [Substring]) -> Bool {
    let isText = index + 1 < parts.count && isQuoted(parts[index + 1])
    return switch parts[index].lowercased() {
    case "auth": isText
    case "basic", "digest": isText || index > 0 && parts[index - 1].lowercased() == "auth"
    default: false
    }
  }

  /// The word after `auth`, which is no scheme that is known: `auth bearr "…"`.
  private static func beginsCredential(_ index: Int, of parts: [Substring]) -> Bool {
    guard index > 0, parts[index - 1].lowercased() == "auth", !isQuoted(parts[index]), !isSign(parts[index]) else {
      return false
    }
    return !AuthSyntax.names.contains(parts[index].lowercased())
  }

  /// Each text, and a word that comes first.
  private static func credential(_ parts: ArraySlice<Substring>) -> [Substring] {
    let values = parts.prefix { $0 != "{" && $0 != "}" && $0 != "\n" && !clauses.contains(String($0)) }
    return values.enumerated().filter { $0.offset == 0 || isQuoted($0.element) }.map(\.element)
  }

  private nonisolated(unsafe) static let item = /(?<name>(?>[A-Za-z][\w\-]{0,63}))(?::=|==|=|:)(?!["']?\$).*/
  private nonisolated(unsafe) static let other = /[\w.\-\[\]]+(?::=|==|[=:@]).*|-.*/

  /// The words after an item whose value has no quotation marks: `Authorization:Bearr …`, `password=two …`.
  private static func continuation(after index: Int, of parts: [Substring]) -> [Substring] {
    guard let match = parts[index].wholeMatch(of: item), SensitiveName.contains(String(match.name)) else { return [] }
    let isCookie = match.name.lowercased() == "cookie"
    return parts[(index + 1)...].prefix { part in
      !["\n", "{", "}", ",", "|"].contains(part) && !clauses.contains(String(part)) && !part.hasPrefix("$")
        && (isCookie || part.wholeMatch(of: other) == nil)
    }.filter { !isSign($0) }
  }

  /// What follows the user, whatever is between them; the user, if nothing follows.
  private static func login(_ parts: ArraySlice<Substring>) -> [Substring] {
    let values = parts.prefix { $0 != "}" && $0 != "\n" && !clauses.contains(String($0)) }.filter { !isSign($0) }
    let others = values.dropFirst()
    let isAlone = others.allSatisfy { $0.allSatisfy(isQuote) } && !(values.first.map(isPair) ?? true)
    let hidden = isAlone ? values[...] : others
    return hidden.prefix(1) + hidden.dropFirst().filter(isQuoted)
  }

  private static let clauses = Set(Keywords.clauses + Keywords.settings)

  private nonisolated(unsafe) static let named = /["']?(?<name>(?>[A-Za-z][\w.\-]*))["':;=<>!~\/\-]*/

  /// `secret x` names one, whatever `x` is.
  private static func name(at index: Int, of parts: [Substring]) -> String? {
    func isKeyword(_ index: Int) -> Bool {
      parts.indices.contains(index) && isSecret(parts[index]) && (index == 0 || parts[index - 1] == "\n")
    }
    guard let name = parts[index].wholeMatch(of: named).map({ String($0.name) }) else { return nil }
    if isKeyword(index), index + 1 < parts.count, !isQuoted(parts[index + 1]) { return nil }
    return isKeyword(index - 1) || SensitiveName.contains(name) ? name : nil
  }

  /// A text in quotation marks after a name and perhaps signs, or a word that is all there is of a member or statement.
  private static func value(after name: Int, of parts: [Substring]) -> Substring? {
    let rest = parts[(name + 1)...].drop { $0.allSatisfy(":;=/<>!~-([".contains) }
    guard let value = rest.first else { return nil }
    if isQuoted(value) { return value }
    let before = name > 0 ? parts[name - 1] : "\n"
    let isMember = ["\n", "{", ",", "let", "set", ":set"].contains(before) || isSecret(before)
    let isWhole = rest.dropFirst().first.map { ["\n", "}", ",", "for"].contains($0) } ?? true
    return isMember && isWhole && !isSign(value) ? value : nil
  }

  /// The keyword, or what was meant to be it.
  private static func isSecret(_ part: Substring) -> Bool {
    part == "secret" || SpellingSuggestion.nearest(to: String(part), among: ["secret"]) != nil
  }

  private static func isQuote(_ character: Character) -> Bool { character == "\"" || character == "'" }

  private static func isQuoted(_ part: Substring) -> Bool { part.first.map(isQuote) ?? false }

  /// `ann:…` without quotation marks, of which only the password is hidden.
  private static func isPair(_ part: Substring) -> Bool { !isQuoted(part) && part.dropLast().contains(":") }

  private static func isSign(_ part: Substring) -> Bool {
    !part.contains { $0.isLetter || $0.isNumber } && !isQuoted(part)
  }
}
