import Diagnostics
import HTTPTypes
import RequestSyntax
import Requests

/// Headers that are left out: those that a message needs cannot be, and none is both given and left out.
extension Checker {
  /// - Parameter clauses: those of one step, or of one profile.
  mutating func checkOmitted(_ clauses: [ClauseSyntax]) {
    let fields = clauses.compactMap { clause in if case .header(let fields) = clause.kind { fields } else { nil } }
    let omitted = fields.flatMap(\.omittedNames)
    guard !omitted.isEmpty else { return }
    let given = Set(fields.flatMap(\.givenNames))
    for (text, range) in omitted {
      guard let name = HTTPField.Name(text) else { continue }
      if name == .authorization {
        report(.omittedAuthorization, range)
      } else if let fault = FramingFault(omitting: name) {
        report(.framing(fault), range)
      } else if given.contains(name.canonicalName) {
        report(.givenAndOmitted(text), range)
      }
    }
  }
}

extension FieldsSyntax {
  /// The names as they are written of the headers that are left out, as far as they are literal.
  var omittedNames: [(String, SourceRange)] {
    switch self {
    case .field: []
    case .omitted(let name): [(name.text, name.range)]
    case .object(let object):
      object.members.compactMap { member in
        guard case .field(let key, let value, _) = member, value.isNull, let name = key.literal else { return nil }
        return (name, value.range)
      }
    }
  }

  /// The lowercase names of the headers that are given, as far as they are literal.
  fileprivate var givenNames: [String] {
    switch self {
    case .field(let name, _): [name.text.lowercased()]
    case .omitted: []
    case .object(let object):
      object.members.compactMap { member in
        guard case .field(let key, let value, _) = member, !value.isNull else { return nil }
        return key.literal?.lowercased()
      }
    }
  }
}

extension ObjectSyntax {
  /// The headers that are sent: what is left out says `null`.
  var withoutOmitted: ObjectSyntax {
    var object = self
    object.members.removeAll { if case .field(_, let value, _) = $0 { value.isNull } else { false } }
    return object
  }
}

extension KeySyntax {
  /// Its text, if it contains no expression.
  fileprivate var literal: String? {
    switch self {
    case .name(let name): name.text
    case .string(let string): string.plainText
    }
  }
}

extension ExpressionSyntax {
  /// Whether it is the word `null`, as written.
  var isNull: Bool { if case .literal(let node) = self { node.kind == .null } else { false } }
}
