import Foundation
import Testing

/// `workbench fmt`, as its users run it.
@Suite(.timeLimit(.minutes(2))) struct FormatCommandTests {
  private static let loose = "# all\nGET   http://a.test/   q==1   # why\n  expect   200\n"
  private static let formatted = "# all\nGET http://a.test/\n  query q: 1  # why\n  expect 200\n"

  @Test func `standard input is formatted to standard output`() async throws {
    let outcome = try await Workbench.run(["fmt", "-"], input: Self.loose)
    #expect(outcome.output == Self.formatted)
    #expect(outcome.errors == "" && outcome.code == 0)
  }

  @Test func `a file is rewritten in place and keeps its mode and its links`() async throws {
    let file = try TemporaryFile(Self.loose, name: "a.wb")
    let link = file.url.deletingLastPathComponent().appending(path: "link.wb")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.url)
    let outcome = try await Workbench.run(["fmt", link.path])
    #expect(outcome.output == "" && outcome.errors == "" && outcome.code == 0)
    #expect(try file.read() == Self.formatted)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    let names = try FileManager.default.contentsOfDirectory(atPath: file.url.deletingLastPathComponent().path)
    #expect(names.sorted() == ["a.wb", "link.wb"])
  }

  @Test func `with --check the files that are not in the style are named, and none is changed`() async throws {
    let loose = try TemporaryFile(Self.loose, name: "loose.wb")
    let formatted = try TemporaryFile(Self.formatted, name: "formatted.wb")
    let outcome = try await Workbench.run(["fmt", "--check", formatted.path, loose.path])
    #expect(outcome.output == "\(loose.path)\n")
    #expect(outcome.code == 1)
    #expect(try loose.read() == Self.loose)
    #expect(try await Workbench.run(["fmt", "--check", formatted.path]).code == 0)
  }

  @Test func `a script with a syntax error is left alone`() async throws {
    let file = try TemporaryFile("GET http://a.test/ {\n", name: "a.wb")
    let outcome = try await Workbench.run(["fmt", file.path])
    #expect(outcome.errors.hasPrefix("error: ") && outcome.code == 2)
    #expect(try file.read() == "GET http://a.test/ {\n")
  }

  @Test func `a missing file exits with 25`() async throws {
    #expect(try await Workbench.run(["fmt", "/no/such.wb"]).code == 25)
  }
}
