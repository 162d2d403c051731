import Diagnostics
import Formats
import Foundation
import Imports
import RequestProgram
import RequestSyntax
import Testing

/// What Documentation/coming-from.md says that lines of other tools become.
@Suite struct ComingFromTests {
  private static let page: URL = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Documentation/coming-from.md")

  private struct Example {
    var language: String
    var theirs: String
    var ours: String
    var place: Range<String.Index>
  }

  private static func examples(in text: String) -> [Example] {
    let block = /```(sh|hurl|http)\n((?:(?!```).)+?)\n```\n\n```wb imported\n(.*?)```/.dotMatchesNewlines()
    return text.matches(of: block).map { match in
      Example(
        language: String(match.output.1), theirs: String(match.output.2), ours: String(match.output.3),
        place: match.output.3.startIndex..<match.output.3.endIndex)
    }
  }

  private static func imported(_ example: Example) throws -> String {
    switch example.language {
    case "hurl", "http":
      let format = try #require(ForeignScript(rawValue: example.language))
      let source = SourceText(name: "x.\(example.language)", text: example.theirs)
      return SyntaxPrinter.format(format.read(source).script)
    default:
      if example.theirs.hasPrefix("curl") {
        return SyntaxPrinter.format(CurlFile.read(SourceText(name: "x.sh", text: example.theirs)).script)
      }
      guard case .script(let meaning)? = ForeignInput(example.theirs) else { return "not understood\n" }
      return SyntaxPrinter.format(meaning.script)
    }
  }

  @Test func `each line becomes the script beside it`() throws {
    var text = try String(contentsOf: Self.page, encoding: .utf8)
    let examples = Self.examples(in: text)
    #expect(examples.count == 40)
    let isRecording = ProcessInfo.processInfo.environment["RECORD"] != nil
    for example in examples.reversed() {
      let ours = try Self.imported(example)
      if isRecording {
        text.replaceSubrange(example.place, with: ours)
      } else {
        #expect(example.ours == ours, "\(example.theirs)")
      }
      var program = Program()
      let parsed = Parser.parse(SourceText(name: "x.wb", text: ours))
      let found = program.add(parsed).filter { $0.severity == .error && !$0.message.contains("cannot be read") }
      #expect(found.isEmpty, "\(example.theirs): \(found.map(\.message))")
    }
    if isRecording {
      try Data(text.utf8).write(to: Self.page)
      Issue.record("recorded")
    }
  }
}
