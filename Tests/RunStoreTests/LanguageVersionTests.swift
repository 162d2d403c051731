import Formats
import Foundation
import HTTPTypes
import OfflineTransport
import Requests
import RunStore
import Sessions
import Subcommands
import Testing
import UploaderCore

/// A record says which version of the language its script was written in, and the script keeps its meaning.
@Suite struct LanguageVersionTests {
  private let directory = TemporaryDirectory()
  private let shown = ShownText()

  /// `/away` leads to another origin, and its body is not sent there.
  private static let away = Response(status: .temporaryRedirect, headers: [.location: "https://b.test/x"])
  private static let script = "a: POST https://a.test/away json { a: 1 }\nb: GET https://a.test/b\n"

  private func run(
    _ script: String, in language: Int, _ answers: [Result<Response, TransportError>]
  ) async throws -> (code: ExitCode, id: String) {
    var world = world(answers)
    world.language = language
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    try Data(script.utf8).write(to: URL(filePath: "\(directory.path)/a.wb"))
    let code = await RunSubcommand(world: world, recording: .directory("\(directory.path)/store"))
      .run(file: "\(directory.path)/a.wb")
    return (code, try #require(try RunStore(at: "\(directory.path)/store").runs().first?.id))
  }

  private func world(_ answers: [Result<Response, TransportError>] = []) -> World {
    let output = World.Output { [shown] in shown.write($0) }
    return World(
      output: output, errorOutput: output, environment: [:], workingDirectory: directory.path,
      readFile: { path throws(FileError) in
        guard let data = FileManager.default.contents(atPath: path) else {
          throw .unreadable(path: path, reason: SystemError(number: 2))
        }
        return Array(data)
      }, writeFile: { _, _ in },
      replaceFile: { _, _ in }, listDirectory: { _ in [] }, transport: ScriptedTransport(answers))
  }

  private static let lost = TransportError(.connectionLost(reason: "gone"), requestWasSent: false)

  @Test func `a script of the first version is continued and replayed as it was meant`() async throws {
    let ended = try await run(
      Self.script, in: 1, [.success(Self.away)] + Array(repeating: .failure(Self.lost), count: 5))
    #expect(ended.code != .success && shown.text.contains("307"), "\(shown.text)")
    let store = "\(directory.path)/store"
    let resumed = await ResumeSubcommand(world: world([.success(Response(status: .ok))]), directory: store).run(
      ended.id)
    #expect(resumed == .success, "\(shown.text)")
    #expect(shown.text.contains("it was recorded in version 1 of the language"))
    #expect(await ReplaySubcommand(world: world(), directory: store).run(ended.id, file: nil) == .success)
    // Its own text, given now, is one of today.
    let file = "\(directory.path)/a.wb"
    #expect(await ReplaySubcommand(world: world(), directory: store).run(ended.id, file: file) != .success)
  }

  @Test func `one of this version is recorded as that, and nothing is said about it`() async throws {
    let ended = try await run(Self.script, in: 2, [.success(Self.away)])
    #expect(ended.code == .failed)
    let store = try RunStore(at: "\(directory.path)/store")
    #expect(try store.setup(of: store.run(ended.id)).script.language == 2)
    let replay = ReplaySubcommand(world: world(), directory: "\(directory.path)/store")
    #expect(await replay.run(ended.id, file: nil) == .failed)
    #expect(!shown.text.contains("version"))
  }

  @Test(arguments: [(1, true), (2, false)])
  func `of a file that is not text, the first version makes one`(language: Int, isLenient: Bool) async throws {
    let path = "\(directory.path)/bin"
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    try Data([0x61, 0xFF]).write(to: URL(filePath: path))
    let ended = try? await run(
      "POST https://a.test/x text file(\"\(path)\").text", in: language, [.success(Response(status: .ok))])
    #expect((ended?.code == .success) == isLenient, "\(shown.text)")
  }
}
