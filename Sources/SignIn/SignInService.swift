internal import HTTPTypes
internal import JSONValue
package import Requests
internal import Synchronization
package import UploaderCore

/// Gets tokens and keys, and remembers them: in memory, those that somebody signed in for in files, too. One for the
/// whole process, so that no two of its runs refresh the same token.
package final class SignInService: CredentialSource {
  private struct State {
    var tokens: [TokenKey: TokenSet] = [:]
    var endpoints: [OAuthSettings: Endpoints] = [:]
  }

  private let state = Mutex(State())
  private let flights = SingleFlight<TokenKey, TokenSet, SignInError>()
  let keys: AWSKeys
  private let files: TokenFiles?
  /// nil: nobody can sign in here.
  private let interaction: SignInInteraction?

  /// - Parameters:
  ///   - directory: where tokens are kept; nil: nowhere.
  ///   - interaction: somebody who can sign in when a run needs it; nil: nobody.
  ///   - run: runs a program for its output; nil: none may be run.
  package init(
    directory: String?, interaction: SignInInteraction? = nil, run: (@Sendable (_ line: String) throws -> String)? = nil
  ) {
    keys = AWSKeys(run: run)
    files = directory.map { TokenFiles(path: $0) }
    self.interaction = interaction
  }

  // MARK: When a request is sent

  package func token(
    for settings: OAuthSettings, of profile: SessionProfile, refused: Secret?, through requests: SideRequests
  ) async throws(SignInError) -> AccessToken {
    let tokens = try await tokens(
      for: settings, of: profile, refused: refused?.withExposedText { $0 }, through: requests)
    let secret = Secret(tokens.access, name: "\(profile.name)'s access token", for: profile.origins)
    // Another run of this process may have got it.
    requests.learn([secret])
    return AccessToken(secret, expires: tokens.expires)
  }

  private func tokens(
    for settings: OAuthSettings, of profile: SessionProfile, refused: String?, through requests: SideRequests
  ) async throws(SignInError) -> TokenSet {
    let key = TokenKey(settings, of: profile)
    if let tokens = remembered(key), tokens.access != refused,
      tokens.isFresh(at: requests.clock.now(), isSecond: refused != nil)
    {
      return tokens
    }
    let result = await flights.result(for: key) {
      do throws(SignInError) {
        return .success(try await self.get(key, settings, profile, refused: refused, requests))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// A new token, unless somebody else has got one meanwhile.
  private func get(
    _ key: TokenKey, _ settings: OAuthSettings, _ profile: SessionProfile, refused: String?, _ requests: SideRequests
  ) async throws(SignInError) -> TokenSet {
    if let tokens = remembered(key), tokens.access != refused,
      tokens.isFresh(at: requests.clock.now(), isSecond: refused != nil)
    {
      return tokens
    }
    switch settings.flow {
    case .clientCredentials:
      let endpoint = try await endpoint(settings, profile, requests)
      return remember(try await endpoint.token("client_credentials", endpoint.wanted), key)
    case .browser, .device:
      if let tokens = try await refreshed(key, settings, profile, refused: refused, requests) {
        return remember(tokens, key)
      }
      guard let interaction else { throw .needed(profile: profile.name) }
      return try await signIn(key, settings, profile, interaction, requests)
    }
  }

  /// The token of the file, or the one that its refresh token brings; nil: somebody has to sign in.
  private func refreshed(
    _ key: TokenKey, _ settings: OAuthSettings, _ profile: SessionProfile, refused: String?, _ requests: SideRequests
  ) async throws(SignInError) -> TokenSet? {
    guard let files else { return nil }
    guard try files.read(key) != nil else { return nil }
    return try await files.locked(key, requests.clock) { () async throws(SignInError) in
      // Another process may have refreshed it while this one waited.
      guard let kept = try files.read(key) else { return nil }
      learn(kept, settings, profile, requests)
      if kept.access != refused, kept.isFresh(at: requests.clock.now(), isSecond: refused != nil) { return kept }
      guard kept.refresh != nil else {
        return kept.access != refused && !kept.hasEnded(at: requests.clock.now()) ? kept : nil
      }
      do throws(SignInError) {
        return try await refresh(kept, key, settings, profile, requests, files)
      } catch {
        switch error {
        case .refused(let refusal) where ["invalid_grant", "interaction_required"].contains(refusal.error):
          // It was used up, or taken back: nothing of it is good any more.
          try files.remove(key)
          return nil
        case .request where kept.access != refused && !kept.hasEnded(at: requests.clock.now()):
          // The endpoint is away for a moment.
          return kept
        default: throw error
        }
      }
    }
  }

  private func refresh(
    _ kept: TokenSet, _ key: TokenKey, _ settings: OAuthSettings, _ profile: SessionProfile, _ requests: SideRequests,
    _ files: TokenFiles
  ) async throws(SignInError) -> TokenSet? {
    guard let refresh = kept.refresh else { return nil }
    let endpoint = try await endpoint(settings, profile, requests)
    let secret = endpoint.secret(refresh, "refresh token")
    // Without a scope it is the one that was granted, which may be less than was asked for (RFC 6749 §6).
    var form: TokenEndpoint.Form = [("refresh_token", refresh)]
    if let resource = settings.resource { form.append(("resource", resource)) }
    form += settings.parameters.map { ($0.name, $0.value) }
    var tokens = try await endpoint.token("refresh_token", form, secrets: [secret])
    if tokens.refresh == nil { tokens.refresh = refresh }
    try files.write(tokens, key)
    return tokens
  }

  // MARK: When somebody signs in

  private func signIn(
    _ key: TokenKey, _ settings: OAuthSettings, _ profile: SessionProfile, _ interaction: SignInInteraction,
    _ requests: SideRequests
  ) async throws(SignInError) -> TokenSet {
    guard let files else {
      throw .unusable("there is no place for tokens", advice: "set HOME or XDG_STATE_HOME")
    }
    let endpoint = try await endpoint(settings, profile, requests)
    let tokens =
      switch settings.flow {
      case .device: try await DeviceFlow(endpoint: endpoint, interaction: interaction).tokens()
      case .browser, .clientCredentials: try await BrowserFlow(endpoint: endpoint, interaction: interaction).tokens()
      }
    try await files.locked(key, requests.clock) { () throws(SignInError) in try files.write(tokens, key) }
    return remember(tokens, key)
  }

  /// Signs in, whether or not there is a token.
  package func login(
    _ settings: OAuthSettings, of profile: SessionProfile, with interaction: SignInInteraction,
    through requests: SideRequests
  ) async throws(SignInError) {
    let key = TokenKey(settings, of: profile)
    switch settings.flow {
    case .clientCredentials:
      state.withLock { $0.tokens[key] = nil }
      _ = try await tokens(for: settings, of: profile, refused: nil, through: requests)
    case .browser, .device: _ = try await signIn(key, settings, profile, interaction, requests)
    }
  }

  /// Gets a new token with the refresh token.
  package func refresh(
    _ settings: OAuthSettings, of profile: SessionProfile, through requests: SideRequests
  ) async throws(SignInError) {
    let key = TokenKey(settings, of: profile)
    let kept = remembered(key)?.access
    let stored = settings.flow == .clientCredentials ? nil : try files?.read(key)?.access
    state.withLock { $0.tokens[key] = nil }
    _ = try await tokens(for: settings, of: profile, refused: stored ?? kept, through: requests)
  }

  /// Forgets the token, after it was revoked where that is possible (RFC 7009).
  ///
  /// - Returns: whether there was one, and whether the server was told.
  package func logout(
    _ settings: OAuthSettings, of profile: SessionProfile, through requests: SideRequests
  ) async throws(SignInError) -> (wasSignedIn: Bool, isRevoked: Bool) {
    let key = TokenKey(settings, of: profile)
    let memory = state.withLock { $0.tokens.removeValue(forKey: key) }
    var kept = memory
    if let files, settings.flow != .clientCredentials {
      kept =
        try await files.locked(key, requests.clock) { () throws(SignInError) in
          let stored = try files.read(key)
          try files.remove(key)
          return stored
        } ?? memory
    }
    guard let kept else { return (false, false) }
    learn(kept, settings, profile, requests)
    let endpoint = try await endpoint(settings, profile, requests)
    guard let url = endpoint.endpoints.revocation else { return (true, false) }
    let token = kept.refresh ?? kept.access
    let form = [("token", token), ("token_type_hint", kept.refresh == nil ? "access_token" : "refresh_token")]
    let response = try await endpoint.send(form, to: url, secrets: [endpoint.secret(token, "token")])
    guard response.status.kind != .successful else { return (true, true) }
    _ = try EndpointResponse(response, url).json()
    return (true, false)
  }

  /// What is known without asking anybody.
  package func status(
    _ settings: OAuthSettings, of profile: SessionProfile, now: Duration
  ) throws(SignInError) -> SignInStatus {
    let key = TokenKey(settings, of: profile)
    let stored = settings.flow == .clientCredentials ? nil : try files?.read(key)
    guard let tokens = stored ?? remembered(key) else {
      return settings.flow == .clientCredentials ? .whenNeeded : .signedOut
    }
    return .signedIn(until: tokens.expires, isFresh: tokens.isFresh(at: now), canRefresh: tokens.refresh != nil)
  }

  // MARK: What is remembered

  private func remembered(_ key: TokenKey) -> TokenSet? { state.withLock { $0.tokens[key] } }

  private func remember(_ tokens: TokenSet, _ key: TokenKey) -> TokenSet {
    state.withLock { $0.tokens[key] = tokens }
    return tokens
  }

  /// What was read from a file is hidden before it is used. Where the refresh token may go is known only when the
  /// endpoints are: until then, where they are said to be.
  private func learn(
    _ tokens: TokenSet, _ settings: OAuthSettings, _ profile: SessionProfile, _ requests: SideRequests
  ) {
    let known = state.withLock { $0.endpoints[settings] }
    let origins = known?.origins ?? settings.writtenOrigins
    var secrets: Set<Secret> = [Secret(tokens.access, name: "\(profile.name)'s access token", for: profile.origins)]
    if let refresh = tokens.refresh {
      secrets.insert(Secret(refresh, name: "\(profile.name)'s refresh token", for: origins))
    }
    requests.learn(secrets)
  }

  private func endpoint(
    _ settings: OAuthSettings, _ profile: SessionProfile, _ requests: SideRequests
  ) async throws(SignInError) -> TokenEndpoint {
    if let known = state.withLock({ $0.endpoints[settings] }) {
      return TokenEndpoint(settings: settings, profile: profile, endpoints: known, requests: requests)
    }
    var found = Endpoints()
    if let issuer = settings.issuer, settings.needsDiscovery {
      found = try await Discovery(issuer: issuer, requests: requests).endpoints()
    }
    found = found.replaced(by: settings.endpoints)
    for url in found.urls {
      guard let origin = requests.origin(of: url) else {
        throw .unusable("\"\(url)\" is not a URL that can be sent to")
      }
      let pattern = OriginPattern(origin)
      if !found.origins.contains(pattern) { found.origins.append(pattern) }
    }
    let endpoints = found
    state.withLock { $0.endpoints[settings] = endpoints }
    return TokenEndpoint(settings: settings, profile: profile, endpoints: endpoints, requests: requests)
  }
}

extension OAuthSettings {
  /// Whether not all endpoints of the flow are written.
  fileprivate var needsDiscovery: Bool {
    switch flow {
    case .clientCredentials: endpoints.token == nil
    case .browser: endpoints.token == nil || endpoints.authorization == nil
    case .device: endpoints.token == nil || endpoints.device == nil
    }
  }
}

/// Whether somebody is signed in, and until when.
package enum SignInStatus: Hashable, Sendable {
  case signedOut
  /// A token is asked for when a request needs it.
  case whenNeeded
  /// - Parameters:
  ///   - until: since 1970; nil: until the server refuses.
  ///   - isFresh: whether the token will be sent as it is.
  ///   - canRefresh: whether a new one comes without signing in again.
  case signedIn(until: Duration?, isFresh: Bool, canRefresh: Bool)
}
