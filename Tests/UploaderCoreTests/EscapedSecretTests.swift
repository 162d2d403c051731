import Canaries
import Foundation
import HTTPTypes
import OfflineTransport
import Requests
import Testing
import UploaderCore

/// A secret is recognized however a server, a tool or this program writes it.
@Suite struct EscapedSecretTests {
  private static let secrets: [String] =
    ["/", "+", "=", "'", "\"", "<", ">", "&", "!", "%", "\\", " ", "é", "🔑", "\n", "\t", "%41", "&lt;", "\\n", "''"]
    .enumerated().map { Canary.secret("escaped-\($0)") + $1 + "kVx9Qp3" } + [
      Canary.secret("escaped-all") + "/+='\"<>&!%\\é🔑\n end",
      "-----BEGIN KEY-----\n\(Canary.secret("escaped-key"))==\nLm5Rt8abcdEFGH\n-----END KEY-----",
      #"{"user":"u1","key":"\#(Canary.secret("escaped-json"))","a":["x\/y",{}]}"#,
    ]

  /// The last of them, and whatever finds it.
  private struct Subject {
    let text: String
    let secret: Secret
    let search: SecretSearch
    let redactor: Redactor
    let markers: SecretMarkers

    init(_ text: String) {
      self.text = text
      secret = Secret(text, name: "TOKEN", for: [])
      search = SecretSearch([secret])
      redactor = Redactor([secret])
      markers = SecretMarkers([secret])
    }
  }

  /// What must hold for a text that says the secret.
  private func expectRecognized(
    _ written: String, _ subject: Subject, exactly: Bool = true, _ how: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let text = "<\(written)>"
    let why: Comment = "\(how): \(text)"
    #expect(subject.search.found(in: text) == [subject.secret], why, sourceLocation: location)
    #expect(subject.redactor.redact(text) == "<••••>", why, sourceLocation: location)
    let concealed = subject.markers.conceal(text)
    #expect(SecretMarkers.display(concealed) == "<••••>", why, sourceLocation: location)
    let revealed = try subject.markers.reveal(concealed)
    if exactly {
      #expect(revealed == text, why, sourceLocation: location)
    } else {
      #expect(subject.redactor.redact(revealed) == "<••••>", why, sourceLocation: location)
    }
  }

  @Test(arguments: Escaper.all)
  func `it is recognized however it is escaped, once, twice or three times`(escaper: Escaper) throws {
    for subject in Self.secrets.map(Subject.init) {
      var written = subject.text
      for count in 1...3 {
        written = escaper.write(written)
        try expectRecognized(written, subject, exactly: escaper.isDescribed, "\(count) times")
      }
    }
  }

  @Test(arguments: Escaper.all)
  func `it is recognized if one escaping is inside another`(outer: Escaper) throws {
    for subject in Self.secrets.map(Subject.init) {
      for inner in Escaper.all {
        let written = outer.write(inner.write(subject.text))
        try expectRecognized(
          written, subject, exactly: outer.isDescribed && inner.isDescribed, "\(inner.name) in \(outer.name)")
      }
    }
  }

  @Test func `it is recognized if its characters are escaped in different ways`() throws {
    for subject in Self.secrets.map(Subject.init) where !subject.text.contains("\\") && !subject.text.contains("%") {
      let written = subject.text.enumerated().map { Escaper.all[$0 % Escaper.all.count].write(String($1)) }.joined()
      try expectRecognized(written, subject, exactly: false, "mixed")
    }
  }

