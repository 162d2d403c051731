import Requests
import Testing

/// The charset that a document names in itself.
@Suite struct CharsetTests {
  private static func text(_ document: String, _ type: String) -> String? {
    // In Latin-1, where é is one byte.
    let bytes = document.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    return Charset(declaredIn: bytes, ofType: type)?.lenientText(bytes)
  }

  @Test(arguments: [
    ("<html><head><meta charset=iso-8859-1><p>\u{e9}", "text/html"),
    ("<META CHARSET='latin1'>\u{e9}", "text/html"),
    ("<meta http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1252\">\u{e9}", "text/html"),
    ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><r>\u{e9}</r>", "application/xml"),
    ("<?xml version='1.0' encoding='latin1' standalone='yes'?><r>\u{e9}</r>", "application/atom+xml"),
  ])
  func `what a document declares is read so`(document: String, type: String) {
    #expect(Self.text(document, type) == document)
  }

  @Test(arguments: [
    ("<meta charset=utf-16>", "text/html"), ("<meta charset=nope>", "text/html"), ("<p charset=latin1>", "text/html"),
    ("<meta charset=latin1>", "text/plain"), ("<meta charset=latin1>", "application/xml"),
    ("<?xml version='1.0'?><r encoding='latin1'/>", "text/xml"), ("", "text/html"),
  ])
  func `anything else declares nothing`(document: String, type: String) {
    #expect(Self.text(document, type) == nil)
  }
}
