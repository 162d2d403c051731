/// A header value with parameters, `form-data; name="a"; filename="b.png"` (RFC 9110 §5.6.6).
struct HeaderParameters: Hashable, Sendable {
  /// The part before the first `;`, in lowercase.
  var value: String
  private var parameters: [String: String] = [:]

  /// The parameter of that name, unquoted; names are case-insensitive.
  subscript(name: String) -> String? { parameters[name.lowercased()] }

  /// nil if the text is malformed or names a parameter twice.
  init?(_ text: String) {
    var rest = text[...]
    value = Self.trimmed(rest.prefix { $0 != ";" }).lowercased()
    rest = rest.drop { $0 != ";" }
    guard !value.isEmpty else { return nil }
    while rest.popFirst() == ";" {
      rest = rest.drop(while: Self.isBlank)
      if rest.isEmpty || rest.first == ";" { continue }
      guard let equals = rest.firstIndex(of: "=") else { return nil }
      let name = rest[..<equals].lowercased()
      rest = rest[rest.index(after: equals)...]
      guard Self.isToken(name), parameters[name] == nil, let argument = Self.takeArgument(&rest) else { return nil }
      parameters[name] = argument
      rest = rest.drop(while: Self.isBlank)
    }
    guard rest.isEmpty else { return nil }
  }

  private static func takeArgument(_ rest: inout Substring) -> String? {
    guard rest.first == "\"" else {
      let token = trimmed(rest.prefix { $0 != ";" })
      rest = rest.drop { $0 != ";" }
      return isToken(token) ? token : nil
    }
    rest.removeFirst()
    var argument = ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": return argument
      case "\\":
        guard let escaped = rest.popFirst() else { return nil }
        argument.append(escaped)
      default: argument.append(character)
      }
    }
    return nil
  }

  private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: isBlank)
    return String(start.reversed().drop(while: isBlank).reversed())
  }
}
