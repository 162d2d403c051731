import Foundation
import Requests
import Testing
import UploaderCore

@testable import RunStore

/// What makes a request a different one: the recorded response is not used for it.
@Suite struct RequestDifferenceTests {
  private static let file = RecordedRequest.File(
    path: "/a/x.png", offset: 0, count: 9, size: 9, modified: 5_000_000_000)

  private static func request(_ change: (inout RecordedRequest) -> Void = { _ in }) -> RecordedRequest {
    var request = RecordedRequest(
      method: "POST", url: "http://h/a?b=1",
      headers: [.init(name: "Accept", value: "text/plain"), .init(name: "X-One", value: "1")],
      body: .parts([
        .init(name: "key", content: .bytes(Array("k".utf8))), .init(name: "file", content: .file(file)),
      ]), profile: "api")
    change(&request)
    return request
  }

  private static func request(file change: (inout RecordedRequest.File) -> Void) -> RecordedRequest {
    var changed = file
    change(&changed)
    return request { $0.body = .file(changed) }
  }

  @Test(arguments: [
    (request { $0.method = "PUT" }, ["method"]),
    (request { $0.url += "&c=2" }, ["url"]),
    (request { $0.headers[1].value = "2" }, ["header x-one"]),
    (request { $0.headers.removeLast() }, ["header x-one"]),
    (request { $0.headers.append(.init(name: "x-one", value: "2")) }, ["header x-one"]),
    (request { $0.headers.append(.init(name: "Range", value: "bytes=1-")) }, ["header range"]),
    (request { $0.omittedHeaders = "accept-encoding" }, ["headers left out"]),
    (request { $0.body = .none }, ["body"]),
    (request { $0.body = .parts([.init(name: "key", content: .bytes(Array("l".utf8)))]) }, ["part 1", "part 2"]),
    (
      request {
        $0.method = "PUT"; $0.url = "http://h/"
      }, ["method", "url"]
    ),
  ])
  func `a different request is reported as such`(other: RecordedRequest, subjects: [String]) {
    #expect(Self.request().differences(to: other).map(\.subject) == subjects)
    #expect(other.differences(to: Self.request()).map(\.subject) == subjects)
  }

  @Test(arguments: [
    (request(file: { $0.modified += 1_000_000_000 }), true), (request(file: { $0.modified += 1 }), true),
    (request(file: { $0.size = 10 }), true), (request(file: { $0.offset = 1 }), true),
    (request(file: { $0.count = 8 }), true), (request(file: { _ in }), false),
  ])
  func `a changed file, or another slice of it, is another body`(other: RecordedRequest, isAnother: Bool) {
    let recorded = Self.request(file: { _ in })
    #expect(recorded.differences(to: other).isEmpty == !isAnother)
  }

  @Test func `a rewritten file of the same size is another body`() throws {
    let path = NSTemporaryDirectory() + "request-difference-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bodies = try [("one", 1_000.0), ("two", 2_000.0)].map { text, time in
      try Data(text.utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: path)
      return RecordedRequest.Body.file(.init(try FileSlice(path: path)))
    }
    let requests = bodies.map { body in Self.request { $0.body = body } }
    #expect(requests[0].differences(to: requests[1]).map(\.subject) == ["body"])
    #expect(requests[0].differences(to: requests[0]).isEmpty)
  }

  @Test(arguments: [
    request(), request { $0.profile = "other" }, request { $0.headers.reverse() },
    request { $0.headers[1].name = "x-ONE" },
  ])
  func `differences that do not matter leave the request the same`(other: RecordedRequest) {
    #expect(Self.request().differences(to: other).isEmpty)
  }
}
