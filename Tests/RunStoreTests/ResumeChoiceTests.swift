import Foundation
import HTTPTypes
import OfflineTransport
import Requests
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
}
