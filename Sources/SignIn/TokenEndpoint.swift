internal import HTTPTypes
internal import JSONValue
internal import Requests
internal import UploaderCore

/// The endpoints of one authorization server, as one client uses them for one profile.
struct TokenEndpoint {
  let settings: OAuthSettings
  let profile: SessionProfile
  let endpoints: Endpoints
  let requests: SideRequests

  typealias Form = [(name: String, value: String)]

  /// A secret of the endpoints.
  func secret(_ text: String, _ name: String) -> Secret {
    Secret(text, name: "\(profile.name)'s \(name)", for: endpoints.origins)
  }

  /// Asks for a token.
  ///
  /// - Parameter secrets: what in the form is secret.
  func token(_ grant: String, _ form: Form, secrets: Set<Secret> = []) async throws(SignInError) -> TokenSet {
    guard let url = endpoints.token else {
      throw .unusable("\(settings.place) has no token endpoint", advice: "write token-url: \"https://…\"")
    }
    let all = [("grant_type", grant)] + form
    let began = requests.clock.now()
    let json = try await post(all, to: url, secrets: secrets)
    return try TokenResponse(json, url).tokens(obtained: began, learn: learn)
  }

  /// What the settings want with each request for a token.
  var wanted: Form {
    var form: Form = []
    if let scope = settings.scope { form.append(("scope", scope)) }
    if let audience = settings.audience { form.append(("audience", audience)) }
    if let resource = settings.resource { form.append(("resource", resource)) }
    return form + settings.parameters.map { ($0.name, $0.value) }
  }

  /// Sends a form with what proves the client.
  func post(_ form: Form, to url: String, secrets: Set<Secret>) async throws(SignInError) -> JSON {
    let response = try await send(form, to: url, secrets: secrets)
    return try EndpointResponse(response, url).json()
  }

  func send(_ form: Form, to url: String, secrets: Set<Secret>) async throws(SignInError) -> Response {
    var form = form
    var secrets = secrets
    var authorization: String?
    switch settings.proof {
    case .none: form.append(("client_id", settings.clientID))
    case .secret(let secret, let place):
      secrets.insert(atEndpoints(secret))
      let text = secret.withExposedText { $0 }
      switch place {
      case .basic:
        // RFC 6749 §2.3.1: both are encoded as in a form first.
        let credential = BasicCredential(
          user: PercentEncoding.form.encode(settings.clientID), password: PercentEncoding.form.encode(text))
        secrets.insert(self.secret(credential.pair, "client-id and client-secret"))
        authorization = credential.field
      case .body: form += [("client_id", settings.clientID), ("client_secret", text)]
      }
    case .key(let key, let id, let algorithm):
      let assertion = try ClientAssertion(
        clientID: settings.clientID, audience: endpoints.token ?? url, keyID: id, algorithm: algorithm
      ).text(signedWith: key, now: requests.clock.now())
      secrets.insert(secret(assertion, "assertion"))
      form += [
        ("client_id", settings.clientID),
        ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        ("client_assertion", assertion),
      ]
    }
    // A key is in none of it.
    for secret in settings.secrets where !secret.origins.isEmpty { secrets.insert(atEndpoints(secret)) }
    requests.learn(secrets)
    let sent = secrets
    let head = RequestHead(.post, .url(url)) { head in
      head.headers[.accept] = "application/json"
      if let authorization { head.headers[.authorization] = authorization }
      head.secrets = sent
      head.effect = .once
    }
    let text = form.map { "\(PercentEncoding.form.encode($0.name))=\(PercentEncoding.form.encode($0.value))" }
    let body = InMemoryRequestDescription.Body(
      Array(text.joined(separator: "&").utf8), contentType: "application/x-www-form-urlencoded")
    do {
      return try await requests.send(.inMemory(InMemoryRequestDescription(head, body: body)))
    } catch {
      if case .cancelled = error.fact { throw .cancelled }
      if case .transport(let failure, _) = error.fact, failure.fact == .cancelled { throw .cancelled }
      throw .request(error, endpoint: url)
    }
  }

  /// What is written for the endpoints that are known from the text belongs to those that were discovered, too. What
  /// somebody declared for other origins keeps those.
  private func atEndpoints(_ secret: Secret) -> Secret {
    let written = settings.writtenOrigins
    guard secret.origins.allSatisfy(written.contains) else { return secret }
    return secret.withExposedText { Secret($0, name: secret.name, for: endpoints.origins) }
  }

  /// What came is hidden from now on.
  func learn(_ tokens: TokenSet, _ identity: String?) {
    var secrets: Set<Secret> = [accessSecret(tokens)]
    if let refresh = tokens.refresh { secrets.insert(secret(refresh, "refresh token")) }
    if let identity { secrets.insert(secret(identity, "ID token")) }
    requests.learn(secrets)
  }

  /// The token as a secret of the profile.
  func accessSecret(_ tokens: TokenSet) -> Secret {
    Secret(tokens.access, name: "\(profile.name)'s access token", for: profile.origins)
  }
}

extension OAuthSettings {
  /// The origins of the endpoints that are written in the settings.
  var writtenOrigins: [OriginPattern] {
    (endpoints.urls + [issuer].compactMap(\.self)).compactMap { url in
      guard let scheme = url.firstRange(of: "://") else { return nil }
      let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
      return (try? Origin(String(url[..<end]))).map { OriginPattern($0) }
    }
  }
}
