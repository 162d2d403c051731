internal import HTTPTypes
internal import JSONValue
package import Requests
internal import Synchronization
package import UploaderCore

/// Keys of AWS that are somewhere else: in a machine's metadata, or given for a role.
final class AWSKeys: Sendable {
  /// Keys for a while.
  struct Temporary: Hashable, Sendable {
    var key: String
    var secret: String
    var token: String?
    /// Since 1970; nil: for ever.
    var expires: Duration?

    /// They are replaced five minutes before their end.
    func isFresh(at now: Duration) -> Bool { expires.map { now < $0 - .seconds(300) } ?? true }
  }

  /// Runs a program for its output; nil: none may be run.
  private let run: (@Sendable (_ line: String) throws -> String)?

  init(run: (@Sendable (String) throws -> String)?) {
    self.run = run
  }

  private let known = Mutex<[AWSKeySource: Temporary]>([:])
  private let flights = SingleFlight<AWSKeySource, Temporary, SignInError>()

  func keys(
    _ source: AWSKeySource, _ profile: SessionProfile, _ requests: SideRequests
  ) async throws(SignInError) -> Temporary {
    let now = requests.clock.now()
    if let keys = known.withLock({ $0[source] }), keys.isFresh(at: now) { return keys }
    let result = await flights.result(for: source) {
      do throws(SignInError) {
        let keys =
          switch source {
          case .machine: try await MachineKeys(requests: requests).keys()
          case .command(let name): try self.exported(name)
          case .role(let role, let taker):
            try await RoleKeys(role: role, taker: taker, profile: profile, requests: requests).keys(self)
          }
        self.known.withLock { $0[source] = keys }
        return .success(keys)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// What the aws command prints, which may have signed in or run another program.
  private func exported(_ name: String) throws(SignInError) -> Temporary {
    guard let run else { throw .unusable("no program may be run here for the keys of \"\(name)\"") }
    let quoted = "'\(name.replacing("'", with: "'\\''"))'"
    let text: String
    do {
      text = try run("aws configure export-credentials --profile \(quoted) --format process")
    } catch {
      throw .unusable(
        "the aws command gave no keys of \"\(name)\": \(error)", advice: "aws sso login --profile \(name)")
    }
    guard let json = try? JSON(parsing: Array(text.utf8)), let key = json["AccessKeyId"]?.string,
      let secret = json["SecretAccessKey"]?.string
    else { throw .unusable("the aws command printed no keys of \"\(name)\"") }
    return Temporary(
      key: key, secret: secret, token: json["SessionToken"]?.string,
      expires: json["Expiration"]?.string.flatMap(AWSTime.parse))
  }
}

extension SignInService {
  package func identity(
    for identity: SigningIdentity, of profile: SessionProfile, through requests: SideRequests
  ) async throws(SignInError) -> SigningIdentity {
    guard let source = identity.source else { return identity }
    let keys = try await keys.keys(source, profile, requests)
    let whole = identity.with(keys, for: profile)
    requests.learn(Set(whole.secrets.values))
    return whole
  }
}

extension SigningIdentity {
  /// The same with these keys, which are secrets of the profile.
  func with(_ keys: AWSKeys.Temporary, for profile: SessionProfile) -> SigningIdentity {
    var texts = texts
    texts["key"] = keys.key
    var secrets = ["secret": Secret(keys.secret, name: "\(profile.name)'s secret", for: profile.origins)]
    secrets["token"] = keys.token.map { Secret($0, name: "\(profile.name)'s session token", for: profile.origins) }
    return SigningIdentity(signer, texts: texts, secrets: secrets)
  }
}
