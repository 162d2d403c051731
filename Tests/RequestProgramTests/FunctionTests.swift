import Diagnostics
import Foundation
import RequestProgram
import Requests
import Testing

/// What functions claim about themselves is true.
@Suite struct FunctionTests {
  /// Nothing that is evaluated on its own runs a program, `command` is for the prompt, or has a profile that signs.
  @Test(arguments: Function.all.map(\.name).filter { !["command", "presign"].contains($0) })
  func `the example of a function can be run`(name: String) throws {
    let function = try #require(Function(named: name))
    #expect(function.example.contains(name), "\(function.example)")
    let file = FileManager.default.temporaryDirectory.appending(path: "workbench-function-\(UUID().uuidString)")
    try Data("abc".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let text = function.example.replacing("a.bin", with: file.path)
    let (expression, found) = DocumentExpression.parse(SourceText(name: "example", text: text))
    #expect(found.isEmpty, "\(found.map(\.message))")
    var environment = ProgramEnvironment(variables: [:], ask: { _ in "reply" })
    environment.patience = .seconds(60)
    let value = try #require(expression).value(of: nil, in: environment, at: StepSeed(time: .zero))
    #expect(!value.printed.isEmpty)
  }

  @Test func `each function is in the language's documentation`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "Documentation/language.md"), encoding: .utf8)
    for function in Function.all {
      let isNamed = page.contains("`\(function.name)`") || page.contains("`\(function.name)(")
      #expect(isNamed, "\(function.name)")
    }
  }

  @Test func `names are unique`() {
    #expect(Set(Function.all.map(\.name)).count == Function.all.count)
  }
}
