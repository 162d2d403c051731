import Diagnostics
import RequestProgram
import RequestSyntax

/// Whatever the bytes: lexer and parser neither crash nor hang, lose no byte, and what is found wrong can be shown. A
/// script without errors is printed, and reads back as the same tree.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = SourceText(name: "fuzz.wb", bytes: Array(UnsafeBufferPointer(start: start, count: count)))
  let parsed = Parser.parse(source)
  var end = 0
  for token in Parser.tokens(of: source) {
    precondition(token.triviaStart == end && token.range.lowerBound >= end, "the tokens have a gap")
    end = token.range.upperBound
  }
  precondition(end == count, "the tokens do not end where the text does")
  render(parsed.diagnostics)
  guard parsed.errors.isEmpty else { return 0 }

  var program = Program()
  render(program.add(parsed))
  let printed = SyntaxPrinter.print(parsed.script)
  let again = Parser.parse(SourceText(name: "printed.wb", text: printed))
  precondition(again.errors.isEmpty, "what was printed does not parse:\n\(printed)")
  precondition(again.script.statements == parsed.script.statements, "what was printed is another tree:\n\(printed)")
  return 0
}

private func render(_ diagnostics: [Diagnostic]) {
  for diagnostic in diagnostics.prefix(20) {
    let range = diagnostic.range
    precondition(
      0 <= range.lowerBound && range.upperBound <= diagnostic.source.bytes.count, "an error outside the text")
    precondition(!DiagnosticRenderer(width: 40).render(diagnostic).isEmpty)
  }
}
