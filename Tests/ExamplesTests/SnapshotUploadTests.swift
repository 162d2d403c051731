import Canaries
import Foundation
import HTTPTypes
import JSONValue
import LibcurlTransport
import Requests
import Sandbox
import SnapshotUpload
import Testing
import UploaderCore

/// The seed's own example, against a server that checks what S3 checks.
@Suite(.timeLimit(.minutes(5))) struct SnapshotUploadTests {
  private static let image = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Examples/blueprint.png").standardizedFileURL.path

  private static func upload(
    _ sequence: some OperationRequestSequence, sheet: String
  ) async throws -> (statuses: [Int], log: [JSON], token: String) {
    let log = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).received").path
    defer { try? FileManager.default.removeItem(atPath: log) }
    var options = SandboxOptions()
    options.logFile = log
    options.token = Canary.secret("snapshot")
    return try await Sandbox.run(options) { endpoints in
      let uploader = Uploader(
        transport: CurlTransport(), profiles: [try .api(endpoints.api, token: endpoints.token)])
      var run = SequenceRun(sequence)
      try await uploader.run(&run)
      let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      return (
        run.exchanges.map(\.response.status.code), try lines.map { try JSON(parsing: String($0)) }, endpoints.token
      )
    }
  }

  private static func check(_ result: (statuses: [Int], log: [JSON], token: String)) throws {
    #expect(result.statuses == [201, 204, 200])
    #expect(result.log.compactMap { $0["method"]?.string } == ["POST", "POST", "PUT"])
    #expect(result.log[0]["target"]?.string == "/sheets/A%20101%2Fb/snapshots")
    let origins = result.log.compactMap { $0["origin"]?.string }
    #expect(origins[0] == origins[2] && origins[0] != origins[1])
    for (entry, hasToken) in zip(result.log, [true, false, true]) {
      #expect("\(entry)".contains(result.token) == hasToken)
    }
    let image = try Data(contentsOf: URL(filePath: image))
    #expect(result.log[1]["size"]?.int ?? 0 > image.count)
  }

  @Test func `the sequence uploads, and the token stays at the API`() async throws {
    let image = try FileSlice(path: Self.image)
    try Self.check(try await Self.upload(SnapshotUpload(sheet: "A 101/b", image: image), sheet: "A 101/b"))
  }

  @Test func `the array of continuations does the same`() async throws {
    let image = try FileSlice(path: Self.image)
    try Self.check(
      try await Self.upload(ArrayRequestSequence.snapshotUpload(sheet: "A 101/b", image: image), sheet: "A 101/b"))
  }

  @Test func `its events report what was sent where, and what was withheld`() async throws {
    let image = try FileSlice(path: Self.image)
    try await Sandbox.run { endpoints in
      let uploader = Uploader(
        transport: CurlTransport(), profiles: [try .api(endpoints.api, token: endpoints.token)])
      var (steps, sent): ([String?], Int) = ([], 0)
      var hadCredential: [Bool] = []
      for try await event in uploader.events(of: SnapshotUpload(sheet: "A-101", image: image)) {
        switch event {
        case .sending(let prepared, _): hadCredential.append(prepared.credential != nil)
        case .received(let exchange) where exchange.label == "upload": sent = exchange.request.bodySize
        case .step(.exchange(let exchange), _): steps.append(exchange.label)
        default: break
        }
      }
      #expect(steps == ["allocate", "upload", "confirm"])
      #expect(hadCredential == [true, false, true])
      #expect(sent > image.count)
    }
  }

  @Test func `the sequence throws for a response without a snapshot`() throws {
    var sequence = SnapshotUpload(sheet: "A", image: try FileSlice(path: Self.image))
    let description = try #require(try sequence.nextRequest(previous: nil))
    let answer = Exchange(
      description: description,
      request: SentRequest(method: .post, url: "http://h/", origin: Origin(scheme: .http, host: "h")),
      response: Response(status: .created, body: ResponseBody(Array("{}".utf8))))
    #expect(throws: AllocatedSnapshot.Incomplete(json: "{}")) { try sequence.nextRequest(previous: answer) }
  }
}
