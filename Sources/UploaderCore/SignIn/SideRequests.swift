internal import HTTPTypes
public import Requests

/// Requests that are no steps of a run: for tokens, for keys. They go by the rules of all others, through the profile
/// whose origins match, but no credential of a profile goes along, no redirect is followed, and no journal knows of
/// them.
public struct SideRequests: Sendable {
  let profiles: SessionProfiles
  let transport: any Transport
  /// What time it is for signatures and expiry dates, and how to wait between requests: the clock of the run.
  public let clock: UploadClock
  let cache: PreparationCache
  /// What the run knows to be secret.
  let known: @Sendable () -> Set<Secret>
  let tell: @Sendable (Set<Secret>) -> Void

  /// The largest response that is read, in bytes.
  private static let limit = 1 << 20

  /// These are secrets of the run from now on: to be called before they are used anywhere.
  public func learn(_ secrets: Set<Secret>) { tell(secrets) }

  /// The origin that a request to this URL would reach; nil: it is none.
  public func origin(of url: String) -> Origin? { try? transport.origin(of: url) }

  /// Sends one request, once.
  ///
  /// - Parameter timeout: unless the description or the profile has one.
  public func send(
    _ description: RequestDescription, timeout: Duration = .seconds(30)
  ) async throws(UploadError) -> Response {
    var description = description
    // What it proves itself with is not the profile's.
    description.head.sendsCredential = description.head.signer != nil
    description.head.redirects = 0
    description.head.limit = Self.limit
    let prepared = try PreparedRequest(
      description, profiles: profiles, secrets: known(), boundary: "", now: clock.now(), cache: cache,
      origin: transport.origin)
    var request = prepared.request
    if request.timeout == nil { request.timeout = timeout }
    do {
      return try await transport.send(request) { _ in }.response
    } catch {
      throw UploadError(.transport(error, origin: prepared.origin), in: description.head)
    }
  }
}
