import Foundation
import LoopbackServer
import Synchronization
import Testing

/// What only the server can say by the time a run is resumed.
@Suite(.timeLimit(.minutes(5))) struct ServersWordTests {
  private static func run(_ command: [String], in store: TemporaryFile) async throws -> Workbench.Outcome {
    try await Workbench.run(command + ["--store", store.path + ".d"])
  }

  /// The first lines of what came, without the values of queries.
  private static func lines(_ server: LoopbackServer) -> [String] {
    server.requests.map { String($0.prefix { !$0.isNewline && $0 != "?" }) }
  }

  @Test func `a presigned URL that expired leads back to the step that allocated it`() async throws {
    let allocations = Mutex(0)
    let server = try LoopbackServer { connection in
      while let (head, _) = try connection.readRequest() {
        if head.hasPrefix("POST /allocate") {
          // The first one has expired when the run is resumed, the second is new.
          let count = allocations.withLock { count in
            count += 1
            return count
          }
          let signed = Date.now.addingTimeInterval(count == 1 ? -7_200 : 0)
          let date = signed.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
          let host = head.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }?.dropFirst(6) ?? ""
          let url =
            "http://\(host)/object-\(count)?X-Amz-Date=\(date)&X-Amz-Expires=3600&X-Amz-Signature=0123456789abcdef"
          try connection.respond(
            "201 Created", headers: ["Content-Type: application/json"], body: "{\"url\": \"\(url)\"}")
        } else {
          try connection.respond(head.hasPrefix("PUT /object-1") ? "403 Forbidden" : "200 OK")
        }
      }
    }
    let store = try TemporaryFile("", name: "store")
    let script = try TemporaryFile(
      """
      start: POST \(server.url)/start
      allocate: POST \(server.url)/allocate
        expect 201
      upload: PUT $allocate.body.url
        text "an object"
        expect 200
      """, name: "expired.wb")
    let failed = try await Self.run(["run", script.path], in: store)
    #expect(failed.code == 1, "\(failed)")
    let resumed = try await Self.run(["resume", "last"], in: store)
    #expect(resumed.code == 0, "\(resumed)")
    #expect(resumed.errors.contains("going back to the step that allocated it"), "\(resumed.errors)")
    #expect(
      Self.lines(server) == [
        "POST /start HTTP/1.1", "POST /allocate HTTP/1.1", "PUT /object-1", "POST /allocate HTTP/1.1", "PUT /object-2",
      ])
  }

  @Test func `an upload that was cut off continues where the server says, not where the record does`() async throws {
    let sent = Mutex<[String]>([])
    let server = try LoopbackServer { connection in
      while let (head, body) = try connection.readRequest() {
        if head.hasPrefix("POST ") {
          try connection.respond("201 Created")
        } else if head.hasPrefix("HEAD ") {
          let offset = sent.withLock { $0.isEmpty ? 0 : 5 }
          try connection.send("HTTP/1.1 200 OK\r\nUpload-Offset: \(offset)\r\nContent-Length: 0\r\n\r\n")
        } else {
          let isFirst = sent.withLock { sent in
            sent.append(String(decoding: body, as: UTF8.self))
            return sent.count == 1
          }
          if isFirst { return connection.reset() }
          try connection.respond("204 No Content")
        }
      }
    }
    let store = try TemporaryFile("", name: "store")
    let script = try TemporaryFile(
      """
      create: POST \(server.url)/files
        expect 201
      probe: HEAD \(server.url)/files/1
      send: PATCH \(server.url)/files/1
        header Upload-Offset: "{$probe.headers.upload-offset}"
        text "from {$probe.headers.upload-offset} on"
        expect 204
      """, name: "offset.wb")
    let cut = try await Self.run(["run", script.path], in: store)
    #expect(cut.code == 24, "\(cut)")
    let resumed = try await Self.run(["resume", "last"], in: store)
    #expect(resumed.code == 0, "\(resumed)")
    #expect(sent.withLock { $0 } == ["from 0 on", "from 5 on"])
    #expect(
      Self.lines(server) == [
        "POST /files HTTP/1.1", "HEAD /files/1 HTTP/1.1", "PATCH /files/1 HTTP/1.1", "HEAD /files/1 HTTP/1.1",
        "PATCH /files/1 HTTP/1.1",
      ])
  }
}
