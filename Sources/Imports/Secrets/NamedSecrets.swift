internal import JSONValue
package import RequestSyntax
internal import Requests

/// What is secret by its name in a body that was typed as a text: the items of a form, the members of JSON. The history
/// hides it, and a saved script reads it from the environment.
package enum NamedSecrets {
  /// A value, and where it is in the text as it is written there; nil: it is written in another way.
  package struct Value {
    package let name: String
    package let text: String
    package let range: Range<String.Index>?
    /// What a server reads in place of the text in a form: `a b&c` of `a+b%26c`; nil: the text.
    package var decoded: String?

    /// The secret by its name, encoded as it is written here; nil: it is written as it is, or in another way.
    package func encoded(_ name: (String, String) -> ExpressionSyntax) -> ExpressionSyntax? {
      guard let decoded else { return nil }
      let encoded = PercentEncoding.component.encode(decoded)
      guard encoded == text || encoded.replacing("%20", with: "+") == text else { return nil }
      return name(decoded, self.name).encodedInForm(withPlus: encoded != text)
    }
  }

  package static func values(inBody text: String) -> [Value] {
    if let json = try? JSON(parsing: Array(text.utf8)) {
      return members(of: json, name: nil).map { name, value in
        Value(name: name, text: value.string ?? value.description, range: place(of: value, in: text))
      }
    }
    return text.split(separator: "&").compactMap { item in
      guard let equals = item.firstIndex(of: "=") else { return nil }
      let name = String(decoding: PercentEncoding.decode(String(item[..<equals])), as: UTF8.self)
      let value = item[item.index(after: equals)...]
      guard SensitiveName.contains(name), !value.isEmpty else { return nil }
      return Value(
        name: name, text: String(value), range: value.startIndex..<value.endIndex,
        decoded: PercentEncoding.decodedInForm(String(value)))
    }
  }

  /// - Parameter name: what names the value, if that is the name of a secret.
  private static func members(of json: JSON, name: String?) -> [(name: String, value: JSON)] {
    switch json {
    case .object(let object):
      object.members.flatMap { member in
        members(of: member.value, name: name ?? (SensitiveName.contains(member.key) ? member.key : nil))
      }
    case .array(let elements): elements.flatMap { members(of: $0, name: name) }
    case .string, .number: name.map { [($0, json)] } ?? []
    case .bool, .null: []
    }
  }

  /// The text between its quotation marks; a number has none, so it cannot be told from another.
  private static func place(of value: JSON, in text: String) -> Range<String.Index>? {
    guard case .string = value else { return nil }
    let written = value.description
    guard text.ranges(of: written).count == 1, let range = text.firstRange(of: written) else { return nil }
    return text.index(after: range.lowerBound)..<text.index(before: range.upperBound)
  }
}

extension ExpressionSyntax {
  /// Its text as it is in a form.
  ///
  /// - Parameter plus: whether a space is `+`, and not `%20`.
  package func encodedInForm(withPlus plus: Bool = true) -> ExpressionSyntax {
    let encoded = ExpressionSyntax.pipe(PipeSyntax(self, CallSyntax("url-encode", [])))
    return plus ? .pipe(PipeSyntax(encoded, CallSyntax("replace", [.raw("%20"), .raw("+")]))) : encoded
  }

  /// In quotes that may be inside of others.
  package static func raw(_ text: String) -> ExpressionSyntax {
    var string = StringSyntax(text)
    string.style = .raw
    return .string(string)
  }
}
