internal import Crypto
internal import JSONValue
internal import Requests

/// Whose tokens these are: who gives them out to whom, how, what for, for which user, and where they may be sent. The
/// name of a profile is not part of it: the same token serves all profiles that say the same.
///
/// A script may name any issuer, client and endpoint, and any base. What somebody has signed in for is neither sent to
/// another base nor refreshed at another endpoint.
struct TokenKey: Hashable, Sendable {
  /// What is told apart, as it is stored beside the tokens.
  let description: JSONObject

  init(_ settings: OAuthSettings, of profile: SessionProfile) {
    var object: JSONObject = [:]
    object["for"] = .array(profile.origins.map { "\($0)" }.sorted().map(JSON.string))
    object["owner"] = settings.flow == .clientCredentials ? "program" : "user"
    if !settings.endpoints.urls.isEmpty { object["endpoints"] = .array(settings.endpoints.urls.map(JSON.string)) }
    object["issuer"] = .string(settings.place)
    object["client"] = .string(settings.clientID)
    object["scope"] = settings.scope.map { .string($0.split(separator: " ").sorted().joined(separator: " ")) }
    object["audience"] = settings.audience.map { .string($0) }
    object["resource"] = settings.resource.map { .string($0) }
    object["user"] = settings.user.map { .string($0) }
    if !settings.parameters.isEmpty {
      // They may be secrets.
      let text = settings.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
      object["parameters"] = .string(SHA256.hash(data: Array(text.utf8)).hex)
    }
    if settings.flow == .clientCredentials {
      // A wrong secret is told so, not given the token that the right one has got.
      object["proof"] = .string(SHA256.hash(data: Array(settings.proof.text.utf8)).hex)
    }
    description = object
  }

  /// The name of its file, without a suffix.
  var name: String { String(SHA256.hash(data: Array("\(JSON.object(description))".utf8)).hex.prefix(32)) }
}

extension OAuthSettings.Proof {
  fileprivate var text: String {
    switch self {
    case .none: ""
    case .secret(let secret, _), .key(let secret, _, _): secret.withExposedText { $0 }
    }
  }
}
