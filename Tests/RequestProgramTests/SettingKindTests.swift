import Diagnostics
import RequestProgram
import RequestSyntax
import Requests
import Testing

/// What a text of `--set` stands for: a value of the kind of what it replaces.
@Suite struct SettingKindTests {
  private static let script = """
    let n = 600
    let on = true
    let text = "600"
    let list = [1]
    let object = { a: 1 }
    let none = null
    let size = 5MiB
    let computed = 60 * 10
    let read = $env.N
    sequence send(m = 3, word = "w") {
      POST http://a.test/ json {
        n: $n, on: $on, text: $text, list: $list, object: $object, none: $none, size: $size, computed: $computed, m: $m,
        word: $word
      }
    }
    run send()
    """

  private static func body(_ name: String, _ value: String, language: Int = LanguageVersion.current) -> String {
    var harness = ScriptHarness(variables: ["N": "1"])
    harness.environment.language = language
    harness.settings = [name: value]
    let outcome = harness.run(script)
    guard let request = outcome.requests.first, case .inMemory(let description) = request else { return outcome.text }
    return String(decoding: description.body?.bytes ?? [], as: UTF8.self)
  }

  @Test(arguments: [
    ("n", "5", "5"), ("n", "-1.5e3", "-1.5e3"), ("n", "2KiB", "2048"), ("on", "false", "false"), ("text", "5", "\"5\""),
    ("text", "true", "\"true\""), ("list", "[2, \"{x}\"]", "[2,\"{x}\"]"), ("list", "[]", "[]"),
    ("object", "{\"b\": 2}", "{\"b\":2}"), ("none", "5", "5"), ("none", "\"x\"", "\"x\""), ("none", "null", "null"),
    ("size", "1MiB", "1048576"), ("computed", "5", "5"), ("m", "5", "5"), ("word", "5", "\"5\""),
  ])
  func `a value takes the kind of what it replaces`(name: String, value: String, sent: String) {
    let body = Self.body(name, value)
    #expect(body.contains("\"\(name)\":\(sent),") || body.contains("\"\(name)\":\(sent)}"), "\(body)")
  }

  @Test(arguments: [
    ("n", "abc", "\"n\" is a number in the script, not \"abc\""), ("n", "", "is a number"), ("n", "007", "is a number"),
    ("n", "true", "is a number"), ("on", "yes", "\"on\" is true or false in the script, not \"yes\""),
    ("list", "{}", "\"list\" is an array in the script"), ("object", "a=1", "\"object\" is an object"),
    ("none", "hello", "--set none='\"…\"'"), ("computed", "x", "is a number"), ("m", "x", "\"m\" is a number"),
  ])
  func `what is no value of that kind is an error`(name: String, value: String, message: String) {
    let text = Self.body(name, value)
    #expect(text.contains(message), "\(text)")
    #expect(text.contains("command line:1:\(name.count + 2)"), "\(text)")
  }

  @Test func `a duration is one`() {
    var harness = ScriptHarness()
    harness.settings = ["t": "5s"]
    let outcome = harness.run("let t = 30s\nGET http://a.test/ timeout $t")
    #expect(outcome.text == "")
    #expect(outcome.requests.first?.head.timeout == .seconds(5))
    harness.settings = ["t": "5"]
    #expect(harness.run("let t = 30s\nGET http://a.test/ timeout $t").text.contains("\"t\" is a duration"))
  }

  @Test func `a recorded run of the first version means what it meant`() {
    #expect(Self.body("n", "5", language: LanguageVersion.first).contains("\"n\":\"5\""))
  }
}
