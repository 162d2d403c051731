import Foundation
import Testing

/// The pages for people: README.md, Documentation and the others beside them.
@Suite struct PagesTests {
  private static let root = URL(filePath: Workbench.examples).deletingLastPathComponent()

  private static func pages(_ folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "md" }
  }

  /// The titles of a page, as links name them.
  private static func anchors(_ page: String) -> Set<String> {
    Set(
      page.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        let title = line.drop { $0 == "#" || $0 == " " }.lowercased()
        return String(title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" })
          .replacing(" ", with: "-")
      })
  }

  @Test func `each link leads to a page and a title that are there`() throws {
    let pages = try Self.pages(Self.root) + Self.pages(Self.root.appending(path: "Documentation"))
    #expect(pages.count > 12)
    for page in pages {
      let text = try String(contentsOf: page, encoding: .utf8)
      for match in text.matches(of: /\]\(([^)\s]+)\)/) {
        let link = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard !link[0].contains("://") else { continue }
        let target = link[0].isEmpty ? page : page.deletingLastPathComponent().appending(path: link[0])
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page.lastPathComponent): \(match.1)")
        guard link.count == 2, target.pathExtension == "md" else { continue }
        let anchors = Self.anchors(try String(contentsOf: target, encoding: .utf8))
        #expect(anchors.contains(link[1]), "\(page.lastPathComponent): \(match.1)")
      }
    }
  }

  @Test func `each page of the documentation is in its index, and each picture is shown`() throws {
    let folder = Self.root.appending(path: "Documentation")
    let index = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    let names = try Self.pages(folder).map(\.lastPathComponent).filter { $0 != "README.md" }
    let pictures = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "pictures").path)
    for path in names + pictures.map({ "pictures/\($0)" }) {
      #expect(index.contains("(\(path))"), "\(path) is not in Documentation/README.md")
    }
    #expect(pictures.count == 6)
  }

  @Test func `the README fits on a screen`() throws {
    let lines = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count <= 50)
  }
}
