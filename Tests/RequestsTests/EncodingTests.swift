import Requests
import Testing

@Suite struct EncodingTests {
  @Test(arguments: [
    ("A-101", "A-101"), ("A 101/b", "A%20101%2Fb"), ("ä", "%C3%A4"), ("50%", "50%25"), ("a+b&c=d", "a%2Bb%26c%3Dd"),
    ("..", ".."), ("~_.-", "~_.-"),
  ])
  func `a component keeps unreserved characters only`(text: String, encoded: String) {
    #expect(PercentEncoding.component.encode(text) == encoded)
  }

  @Test(arguments: [("a/b?c", "a/b?c"), ("a b", "a%20b"), ("%2F", "%2F"), ("50%", "50%25"), ("%zz", "%25zz")])
  func `reserved keeps reserved characters and anything already encoded`(text: String, encoded: String) {
    #expect(PercentEncoding.reserved.encode(text) == encoded)
  }

  @Test(arguments: [
    (".", true), ("..", true), ("%2e", true), ("%2E.", true), (".%2e", true), ("%2e%2E", true), ("", false),
    ("...", false), ("%2e%2e%2e", false), (".a", false), ("a.", false), ("%2f", false), ("%2", false), ("%252e", false),
  ])
  func `a dot segment is recognized however its dots are spelled`(segment: String, isDots: Bool) {
    #expect(segment.isDotSegment == isDots)
  }

  @Test(arguments: [("a b", "a+b"), ("a+b", "a%2Bb"), ("*-._", "*-._"), ("~", "%7E")])
  func `a form writes a plus for a space`(text: String, encoded: String) {
    #expect(PercentEncoding.form.encode(text) == encoded)
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
  ])
  func `base64 matches RFC 4648 section 10`(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(text.utf8))
  }

  @Test func `base64 for URLs is decoded too, without its padding`() {
    #expect(Base64.decode("-_8") == [0xFB, 0xFF])
    #expect(Base64.decode("-_8=") == [0xFB, 0xFF])
  }

  @Test(arguments: ["Zg=", "Z", "Zm9v!===", "====", "Zm9vZ", "Z==="])
  func `text that is not base64 does not decode`(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  /// RFC 3986 §5.4, those that HTTP servers actually return.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../../g", "http://a/g"), ("http://x/y?z=%2F", "http://x/y?z=%2F"),
  ])
  func `a reference is resolved against the URL that gave it`(reference: String, url: String) {
    #expect(URLReference.resolve(reference, against: "http://a/b/c/d;p?q") == url)
  }
}
