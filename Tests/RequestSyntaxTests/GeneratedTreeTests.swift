import Diagnostics
import Testing

@testable import RequestSyntax

/// What is printed is read as the tree that was printed, whatever the tree contains.
@Suite struct GeneratedTreeTests {
  private static let seeds = Array(UInt64(0)..<60)

  private static func script(_ seed: UInt64) -> ScriptSyntax {
    var generator = GeneratedTree(seed: seed)
    return ScriptSyntax((0..<60).map { _ in generator.statement() })
  }

  @Test(arguments: seeds)
  func `a generated tree survives printing`(seed: UInt64) {
    for statement in Self.script(seed).statements {
      let printed = SyntaxPrinter.print(ScriptSyntax([statement]))
      let parsed = parse(printed)
      let isSame = parsed.errors.isEmpty && parsed.script.statements == [statement]
      #expect(isSame, "\(rendered(parsed))\(printed)")
      if !isSame { return }
      #expect(SyntaxPrinter.print(parsed.script) == printed)
    }
  }

  /// An added case has to be counted here, and then it has to be generated.
  @Test func `every production is generated`() {
    var seen: Set<String> = []
    for seed in Self.seeds {
      for statement in Self.script(seed).statements { seen.formUnion(Productions(statement).names) }
    }
    #expect(Productions.all.subtracting(seen) == [])
    #expect(seen.subtracting(Productions.all) == [])
  }
}
