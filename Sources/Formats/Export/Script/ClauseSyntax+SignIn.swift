package import RequestSyntax
package import Requests

extension ClauseSyntax {
  /// `auth oauth { … }`
  ///
  /// - Parameter secret: what stands there for the secret of that name.
  package static func auth(_ settings: OAuthSettings, secret: (String, Secret) -> ExpressionSyntax) -> ClauseSyntax {
    var members: [ObjectSyntax.Member] = []
    func write(_ name: String, _ text: String?) { if let text { members.append(.field(name, .text(text))) } }
    write("issuer", settings.issuer)
    write("flow", settings.flow.rawValue)
    write("client-id", settings.clientID)
    switch settings.proof {
    case .none: break
    case .secret(let text, let place):
      members.append(.field("client-secret", secret("client-secret", text)))
      if place != .basic { write("client-auth", place.rawValue) }
    case .key(let key, let id, let algorithm):
      members.append(.field("key", secret("key", key)))
      write("key-id", id)
      write("algorithm", algorithm?.rawValue)
    }
    write("scope", settings.scope)
    write("audience", settings.audience)
    write("resource", settings.resource)
    write("user", settings.user)
    write("token-url", settings.endpoints.token)
    write("authorization-url", settings.endpoints.authorization)
    write("device-url", settings.endpoints.device)
    write("revocation-url", settings.endpoints.revocation)
    if let port = settings.port { members.append(.field("port", .number(NumberSyntax("\(port)")))) }
    if settings.redirectPath != "/callback" { write("redirect-path", settings.redirectPath) }
    if !settings.parameters.isEmpty {
      let parameters = settings.parameters.map { item in
        let known = settings.secrets.first { $0.withExposedText { $0 == item.value } }
        return ObjectSyntax.Member.field(item.name, known.map { secret(item.name, $0) } ?? .text(item.value))
      }
      members.append(.field("parameters", .object(ObjectSyntax(parameters))))
    }
    return .auth(.signer(OAuthField.scheme), .object(ObjectSyntax(members)))
  }
}
