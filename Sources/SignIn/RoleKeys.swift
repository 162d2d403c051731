internal import HTTPTypes
internal import JSONValue
internal import Requests
internal import UploaderCore

/// The keys of a role, which STS gives to whoever may take it on (`AssumeRole`).
struct RoleKeys {
  let role: AWSRole
  let taker: AWSRoleTaker
  let profile: SessionProfile
  let requests: SideRequests

  func keys(_ others: AWSKeys) async throws(SignInError) -> AWSKeys.Temporary {
    let url = role.endpoint
    guard let origin = requests.origin(of: url) else { throw .unusable("\"\(url)\" is not a URL that can be sent to") }
    let identity = try await identity(at: origin, others)
    requests.learn(Set(identity.secrets.values))
    var form = [
      ("Action", "AssumeRole"), ("Version", "2011-06-15"), ("RoleArn", role.arn),
      ("RoleSessionName", role.sessionName),
    ]
    if let id = role.externalID { form.append(("ExternalId", id)) }
    let text = form.map { "\(PercentEncoding.form.encode($0.0))=\(PercentEncoding.form.encode($0.1))" }
    let head = RequestHead(.post, .url(url)) { head in
      head.headers[.accept] = "application/json"
      head.signer = identity
      head.effect = .idempotent
    }
    let body = InMemoryRequestDescription.Body(
      Array(text.joined(separator: "&").utf8), contentType: "application/x-www-form-urlencoded; charset=utf-8")
    let response: Response
    do {
      response = try await requests.send(.inMemory(InMemoryRequestDescription(head, body: body)))
    } catch {
      throw .request(error, endpoint: url)
    }
    let bytes: [UInt8]
    do { bytes = try response.body.bytes() } catch { throw .file(error) }
    return try Self.keys(in: String(decoding: bytes, as: UTF8.self), response.status.code, url)
  }

  /// Whose keys sign the request: they go nowhere but into its signature.
  private func identity(at origin: Origin, _ others: AWSKeys) async throws(SignInError) -> SigningIdentity {
    let texts = ["region": role.region, "service": "sts"]
    switch taker {
    case .keys(let identity):
      var all = identity.texts
      all.merge(texts) { $1 }
      return SigningIdentity(identity.signer, texts: all, secrets: identity.secrets.atSTS(origin))
    case .source(let source):
      let keys = try await others.keys(source, profile, requests)
      guard let signer = Signer(named: "sigv4") else { throw .unusable("there is no sigv4") }
      let identity = SigningIdentity(signer, texts: texts, secrets: [:]).with(keys, for: profile)
      return SigningIdentity(signer, texts: identity.texts, secrets: identity.secrets.atSTS(origin))
    }
  }

  /// STS writes XML, and JSON if that is asked for; both say the same with the same names.
  private static func keys(in text: String, _ status: Int, _ url: String) throws(SignInError) -> AWSKeys.Temporary {
    func value(_ name: String) -> String? {
      if let start = text.firstRange(of: "<\(name)>"), let end = text[start.upperBound...].firstRange(of: "</") {
        return String(text[start.upperBound..<end.lowerBound])
      }
      guard let start = text.firstRange(of: "\"\(name)\":") else { return nil }
      let rest = text[start.upperBound...].drop { $0 == " " }
      if rest.first == "\"" { return String(rest.dropFirst().prefix { $0 != "\"" }) }
      return String(rest.prefix { !",}".contains($0) })
    }
    guard status == 200 else {
      throw .refused(
        SignInRefusal(
          error: value("Code") ?? "\(status)", description: value("Message"), endpoint: url, status: status))
    }
    guard let key = value("AccessKeyId"), let secret = value("SecretAccessKey"), let token = value("SessionToken")
    else {
      throw .unusable("\(url) responded without keys")
    }
    return AWSKeys.Temporary(
      key: key, secret: secret, token: token, expires: value("Expiration").flatMap(AWSTime.parse))
  }
}

extension AWSRole {
  /// Of STS in its region.
  fileprivate var endpoint: String { endpointURL ?? "https://sts.\(region).amazonaws.com/" }
}

extension [String: Secret] {
  /// The session token is sent, the rest is not.
  fileprivate func atSTS(_ origin: Origin) -> [String: Secret] {
    mapValues { secret in
      secret.withExposedText { Secret($0, name: secret.name, for: secret.origins + [OriginPattern(origin)]) }
    }
  }
}
