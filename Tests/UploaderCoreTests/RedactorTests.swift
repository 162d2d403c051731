import Canaries
import Foundation
import Requests
import Testing
import UploaderCore

@Suite struct RedactorTests {
  private static let secret = "s5+mvw/7~f3 \"<é>&\\\t"
  private let redactor = Redactor([Secret(Self.secret, name: "S", for: [])])

  /// JSON writers differ in what they escape.
  @Test(arguments: [
    (#"{"a":"s5+mvw/7~f3 \"<é>&\\\t"}"#, "what must be"),
    (#"{"a":"s5+mvw\/7~f3 \"<é>&\\\t"}"#, "slashes, as PHP"),
    (#"{"a":"s5+mvw/7~f3 \"<\u00e9>&\\\t"}"#, "all but ASCII, as Python"),
    (#"{"a":"s5+mvw\/7~f3 \"<\u00e9>&\\\t"}"#, "both"),
    (#"{"a":"s5+mvw/7~f3 \"\u003cé\u003e\u0026\\\t"}"#, "what HTML would see, as Go"),
  ])
  func `a secret is hidden however JSON spells it`(json: String, writer: String) throws {
    let decoded = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String]
    #expect(decoded == ["a": Self.secret], "\(writer)")
    #expect(redactor.redact(json) == #"{"a":"••••"}"#)
  }

  @Test(arguments: [
    ("secret pw = $1.body.pw for api", "secret pw = $1.body.pw for api"),
    ("  secret api-token = \"secret\"\n", "  secret api-token = \"••••\"\n"),
    ("{\"a\":\"secret\"}", "{\"a\":\"••••\"}"), ("secret = x", "•••• = x"), ("secret pw=x", "•••• pw=x"),
    ("secret", "••••"),
  ])
  func `a password that is the keyword is hidden, and the keyword is not`(text: String, shown: String) {
    #expect(Redactor([Secret("secret", name: "S", for: [])]).redact(text) == shown)
    #expect(redactor.redact("secret pw = \(Self.secret)") == "secret pw = ••••")
  }

  @Test func `of a header that was cut, its scheme is shown`() {
    let redactor = Redactor([Secret("Bearer abcdefgh12", name: "S", for: [])])
    #expect(redactor.redact("profile api { auth bearer … cookies on }") == "profile api { auth bearer … cookies on }")
    #expect(redactor.redact("Bearer … and Bearer abcd…") == "Bearer … and ••••…")
  }

  @Test func `a secret is hidden in base64 wherever it begins, in both alphabets, in hex and percent-encoded`() {
    for shift in 0..<3 {
      let base64 = Data((String(repeating: "x", count: shift) + Self.secret + "yyy").utf8).base64EncodedString()
      for text in [base64, base64.replacing("+", with: "-").replacing("/", with: "_")] {
        let shown = redactor.redact(text)
        #expect(shown.contains("••••") && shown.count < 16, "\(shown)")
      }
    }
    let hex = Self.secret.utf8.map { String(format: "%02x", $0) }.joined()
    for text in [hex, hex.uppercased(), PercentEncoding.component.encode(Self.secret)] {
      #expect(redactor.redact("<\(text)>") == "<••••>")
    }
  }

  @Test func `a secret that begins in one piece and ends in another is hidden`() {
    let secret = Canary.secret("pieces")
    let redactor = Redactor([Secret(secret, name: "S", for: [])])
    for cut in 1..<secret.count {
      let (first, rest) = (String(secret.prefix(cut)), String(secret.dropFirst(cut)))
      #expect(redactor.redact(["<", "a" + first, rest + "b", ">"]) == ["<", "a••••", "b", ">"])
      let middle = String(rest.prefix(1))
      #expect(
        redactor.redact([first, middle, rest.dropFirst() + secret, "\(secret)z"]) == ["••••", "", "••••", "••••z"])
    }
    #expect(redactor.redact(["a", "", "b"]) == ["a", "", "b"])
  }

  @Test func `a text made from a secret that overlaps with it does not reveal the rest`() {
    let token = Canary.secret("overlapping")
    let made = String("Bearer \(token)".prefix(15))
    let secrets = [token, made, String(token.dropFirst(6).prefix(8))].map { Secret($0, name: "S", for: []) }
    let redactor = Redactor(Set(secrets))
    #expect(redactor.redact("<Bearer \(token)> <\(made)>") == "<••••> <••••>")
    #expect(redactor.redact(["<Bea", "rer \(token.prefix(12))", "\(token.dropFirst(12))>"]).joined() == "<••••>")
  }

  @Test(arguments: ["…", "\n… and more", "…, 300 B in all"])
  func `the beginning of a secret is hidden where a text was cut`(end: String) {
    let token = Canary.secret("cut \"off\"\nand on")
    let redactor = Redactor([Secret(token, name: "S", for: [])])
    let forms = [
      token, token.replacing("\"", with: "\\\"").replacing("\n", with: "\\n"), PercentEncoding.component.encode(token),
    ]
    for form in forms {
      for count in 4..<form.count {
        let shown = redactor.redact("got <\(form.prefix(count))\(end)")
        #expect(shown.hasPrefix("got <••••"), "\(shown)")
        #expect(shown.hasSuffix(end.drop(while: \.isNewline)), "\(shown)")
      }
    }
    #expect(redactor.redact("got \(token.prefix(3))\(end)") == "got \(token.prefix(3))\(end)")
    #expect(redactor.redact("got \(token.prefix(9)) \(end)") == "got \(token.prefix(9)) \(end)")
  }

  @Test(arguments: [
    "\"x-amz-credential\": \"AKIA/2026", "policy=eyJleHBpcmF0aW9uIjogIjIw", "\"x-amz-signature\": 00ff",
  ])
  func `a presigned value that was cut hides nothing after the cut`(text: String) {
    let shown = Redactor([]).redact("{\(text)…\n  sent once: \"it\"\n")
    #expect(shown.hasSuffix("••••…\n  sent once: \"it\"\n"), "\(shown)")
    #expect(Redactor([]).redact("{\"x-amz-signature\": \"•••…  ← $1\"") == "{\"x-amz-signature\": \"••••…  ← $1\"")
  }

  @Test func `a secret is hidden in lowercase, twice escaped, and with reserved characters as they are`() {
    let token = Canary.secret("Other-Forms \"\\ {é}")
    let redactor = Redactor([Secret(token, name: "S", for: [])])
    let escaped = token.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let twice = escaped.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    for text in [token.lowercased(), escaped, twice, PercentEncoding.reserved.encode(token)] {
      #expect(redactor.redact("<\(text)>") == "<••••>", "\(text)")
    }
    #expect(Redactor([Secret("Secret7", name: "S", for: [])]).redact("secret7 Secret7") == "secret7 ••••")
  }

  private static let url = "https://b.s3.example/k?X-Amz-Algorithm=AWS4-HMAC-SHA256"

  @Test(arguments: [
    (
      "GET \(url)&X-Amz-Credential=AKIA%2F20261121%2Fx&X-Amz-Date=1&X-Amz-Security-Token=abc%3D&X-Amz-Signature=0af1 x",
      "GET \(url)&X-Amz-Credential=••••&X-Amz-Date=1&X-Amz-Security-Token=••••&X-Amz-Signature=•••• x"
    ),
    (
      "https://c.example/a?Expires=1&Signature=a~b-c__&Key-Pair-Id=K#f",
      "https://c.example/a?Expires=1&Signature=••••&Key-Pair-Id=K#f"
    ),
    (#"{"url":"https://h/?a=1\u0026Signature=a~b"}"#, #"{"url":"https://h/?a=1\u0026Signature=••••"}"#),
    ("u=https%3A%2F%2Fh%2F%3FSignature%3Da~b%26y", "u=https%3A%2F%2Fh%2F%3FSignature%3D••••%26y"),
    ("https://blob.example/a?sv=2&sig=a%2Bb", "https://blob.example/a?sv=2&sig=••••"),
    (
      #"{"url":"https://h/?x=1\u0026X-Amz-Signature=0af1\u0026y=2"}"#,
      #"{"url":"https://h/?x=1\u0026X-Amz-Signature=••••\u0026y=2"}"#
    ),
    (
      "next=https%3A%2F%2Fh%2F%3FX-Amz-Signature%3D0af1%26y%3D2",
      "next=https%3A%2F%2Fh%2F%3FX-Amz-Signature%3D••••%26y%3D2"
    ),
    (
      #"{"key":"a","policy": "e30=","x-amz-signature" : "0af1","x-amz-date":"1"}"#,
      #"{"key":"a","policy": "••••","x-amz-signature" : "••••","x-amz-date":"1"}"#
    ),
    (#""{\"x-amz-signature\":\"0af1\",\"a\":1}""#, #""{\"x-amz-signature\":\"••••\",\"a\":1}""#),
    (
      "Content-Disposition: form-data; name=\"policy\"\r\n\r\neyJhIjoxfQ==\r\n--b\r\nContent-Disposition: form-data; name=\"x-amz-signature\"\r\n\r\n0af1\r\n--b",
      "Content-Disposition: form-data; name=\"policy\"\r\n\r\n••••\r\n--b\r\nContent-Disposition: form-data; name=\"x-amz-signature\"\r\n\r\n••••\r\n--b"
    ),
    (
      "multipart { policy: \"e30=\", \"X-Amz-Credential\": \"AKIA/1\" }",
      "multipart { policy: \"••••\", \"X-Amz-Credential\": \"••••\" }"
    ),
    ("policy=eyJleHBpcmF0aW9uIjoiMjAyNiJ9", "policy=••••"),
    ("X-Amz-Security-Token: FwoG+x/y=\r\nHost: h", "X-Amz-Security-Token: ••••\r\nHost: h"),
    (
      "authorization: AWS4-HMAC-SHA256 Credential=AKIA/x, SignedHeaders=host, Signature=0af1",
      "authorization: AWS4-HMAC-SHA256 Credential=AKIA/x, SignedHeaders=host, Signature=••••"
    ),
  ])
  func `what signs a presigned URL or form is hidden, whatever contains it`(text: String, shown: String) {
    #expect(Redactor([]).redact(text) == shown)
    // No piece knows its neighbors.
    let pieces = text.map { String($0) }
    #expect(Redactor([]).redact(pieces).joined() == shown)
  }

  @Test(arguments: [
    #"{"policy":"everyone","signature":"-----BEGIN PGP SIGNATURE-----"}"#,
    #"{"policy":{"Version":1},"signature":null}"#,
    "POST /pay signature=abc policy=strict sig=1",
    "let signature = sha256(\"x\")",
    "POST $url multipart { policy: $1.body.policy, \"x-amz-signature\": $1.body.signature }",
    "{ x-amz-signature: null }", "a designature=1", "?sigma=1&signatures=2", "X-Amz-SignedHeaders=host",
    "x-amz-signature",
    "x-amz-signature=", "name=\"policy\"", "policy: ",
  ])
  func `text that only looks like it is kept`(text: String) {
    #expect(Redactor([]).redact(text) == text)
  }

  @Test func `a secret is hidden raw, percent-encoded and in base64, whatever follows it`() {
    let secret = Secret("s3cr3t/t0ken=", name: "T", for: [])
    let redactor = Redactor([secret])
    let text = "raw s3cr3t/t0ken= accent s3cr3t/t0ken=\u{301} url s3cr3t%2Ft0ken%3D b64 czNjcjN0L3Qwa2VuPQ== end"
    let redacted = redactor.redact(text)
    #expect(redacted == "raw •••• accent ••••\u{301} url •••• b64 •••• end")
  }
}
