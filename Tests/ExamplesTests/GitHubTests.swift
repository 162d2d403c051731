import GitHub
import LibcurlTransport
import Requests
import Sandbox
import Testing
import UploaderCore

/// The zen and the authenticated user of the third seed.
@Suite(.timeLimit(.minutes(5))) struct GitHubTests {
  @Test func `the zen is text, the user is the token's owner`() async throws {
    try await Sandbox.run { endpoints in
      let gitHub = Uploader(
        transport: CurlTransport(), profiles: [try .api(endpoints.api, token: endpoints.token)])
      #expect(try await gitHub.send(.zen) == "Keep it logically awesome.")
      #expect(try await gitHub.send(.authenticatedUser).login == "sandbox")
      #expect(try await gitHub.send(Request.authenticatedUser.map(\.id)) == 1)
    }
  }

  @Test func `without a token there is a zen, but no user`() async throws {
    try await Sandbox.run { endpoints in
      let gitHub = Uploader(transport: CurlTransport(), profiles: [try .api(endpoints.api)])
      #expect(try await gitHub.send(.zen).isEmpty == false)
      await #expect(throws: RequestFailure.self) { try await gitHub.send(.authenticatedUser) }
    }
  }
}
