import Testing

@testable import Formats

/// URLs after `http`, as HTTPie 3.2.4 sends them.
@Suite struct HTTPieURLTests {
  @Test(arguments: [
    ("/x?q=\"<>{}|\\^`[]", "/x?q=%22%3C%3E%7B%7D%7C%5C%5E%60%5B%5D"),
    ("/x\"<>{}|\\^`", "/x%22%3C%3E%7B%7D%7C%5C%5E%60"),
    ("/%zz?a=%zz", "/%25zz?a=%25zz"), ("/%zz%c3?a=%c3%7e%41%2f", "/%25zz%25C3?a=%C3~A%2F"),
    ("/a b?c d", "/a%20b?c%20d"),
    ("/x?", "/x"), ("/x?#f", "/x#f"), ("/ü?ü=ü", "/%C3%BC?%C3%BC=%C3%BC"), ("/%c3%bc?x=%c3%bc", "/%C3%BC?x=%C3%BC"),
    ("?a=1", "?a=1"), ("", ""), ("/x?a=b'c(d)*!~,;:@/?e", "/x?a=b'c(d)*!~,;:@/?e"),
    ("/[x]?a[]=1", "/%5Bx%5D?a%5B%5D=1"),
    ("/x%20y+z?x%20y+z", "/x%20y+z?x%20y+z"), ("/x#a|b", "/x#a|b"),
  ])
  func `what has no place in a URL is encoded`(written: String, sent: String) {
    #expect(HTTPieURL.sent("http://us[er@h.example\(written)") == "http://us[er@h.example\(sent)")
    if written.hasPrefix("/") { #expect(HTTPieURL.sent(written) == sent) }
  }
}
