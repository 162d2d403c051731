import Canaries
import HTTPTypes
import Presentation
import Requests
import Testing
import UploaderCore

@Suite struct ExchangeRendererTests {
  private static let origin = Origin(scheme: .https, host: "api.example.com")

  private static func make(
    _ status: HTTPResponse.Status = .created, type: String = "application/json", body: [UInt8] = Array("{}".utf8),
    withheld: [WithheldCredential] = [], redirects: [RedirectHop] = [], refused: RedirectRefusal? = nil,
    failed: [FailedAttempt] = []
  ) -> Exchange {
    let head = RequestHead(.post, .url("https://api.example.com/x")) { $0.label = "allocate" }
    return Exchange(
      description: .inMemory(InMemoryRequestDescription(head)),
      request: SentRequest(method: .post, url: "https://api.example.com/x", origin: origin),
      response: Response(status: status, headers: [.contentType: type], body: ResponseBody(body)),
      timings: Timings(total: .milliseconds(84)), withheld: withheld, redirects: redirects, refusedRedirect: refused,
      failedAttempts: failed)
  }

  private func body(_ exchange: Exchange, _ limit: ExchangeRenderer.Limit = .init()) throws -> String {
    try ExchangeRenderer(limit: limit).body(of: exchange, number: 1).rendered(isColored: false)
  }

  @Test func `the summary says which, what, where, how long and how much`() {
    let text = ExchangeRenderer().summary(of: Self.make(), number: 1)
    #expect(text.rendered(isColored: false) == "$1 allocate  201 Created  api.example.com  84 ms  2 B  json\n")
    #expect(text.rendered(isColored: true).contains("\u{1B}[32m201 Created\u{1B}[0m"))
  }

