internal import Crypto
internal import JSONValue
internal import Requests

/// Whose tokens these are: who gives them out to whom, what for and for which user. The name of a profile is not part
/// of it: the same token serves all profiles that say the same.
struct TokenKey: Hashable, Sendable {
  /// What is told apart, as it is stored beside the tokens.
  let description: JSONObject

  init(_ settings: OAuthSettings) {
    var object: JSONObject = [:]
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
    description = object
  }

  /// The name of its file, without a suffix.
  var name: String { String(SHA256.hash(data: Array("\(JSON.object(description))".utf8)).hex.prefix(32)) }
}
