/// One word that a shell hands over, `name=text`, split as HTTPie splits it: at the first separator that has no
/// backslash before it, and of two at the same place at the longer one.
struct ItemWord: Hashable {
  enum Separator: String, CaseIterable {
    case embeddedJSON = ":=@"
    case embeddedQuery = "==@"
    case json = ":="
    case query = "=="
    case embeddedText = "=@"
    case embeddedHeader = ":@"
    case text = "="
    case header = ":"
    case file = "@"
    case emptyHeader = ";"
  }

  /// Without the backslashes that kept a separator in it.
  let key: String
  let separator: Separator
  /// The same.
  let value: String

  /// Nil if there is no separator.
  init?(_ word: String) {
    let characters = Array(word)
    var index = 0
    var key = ""
    while index < characters.count {
      if characters[index] == "\\", index + 1 < characters.count, Self.isSpecial(characters[index + 1]) {
        key.append(characters[index + 1])
        index += 2
        continue
      }
      let rest = characters[index...]
      let found = Separator.allCases.filter { rest.starts(with: $0.rawValue) }
      guard let separator = found.max(by: { $0.rawValue.count < $1.rawValue.count }) else {
        key.append(characters[index])
        index += 1
        continue
      }
      self.key = key
      self.separator = separator
      value = Self.unescaped(String(rest.dropFirst(separator.rawValue.count)))
      return
    }
    return nil
  }

  /// Without the backslashes before what could be a separator.
  static func unescaped(_ text: String) -> String {
    var unescaped = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "\\", let next = rest.first, isSpecial(next) { continue }
      unescaped.append(character)
    }
    return unescaped
  }

  private static func isSpecial(_ character: Character) -> Bool { ":;=@".contains(character) }
}
