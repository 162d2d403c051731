import Foundation
import Requests
import Testing

struct OAuthFieldTests {
  @Test func `the page on signing in has a line for every field, and no other`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Documentation/sign-in.md"
    ).standardizedFileURL
    let text = try String(contentsOf: page, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## All fields").last).components(separatedBy: "\n## ")[0]
    let names = section.components(separatedBy: "\n").compactMap { line in
      line.hasPrefix("| `") ? line.dropFirst(3).prefix { $0 != "`" } : nil
    }
    #expect(names.map(String.init).sorted() == OAuthField.all.map(\.name).sorted())
  }
}
