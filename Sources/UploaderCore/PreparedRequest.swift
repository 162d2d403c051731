internal import HTTPTypes
public import Requests

/// A request that is ready to be sent: the profile is chosen, the credential is attached or withheld, and every secret
/// in it may go where the request goes.
public typealias PreparedRequest = CopyOnWrite<PreparedParts>

/// The parts of a prepared request.
public struct PreparedParts: Hashable, Sendable {
  /// What was asked for.
  public let description: RequestDescription
  /// The profile's name.
  public let profile: String
  /// Where it goes.
  public let origin: Origin
  /// What would be sent; the transport adds its own headers.
  public internal(set) var request: TransportRequest
  /// The credential that is sent, if any.
  public let credential: Credential?
  /// Those that are not sent, because they belong elsewhere.
  public internal(set) var withheld: [WithheldCredential]
  /// How often it may be sent, if it may be sent again at all.
  let retry: RetryRule?
  /// How many redirects are followed.
  let redirectLimit: Int
  /// What the run knew to be secret.
  let secrets: Set<Secret>
}

extension PreparedRequest {
  /// Chooses the profile and decides what may cross to the target's origin. Pure: nothing is sent.
  ///
  /// - Parameters:
  ///   - secrets: those that the run knows by now, besides the request's own and the profiles'.
  ///   - boundary: the multipart boundary, should one be needed.
  ///   - now: the time since 1970, for signatures.
  ///   - origin: the origin of a URL, by the parser of the transport that will connect.
  /// - Throws: `UploadError` when no profile fits, the URL is invalid, a secret would go where it must not, or a header
  ///   makes a false statement about the message.
  public init(
    _ description: RequestDescription, profiles: SessionProfiles, secrets known: Set<Secret>, boundary: String,
    now: Duration,
    origin originOf: (String) throws(TransportError) -> Origin
  ) throws(UploadError) {
    try self.init(
      description, profiles: profiles, secrets: known, boundary: boundary, now: now, cache: PreparationCache(),
      origin: originOf)
  }

