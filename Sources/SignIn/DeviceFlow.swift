internal import Diagnostics
internal import JSONValue
internal import Requests
internal import UploaderCore

/// Somebody signs in with a browser anywhere, and types a code there (RFC 8628).
struct DeviceFlow {
  let endpoint: TokenEndpoint
  let interaction: SignInInteraction

  /// If the server does not say.
  private static let usualInterval = 5
  private static let longestInterval = 60
  private static let usualLife = 600
  private static let longestLife = 1_800

  func tokens() async throws(SignInError) -> TokenSet {
    guard let url = endpoint.endpoints.device else {
      throw .unusable("\(endpoint.settings.place) has no device endpoint", advice: "write device-url: \"https://…\"")
    }
    let json = try await endpoint.post(endpoint.wanted, to: url, secrets: [])
    guard let code = json["device_code"]?.string, code.utf8.count >= Secret.fewestBytes else {
      throw .unusable("\(url) responded without a device code")
    }
    let secret = endpoint.secret(code, "code")
    endpoint.requests.learn([secret])
    guard let shown = json["user_code"]?.string,
      let address = json["verification_uri"]?.string ?? json["verification_url"]?.string
    else { throw .unusable("\(url) responded without a code for people, or without an address") }
    _ = try Discovery.checked(address, "verification_uri", endpoint.requests)
    var text =
      "to sign in, open \(VisibleText.escape(address)) in any browser and enter the code \(VisibleText.escape(shown))\n"
    if let whole = json["verification_uri_complete"]?.string {
      _ = try Discovery.checked(whole, "verification_uri_complete", endpoint.requests)
      text += "or open \(VisibleText.escape(whole))\n"
    }
    interaction.say(text)
    return try await poll(
      code, secret, every: json["interval"]?.wholeSeconds ?? Self.usualInterval,
      for: json["expires_in"]?.wholeSeconds ?? Self.usualLife)
  }

  private func poll(
    _ code: String, _ secret: Secret, every start: Int, for life: Int
  ) async throws(SignInError) -> TokenSet {
    let clock = endpoint.requests.clock
    let end = clock.now() + .seconds(min(max(life, 1), Self.longestLife))
    var interval = min(max(start, 1), Self.longestInterval)
    while clock.now() < end {
      do { try await clock.sleep(.seconds(interval)) } catch { throw .cancelled }
      do throws(SignInError) {
        return try await endpoint.token(
          "urn:ietf:params:oauth:grant-type:device_code", [("device_code", code)], secrets: [secret])
      } catch {
        guard case .refused(let refusal) = error else { throw error }
        switch refusal.error {
        case "authorization_pending": continue
        case "slow_down": interval = min(interval + 5, Self.longestInterval)
        default: throw error
        }
      }
    }
    throw .unusable("nobody signed in before the code expired", advice: "begin again")
  }
}

extension JSON {
  fileprivate var wholeSeconds: Int? {
    switch self {
    case .number(let number): Int(number.text.prefix { $0 != "." })
    case .string(let text): Int(text)
    case .null, .bool, .array, .object: nil
    }
  }
}
