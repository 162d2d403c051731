import Requests
import Testing

/// RFC 8288.
@Suite struct LinkHeaderTests {
  private func links(_ fields: String...) -> [String: String] {
    let links = LinkHeader.links(in: fields, of: "https://a.test/v1/items?page=1")
    return Dictionary(uniqueKeysWithValues: links.map { ($0.relation, $0.url) })
  }

  @Test func `relations lead to absolute URLs`() {
    #expect(
      links(
        "<?page=2>; rel=\"next\", </v1/items?page=9>;rel=last",
        "<https://b.test/x,y>; title=\"a, <b>\"; rel=\"Up help\"")
        == [
          "next": "https://a.test/v1/items?page=2", "last": "https://a.test/v1/items?page=9",
          "up": "https://b.test/x,y", "help": "https://b.test/x,y",
        ])
  }

  @Test func `the first of a relation counts, and a link about something else does not`() {
    #expect(links("</a>; rel=next, </b>; rel=next, </c>; rel=\"prev\"; anchor=\"#x\"") == ["next": "https://a.test/a"])
  }

  @Test(arguments: ["", "<", "</a", "</a>", "</a>; rel", "</a>; rel=\"", "junk", "</a>; ; rel="])
  func `what is no link is none`(field: String) {
    #expect(links(field).isEmpty)
  }
}
