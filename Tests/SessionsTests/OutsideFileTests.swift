import JSONValue
import Sessions
import Testing

/// Files of values and of variables, and what is wrong with them.
@Suite(.timeLimit(.minutes(1))) struct OutsideFileTests {
  private static func values(_ text: String, path: String = "v.yaml") throws -> JSON {
    .object(try ValueFile(Array(text.utf8), path: path).values)
  }

  private static func message(_ text: String, path: String = "v.yaml") -> String {
    do {
      return "\(try values(text, path: path))"
    } catch let error as OutsideFileError {
      return ([error.message] + error.advice).joined(separator: "; ")
    } catch {
      return "\(error)"
    }
  }

  @Test func `YAML and JSON say the same`() throws {
    let yaml = """
      # where it goes
      api-url: http://127.0.0.1:8080
      size: 5
      ratio: 1.50
      price: .5
      mask: 0x1F
      on: true
      nothing: ~
      empty:
      tags: [a, "b", 'c']
      sheet:
        name: A-101
        rooms:
          - 1
          - two
      note: |
        two
        lines

      """
    let json = """
      {"api-url": "http://127.0.0.1:8080", "size": 5, "ratio": 1.50, "price": 0.5, "mask": 31, "on": true,
      "nothing": null, "empty": null, "tags": ["a", "b", "c"], "sheet": {"name": "A-101", "rooms": [1, "two"]},
      "note": "two\\nlines\\n"}
      """
    #expect(try Self.values(yaml) == Self.values(json, path: "v.json"))
    #expect(try Self.values(yaml, path: "<fd>") == Self.values(json, path: "<fd>"))
    #expect(try Self.values("") == [:])
  }

  @Test(arguments: ["no", "yes", "off", "12:30:45", "2026-01-02", "01234", "1_000", "1.2.3", "null and void", "!"])
  func `what only looks like a value of another kind is a text`(text: String) throws {
    #expect(try Self.values("a: '\(text)'") == ["a": .string(text)])
    if text != "!" { #expect(try Self.values("a: \(text)") == ["a": .string(text)]) }
  }

  @Test func `a map is merged in, and its own values take precedence`() throws {
    let text = "base: &base {a: 1, b: 2}\nmore:\n  <<: *base\n  b: 3\n"
    #expect(try Self.values(text)["more"] == ["a": 1, "b": 3])
  }

  @Test(arguments: [
    ("a: 1\na: 2", "v.yaml:1: this is not YAML: \"a\" is in it twice"),
    ("a:\n  b: 1\n  b: 2", "v.yaml:2: this is not YAML: \"b\" is in it twice"),
    ("a: !!python/object:os.system x", "v.yaml:1: the tag !!python/object:os.system is not understood here"),
    ("a: !secret x", "v.yaml:1: the tag !secret is not understood here"),
    ("a: !!binary aGk=", "v.yaml:1: the tag !!binary is not understood here"),
    ("- 1\n- 2", "v.yaml: this is not a map of names and values; such as: {\"name\": \"ann\"}"),
    ("just text", "v.yaml: this is not a map of names and values; such as: {\"name\": \"ann\"}"),
    ("a: 1\n---\nb: 2", "v.yaml:2: this is not YAML: but found another document"),
    ("a: *b", "v.yaml:1: this is not YAML: found undefined alias"),
    ("a: .inf", "v.yaml:1: .inf is not a JSON number"),
    ("? [a, b]\n: 1", "v.yaml:1: a key that is not a text"),
  ]) func `what is wrong is named with its line`(text: String, message: String) {
    #expect(Self.message(text) == message)
  }

  @Test func `JSON that is wrong is named, too`() {
    #expect(Self.message(#"{"a": 1, "a": 2}"#, path: "v.json") == "v.json: \"a\" is in it twice")
    #expect(Self.message(#"{"a": 1"#, path: "v.json").hasPrefix("v.json: this is not JSON: "))
    #expect(Self.message(#"{"a": 1"#, path: "-").hasPrefix("<stdin>: this is not JSON: "))
  }

  @Test func `a text that costs more than it says is refused at once`() {
    let laughs = (1...9).map { level in
      "l\(level): &l\(level) [\(Array(repeating: "*l\(level - 1)", count: 9).joined(separator: ","))]"
    }
    let clock = ContinuousClock()
    let texts = [
      // Aliases of aliases; as values, and as keys.
      "l0: &l0 [lol]\n" + laughs.joined(separator: "\n"),
      "l0: &l0 [lol]\n" + laughs.joined(separator: "\n") + "\n? *l9\n: x",
      "l0: &l0 [\(String(repeating: "lol,", count: 20_000))]\n"
        + (1...3).map { "l\($0): &l\($0) [*l\($0 - 1),*l\($0 - 1),*l\($0 - 1),*l\($0 - 1)]" }.joined(separator: "\n"),
      // Nesting, in each way to write it.
      String(repeating: "[", count: 200_000),
      "a: " + String(repeating: "{a: ", count: 100_000),
      String(repeating: "- ", count: 100_000),
      (0..<1_200).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
      String(repeating: "? ", count: 100_000),
      // Length.
      "a: " + String(repeating: "x", count: 2 << 20),
      "a: \u{0}",
      "\u{1}",
    ]
    for text in texts {
      let start = clock.now
      let message = Self.message(text)
      #expect(message.hasPrefix("v.yaml"), "\(message.prefix(200))")
      #expect(start.duration(to: clock.now) < .seconds(20), "\(text.prefix(40))")
    }
  }

  // MARK: Variables

  @Test func `variables are read as they are written`() throws {
    let text = """
      # comment
      PLAIN=a b  # comment
      export EXPORTED=yes
        SPACED = x y\t
      EMPTY=
      HASH=a#b
      URL=https://a.test/?a=1&b=$HOME
      SINGLE='a \\n "b" # $c'
      DOUBLE="a\\n\\"b\\" \\$c \\x"
      LINES="one
      two"  # comment
      PLAIN=last
      """
    let file = try VariableFile(Array("\u{FEFF}\(text)\r\nCR=1\r\n".utf8), path: ".env")
    #expect(
      file.variables == [
        "PLAIN": "last", "EXPORTED": "yes", "SPACED": "x y", "EMPTY": "", "HASH": "a#b",
        "URL": "https://a.test/?a=1&b=$HOME", "SINGLE": "a \\n \"b\" # $c", "DOUBLE": "a\n\"b\" $c \\x",
        "LINES": "one\ntwo", "CR": "1",
      ])
  }

  @Test(arguments: [
    ("A=1\nnonsense\n", ".env:2: this is not NAME=value"), ("1A=1", ".env:1: this is not NAME=value"),
    ("A=\"x\nB=1", ".env:1: the quote is not closed"), ("A='x' y", ".env:1: something follows the closing quote"),
    ("=1", ".env:1: this is not NAME=value"), ("A=\u{0}", ".env: this is not text in UTF-8"),
  ]) func `a line that is not a variable is named`(text: String, message: String) {
    do {
      _ = try VariableFile(Array(text.utf8), path: ".env")
      Issue.record("taken: \(text)")
    } catch {
      #expect(error.message == message)
    }
  }

  @Test func `what a file is goes by its name`() {
    #expect(["a.wb", "env", "a.json.wb", "x/profiles"].allSatisfy { OutsideFileKind(path: $0) == .script })
    #expect(["a.json", "x/a.YAML", "b.yml"].allSatisfy { OutsideFileKind(path: $0) == .values })
    #expect([".env", "x/.env.local", "staging.env"].allSatisfy { OutsideFileKind(path: $0) == .variables })
  }
}
