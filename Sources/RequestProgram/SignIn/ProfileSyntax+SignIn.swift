import RequestSyntax
import Requests

extension ProfileSyntax {
  /// What `auth oauth` is given; nil: the profile has none.
  var signIn: ExpressionSyntax? {
    for case .clause(let clause) in settings.map(\.kind) {
      if let value = clause.signIn { return value }
    }
    return nil
  }

  /// The environment variables in what is secret there: they belong to the endpoints.
  var signInVariables: [String] { signIn.map { Self.variables(in: $0) { $0.isSecret && $0.kind != .key } } ?? [] }

  /// Those that a key is made from: they are sent nowhere.
  var signInKeyVariables: [String] { signIn.map { Self.variables(in: $0) { $0.kind == .key } } ?? [] }

  private static func variables(in value: ExpressionSyntax, where isWanted: (OAuthField) -> Bool) -> [String] {
    guard case .object(let object) = value else { return [] }
    var names: [String] = []
    for case .field(let key, let value, _) in object.members {
      guard let name = key.plainText, let field = OAuthField(named: name), isWanted(field) else { continue }
      value.forEachReference { reference in
        if reference.root.text == "env", case .name(let name)? = reference.segments.first?.kind { names.append(name) }
      }
    }
    return names
  }
}

extension ClauseSyntax {
  /// What `auth oauth` is given; nil: it is another clause.
  var signIn: ExpressionSyntax? {
    guard case .auth(.scheme(.signer(OAuthField.scheme), let values)) = kind else { return nil }
    return values.first
  }
}
