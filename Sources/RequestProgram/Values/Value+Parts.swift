import JSONValue
import Requests

/// What a secret was put together from is as secret as the secret: `"Bearer {$g.body.token}"` reveals the token.
extension Value {
  /// The texts from outside that went into this value, as secrets of the origins that the value is for. Short ones are
  /// identifiers and names, and those that are declared already keep their own origins.
  ///
  /// - Parameters:
  ///   - name: the name of the secret, or of what a profile sends.
  ///   - whole: the text that is a secret itself; nil: none is.
  ///   - first: the number of the first part, if there are some of that name already.
  func parts(
    of name: String, whole: String? = nil, for origins: [OriginPattern], from first: Int = 1
  ) -> [Secret] {
    var texts: [String] = []
    for text in outsideTexts.map(\.trimmed) where !texts.contains(text) { texts.append(text) }
    let declared = taint.secrets.filter { !$0.isPart }
    return texts.enumerated().compactMap { index, text in
      guard text.utf8.count >= Secret.fewestBytesOfPart, text != whole else { return nil }
      // Where JSON has the secret as a value, that value is what is secret of it, as if `.body` had been read.
      if let whole, text.isJSON(with: whole) { return nil }
      let inside = declared.filter { $0.withExposedText { text.contains($0) } }
      if inside.contains(where: { $0.withExposedText { $0 == text } }) { return nil }
      let part = Secret(part: text, first + index, of: name, for: origins)
      if inside.isEmpty { return part }
      return Secret(part: text, first + index, of: name, for: Secret("", madeOf: inside.union([part])).origins)
    }
  }

  /// The value without the secrets that are only parts of others: whoever puts it into a secret, or into a profile, says
  /// where that may go.
  var withoutParts: Value {
    guard taint.secrets.contains(where: \.isPart) else { return self }
    var value = self
    value.taint = taint.filter { !$0.isPart }
    return value
  }
}

extension String {
  /// Whether it is an object or an array that has exactly this text or number as a value somewhere.
  fileprivate func isJSON(with value: String) -> Bool {
    guard first == "{" || first == "[", contains(value), let json = try? JSON(parsing: Array(utf8)) else {
      return false
    }
    return json.has(value)
  }
}

extension JSON {
  fileprivate func has(_ text: String) -> Bool {
    switch self {
    case .string(let string): string == text
    case .number(let number): number.text == text
    case .array(let elements): elements.contains { $0.has(text) }
    case .object(let object): object.members.contains { $0.value.has(text) }
    case .bool, .null: false
    }
  }
}
