import JSONValue

/// Where a running sandbox is.
public struct SandboxEndpoints: Hashable, Sendable {
  /// The API's origin, `http://127.0.0.1:P`.
  public var api: String

  /// Storage's origin, `http://127.0.0.1:Q`.
  public var storage: String

  /// The API's bearer token.
  public var token: String

  /// The ready line, without its line ending: `{"api": …, "storage": …, "token": …}`.
  public var readyLine: String {
    JSON(dictionaryLiteral: ("api", ^api), ("storage", ^storage), ("token", ^token)).description
  }
}
