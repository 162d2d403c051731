internal import HTTPTypes
public import Requests

/// Credentials that are known only when a request is about to be sent: what a server has challenged for, tokens, keys
/// of a role.
extension Uploader {
  /// Requests that are no steps of a run of this sequence.
  public func sideRequests(of sequence: some OperationRequestSequence) -> SideRequests {
    SideRequests(
      profiles: sequence.profiles ?? profiles, transport: transport, clock: clock, cache: cache,
      known: { self.known(to: sequence) },
      tell: { secrets in
        self.late.learn(secrets)
        sequence.note(secrets)
        self.hide(secrets)
      })
  }

  /// Whatever is written from now on does not show them.
  private func hide(_ secrets: Set<Secret>) {
    journal?.learn(secrets)
    tell(secrets)
  }

  /// Every secret that is known by now: to the sequence, and from credentials.
  func known(to sequence: some OperationRequestSequence) -> Set<Secret> {
    let late = late.all
    return late.isEmpty ? sequence.secrets : sequence.secrets.union(late)
  }

  /// The request with its credential, if that is late.
  func authorize(
    _ prepared: PreparedRequest, _ rounds: inout CredentialRounds, of sequence: some OperationRequestSequence
  ) async throws(UploadError) -> PreparedRequest {
    guard let credential = prepared.credential, credential.isLate else { return prepared }
    let head = prepared.description.head
    let requests = sideRequests(of: sequence)
    var ready = prepared
    do {
      switch credential {
      case .digest(let identity):
        guard let field = try digests.field(for: identity, prepared) else { return prepared }
        hide([Secret(field.response, madeOf: [identity.password])])
        ready.request.headers[.authorization] = field.value
      case .oauth(let settings):
        guard let profile = profile(of: prepared, sequence) else { return prepared }
        let token = try await credentials(head).token(
          for: settings, of: profile, refused: rounds.refused, through: requests)
        rounds.token = token
        ready.request.headers[.authorization] = token.secret.withExposedText { "Bearer \($0)" }
      case .signed(let identity):
        guard let profile = profile(of: prepared, sequence) else { return prepared }
        let whole = try await credentials(head).identity(for: identity, of: profile, through: requests)
        try ready.request.sign(by: whole, at: prepared.origin, now: clock.now())
      case .bearer, .basic, .header, .query: return prepared
      }
    } catch let error as FileError {
      throw UploadError(.transport(TransportError(.file(error)), origin: prepared.origin), in: head)
    } catch let error as SignInError {
      if case .cancelled = error { throw UploadError(.cancelled, in: head) }
      throw UploadError(.signIn(error, profile: prepared.profile), in: head)
    } catch {
      throw UploadError(.signIn(.unusable("\(error)"), profile: prepared.profile), in: head)
    }
    // What was learned only now is not in it either.
    let secrets = SecretGuard(Array(late.all), searches: cache.searches)
    if let leaking = secrets.leak(in: prepared.request, at: prepared.origin) {
      throw UploadError(.secretRefused(leaking, origin: prepared.origin), in: head)
    }
    return ready
  }

  private func credentials(_ head: RequestHead) throws(SignInError) -> any CredentialSource {
    guard let credentials else { throw .unusable("nothing here can sign in") }
    return credentials
  }

  private func profile(of prepared: PreparedRequest, _ sequence: some OperationRequestSequence) -> SessionProfile? {
    (sequence.profiles ?? profiles)[prepared.profile]
  }
}

extension Credential {
  /// Whether it is known only when a request is about to be sent.
  var isLate: Bool {
    switch self {
    case .bearer, .basic, .header, .query: false
    case .signed(let identity): identity.source != nil
    case .digest, .oauth: true
    }
  }
}
