import Foundation
import HTTPTypes
import OfflineTransport
import Requests
import RunStore
import Sessions
import Subcommands
import Synchronization
import Testing
import UploaderCore

/// Who is asked about a step whose outcome is not known can leave it, too.
@Suite(.timeLimit(.minutes(5))) struct ResumeChoiceTests {
  private let directory = TemporaryDirectory()
  private let shown = ShownText()

  private func world(_ answers: [Result<Response, TransportError>]) -> World {
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

  @Test(arguments: [
    (["x"], ExitCode.unknownOutcome), ([""], .unknownOutcome), (["GET /x", "a"], .unknownOutcome),
    ([], .unknownOutcome),
    (["d", "x", ""], .unknownOutcome), (["d", "", "d", "201"], .success), (["a"], .success), (["g"], .failed),
  ])
  func `anything else leaves it as it is`(replies: [String], code: ExitCode) async throws {
    let (store, file) = ("\(directory.path)/store", "\(directory.path)/a.wb")
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    try Data("a: POST https://a.test/x json { a: 1 }\n".utf8).write(to: URL(filePath: file))
    let lost = TransportError(.connectionLost(reason: "gone"), requestWasSent: true)
    _ = await RunSubcommand(world: world([.failure(lost)]), recording: .directory(store)).run(file: file)
    let left = Mutex(replies[...])
    let resume = ResumeSubcommand(world: world([.success(Response(status: .ok))]), directory: store) { _ in
      left.withLock { $0.popFirst() }
    }
    #expect(await resume.run("last") == code, "\(shown.text)")
  }

  @Test func `as long as nobody decides, the run says why it stopped`() async throws {
    let (store, file) = ("\(directory.path)/store", "\(directory.path)/a.wb")
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    try Data("b: GET https://a.test/y\na: POST https://a.test/x json { a: 1 }\n".utf8).write(to: URL(filePath: file))
    let lost = TransportError(.connectionLost(reason: "gone"), requestWasSent: true)
    let first = world([.success(Response(status: .ok)), .failure(lost)])
    _ = await RunSubcommand(world: first, recording: .directory(store)).run(file: file)
    func failure() throws -> String? { try RunStore(at: store).run("last").failure }
    let cause = try #require(try failure())
    #expect(cause.contains("gone"))
    for ask in [{ (_: String) -> String? in nil }, nil] as [(@Sendable (String) -> String?)?] {
      let resume = ResumeSubcommand(world: world([]), directory: store, ask: ask)
      #expect(await resume.run("last") == .unknownOutcome, "\(shown.text)")
      #expect(try failure() == cause)
    }
  }
}
