import Requests
import Testing

@Suite struct OriginTests {
  @Test(arguments: [
    ("https://api.example.com", "https://api.example.com"),
    ("HTTPS://API.Example.com", "https://api.example.com"),
    ("https://api.example.com:443", "https://api.example.com"),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ("http://[::1]:80/", "http://[::1]"),
    ("http://[FE80::1%25Eth0]:8080", "http://[fe80::1%25Eth0]:8080"),
  ])
  func `an origin is read as people write it`(text: String, canonical: String) throws {
    #expect(try Origin(text).description == canonical)
  }

  @Test func `the zone of an address is part of the origin, but not of Host`() throws {
    let origin = try Origin("http://[::1%25lo]:8080")
    #expect(try origin != Origin("http://[::1]:8080") && origin != Origin("http://[::1%25LO]:8080"))
    #expect(!OriginPattern(try Origin("http://[::1]:8080")).matches(origin))
    #expect(try OriginPattern("http://[::1%25lo]:8080").matches(origin))
    #expect(origin.hostField == "[::1]:8080" && origin.authority == "[::1%25lo]:8080")
  }

  @Test(arguments: [
    ("http://[::1%25]", OriginError.host("http://[::1%25]")), ("http://[::1%lo]", .host("http://[::1%lo]")),
    ("http://[::1%25l/o]", .host("http://[::1%25l/o]")),
    ("api.example.com", OriginError.scheme("api.example.com")),
    ("ftp://api.example.com", .scheme("ftp://api.example.com")),
    ("https://", .host("https://")),
    ("https://api.example.com.", .host("https://api.example.com.")),
    ("https://user@api.example.com", .host("https://user@api.example.com")),
    ("https://a b", .host("https://a b")),
    ("https://h:0", .port("https://h:0")),
    ("https://h:65536", .port("https://h:65536")),
    ("https://h:1x", .port("https://h:1x")),
    ("https://h/path", .trailing("https://h/path")),
    ("https://*.example.com", .wildcard("https://*.example.com")),
  ])
  func `anything that is not plainly an origin is refused`(text: String, error: OriginError) {
    #expect(throws: error) { try Origin(text) }
  }

  @Test(arguments: [
    ("https://a.s3.example.com", true),
    ("https://A.S3.example.com", true),
    ("https://a.b.s3.example.com", false),
    ("https://s3.example.com", false),
    ("http://a.s3.example.com", false),
    ("https://a.s3.example.com:8443", false),
    ("https://a.s3.example.com.evil.org", false),
  ])
  func `a star is exactly one label`(origin: String, matches: Bool) throws {
    let pattern = try OriginPattern("https://*.s3.example.com")
    #expect(pattern.matches(try Origin(origin)) == matches)
  }

  @Test func `the fewer stars, the more specific`() throws {
    let exact = try OriginPattern("https://a.b.example.com")
    let one = try OriginPattern("https://*.b.example.com")
    let two = try OriginPattern("https://*.*.example.com")
    #expect(exact.specificity > one.specificity)
    #expect(one.specificity > two.specificity)
  }

  @Test(arguments: [
    ("https://api.example.com/v1/", "/sheets", "https://api.example.com/v1/sheets"),
    ("https://api.example.com", "/a%2Fb?x=1", "https://api.example.com/a%2Fb?x=1"),
  ])
  func `a path is appended to a base as it is`(base: String, path: String, url: String) throws {
    #expect(try BaseURL(base).url(appending: path) == url)
  }

  @Test(arguments: ["https://h/v1?x", "https://h/v1#x", "https://h/a b", "h/v1"])
  func `a base has no query, no fragment and no space`(text: String) {
    #expect(throws: OriginError.self) { try BaseURL(text) }
  }
}
