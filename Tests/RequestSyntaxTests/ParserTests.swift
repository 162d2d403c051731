import Diagnostics
import Foundation
import RequestSyntax
import Testing

/// The scripts that the design requires to be writable; kept next to the repository.
let designScripts: [String] = {
  var directory = URL(filePath: #filePath)
  while directory.path != "/" {
    directory.deleteLastPathComponent()
    for candidate in ["../shared/design/scripts", "../../shared/design/scripts"] {
      let scripts = directory.appending(path: candidate).standardizedFileURL
      if let names = try? FileManager.default.contentsOfDirectory(atPath: scripts.path) {
        return names.sorted().map { scripts.appending(path: $0).path }
      }
    }
  }
  return []
}()

func parse(_ text: String) -> ParsedScript {
  Parser.parse(SourceText(name: "test.wb", text: text))
}

func rendered(_ parsed: ParsedScript) -> String {
  parsed.diagnostics.map { DiagnosticRenderer().render($0) }.joined()
}

struct ParserTests {
  @Test(
    .enabled(if: !designScripts.isEmpty, "SKIPPED: ../shared/design/scripts is not here"), arguments: designScripts
  )
  func `the scripts of the design parse`(path: String) throws {
    let parsed = Parser.parse(SourceText(name: path, bytes: Array(try Data(contentsOf: URL(filePath: path)))))
    #expect(rendered(parsed) == "")
    #expect(!parsed.script.statements.isEmpty)
  }

  @Test(
    .enabled(if: !designScripts.isEmpty, "SKIPPED: ../shared/design/scripts is not here"), arguments: designScripts
  )
  func `tokens with their trivia concatenate to the text`(path: String) throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let source = SourceText(name: path, bytes: bytes)
    #expect(Parser.tokens(of: source).map { source[$0.fullRange] }.joined() == String(decoding: bytes, as: UTF8.self))
  }
}
