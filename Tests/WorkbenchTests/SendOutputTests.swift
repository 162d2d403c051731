import Foundation
import LoopbackServer
import Testing

/// What `workbench send` writes to which output, into a pipe.
@Suite(.timeLimit(.minutes(5))) struct SendOutputTests {
  private static let body = "{\"a\":  1}"

  private static func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        try connection.respond(headers: ["ETag: \"e\""], body: request.head.hasPrefix("HEAD") ? "" : body)
      }
    }
  }

  @Test func `-v shows its part on standard error, and the body stays byte for byte`() async throws {
    let server = try Self.server()
    for request in [["-v", "GET", "\(server.url)/x"], ["curl", "-v", "\(server.url)/x"], ["curl -v \(server.url)/x"]] {
      let outcome = try await Workbench.run(["send"] + request)
      #expect(outcome.code == 0 && outcome.output == Self.body, "\(request) \(outcome)")
      #expect(outcome.errors.contains("GET \(server.url)/x\n"), "\(request) \(outcome)")
      #expect(outcome.errors.contains("ETag: \"e\"\n"), "\(request) \(outcome)")
      #expect(!outcome.errors.contains(Self.body), "\(request) \(outcome)")
    }
  }

  @Test func `without it standard error is empty`() async throws {
    let server = try Self.server()
    let outcome = try await Workbench.run(["send", "GET", "\(server.url)/x"])
    #expect(outcome.output == Self.body && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test func `what HEAD asks for is the headers`() async throws {
    let server = try Self.server()
    for request in [["HEAD", "\(server.url)/x"], ["curl", "-I", "\(server.url)/x"], ["HEAD \(server.url)/x"]] {
      let outcome = try await Workbench.run(["send"] + request)
      #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(request) \(outcome)")
      #expect(outcome.output.hasPrefix("HTTP/1.1 200 OK\nETag: \"e\"\n"), "\(request) \(outcome)")
    }
  }

  @Test func `options of a line for another tool are that tool's`() async throws {
    let server = try Self.server()
    let url = "\(server.url)/x"
    for request in [
      ["curl", "-i", url], ["curl -i \(url)"], ["http", "-v", url], ["http", "--print=hb", "--ignore-stdin", url],
    ] {
      let outcome = try await Workbench.run(["send"] + request)
      #expect(outcome.output.contains("HTTP/1.1 200 OK\nETag: \"e\"\n"), "\(request) \(outcome)")
      #expect(outcome.code == 0 && outcome.output.hasSuffix("\n\n\(Self.body)"), "\(request) \(outcome)")
      #expect(outcome.output.contains("GET \(url)") == request.contains("-v"), "\(request) \(outcome)")
    }
    let headers = try await Workbench.run(["send", "http", "--print=h", url])
    #expect(headers.output.contains("ETag: \"e\"\n") && !headers.output.contains(Self.body), "\(headers)")
    let sentHeaders = try await Workbench.run(["send", "http", "-pH", "--ignore-stdin", url])
    #expect(sentHeaders.output.hasPrefix("GET \(url)\n") && !sentHeaders.output.contains("200 OK"), "\(sentHeaders)")
    let posted = try await Workbench.run(["send", "curl", "-X", "PUT", url, "-H", "X-A: 1", "-d", "a=1"])
    #expect(posted.code == 0, "\(posted)")
    let sent = server.requests.last ?? ""
    #expect(sent.hasPrefix("PUT /x ") && sent.contains("X-A: 1\r\n"), "\(sent)")
  }

  @Test func `what is typed is sent once; a rule or a repetition is kept`() async throws {
    for (words, attempts) in [
      (["GET", "{}/x"], 1), (["GET {}/x"], 1), (["curl", "{}/x"], 1), (["GET", "{}/x", "retry", "2"], 2),
      (["GET {}/x repeat 1 times until status == 200"], 3),
    ] {
      let server = try LoopbackServer { connection in
        while try connection.readRequest() != nil {
          try connection.respond("503 Service Unavailable", headers: ["Retry-After: 0"], body: "")
        }
      }
      let request = words.map { $0.replacingOccurrences(of: "{}", with: "\(server.url)") }
      let outcome = try await Workbench.run(["send"] + request)
      // For curl, any status will do.
      #expect((outcome.code == 0) == (words[0] == "curl"), "\(request) \(outcome)")
      #expect(server.requests.count == attempts, "\(request) \(outcome)")
    }
  }
}
