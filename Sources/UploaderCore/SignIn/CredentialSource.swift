public import Requests

/// Gets what a profile's credential is made of if that is elsewhere: a token of an authorization server, the keys of a
/// role. It is asked each time a request is sent, and remembers what is still valid.
public protocol CredentialSource: Sendable {
  /// The token to send now.
  ///
  /// - Parameters:
  ///   - refused: the one that the server has just called invalid; nil: none.
  ///   - requests: for the requests that this takes.
  func token(
    for settings: OAuthSettings, of profile: SessionProfile, refused: Secret?, through requests: SideRequests
  ) async throws(SignInError) -> AccessToken

  /// Who signs now, with all secrets.
  func identity(
    for identity: SigningIdentity, of profile: SessionProfile, through requests: SideRequests
  ) async throws(SignInError) -> SigningIdentity
}

/// A token to send.
public struct AccessToken: Hashable, Sendable {
  /// The token itself, a secret of the profile's origins.
  public let secret: Secret
  /// Since 1970; nil: the server did not say.
  public let expires: Duration?

  public init(_ secret: Secret, expires: Duration?) {
    self.secret = secret
    self.expires = expires
  }
}
