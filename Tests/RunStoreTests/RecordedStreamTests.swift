import Foundation
import HTTPTypes
import OfflineTransport
import Requests
import RunStore
import Sessions
import Subcommands
import Testing
import UploaderCore

/// A step with `stream` in a run that is continued, replayed, or waits in the queue.
@Suite struct RecordedStreamTests {
  private let directory = TemporaryDirectory()
  private let shown = ShownText()

  private static let script = """
    events: GET https://a.test/events
      stream until body[-1].data.done
    used: POST https://a.test/used json { count: ($events.body | count), last: $events.body[-1].data.id }
    """

  private static let events = StreamingTransport.Script(
    Response(status: .ok, headers: [.contentType: "text/event-stream"]),
    ["data: {\"id\":1}\n\n", "data: {\"id\":2,\"done\":true}\n\ndata: {\"id\":3}\n\n"])
  private static let refused = StreamingTransport.Script(Response(status: .internalServerError), [String]())
  private static let done = StreamingTransport.Script(Response(status: .created), [String]())

  private var store: String { "\(directory.path)/store" }

  private func world(_ transport: StreamingTransport) throws -> World {
    try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    try Data(Self.script.utf8).write(to: URL(filePath: "\(directory.path)/a.wb"))
    let output = World.Output { [shown] in shown.write($0) }
    return World(
      output: output, errorOutput: output, environment: [:], workingDirectory: directory.path,
      readFile: { path throws(FileError) in
        guard let data = FileManager.default.contents(atPath: path) else {
          throw .unreadable(path: path, reason: SystemError(number: 2))
        }
        return Array(data)
      }, writeFile: { _, _ in },
      replaceFile: { _, _ in }, listDirectory: { _ in [] }, transport: transport)
  }

  private static func expectUsed(_ transport: StreamingTransport) {
    #expect(transport.requests.last?.body == [.bytes(Array("{\"count\":2,\"last\":2}".utf8))])
  }

  @Test func `it is continued with the events that came, which are not asked for again`() async throws {
    let first = StreamingTransport([Self.events, Self.refused])
    let run = RunSubcommand(world: try world(first), recording: .directory(store))
    #expect(await run.run(file: "\(directory.path)/a.wb") == .failed)
    Self.expectUsed(first)
    let second = StreamingTransport([Self.done])
    let id = try #require(try RunStore(at: store).runs().first?.id)
    let resumed = await ResumeSubcommand(world: try world(second), directory: store).run(id)
    #expect(resumed == .success, "\(shown.text)")
    #expect(second.requests.map(\.url) == ["https://a.test/used"])
    Self.expectUsed(second)
  }

  @Test func `it is replayed`() async throws {
    let transport = StreamingTransport([Self.events, Self.done])
    let run = RunSubcommand(world: try world(transport), recording: .directory(store))
    #expect(await run.run(file: "\(directory.path)/a.wb") == .success)
    let id = try #require(try RunStore(at: store).runs().first?.id)
    let none = StreamingTransport([])
    let replayed = await ReplaySubcommand(world: try world(none), directory: store).run(id, file: nil)
    #expect(replayed == .success, "\(shown.text)")
    #expect(none.requests.isEmpty)
    // The condition is asked of what was recorded.
    let stricter = Self.script.replacing("data.done", with: "data.never")
    try Data(stricter.utf8).write(to: URL(filePath: "\(directory.path)/b.wb"))
    let other = await ReplaySubcommand(world: try world(none), directory: store).run(id, file: "\(directory.path)/b.wb")
    #expect(other == .failed && shown.text.contains("before the stream ended"), "\(shown.text)")
  }

  @Test func `it waits in the queue, and is performed`() async throws {
    let transport = StreamingTransport([Self.events, Self.done])
    let queue = QueueRun(world: try world(transport), directory: store)
    #expect(
      await queue.add(file: "\(directory.path)/a.wb", sequence: nil, settings: [:], key: nil) == .success,
      "\(shown.text)")
    #expect(await queue.run(jobs: 1) == .success, "\(shown.text)")
    Self.expectUsed(transport)
    #expect(try RunStore(at: store).operations().isEmpty)
  }
}
