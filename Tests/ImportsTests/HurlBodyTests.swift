import Imports
import Testing

/// JSON bodies are sent as Hurl sends them: with the bytes of the file, and what placeholders stand for as it is.
@Suite struct HurlBodyTests {
  private static let body = "{\n  \"n\": {{v}},\n  \"s\" : \"{{v}}\", \"t\": \"a{{v}}b \\u00e9\"\n}"
  private static let file = "POST http://a.test/\n\(body)\nHTTP 200\n"

  @Test(arguments: [true, false])
  func `a value without quotes is no text`(isExact: Bool) {
    let imported = Imported(Self.file, isExact: isExact)
    #expect(imported.notes.isEmpty && imported.faults.isEmpty, "\(imported.faults)\(imported.text)")
    #expect(imported.text.contains("\\n  \\\"n\\\": {$v | to-string | parse-json | json},\\n"), "\(imported.text)")
    #expect(
      imported.text.contains("a{$v | to-string | json | replace-regex('^.|.$', \"\")}b \\\\u00e9"), "\(imported.text)")
  }

  @Test func `a value that is known is in its place`() {
    let imported = Imported(Self.file, isExact: true, values: ["v": "3"])
    let known = Self.body.replacing("{{v}}", with: "3").replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n")
    #expect(imported.text.contains("body \"\(known)\" as \"application/json\""), "\(imported.text)")
    let text = Imported("POST http://a.test/\n[\"{{v}}\"]\n", isExact: true, values: ["v": "a\"b"])
    #expect(text.text.contains(#"body "[\"a\\\"b\"]""#), "\(text.text)")
    let none = Imported("POST http://a.test/\n[{{v}}]\n", isExact: true, values: ["v": "abc"])
    #expect(none.notes == ["refused 1:1 what this stands for is not JSON, which it is without quotes"])
  }

  @Test func `JSON that is written in other bytes is said to be`() {
    #expect(Imported("POST http://a.test/\n{ \"a\": 1 }\n").script.rewritesJSON)
    #expect(!Imported("POST http://a.test/\n{\"a\":1}\n").script.rewritesJSON)
    #expect(!Imported("POST http://a.test/\n{ \"a\": 1 }\n", isExact: true).script.rewritesJSON)
    let http = "POST http://a.test/\nContent-Type: application/json\n\n{ \"a\": 1 }\n"
    #expect(Imported(http, as: .http).script.rewritesJSON)
  }
}
