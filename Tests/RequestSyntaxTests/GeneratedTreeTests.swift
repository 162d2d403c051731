import Diagnostics
import Testing

@testable import RequestSyntax

/// What is printed is read as the tree that was printed, whatever a tree says.
@Suite struct GeneratedTreeTests {
  private static let seeds = Array(UInt64(0)..<60)

  private static func script(_ seed: UInt64) -> ScriptSyntax {
    var generator = GeneratedTree(seed: seed)
    return ScriptSyntax((0..<60).map { _ in generator.statement() })
  }

  @Test(arguments: seeds)
  func `a tree that was made survives printing`(seed: UInt64) {
    for statement in Self.script(seed).statements {
      let printed = SyntaxPrinter.print(ScriptSyntax([statement]))
      let parsed = parse(printed)
      let isSame = parsed.errors.isEmpty && parsed.script.statements == [statement]
      #expect(isSame, "\(rendered(parsed))\(printed)")
      if !isSame { return }
      #expect(SyntaxPrinter.print(parsed.script) == printed)
    }
  }

  /// A case that is added has to be counted here, and then it has to be made.
  @Test func `every production is made`() {
    var seen: Set<String> = []
    for seed in Self.seeds {
      for statement in Self.script(seed).statements { seen.formUnion(Productions(statement).names) }
    }
    #expect(Productions.all.subtracting(seen) == [])
    #expect(seen.subtracting(Productions.all) == [])
  }
}