  @Test func `what happened on the way is below it`() {
    let hop = RedirectHop(
      request: SentRequest(method: .post, url: "https://api.example.com/old", origin: Self.origin),
      response: Response(status: .found))
    let exchange = Self.make(
      withheld: [WithheldCredential(.header(.authorization), origins: [OriginPattern(Self.origin)])], redirects: [hop],
      refused: .bodyElsewhere(Origin(scheme: .https, host: "other")),
      failed: [FailedAttempt(reason: "503", wait: .seconds(1))])
    let lines = ExchangeRenderer().summary(of: exchange, number: 2).rendered(isColored: false).split(separator: "\n")
    #expect(
      lines.dropFirst() == [
        "    sent 2 times, before this: 503", "    redirected by 302 from https://api.example.com/old",
        "    redirect not followed: the body is not for https://other",
        "    withheld authorization: it belongs to https://api.example.com",
      ])
  }

  @Test(arguments: ["text/plain", "application/json"])
  func `no beginning of a secret is shown where a body is cut`(type: String) throws {
    let token = Canary.secret("body-cut-é-\n-é-in-two")
    let redactor = Redactor([Secret(token, name: "S", for: [])])
    let escaped = type == "text/plain" ? token : token.replacing("\n", with: "\\n")
    let text = type == "text/plain" ? "x\n<\(token)" : "{\"a\":\"<\(escaped)"
    let prefix = text.utf8.count - escaped.utf8.count
    for bytes in (prefix + 4)..<text.utf8.count {
      for lines in [1, 2, 3, 200] {
        let renderer = ExchangeRenderer(limit: ExchangeRenderer.Limit(bytes: bytes, lines: lines))
        let shown = try renderer.body(of: Self.make(type: type, body: Array("\(text)\"}".utf8)), number: 1)
        let text = shown.mapText(redactor.redact).rendered(isColored: false)
        #expect(!text.contains(token.prefix(4)), "\(bytes), \(lines): \(text)")
        #expect(text.contains("…"))
      }
    }
  }

  @Test func `of a form that was sent, the parts are listed`() throws {
    let head = RequestHead(.post, .url("https://api.example.com/x"))
    var parts = [
      MultipartPart.text("key", "a/b.png"),
      MultipartPart(name: "file", content: .bytes([1, 2, 3]), contentType: "image/png", fileName: "b.png"),
    ]
    func shown(bodySize: Int = 410) -> String {
      let request = SentRequest(
        method: .post, url: "https://api.example.com/x", origin: Self.origin,
        headers: [.contentType: "multipart/form-data; boundary=b"], bodySize: bodySize)
      let exchange = Exchange(
        description: .multipart(MultipartRequestDescription(head, parts: parts)), request: request,
        response: Response(status: .ok))
      return ExchangeRenderer().request(of: exchange).rendered(isColored: false)
    }
    #expect(
      shown() == """
        POST https://api.example.com/x
        Content-Type: multipart/form-data; boundary=b
        (410 B sent)
          key   7 B
          file  b.png, 3 B, image/png

        """)
    // Whoever was redirected without the body has not sent it there.
    #expect(!shown(bodySize: 0).contains("key"))
    parts += Array(repeating: .text("x", "y"), count: 60)
    #expect(shown().hasSuffix("  x     1 B\n  … 12 more\n"))
  }

  @Test func `JSON is pretty-printed, in its order, with its numbers`() throws {
    let exchange = Self.make(body: Array(#"{"b":1.0,"a":[true,null,1e400]}"#.utf8))
    #expect(
      try body(exchange) == """
        {
          "b": 1.0,
          "a": [
            true,
            null,
            1e400
          ]
        }

        """)
  }

  @Test(arguments: [
    (#"caf\u00e9"#, "café"), (#"a\u0026b\u003c"#, "a&b<"), (#"http:\/\/a"#, "http://a"), (#"\uD83D\uDE00!"#, "😀!"),
    (#"\\u00e9"#, #"\\u00e9"#), (#"\u0022\u005c"#, #"\u0022\u005c"#),
    (#"\u001b[0m\u202e\u00a0"#, #"\u001b[0m\u202e\u00a0"#),
    (#"\n\t\""#, #"\n\t\""#), (#"e\u0301"#, "e\u{301}"),
  ])
  func `escapes of JSON are shown as what they stand for, if that can be seen`(sent: String, shown: String) throws {
    let exchange = Self.make(body: Array("{\"k\(sent)\": \"\(sent)\"}".utf8))
    #expect(try body(exchange) == "{\n  \"k\(shown)\": \"\(shown)\"\n}\n")
  }

  @Test func `the beginning of a large JSON body is pretty-printed too, and no number is cut in two`() throws {
    let exchange = Self.make(body: Array(#"[{"id":1234,"s":"\u00e9"},{"id":5678}]"#.utf8))
    #expect(
      try body(exchange, .init(bytes: 36)) == #"""
        [
          {
            "id": 1234,
            "s": "é"
          },
          {
            "id"
        … and more of $1: 38 B in all

        """#)
  }

  @Test(arguments: [
    ("text/html", Array("{not json".utf8), "{not json\n"), ("text/plain", Array("a\r\nb".utf8), "a\nb\n"),
    (
      "image/png", [0x89, 0x50, 0, 1],
      "(binary: image/png, 4 bytes, sha256 0c2cb7455efc8c518dfcf5921c1c9b4c55c319f72de8a7f64b9a398151e91ec3)\n"
    ),
    ("text/plain", Array("\u{1B}[31mred\u{9B}".utf8), "\u{241B}[31mred\u{FFFD}\n"), ("text/plain", [], ""),
  ])
  func `other bodies are shown as text, or named`(type: String, bytes: [UInt8], shown: String) throws {
    #expect(try body(Self.make(type: type, body: bytes)) == shown)
  }

  @Test func `long bodies are cut, with the amount that is missing`() throws {
    let lines = (1...10).map { "line \($0)\n" }.joined()
    #expect(
      try body(Self.make(type: "text/plain", body: Array(lines.utf8)), .init(lines: 2))
        == "line 1\nline 2\n… 8 lines more of $1, 71 B in all\n")
    #expect(
      try body(Self.make(type: "text/plain", body: Array(lines.utf8)), .init(bytes: 5))
        == "line \n… and more of $1: 71 B in all\n")
  }

  @Test func `of a line that is some screens long, the beginning is shown, and all that comes after it`() throws {
    let long = String(repeating: "x", count: 10_000)
    let shown = try body(Self.make(body: Array(#"{"a":"\#(long)","b":1}"#.utf8)), .init(lines: 200))
    #expect(
      shown.hasPrefix("{\n  \"a\": \"xxx")
        && shown.hasSuffix("x… 6 kB more,\n  \"b\": 1\n}\n… a line of $1 is cut, 10 kB in all\n"),
      "\(shown.suffix(200))")
    #expect(try !body(Self.make(body: Array(#"["\#(long.prefix(4200))"]"#.utf8)), .init()).contains("cut"))
    #expect(
      try body(Self.make(type: "text/plain", body: Array("\(long)\n".utf8)), .init(lines: .max)) == "\(long)\n")
  }

  @Test func `no beginning of a secret is shown where a line is cut`() throws {
    let token = Canary.secret("line-cut")
    let redactor = Redactor([Secret(token, name: "S", for: [])])
    for before in (4001 - token.utf8.count)...3996 {
      let text = String(repeating: "x", count: before) + token + String(repeating: "y", count: 1000)
      let shown = try ExchangeRenderer().body(of: Self.make(type: "text/plain", body: Array(text.utf8)), number: 1)
      let hidden = shown.mapText(redactor.redact).rendered(isColored: false)
      #expect(!hidden.contains(token.prefix(4)) && hidden.contains("… "), "\(before): \(hidden.suffix(80))")
    }
  }
}

@Suite struct FiguresTests {
  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (48_213, "48.2 kB"), (12_300_000, "12.3 MB"), (999_499, "999 kB"),
    (999_999, "1 MB"), (1_073_741_824, "1.07 GB"),
  ])
  func `sizes have three digits and a unit`(count: Int, text: String) {
    #expect(NumberFormat.bytes(count) == text)
  }

  @Test(arguments: [
    (Duration.microseconds(412), "412 µs"), (.milliseconds(84), "84 ms"), (.milliseconds(1310), "1.31 s"),
    (.seconds(10), "10 s"), (.seconds(125), "2 min 5 s"), (.zero, "0 µs"),
  ])
  func `so do durations`(duration: Duration, text: String) {
    #expect(NumberFormat.duration(duration) == text)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (48_213, "48,213"), (-1_234_567, "-1,234,567")])
  func `long numbers are grouped`(number: Int, text: String) {
    #expect(NumberFormat.grouped(number) == text)
  }
}
