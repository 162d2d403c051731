import JSONValue
import Testing

/// A text that is JSON a line at a time, and not as a whole.
@Suite struct JSONLinesTests {
  @Test(arguments: [
    ("{\"a\":1}\n{\"a\":2}\n", true), ("{\"a\":1}\r\n{\"a\":2}\r\n", true), ("\n[1]\n\n[2]", true),
    ("{\"a\":1} {\"a\":2}", false), ("{\"a\":1}\n[2]", false), ("1\n2\n", false), ("{\n}\n{\n}\n", false),
    ("{\"a\":1}\nand text", false), ("{\"a\":1", false), ("{\"a\":\n{\"b\"", false),
  ]) func `it is recognized where the second line begins`(text: String, isOfLines: Bool) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: Array(text.utf8)) }
    #expect(error?.isOfLines == isOfLines)
    #expect(error?.sentence.contains("JSON lines") == isOfLines)
  }
}
