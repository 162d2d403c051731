import Canaries
import HTTPTypes
import OfflineTransport
import Requests
import Testing
import UploaderCore

/// What one uploader keeps from request to request.
@Suite struct PreparationCacheTests {
  private static func profile(_ name: String, _ credential: (Secret) -> Credential) throws -> SessionProfile {
    let base = try BaseURL("https://\(name).example.com")
    let secret = Secret(Canary.secret("cache-\(name)"), name: name, for: [OriginPattern(base.origin)])
    return SessionProfile(name: name, base: base, credential: credential(secret))
  }

  @Test func `each request has the credential of its own profile, whoever was before it`() throws {
    let profiles = try [
      Self.profile("one") { .bearer($0) }, Self.profile("two") { .bearer($0) },
      Self.profile("three") { .header(HTTPField.Name("X-Key")!, $0) },
      Self.profile("four") { .basic(user: "ann", password: $0) },
      SessionProfile(name: "none", base: BaseURL("https://n.example")),
    ]
    let uploader = Uploader(transport: FakeTransport(statuses: []), profiles: SessionProfiles(profiles))
    for name in ["one", "one", "two", "one", "three", "none", "four", "two", "three", "three"] {
      let head = RequestHead(.get, .path("/x", profile: name)) { $0.headers[.accept] = "*/*" }
      let headers = try uploader.prepare(.inMemory(InMemoryRequestDescription(head))).request.headers
      let secret = Canary.secret("cache-\(name)")
      let expected: HTTPFields =
        switch name {
        case "three": [.accept: "*/*", HTTPField.Name("X-Key")!: secret]
        case "four": [.accept: "*/*", .authorization: BasicCredential(user: "ann", password: secret).field]
        case "none": [.accept: "*/*"]
        default: [.accept: "*/*", .authorization: "Bearer \(secret)"]
        }
      #expect(headers == expected, "\(name): \(headers)")
      let bare = RequestHead(.get, .path("/x", profile: name))
      let alone = try uploader.prepare(.inMemory(InMemoryRequestDescription(bare))).request.headers
      #expect(Array(alone) == Array(expected.dropFirst()), "\(name): \(alone)")
    }
  }
}