  /// - Parameter cache: of earlier requests.
  init(
    _ description: RequestDescription, profiles: SessionProfiles, secrets known: Set<Secret>, boundary: String,
    now: @autoclosure () -> Duration, cache: PreparationCache,
    origin originOf: (String) throws(TransportError) -> Origin
  ) throws(UploadError) {
    let head = description.head
    let target: (url: String, profile: SessionProfile?)
    do {
      target = try profiles.target(of: head)
    } catch {
      throw UploadError(.profile(error), in: head)
    }
    let origin: Origin
    do {
      origin = try originOf(target.url)
    } catch {
      throw UploadError(.transport(error, origin: nil), in: head)
    }
    let profile: SessionProfile
    let isOwn: Bool
    if let named = target.profile {
      (profile, isOwn) = (named, named.serves(origin))
    } else {
      do {
        let claiming = try profiles.profile(claiming: origin)
        (profile, isOwn) = (claiming ?? .anonymous, claiming != nil)
      } catch {
        throw UploadError(.profile(error), in: head)
      }
    }

    var headers = isOwn ? profile.headers : [:]
    if let contentType = description.contentType(boundary: boundary) { headers[.contentType] = contentType }
    var omitted = head.omittedHeaders
    if isOwn, !profile.omittedHeaders.isEmpty { omitted += profile.omittedHeaders }
    if !omitted.isEmpty {
      omitted = omitted.reduce(into: []) { names, name in
        if !head.headers.contains(name), !names.contains(name) { names.append(name) }
      }
      for name in omitted { headers[name] = nil }
    }
    if headers.isEmpty {
      headers = head.headers
    } else {
      for field in head.headers { headers[fields: field.name] = head.headers[fields: field.name] }
    }

    var credential = head.sendsCredential ? head.whole.ownCredential ?? (isOwn ? profile.credential : nil) : nil
    if let part = credential?.part, head.has(part) { credential = nil }
    var query = isOwn ? profile.query : []
    if !head.query.isEmpty { query += head.query }
    if let credential {
      cache.attach(credential, to: &headers)
      if case .query(let name, let secret) = credential {
        secret.withExposedText { query.append(QueryItem(name: name, value: $0)) }
      }
    }
    // Where the request has one of its own, nothing is lacking.
    let withheld = profiles.withheld(from: origin, chosen: profile, isOwn: isOwn, head: head).filter { entry in
      switch entry.part {
      case .header(let name): !headers.contains(name) && credential?.part != entry.part
      case .query(let name): !query.contains { $0.name == name }
      case .body: true
      }
    }

    var secrets = Array(head.secrets)
    if isOwn, !profile.otherSecrets.isEmpty { secrets += profile.otherSecrets }
    if let short = secrets.first(where: \.isTooShort)
      ?? credential?.firstSecret(where: { $0.isTooShort && !$0.isOnlyHidden })
    {
      throw UploadError(.profile(.secretTooShort(short)), in: head)
    }
    if let refused = Self.refused(of: secrets, at: origin) {
      throw UploadError(.secretRefused(refused, origin: origin), in: head)
    }

    var limits = profile.limits
    limits.bodyBytes = head.limit ?? limits.bodyBytes
    var request = TransportRequest(
      method: head.method, url: Self.append(query, to: target.url),
      headers: headers, omittedHeaders: omitted, body: description.bodySegments(boundary: boundary),
      connections: profile.name,
      needsFreshConnection: head.effect == .once, timeout: head.timeout ?? profile.timeout,
      limits: limits, network: isOwn ? profile.network : profile.network.elsewhere, stream: head.stream)
    let bodySize = request.body?.reduce(0) { $0 + $1.count } ?? 0
    for case let fault? in omitted.lazy.map({ FramingFault(omitting: $0) }) {
      throw UploadError(.framing(fault, origin: origin), in: head)
    }
    if let fault = FramingFault(in: request.headers, bodySize: bodySize, origin: origin) {
      throw UploadError(.framing(fault, origin: origin), in: head)
    }
    if !known.isEmpty { secrets += known }
    secrets = secrets.isEmpty ? profiles.secrets : secrets + profiles.secrets
    if let leaking = SecretGuard(secrets, searches: cache.searches).leak(in: request, at: origin) {
      throw UploadError(.secretRefused(leaking, origin: origin), in: head)
    }
    if case .signed(let identity) = credential, identity.source == nil {
      do throws(FileError) {
        try request.sign(by: identity, at: origin, now: now())
      } catch {
        throw UploadError(.transport(TransportError(.file(error)), origin: origin), in: head)
      }
    }
    self.init(
      PreparedParts(
        description: description, profile: profile.name, origin: origin, request: request, credential: credential,
        withheld: withheld, retry: head.retry ?? profile.retry, redirectLimit: head.redirects ?? profile.redirects,
        secrets: known))
  }

  /// The one of these secrets that may not go to the origin; nil: all may.
  private static func refused(of secrets: [Secret], at origin: Origin) -> Secret? {
    guard secrets.contains(where: { !$0.isAllowed(at: origin) }) else { return nil }
    let allowed = secrets.filter { $0.isAllowed(at: origin) }
    // The same text may be the secret of several profiles.
    let refused = secrets.filter { secret in
      !secret.isAllowed(at: origin) && !allowed.contains { $0.hasSameText(as: secret) }
    }
    // What a secret was made from says more than the result.
    return refused.min { ($0.isMade ? 1 : 0, $0.name) < ($1.isMade ? 1 : 0, $1.name) }
  }

  /// Appends query items to a URL that may already have a query; its own text is unchanged.
  private static func append(_ items: [QueryItem], to url: String) -> String {
    guard !items.isEmpty else { return url }
    let query = items.map {
      PercentEncoding.component.encode($0.name) + "=" + PercentEncoding.component.encode($0.value)
    }.joined(separator: "&")
    let address = url.prefix { $0 != "#" }
    guard let mark = address.firstIndex(of: "?") else { return "\(address)?\(query)" }
    let separator = address.index(after: mark) == address.endIndex || address.hasSuffix("&") ? "" : "&"
    return "\(address)\(separator)\(query)"
  }
}

