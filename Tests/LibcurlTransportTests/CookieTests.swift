import HTTPTypes
import LoopbackServer
import Requests
import Testing

@testable import LibcurlTransport
@testable import UploaderCore

@Suite(.timeLimit(.minutes(5))) struct CookieTests {
  @Test(arguments: [
    ("com", true), ("co.uk", true), ("example.com", false), ("s3.amazonaws.com", true), ("b.s3.amazonaws.com", false),
    ("github.io", true),
  ])
  func `the list of public suffixes is libcurl's`(domain: String, isPublic: Bool) {
    #expect(PublicSuffixes.contains(domain) == isPublic)
  }

  private static let now = Duration.seconds(1_800_000_000)

  @Test(arguments: [
    ("https://a.co.uk/", "x=1; Domain=co.uk", "https://b.co.uk/", false),
    ("https://a.co.uk/", "x=1; Domain=a.co.uk", "https://b.a.co.uk/", true),
    ("https://app.github.io/", "x=1; Domain=github.io", "https://other.github.io/", false),
    ("https://a.example/", "x=1", "https://b.a.example/", false),
    ("https://a.example/", "x=1; Domain=b.example", "https://b.example/", false),
    ("https://a.example/", "x=1; Secure", "http://a.example/", false),
    // Not for its port alone.
    ("https://a.example/", "x=1; Secure", "http://a.example:443/", false),
    ("https://a.example/", "x=1", "http://a.example:443/", true),
    ("https://a.example/", "x=1; Secure", "https://a.example/", true),
    ("http://a.example/", "x=1; Secure", "https://a.example/", false),
    ("https://a.example/", "__Host-x=1; Secure; Path=/", "https://a.example/y", true),
    ("https://a.example/", "__Host-x=1; Secure; Domain=a.example; Path=/", "https://a.example/", false),
    ("https://a.example/", "__Secure-x=1", "https://a.example/", false),
    ("http://1.2.3.4/", "x=1; Domain=2.3.4", "http://9.2.3.4/", false),
    ("https://a.example/", "x=1", "https://a.example:8443/", false),
    ("https://a.example:8443/", "x=1", "https://a.example:8443/", true),
    ("https://a.example/a/b", "x=1", "https://a.example/a/c", true),
    ("https://a.example/a/b", "x=1", "https://a.example/ab", false),
    ("https://a.example/", "x=1; Max-Age=0", "https://a.example/", false),
    ("https://a.example/", "x=1; Max-Age=99999999999999999999", "https://a.example/", true),
    ("https://a.example/", "x=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "https://a.example/", false),
    ("https://a.example/", "x=\(String(repeating: "a", count: 5000))", "https://a.example/", false),
    ("https://a.example/", "x=1\u{1}", "https://a.example/", false),
  ])
  func `a cookie is sent where it may be`(origin: String, header: String, target: String, goes: Bool) throws {
    var jar = CookieJar()
    jar.receive(header, from: try Self.place(origin), now: Self.now, isPublicSuffix: PublicSuffixes.contains)
    #expect(jar.cookies(for: try Self.place(target), now: Self.now).isEmpty == !goes)
  }

  private static func place(_ url: String) throws -> CookiePlace {
    let base = try BaseURL(url)
    return CookiePlace(origin: base.origin, path: base.path.isEmpty ? "/" : base.path)
  }

  /// The port is the same, as on a server that speaks both: cookies of other ports are sent elsewhere anyway.
  @Test(arguments: [
    ("sid=good; Secure", "http://b.a.example:443/", "sid=evil"),
    ("sid=good; Secure", "http://b.a.example:443/", "sid=evil; Path=/x"),
    ("sid=good; Secure", "http://b.a.example:443/", "sid=evil; Max-Age=0"),
    ("sid=good; Secure", "http://b.a.example:443/", "sid=evil; Domain=a.example; Path=/x"),
    ("sid=good; Secure", "http://a.example:443/", "sid=evil; Domain=a.example; Path=/x"),
    ("sid=good; Secure; Domain=a.example", "http://b.a.example:443/", "sid=evil; Path=/x"),
    ("sid=good; Secure; Domain=a.example", "http://c.a.example:443/", "sid=evil; Domain=a.example"),
  ])
  func `a cookie set over https is not replaced, removed or shadowed over http`(
    header: String, place: String, evil: String
  ) throws {
    var jar = CookieJar()
    let secure = try Self.place("https://b.a.example/x/y")
    jar.receive("\(header); Path=/", from: secure, now: Self.now) { _ in false }
    jar.receive(evil, from: try Self.place(place), now: Self.now) { _ in false }
    #expect(jar.cookies(for: secure, now: Self.now).map(\.value) == ["good"])
  }

  @Test func `a cookie with another name, another host or no https attribute can be set over http`() throws {
    var jar = CookieJar()
    let (secure, plain) = (try Self.place("https://a.example/"), try Self.place("http://a.example:443/"))
    jar.receive("sid=1; Secure", from: secure, now: Self.now) { _ in false }
    jar.receive("lang=1", from: secure, now: Self.now) { _ in false }
    jar.receive("lang=2", from: plain, now: Self.now) { _ in false }
    jar.receive("other=3", from: plain, now: Self.now) { _ in false }
    jar.receive("sid=4", from: try Self.place("http://xa.example:443/"), now: Self.now) { _ in false }
    #expect(jar.all.map { "\($0.name)=\($0.value)" } == ["sid=1", "lang=2", "other=3", "sid=4"])
  }

  @Test func `a jar filled over http keeps the cookies set over https`() throws {
    var jar = CookieJar()
    let (secure, plain) = (try Self.place("https://a.example/"), try Self.place("http://a.example/"))
    jar.receive("sid=good; Secure", from: secure, now: Self.now) { _ in false }
    for number in 0..<1000 { jar.receive("c\(number)=1", from: plain, now: Self.now) { _ in false } }
    #expect(jar.all.count == CookieJar.domainLimit)
    #expect(jar.cookies(for: secure, now: Self.now).map(\.value) == ["good"])
  }

  @Test func `a server cannot fill the jar`() throws {
    var jar = CookieJar()
    let place = try Self.place("https://a.example/")
    for number in 0..<1000 { jar.receive("c\(number)=1", from: place, now: Self.now) { _ in false } }
    #expect(jar.all.count == CookieJar.domainLimit)
    #expect(jar.all.last?.name == "c999")
  }

  @Test func `cookies are kept by profile, are sent to its origins only, and can be seen and forgotten`() async throws {
    let own = try LoopbackServer { connection in
      while let head = try connection.readHead() {
        try connection.respond(headers: head.contains("/login") ? ["Set-Cookie: sid=canary; Path=/"] : [])
      }
    }
    let other = try LoopbackServer { connection in
      while try connection.readHead() != nil { try connection.respond() }
    }
    let keeping = NetworkSettings(keepsCookies: true)
    let first = SessionProfile(name: "first", base: try BaseURL(own.url), network: keeping)
    // The same server under another name, for the second profile.
    let second = SessionProfile(
      name: "second", base: try BaseURL("http://localhost:\(own.port)"), network: keeping)
    let uploader = Uploader(
      transport: CurlTransport(), profiles: SessionProfiles([first, second], current: "first"))

    func get(_ target: RequestTarget, with profile: String? = nil, cookie: String? = nil) async throws -> String? {
      var head = RequestHead(.get, target)
      head.profile = profile
      head.headers[.cookie] = cookie
      var run = SequenceRun(ArrayRequestSequence([{ [head] _ in .inMemory(InMemoryRequestDescription(head)) }]))
      try await uploader.run(&run)
      return run.lastExchange?.request.headers[.cookie]
    }
    #expect(try await get(.path("/login", profile: "first")) == nil)
    #expect(try await get(.path("/x", profile: "first")) == "sid=canary")
    #expect(try await get(.path("/x", profile: "first"), cookie: "mine=1; too=2") == "mine=1; too=2; sid=canary")
    // They are all in one field (RFC 6265 §5.4).
    #expect(own.requests.last?.contains("\r\nCookie: mine=1; too=2; sid=canary\r\n") == true)
    // A cookie of the request's own has precedence, and with an empty header none is sent.
    #expect(try await get(.path("/x", profile: "first"), cookie: "a=1; sid=mine") == "a=1; sid=mine")
    #expect(try await get(.path("/x", profile: "first"), cookie: "") == "")
    #expect(try await get(.path("/login", profile: "first"), cookie: "sid=mine") == "sid=mine")
    // What is not a pair is a cookie as well.
    #expect(try await get(.path("/x", profile: "first"), cookie: "word") == "word; sid=canary")
    // A profile that does not keep cookies sends none, whatever was kept under its name.
    let closed = Uploader(
      transport: CurlTransport(),
      profiles: SessionProfiles([SessionProfile(name: "first", base: try BaseURL(own.url))]),
      cookies: uploader.cookies)
    var run = SequenceRun(
      ArrayRequestSequence([
        { _ in .inMemory(InMemoryRequestDescription(RequestHead(.get, .path("/x", profile: "first")))) }
      ]))
    try await closed.run(&run)
    #expect(run.lastExchange.map { $0.request.headers.contains(.cookie) } == false)
    #expect(try await get(.path("/x", profile: "second")) == nil)
    #expect(try await get(.url(other.url + "/x"), with: "first") == nil)
    #expect(!other.requests.contains { $0.contains("canary") })

    #expect(uploader.cookies.profiles == ["first"])
    #expect(uploader.cookies.cookies(of: "first").map(\.name) == ["sid"])
    uploader.cookies.clear("first")
    #expect(try await get(.path("/x", profile: "first")) == nil)
  }
}
