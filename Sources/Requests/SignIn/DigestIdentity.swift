/// A user and a password of which a server only gets digests (RFC 7616).
public struct DigestIdentity: Hashable, Sendable {
  /// Sent as it is, or as a digest if the server wants that (`userhash`).
  public let user: String
  /// Never sent: only a digest of it is, made with what the server has challenged with.
  public let password: Secret

  public init(user: String, password: Secret) {
    self.user = user
    self.password = password
  }
}
