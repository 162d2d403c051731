package import RequestProgram
package import Requests
internal import SignIn
package import UploaderCore

/// A URL to be signed with the keys of a profile.
package struct PresignOrder: Hashable, Sendable {
  /// nil: the only one that signs.
  package var profile: String?
  package var method: String
  package var path: String
  package var lifetime: Duration

  package init(profile: String?, method: String, path: String, lifetime: Duration) {
    self.profile = profile
    self.method = method
    self.path = path
    self.lifetime = lifetime
  }
}

extension Session {
  /// The URL, signed with keys that may have to be asked for first. It is for whoever asked, and nobody else.
  package func presign(
    _ order: PresignOrder, of sequence: ProgramRequestSequence
  ) async -> Result<String, PresignFailure> {
    let profiles = sequence.profiles ?? SessionProfiles()
    do {
      let (profile, identity, base) = try profiles.signing(named: order.profile)
      let requests = sideRequests(of: sequence)
      let whole = try await world.signIn.identity(for: identity, of: profile, through: requests)
      return .success(
        try whole.presign(
          method: order.method, path: order.path, base: base, lifetime: order.lifetime, now: world.clock.now()))
    } catch let error as PresignError {
      return .failure(.order(error))
    } catch let error as SignInError {
      return .failure(.keys(error, profile: order.profile ?? "the profile"))
    } catch {
      return .failure(.keys(.unusable("\(error)"), profile: order.profile ?? "the profile"))
    }
  }
}

/// Why a URL was not signed.
package enum PresignFailure: Error, Sendable {
  case order(PresignError)
  case keys(SignInError, profile: String)
}
