internal import Requests

/// Where an authorization server does what.
struct Endpoints: Hashable, Sendable {
  var token: String?
  var authorization: String?
  var device: String?
  var revocation: String?
  /// Whether each redirect to us names the issuer (RFC 9207).
  var namesIssuer = false
  /// Of all of them: where refresh tokens, codes, verifiers and what proves the client may go.
  var origins: [OriginPattern] = []

  /// The same, with what the settings say instead.
  func replaced(by given: OAuthSettings.Endpoints) -> Endpoints {
    var endpoints = self
    endpoints.token = given.token ?? token
    endpoints.authorization = given.authorization ?? authorization
    endpoints.device = given.device ?? device
    endpoints.revocation = given.revocation ?? revocation
    return endpoints
  }

  var urls: [String] { [token, authorization, device, revocation].compactMap(\.self) }
}
