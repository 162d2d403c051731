import Canaries
import HTTPTypes
import OfflineTransport
import Requests
import Testing
import UploaderCore

@Suite struct PreparedRequestTests {
  private static let canary = Canary.secret("prepared")

  private static func api() throws -> SessionProfile {
    let base = try BaseURL("https://api.example.com/v1")
    let token = Secret(canary, name: "API_TOKEN", for: [OriginPattern(base.origin)])
    return SessionProfile(
      name: "api", base: base, credential: .bearer(token), headers: [.accept: "application/json"],
      query: [QueryItem(name: "tenant", value: "a b")], timeout: .seconds(10))
  }

  private func prepare(_ head: RequestHead, profiles: SessionProfiles? = nil) throws -> PreparedRequest {
    try prepare(.inMemory(InMemoryRequestDescription(head)), profiles: profiles)
  }

  private func prepare(
    _ description: RequestDescription, profiles: SessionProfiles? = nil
  ) throws -> PreparedRequest {
    let transport = FakeTransport(statuses: [])
    return try PreparedRequest(
      description, profiles: profiles ?? SessionProfiles([Self.api()]),
      secrets: [],
      boundary: "B", now: .zero, origin: transport.origin)
  }

  @Test func `a path gets the base, the credential and the defaults of the profile in use`() throws {
    let prepared = try prepare(RequestHead(.get, .path("/sheets?x=1", profile: nil)))
    #expect(prepared.request.url == "https://api.example.com/v1/sheets?x=1&tenant=a%20b")
    #expect(prepared.request.headers[.authorization] == "Bearer \(Self.canary)")
    #expect(prepared.request.headers[.accept] == "application/json")
    #expect(prepared.request.timeout == .seconds(10))
    #expect(prepared.withheld.isEmpty)
  }

