import Canaries
import Requests
import Testing

@Suite struct SessionProfilesTests {
  private func profile(_ name: String, _ patterns: String...) throws -> SessionProfile {
    SessionProfile(name: name, otherOrigins: try patterns.map(OriginPattern.init))
  }

  @Test func `the most specific pattern wins, whatever the order`() throws {
    let wide = try profile("wide", "https://*.example.com")
    let exact = try profile("exact", "https://api.example.com")
    let origin = try Origin("https://api.example.com")
    #expect(try SessionProfiles([wide, exact]).profile(for: origin).name == "exact")
    #expect(try SessionProfiles([exact, wide]).profile(for: origin).name == "exact")
  }

  @Test func `two equally good matches are an error that names both`() throws {
    let profiles = SessionProfiles([try profile("a", "https://h.example"), try profile("b", "https://h.example")])
    let origin = try Origin("https://h.example")
    #expect(throws: ProfileError.ambiguous(origin, ["a", "b"])) { try profiles.profile(for: origin) }
  }

  @Test func `an origin that nobody claims gets the anonymous profile`() throws {
    let profiles = SessionProfiles([try profile("a", "https://h.example")])
    #expect(try profiles.profile(for: Origin("https://other.example")) == .anonymous)
  }

  @Test func `the only profile with a base is the one in use`() throws {
    let api = SessionProfile(name: "api", base: try BaseURL("https://api.example.com"))
    let bucket = try profile("bucket", "https://*.s3.example.com")
    #expect(SessionProfiles([bucket, api]).current == "api")
    let second = SessionProfile(name: "second", base: try BaseURL("https://b.example.com"))
    #expect(SessionProfiles([api, second]).current == nil)
  }

  @Test func `a secret does not print itself`() throws {
    let secret = Secret(Canary.secret("unprintable"), name: "TOKEN", for: [])
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), "\(Credential.bearer(secret))", dumped] {
      #expect(!text.contains("unprintable"))
    }
  }
}
