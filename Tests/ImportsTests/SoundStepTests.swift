import Diagnostics
import Foundation
import Imports
import Testing

/// What a request of another tool says about its own message, or about who it is for: that is sent, or it is a note.
@Suite struct SoundStepTests {
  private static func hurl(_ headers: String, body: String = "") -> Imported {
    Imported("POST http://a.test/x\n\(headers)\n\(body)", isExact: true)
  }

  private static func http(_ headers: String, body: String = "") -> Imported {
    Imported("POST http://a.test/x\n\(headers)\n\n\(body)\n", as: .http, isExact: true)
  }

  @Test(arguments: [
    "Host: b.test", "Upgrade: websocket", "Connection: Upgrade", "Trailer: X-A", "Transfer-Encoding: x",
  ])
  func `a header that is not true of the request is refused`(header: String) {
    for imported in [Self.hurl(header), Self.http(header)] {
      #expect(imported.notes.count == 1 && imported.notes[0].hasPrefix("refused 2:1"), "\(imported.notes)")
      #expect(imported.text.contains("when false") && imported.text.contains("# not translated: \(header)\n"))
      #expect(imported.faults.isEmpty, "\(imported.faults)\n\(imported.text)")
    }
  }

  @Test(arguments: ["Host: a.test", "host: a.test:80"])
  func `a header that is true is sent, or says nothing`(header: String) {
    for imported in [Self.hurl(header), Self.http(header)] {
      #expect(imported.notes.isEmpty && imported.faults.isEmpty, "\(imported.notes)\n\(imported.text)")
      #expect(!imported.text.contains("when false"))
    }
    let exact = Self.http("Content-Length: 5", body: "Hello")
    #expect(exact.notes.isEmpty && !exact.text.contains("Length"), "\(exact.text)")
    let wrong = Self.http("Content-Length: 4", body: "Hello")
    #expect(wrong.notes == ["refused 2:1 Content-Length says \"4\", but the body has 5 bytes"], "\(wrong.text)")
    let chunks = Self.http("Transfer-Encoding: chunked", body: "Hello")
    #expect(chunks.notes == ["warning 2:1 the body is sent with its length, not in chunks"])
    #expect(chunks.faults.isEmpty && !chunks.text.contains("Encoding") && !chunks.text.contains("false"))
  }
}

/// What comes before a request in a `.http` file, and what its address goes on with.
@Suite struct HTTPRequestLineTests {
  @Test func `what cannot be computed in a body is refused in its own line`() {
    let body = Imported("POST http://a.test/\n\n{\n  \"a\": 1,\n  \"b\": \"{{$nothing}}\"\n}\n", as: .http)
    #expect(body.notes == ["refused 5:9 {{$nothing}} cannot be computed here"], "\(body.notes)")
    let part = "--b\nContent-Disposition: form-data; name=\"a\"\n\n{{$nothing}}\n--b--\n"
    let form = Imported("POST http://a.test/\nContent-Type: multipart/form-data; boundary=b\n\n\(part)", as: .http)
    #expect(form.notes == ["refused 7:1 {{$nothing}} cannot be computed here"], "\(form.notes)")
  }

  @Test(arguments: [
    "< ./pre.js", "< {% request.variables.set('a', 1) %}", "<{%\nlet a = 1;\n%}", "< {%\n%}\n# @name x",
  ])
  func `a script before a request is not run, and the request is read`(script: String) {
    for text in ["\(script)\nGET http://a.test/x\nX-A: b\n", "### One\n\(script)\n\nGET http://a.test/x\nX-A: b\n"] {
      let imported = Imported(text, as: .http)
      #expect(imported.notes.count == 1, "\(imported.notes)")
      #expect(imported.notes[0].hasSuffix("a script that may change the request is not run"))
      #expect(imported.text.contains("GET http://a.test/x\n"), "\(imported.text)")
      #expect(imported.text.contains("header X-A: b\n") && imported.text.contains("when false\n"))
      #expect(imported.faults.isEmpty, "\(imported.faults)")
    }
  }

  @Test func `a query goes on in lines of its own, with spaces as editors encode them`() {
    let imported = Imported("GET http://a.test/x\n?a=1\n&b=two words\n    &c=3\nX-A: b\n\n", as: .http)
    #expect(imported.notes.isEmpty && imported.faults.isEmpty, "\(imported.faults)")
    #expect(imported.text.contains("GET http://a.test/x?a=1&b=two%20words&c=3\n  header X-A: b\n"), "\(imported.text)")
    let line = Imported("GET http://a.test/x?q=a b HTTP/1.1\n", as: .http)
    #expect(line.text.contains("GET http://a.test/x?q=a%20b\n") && line.faults.isEmpty, "\(line.text)")
  }
}
