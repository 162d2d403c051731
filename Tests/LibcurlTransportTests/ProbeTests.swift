import Foundation
import LoopbackServer
import Testing

/// What no response may do to the memory and time of the client.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ProbeTests {
  /// What the probe printed for each response, how long the slowest took, in milliseconds, and its peak in KiB.
  private func probe(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (lines: [String], slowest: Double, peak: Int) {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL
      .appending(path: "transport-probe")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let lines = text.split(separator: "\n").map(String.init)
    let figures = try #require(lines.last).split(separator: " ")
    return (
      lines.dropLast(), try #require(figures.first.flatMap { Double($0) }),
      try #require(figures.last.flatMap { Int($0) })
    )
  }

  @Test(arguments: HostileCase.all)
  func `no hostile response needs 64 MiB or more than its time`(hostile: HostileCase) throws {
    let server = try hostile.server()
    let file = try hostile.upload.map { try TemporaryFile([UInt8](repeating: 7, count: $0)) }
    let upload = file.map { ["--upload", $0.path] } ?? []
    defer { withExtendedLifetime(file) {} }
    let (lines, slowest, peak) = try probe(upload + [server.url + "/hostile", server.url + "/next"])
    #expect(lines.last == "200 4")
    #expect(peak < 64 << 10, "\(lines)")
    // The probe's limits are 2 s; the rest is for a busy machine.
    #expect(slowest < 20_000, "\(lines)")
  }

  @Test func `a large body needs no more memory than a small one`() throws {
    let piece = [UInt8](repeating: 65, count: 1 << 20)
    let server = try LoopbackServer { connection in
      while let head = try connection.readHead() {
        let count = head.contains("/large") ? 200 : 2
        try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(count << 20)\r\n\r\n")
        for _ in 0..<count { try connection.send(piece) }
      }
    }
    let small = try probe([server.url + "/small"])
    let large = try probe([server.url + "/large"])
    #expect(small.lines == ["200 \(2 << 20)"])
    #expect(large.lines == ["200 \(200 << 20)"])
    #expect(large.peak - small.peak < 4 << 10)
  }

  @Test func `a proxy from the environment is not used`() throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readHead()
      try connection.respond(body: "direct")
    }
    let proxies = ["http_proxy": "http://127.0.0.1:1", "all_proxy": "http://127.0.0.1:1"]
    #expect(try probe([server.url], environment: proxies).lines == ["200 6"])
  }
}
