import Foundation
import Testing

/// What CONTRIBUTING.md says of the project's files.
@Suite struct ContributingTests {
  @Test func `each file it names exists, and a change needs five at most`() throws {
    let root = URL(filePath: Workbench.examples).deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.starts(with: #/\| \d+\. /#) }
    #expect(rows.count >= 25)
    for line in page.split(separator: "\n") {
      let paths = line.matches(of: /`([\w+]+\/[\w+.\/]+)`/).map { String($0.1) }
      for path in paths {
        let isThere = ["", "Sources"].contains { base in
          FileManager.default.fileExists(atPath: root.appending(path: base).appending(path: path).path)
        }
        #expect(isThere, "\(path) is not in the project")
      }
      if line.starts(with: "|") { #expect(paths.count <= 5, "\(line)") }
    }
  }
}