  // MARK: In other places

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16])
  func `it is recognized in UTF-16`(encoding: String.Encoding) throws {
    for subject in Self.secrets.map(Subject.init) {
      let bytes = Array(try #require("<\(subject.text)>".data(using: encoding)))
      #expect(subject.search.found(in: bytes) == [subject.secret])
      let concealed = subject.markers.conceal(bytes)
      let shown = SecretMarkers.display(concealed)
      #expect(subject.search.found(in: shown).isEmpty && shown.count < 40)
      #expect(try subject.markers.reveal(concealed) == bytes)
    }
  }

  @Test func `base64 is recognized if it is escaped`() throws {
    let subject = Subject(Canary.secret("escaped-base64") + "??>>>")
    let base64 = Data(subject.text.utf8).base64EncodedString()
    #expect(base64.contains("/") && base64.contains("+"))
    try expectRecognized(base64.replacing("/", with: "\\/"), subject, "JSON")
    try expectRecognized(base64.replacing("/", with: "%2f").replacing("+", with: "%2b"), subject, "percent")
    try expectRecognized(base64.replacing("+", with: "\\u002B"), subject, "JSON")
  }

  @Test(arguments: [76, 64, 32], ["\r\n", "\n", "\\r\\n", "\\n", "\\\\n"])
  func `base64 is recognized if it is broken into lines`(width: Int, lineEnd: String) throws {
    let subject = Subject(Canary.secret("escaped-folded") + "0kVx9Qp3")
    for count in 0..<width {
      let base64 = Data(
        "\(String(repeating: "-", count: count))\(subject.text) and more, so that the line is long".utf8
      )
      .base64EncodedString()
      let lines = stride(from: 0, to: base64.count, by: width).map { base64.dropFirst($0).prefix(width) }
      let text = "{\"a\": \"\(lines.joined(separator: lineEnd))\"}"
      #expect(subject.search.found(in: text) == [subject.secret], "\(text)")
      #expect(subject.search.found(in: subject.redactor.redact(text)).isEmpty)
      let concealed = subject.markers.conceal(text)
      #expect(subject.search.found(in: SecretMarkers.display(concealed)).isEmpty)
      #expect(try subject.markers.reveal(concealed) == text)
    }
  }

  /// A kind of escape each; one of each is before it.
  private static let layers = Escaper.all.filter { ["JSON", "component", "html.escape", "shell"].contains($0.name) }

  @Test(arguments: layers, layers)
  func `four times escaped it is recognized after other escapes`(outer: Escaper, inner: Escaper) {
    let subject = Subject(Canary.secret("escaped-late") + "/+='\"<>&!%\\ kVx9Qp3")
    for ways in [[inner, inner, inner, outer], [inner, outer, inner, outer], [inner, outer, outer, outer]] {
      let written = ways.reduce(subject.text) { $1.write($0) }
      let text = #"\n\\u0041 %41%2541 &lt;&amp;gt; '\'' "# + written
      #expect(subject.search.found(in: text) == [subject.secret], "\(ways.map(\.name)): \(written)")
    }
  }

  @Test func `other line endings and a plus for a space are recognized`() throws {
    let subject = Subject(Canary.secret("escaped-lines") + "\na b\nc d")
    for text in [subject.text.replacing("\n", with: "\r\n"), subject.text.replacing(" ", with: "+")] {
      try expectRecognized(text, subject, "as it is")
      for escaper in Escaper.all { try expectRecognized(escaper.write(text), subject, exactly: false, escaper.name) }
    }
  }

  @Test(arguments: Escaper.all)
  func `it is not sent to another origin`(escaper: Escaper) throws {
    let transport = FakeTransport(statuses: [])
    func leak(_ text: String, isBody: Bool, _ secret: Secret) -> UploadError? {
      let head = RequestHead(.post, .url("http://other.example/x")) { if !isBody { $0.headers = [.accept: text] } }
      do {
        _ = try PreparedRequest(
          .inMemory(InMemoryRequestDescription(head, body: isBody ? .init(Array(text.utf8), contentType: nil) : nil)),
          profiles: SessionProfiles([]), secrets: [secret], boundary: "B", now: .zero, origin: transport.origin)
        return nil
      } catch {
        return error
      }
    }
    for subject in Self.secrets.map(Subject.init) {
      for count in 1...3 {
        let text = (0..<count).reduce(subject.text) { text, _ in escaper.write(text) }
        #expect(leak("<\(text)>", isBody: true, subject.secret) != nil, "\(text)")
        #expect(text.contains("\n") || leak("<\(text)>", isBody: false, subject.secret) != nil, "\(text)")
      }
    }
  }

  @Test(arguments: Escaper.all)
  func `it is concealed in a stream, wherever a piece ends`(escaper: Escaper) throws {
    for subject in Self.secrets.map(Subject.init) {
      let text = "[\"\(escaper.write(subject.text))\", \"\\\\\(escaper.write(escaper.write(subject.text)))\", \"\\\\\"]"
      let whole = subject.markers.conceal(text)
      for size in [1, 2, 3, 5, 7, 11, 64] {
        var stream = subject.markers.stream()
        var pieces: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          pieces += stream.conceal(Array(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
        pieces += stream.finish()
        #expect(String(decoding: pieces, as: UTF8.self) == whole, "\(text) by \(size)")
      }
    }
  }

  @Test func `it is recognized in a large text, wherever a part of that ends`() throws {
    let subject = Subject(Canary.secret("escaped-large") + "<>&\"")
    let written = subject.text.unicodeScalars.map { "\\u00" + String($0.value, radix: 16) }.joined()
    for shift in stride(from: 0, to: written.count, by: 47) {
      let text = String(repeating: "-", count: (1 << 18) - shift) + written + String(repeating: "\\n", count: 4_000)
      #expect(subject.search.found(in: text) == [subject.secret])
      let concealed = subject.markers.conceal(text)
      #expect(concealed.contains("TOKEN"))
      #expect(try subject.markers.reveal(concealed) == text)
    }
  }

  @Test(arguments: Escaper.all)
  func `its beginning is hidden where a text was cut, even inside an escape`(escaper: Escaper) {
    for subject in Self.secrets.map(Subject.init) {
      let written = escaper.write(subject.text)
      for count in stride(from: 30, to: written.count, by: 3) {
        let shown = subject.redactor.redact("<\(written.prefix(count))…")
        // The end of a line that goes on says nothing.
        #expect(
          shown.replacing("=\r\n…", with: "…").replacing("=\n…", with: "…") == "<••••…", "\(written.prefix(count))")
        #expect(subject.markers.concealCut("<\(written.prefix(count))…") == shown)
      }
    }
  }

  @Test func `a secret with a new value is filled in as its old one was written`() throws {
    let old = SecretMarkers([Secret(Canary.secret("escaped-old") + "<\"é", name: "TOKEN", for: [])])
    let value = Canary.secret("escaped-new-value") + "\"<\n"
    let new = SecretMarkers([Secret(value, name: "TOKEN", for: [])])
    let text = "{\"a\":\"\(Canary.secret("escaped-old"))\\u003C\\\"\\u00E9\"}"
    let revealed = try new.reveal(old.conceal(text))
    #expect(try JSONDecoder().decode([String: String].self, from: Data(revealed.utf8)) == ["a": value])
  }

  // MARK: What is no escape

  @Test(arguments: ["\\", "%", "%4", "\\u12", "\\ud83d", "&#x;", "&#;", "&", "&amp", "'\\'", "\\x4", "'", "&#x110000;"])
  func `what only looks like an escape hides nothing else, and no secret beside it`(text: String) throws {
    let subject = Subject(Canary.secret("escaped-beside") + "/z")
    #expect(subject.redactor.redact(text) == text)
    #expect(subject.markers.conceal(text) == text)
    #expect(subject.search.found(in: text).isEmpty)
    for written in [subject.text, subject.text.replacing("/", with: "\\/"), subject.text.replacing("/", with: "%2F")] {
      // These two are an escape together.
      if text.first == "%", written.contains("%") { continue }
      let whole = "\(text)\(written) \(text)"
      #expect(subject.redactor.redact(whole).hasSuffix("•••• \(text)"), "\(whole)")
      #expect(subject.search.found(in: whole) == [subject.secret])
      #expect(try subject.markers.reveal(subject.markers.conceal(whole)) == whole)
    }
  }

  @Test func `a text without a secret stays as it is`() {
    let subject = Subject(Canary.secret("escaped-not-there"))
    let text = #"{"a":"\u003c%41&amp;'\''","b":"\\\\n"} \u0001{secret:TOKEN:text}"#
    #expect(subject.redactor.redact(text) == text)
    #expect(subject.markers.conceal(text) == text)
  }

  @Test(arguments: ["\\", "%", "&", "'", "%25", "\\\\u005c", "&amp;", "'\\''", "\\%&'", "=3D", "0123456789abcdef\n"])
  func `a text of nothing but escapes takes time in proportion to its length`(unit: String) {
    let subject = Subject(Canary.secret("escaped-long"))
    let text = String(repeating: unit, count: 100_000 / unit.utf8.count)
    let clock = ContinuousClock()
    #expect(clock.measure { _ = subject.search.found(in: text) } < .seconds(60))
  }
}
