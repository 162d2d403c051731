internal import HTTPTypes
internal import Requests
internal import UploaderCore

/// Somebody signs in with a browser on this machine, which comes back to a loopback address (RFC 8252 §7.3).
struct BrowserFlow {
  let endpoint: TokenEndpoint
  let interaction: SignInInteraction

  /// How long somebody may take.
  private static let patience = Duration.seconds(300)

  private var settings: OAuthSettings { endpoint.settings }

  func tokens() async throws(SignInError) -> TokenSet {
    guard let page = endpoint.endpoints.authorization else {
      throw .unusable(
        "\(settings.place) has no authorization endpoint", advice: "write authorization-url: \"https://…\"")
    }
    let listener = try LoopbackListener(port: settings.port)
    let redirect = "http://127.0.0.1:\(listener.port)\(settings.redirectPath)"
    let proof = ProofKey()
    let state = RandomText.make(bytes: 16)
    endpoint.requests.learn([endpoint.secret(proof.verifier, "verifier")])
    let url = Self.address(page, parameters(redirect: redirect, state: state, proof: proof))
    let isOpen = interaction.open(url)
    interaction.listen(true)
    defer { interaction.listen(false) }
    interaction.say(
      isOpen
        ? "a browser was opened to sign in; if it was not, open this:\n\(url)\n"
        : "open this in a browser to sign in:\n\(url)\n"
          + "if the browser is on another machine, paste the address it ends at, which nothing may serve; it is not "
          + "shown:\n")
    let reply = try await listener.reply(
      at: settings.redirectPath, within: Self.patience, typed: interaction.line, clock: endpoint.requests.clock)
    do throws(SignInError) {
      let code = try code(in: reply.query, state: state)
      let tokens = try await endpoint.token(
        "authorization_code",
        [("code", code), ("redirect_uri", redirect), ("code_verifier", proof.verifier)],
        secrets: [endpoint.secret(proof.verifier, "verifier"), endpoint.secret(code, "code")])
      await reply.finish(.signedIn)
      return tokens
    } catch {
      await reply.finish(.failed)
      throw error
    }
  }

  private func parameters(redirect: String, state: String, proof: ProofKey) -> TokenEndpoint.Form {
    var form: TokenEndpoint.Form = [
      ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", redirect), ("state", state),
      ("code_challenge", proof.challenge), ("code_challenge_method", "S256"),
    ]
    // The proof key binds the code to this sign-in already; some issuers insist on a nonce.
    if settings.scope?.split(separator: " ").contains("openid") ?? false {
      form.append(("nonce", RandomText.make(bytes: 16)))
    }
    if let user = settings.user { form.append(("login_hint", user)) }
    // An address is in the arguments of the browser, and in its history.
    let secrets = settings.allSecrets
    return form
      + endpoint.wanted.filter { item in
        !secrets.contains { secret in secret.withExposedText { item.1.contains($0) } }
      }
  }

  private static func address(_ page: String, _ parameters: TokenEndpoint.Form) -> String {
    let query = parameters.map {
      "\(PercentEncoding.component.encode($0.name))=\(PercentEncoding.component.encode($0.value))"
    }
    return page + (page.contains("?") ? "&" : "?") + query.joined(separator: "&")
  }

  /// RFC 6749 §4.1.2, RFC 9207 §2.4: whose redirect it is is known before anything in it is used.
  private func code(in query: String, state: String) throws(SignInError) -> String {
    let items = RedirectQuery(query)
    if let code = items["code"], code.utf8.count >= Secret.fewestBytes {
      endpoint.requests.learn([endpoint.secret(code, "code")])
    }
    if items.hasRepeated { throw .unusable("the browser came back with a parameter twice", advice: Self.again) }
    guard let returned = items["state"] else {
      throw .unusable("the browser came back without the state that it was sent with", advice: Self.again)
    }
    guard returned == state else {
      throw .unusable("the browser came back with the state of another sign-in", advice: Self.again)
    }
    if let issuer = items["iss"] {
      guard let expected = settings.issuer, issuer == expected else {
        throw .unusable(
          "the browser came back from another issuer, \"\(CutText.cut(issuer, to: 120))\"",
          advice: "nothing was sent there; do not sign in again until it is clear why")
      }
    } else if endpoint.endpoints.namesIssuer {
      throw .unusable("the browser came back without the issuer, which this one always names", advice: Self.again)
    }
    if let error = items["error"] {
      throw .refused(
        SignInRefusal(
          error: error, description: items["error_description"], endpoint: endpoint.endpoints.authorization ?? "",
          status: 400))
    }
    guard let code = items["code"], code.utf8.count >= Secret.fewestBytes else {
      throw .unusable("the browser came back without a code", advice: Self.again)
    }
    return code
  }

  private static let again = "somebody else may have sent it here; begin again"
}

/// The decoded items of a redirect.
struct RedirectQuery {
  private var items: [String: String] = [:]
  private(set) var hasRepeated = false

  init(_ query: String) {
    for item in query.split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        String(decoding: PercentEncoding.decode($0.replacing("+", with: " ")), as: UTF8.self)
      }
      if items.updateValue(parts.count > 1 ? parts[1] : "", forKey: parts[0]) != nil { hasRepeated = true }
    }
  }

  subscript(_ name: String) -> String? { items[name] }
}
