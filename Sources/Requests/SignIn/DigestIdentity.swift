/// A user and a password of which a server only gets digests (RFC 7616).
public struct DigestIdentity: Hashable, Sendable {
  public let user: String
  public let password: Secret

  public init(user: String, password: Secret) {
    self.user = user
    self.password = password
  }
}