extension TransportRequest {
  /// Adds what proves who sends exactly this.
  mutating func sign(by identity: SigningIdentity, at origin: Origin, now: Duration) throws(FileError) {
    let unsigned = RequestToSign(
      method: self.method, url: self.url, origin: origin, headers: self.headers, body: self.body ?? [], now: now)
    for field in try identity.sign(unsigned) { self.headers[field.name] = field.value }
  }
}

extension SessionProfiles {
  /// The absolute URL, and the profile if the target or the step names one.
  fileprivate func target(of head: RequestHead) throws(ProfileError) -> (url: String, profile: SessionProfile?) {
    switch head.target {
    case .url(let url):
      guard let name = head.profile else { return (url, nil) }
      return (url, try named(name))
    case .path(let path, let name):
      guard let name = name ?? head.profile ?? current else {
        throw .noneInUse(path: path, known: all.filter { $0.base != nil }.map(\.name))
      }
      let profile = try named(name)
      guard let base = profile.base else { throw .noBase(profile: name) }
      return (base.url(appending: path), profile)
    }
  }

  /// The credentials a reader may expect to be sent but that are not: the chosen profile's and that of the one in use.
  /// If none is in use and the origin is of none, any may be expected.
  fileprivate func withheld(
    from origin: Origin, chosen: SessionProfile, isOwn: Bool, head: RequestHead
  ) -> [WithheldCredential] {
    if all.isEmpty { return [] }
    var expected: [SessionProfile] = isOwn ? [] : [chosen]
    // Who names another one does not expect its.
    if !head.namesProfile {
      if let current {
        if current != chosen.name, let inUse = self[current] { expected.append(inUse) }
      } else if !isOwn {
        expected += all
      }
    }
    var withheld: [WithheldCredential] = []
    for profile in expected where !profile.serves(origin) {
      let credential = head.sendsCredential ? profile.credential : nil
      for part in (credential.map { [$0.part] } ?? []) + profile.secretParts {
        if let index = withheld.firstIndex(where: { $0.part == part }) {
          let origins = withheld[index].origins
          withheld[index] = WithheldCredential(
            part, origins: origins + profile.origins.filter { !origins.contains($0) })
        } else {
          withheld.append(WithheldCredential(part, origins: profile.origins))
        }
      }
    }
    return withheld
  }
}

extension Credential {
  /// The first of its secrets that is such a one. Mostly it has one, and needs no array for it.
  fileprivate func firstSecret(where isFound: (Secret) -> Bool) -> Secret? {
    switch self {
    case .bearer(let secret), .basic(_, let secret), .header(_, let secret), .query(_, let secret):
      isFound(secret) ? secret : nil
    case .signed, .digest, .oauth: secrets.first(where: isFound)
    }
  }
}

extension RequestHead {
  /// Whether it says itself which profile it goes with.
  fileprivate var namesProfile: Bool {
    if case .path(_, .some) = self.target { return true }
    return self.profile != nil
  }

  /// Whether the step itself fills this part, so that the profile's credential is not put there.
  fileprivate func has(_ part: WithheldCredential.Part) -> Bool {
    switch part {
    case .header(let name): self.headers.contains(name) || self.omittedHeaders.contains(name)
    case .query(let name): self.query.contains { $0.name == name }
    case .body: false
    }
  }
}

extension RequestParts {
  /// What the step itself proves with who is asking, if that depends on the request.
  //
  // Inlined, so that nothing is copied to see that there is none.
  @inline(__always) fileprivate var ownCredential: Credential? {
    if let signer { return .signed(signer) }
    return digest.map(Credential.digest)
  }
}

extension SessionProfile {
  /// The default headers and query items that contain one of its other secrets.
  var secretParts: [WithheldCredential.Part] {
    SecretForms.parts(holding: Set(self.otherSecrets), headers: self.headers, query: self.query)
  }
}
