import Canaries
import HTTPTypes
import Requests
import Testing

@testable import UploaderCore

/// A server that calls tokens invalid, and what is sent to it.
struct CredentialRoundTests {
  private static let invalid: Result<Response, TransportError> = .success(
    Response(status: .unauthorized, headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""]))
  private static let fine: Result<Response, TransportError> = .success(Response(status: .ok))

  /// Gives out one token after another.
  private final class Tokens: CredentialSource {
    let expires: Duration
    init(expires: Duration) { self.expires = expires }

    func token(
      for settings: OAuthSettings, of profile: SessionProfile, refused: Secret?, through requests: SideRequests
    ) async throws(SignInError) -> AccessToken {
      AccessToken(Secret(Canary.secret("rounds"), name: "token", for: profile.origins), expires: expires)
    }

    func identity(
      for identity: SigningIdentity, of profile: SessionProfile, through requests: SideRequests
    ) async throws(SignInError) -> SigningIdentity { identity }
  }

  private func sent(_ replies: [Result<Response, TransportError>], tokensEnd expires: Duration) async throws -> (
    Int, Exchange
  ) {
    let transport = FakeTransport(replies)
    let settings = OAuthSettings(flow: .browser, issuer: "https://login.test", clientID: "w")
    let profile = SessionProfile(
      name: "api", base: try BaseURL("https://api.test"), credential: .oauth(settings))
    var uploader = Uploader(transport: transport, profiles: [profile])
    uploader.credentials = Tokens(expires: expires)
    let request = RequestDescription.inMemory(InMemoryRequestDescription(RequestHead(.post, .url("https://api.test/"))))
    var run = SequenceRun(ArrayRequestSequence([{ _ in request }]))
    do { try await uploader.run(&run) } catch { guard case .expectations = error.fact else { throw error } }
    return (transport.requests.count, try #require(run.lastExchange))
  }

  @Test func `a token that should be good is replaced once`() async throws {
    let later = Duration.seconds(10_000_000_000)
    let (count, exchange) = try await sent([Self.invalid, Self.fine], tokensEnd: later)
    #expect(count == 2 && exchange.response.status.code == 200)
    #expect(exchange.token == SentToken(origin: "oauth browser, w at https://login.test", expires: later))
    let (twice, refused) = try await sent([Self.invalid, Self.invalid, Self.fine], tokensEnd: later)
    #expect(twice == 2 && refused.response.status.code == 401)
  }

  @Test func `one that ended on its way is replaced three times at most`() async throws {
    let (count, exchange) = try await sent([Self.invalid, Self.invalid, Self.fine], tokensEnd: .seconds(1))
    #expect(count == 3 && exchange.response.status.code == 200)
    let (most, refused) = try await sent((0..<9).map { _ in Self.invalid }, tokensEnd: .seconds(1))
    #expect(most == 5 && refused.response.status.code == 401)
  }
}
