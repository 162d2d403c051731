import ConformanceSuites
import Diagnostics
import Imports
import Testing

/// The core files of Hurl's own suite are read. That they also run is `Scripts/hurl-suite`'s.
@Suite struct HurlSuiteTests {
  private static let suite = ConformanceSuite("hurl", file: "core.txt", purpose: "no file of Hurl's suite is read")

  private static let names: [String] = {
    String(decoding: suite.bytes("core.txt") ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }()

  /// What is refused in them, by file.
  private static let refusals: [String: [String]] = [
    "tests_ok/patch/patch.hurl": [
      "refused 3:1 Host says \"www.example.com\", but the request goes to localhost:8000"
    ]
  ]

  @Test(.enabled(if: suite.isHere, "\(ConformanceSuite.absence)"), arguments: names)
  func `a core file becomes a script`(name: String) throws {
    let text = String(decoding: try #require(Self.suite.bytes(name)), as: UTF8.self)
    for isExact in [true, false] {
      let imported = Imported(text, isExact: isExact)
      #expect(imported.notes.filter { $0.hasPrefix("refused") } == Self.refusals[name] ?? [])
      // Files are looked for where the test runs, which is not their folder.
      let faults = imported.faults.filter { !$0.contains("cannot be read") }
      #expect(faults.isEmpty, "\(name): \(faults)\n\(imported.text)")
    }
  }
}
