/// That a request was sent with a token, whose it was and how long it was good for; never the token itself.
public struct SentToken: Hashable, Sendable {
  /// The flow and who gave it out: `oauth browser, workbench at https://login.example.com`.
  public let origin: String
  /// Since 1970; nil: the server did not say.
  public let expires: Duration?

  public init(origin: String, expires: Duration?) {
    self.origin = origin
    self.expires = expires
  }
}