  @Test(arguments: [
    "https://bucket.s3.example.com/", "http://api.example.com/v1/", "https://api.example.com:8443/v1",
    "https://api.example.com.evil.org/",
  ])
  func `another origin gets nothing, and that is reported`(url: String) throws {
    let prepared = try prepare(RequestHead(.post, .url(url)))
    #expect(prepared.request.headers.isEmpty)
    #expect(prepared.request.url == url)
    #expect(prepared.profile == "anonymous")
    #expect(
      prepared.withheld == [
        WithheldCredential(.header(.authorization), origins: [try OriginPattern("https://api.example.com")])
      ])
  }

  @Test func `nothing is withheld where the request has one of its own`() throws {
    let own = try prepare(
      RequestHead(.post, .url("https://bucket.s3.example.com/")) { $0.headers[.authorization] = "Bearer mine-1234" })
    #expect(own.request.headers[.authorization] == "Bearer mine-1234")
    #expect(own.withheld.isEmpty)
  }

  @Test func `of the profile in use nothing is said where another is named`() throws {
    let base = try BaseURL("https://api.example.com")
    let token = Secret(Self.canary, name: "TOKEN", for: [OriginPattern(base.origin)])
    let profiles = SessionProfiles(
      [
        SessionProfile(name: "api", base: base, credential: .bearer(token)),
        SessionProfile(name: "other", base: try BaseURL("https://b.example")),
      ], current: "api")
    #expect(try prepare(RequestHead(.get, .path("/x", profile: "other")), profiles: profiles).withheld.isEmpty)
    #expect(try prepare(RequestHead(.get, .url("https://b.example/x")), profiles: profiles).withheld.count == 1)
  }

  @Test func `with none in use, what an origin of none may have been expected to get is said`() throws {
    func profile(_ name: String, _ text: String, _ credential: Bool = true) throws -> SessionProfile {
      let base = try BaseURL(text)
      let token = Secret(Self.canary, name: "TOKEN", for: [OriginPattern(base.origin)])
      return SessionProfile(name: name, base: base, credential: credential ? .bearer(token) : nil)
    }
    let profiles = SessionProfiles([
      try profile("a", "https://a.example"), try profile("b", "https://b.example"),
      try profile("storage", "https://storage.example", false),
    ])
    let other = try prepare(RequestHead(.put, .url("https://bucket.example/x")), profiles: profiles)
    #expect(
      other.withheld == [
        WithheldCredential(
          .header(.authorization),
          origins: [try OriginPattern("https://a.example"), try OriginPattern("https://b.example")])
      ])
    for url in ["https://a.example/x", "https://storage.example/x"] {
      #expect(try prepare(RequestHead(.get, .url(url)), profiles: profiles).withheld.isEmpty)
    }
    let without = RequestHead(.put, .url("https://bucket.example/x")) { $0.sendsCredential = false }
    #expect(try prepare(without, profiles: profiles).withheld.isEmpty)
  }

  @Test func `naming a profile does not carry its credential to another origin`() throws {
    let prepared = try prepare(RequestHead(.get, .url("https://evil.example/")) { $0.profile = "api" })
    #expect(prepared.profile == "api")
    #expect(prepared.request.headers.isEmpty)
    #expect(prepared.request.url == "https://evil.example/")
    #expect(prepared.withheld.count == 1)
  }

  @Test func `of a profile's network settings another origin gets only the version and the proxy`() throws {
    let proxy = try Proxy("http://proxy.example:3128")
    let network = NetworkSettings(
      tls: .init(
        authorities: "/etc/own.pem", certificate: "/etc/me.pem", key: "/etc/me.key", minimum: .tls13, isInsecure: true),
      version: .http1, proxy: proxy,
      resolve: [
        try .init(host: "api.example.com", address: "127.0.0.1"), try .init(host: "evil.example", address: "127.0.0.2"),
      ], unixSocket: "/run/api.sock", keepsCookies: true)
    var api = try Self.api()
    api.network = network
    let profiles = SessionProfiles([api])
    let own = try prepare(RequestHead(.get, .path("/x", profile: "api")), profiles: profiles)
    #expect(own.request.network == network)
    let other = try prepare(RequestHead(.get, .url("https://evil.example/")) { $0.profile = "api" }, profiles: profiles)
    #expect(other.request.network == NetworkSettings(version: .http1, proxy: proxy))
    #expect(other.request.network.tls == NetworkSettings.TLS())
    #expect(other.request.network.resolve.isEmpty && other.request.network.unixSocket == nil)
    #expect(!other.request.network.keepsCookies)
    let unnamed = try prepare(RequestHead(.get, .url("https://evil.example/")), profiles: profiles)
    #expect(unnamed.request.network == NetworkSettings())
  }

  @Test func `a URL of the profile's own origin gets the credential`() throws {
    let prepared = try prepare(RequestHead(.get, .url("https://API.example.com/other")))
    #expect(prepared.request.headers[.authorization] == "Bearer \(Self.canary)")
  }

  @Test func `a step's own headers win over the profile's`() throws {
    let prepared = try prepare(
      RequestHead(.get, .path("/x", profile: "api")) { $0.headers = [.accept: "text/csv", .authorization: "Basic x"] })
    #expect(prepared.request.headers[values: .accept] == ["text/csv"])
    #expect(prepared.request.headers[values: .authorization] == ["Basic x"])
    #expect(prepared.credential == nil)
  }

  @Test func `a step without authentication sends none`() throws {
    let prepared = try prepare(RequestHead(.get, .path("/x", profile: nil)) { $0.sendsCredential = false })
    #expect(!prepared.request.headers.contains(.authorization))
    #expect(prepared.withheld.isEmpty)
  }

  @Test func `a secret in a request goes to its own origins or nowhere`() throws {
    let origins = [try OriginPattern("https://api.example.com")]
    let secret = Secret(Self.canary, name: "KEY", for: origins)
    #expect(throws: Never.self) {
      try prepare(RequestHead(.get, .path("/x", profile: nil)) { $0.secrets = [secret] })
    }
    let error = #expect(throws: UploadError.self) {
      try prepare(RequestHead(.get, .url("https://evil.example/?k=\(Self.canary)")) { $0.secrets = [secret] })
    }
    guard case .secretRefused(let refused, let origin) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refused == secret)
    #expect(origin == Origin(scheme: .https, host: "evil.example"))
    // What was made from it may have none of its forms.
    #expect(throws: UploadError.self) {
      try prepare(RequestHead(.get, .url("https://evil.example/")) { $0.secrets = [secret] })
    }
  }

  fileprivate static func stray(body: String) -> RequestDescription {
    let head = RequestHead(.post, .url("https://evil.example/"))
    return .inMemory(InMemoryRequestDescription(head, body: .init(Array(body.utf8), contentType: "text/plain")))
  }

  /// Where a request may contain a secret unknowingly: an echo, or what an earlier request had sent.
  enum Place: CaseIterable {
    case url, header, body, longerBody, hexBody, part

    func request(containing text: String) -> RequestDescription {
      switch self {
      case .url:
        let head = RequestHead(.get, .url("https://evil.example/?k=\(text)"))
        return .inMemory(InMemoryRequestDescription(head))
      case .header:
        let head = RequestHead(.get, .url("https://evil.example/")) { $0.headers = [.userAgent: text] }
        return .inMemory(InMemoryRequestDescription(head))
      case .body: return PreparedRequestTests.stray(body: text)
      case .longerBody: return PreparedRequestTests.stray(body: "{\"a\": \"x\(text)y\"}")
      case .hexBody:
        let digits = text.utf8.map { "\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }
        return PreparedRequestTests.stray(body: digits.joined())
      case .part:
        let parts = [MultipartPart(name: "a", content: .bytes(Array(text.utf8)))]
        let head = RequestHead(.post, .url("https://evil.example/"))
        return .multipart(MultipartRequestDescription(head, parts: parts))
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `a secret that a request contains unknowingly is found`(place: Place) throws {
    let error = #expect(throws: UploadError.self) { try prepare(place.request(containing: Self.canary)) }
    guard case .secretRefused(let refused, _) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refused.name == "API_TOKEN")
  }

  @Test(arguments: [
    ("passenger", false), ("a trespass", false), ("%20compass", false), (#"\ncompass"#, false), ("Password", false),
    ("pass", true), ("my pass", true), ("a=pass&b", true), ("pass1", true), ("%0Apass", true), (#"x\npass"#, true),
    (#"x\u000apass"#, true), ("x%5Cnpass", true), ("p%61ss", true), ("cGFzcw==", true), ("passenger, pass", true),
    ("%3Dpass", true),
  ])
  func `a word of the language is no secret as part of a longer word`(body: String, isSecret: Bool) throws {
    let secret = Secret("pass", name: "WORD", for: [try OriginPattern("https://api.example.com")])
    let profiles = SessionProfiles([
      SessionProfile(name: "p", base: try BaseURL("https://api.example.com"), credential: .bearer(secret))
    ])
    let request = { _ = try self.prepare(Self.stray(body: body), profiles: profiles) }
    if isSecret { #expect(throws: UploadError.self) { try request() } } else { try request() }
    #expect(SecretSearch([secret]).found(in: body) == (isSecret ? [secret] : []))
    #expect((Redactor([secret]).redact(body) != body) == isSecret)
    #expect((SecretMarkers([secret]).conceal(body) != body) == isSecret)
  }

  @Test func `a path without a profile in use is an error`() throws {
    let error = #expect(throws: UploadError.self) {
      try prepare(RequestHead(.get, .path("/x", profile: nil)), profiles: SessionProfiles())
    }
    guard case .profile(let fact) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(fact == .noneInUse(path: "/x", known: []))
  }

  @Test func `basic credentials are base64 of user and password`() throws {
    let base = try BaseURL("https://h.example")
    let password = Secret("open sesame", name: "P", for: [OriginPattern(base.origin)])
    let profile = SessionProfile(name: "p", base: base, credential: .basic(user: "Aladdin", password: password))
    let prepared = try prepare(RequestHead(.get, .path("/", profile: nil)), profiles: SessionProfiles([profile]))
    #expect(prepared.request.headers[.authorization] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
  }

  @Test func `only what must happen once asks for a connection of its own`() throws {
    #expect(try prepare(RequestHead(.post, .path("/", profile: nil))).request.needsFreshConnection)
    #expect(try !prepare(RequestHead(.put, .path("/", profile: nil))).request.needsFreshConnection)
    #expect(
      try !prepare(RequestHead(.post, .path("/", profile: nil)) { $0.effect = .idempotent }).request
        .needsFreshConnection)
  }

  @Test(arguments: [("", true), ("abc", true), ("é1", true), ("abcd", false), ("éé", false)])
  func `a secret that could not be hidden is not sent`(text: String, isRefused: Bool) throws {
    let base = try BaseURL("https://api.example")
    let secret = Secret(text, name: "PIN", for: [OriginPattern(base.origin)])
    let credentials: [Credential?] = [.bearer(secret), .basic(user: "u", password: secret), nil]
    for credential in credentials {
      let profile = SessionProfile(
        name: "p", base: base, credential: credential, otherSecrets: credential == nil ? [secret] : [])
      let error: UploadError?
      do throws(UploadError) {
        let head = RequestHead(.get, .path("/", profile: nil))
        _ = try PreparedRequest(
          .inMemory(InMemoryRequestDescription(head)), profiles: [profile], secrets: [], boundary: "b", now: .zero
        ) { url throws(TransportError) in base.origin }
        error = nil
      } catch let failure {
        error = failure
      }
      if case .profile(.secretTooShort(secret))? = error?.fact {
        #expect(isRefused)
      } else {
        #expect(error == nil && !isRefused)
      }
    }
  }
}
