import Diagnostics
import RequestSyntax

/// Formatting a script keeps what it says and its comments, and formatting it again changes nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = SourceText(name: "fuzz.wb", bytes: Array(UnsafeBufferPointer(start: start, count: count)))
  let parsed = Parser.parse(source)
  guard parsed.errors.isEmpty else { return 0 }
  let formatted = SyntaxPrinter.format(parsed.script)
  let again = Parser.parse(SourceText(name: "formatted.wb", text: formatted))
  precondition(again.errors.isEmpty, "what was formatted does not parse:\n\(formatted)")
  precondition(
    again.script.statements == parsed.script.canonical.statements,
    "what was formatted says something else:\n\(formatted)")
  precondition(
    again.script.comments.map(\.text).sorted() == parsed.script.comments.map(\.text).sorted(),
    "comments are lost:\n\(formatted)")
  precondition(SyntaxPrinter.format(again.script) == formatted, "formatting again changes it:\n\(formatted)")
  return 0
}
