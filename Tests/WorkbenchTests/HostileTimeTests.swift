import Foundation
import LoopbackServer
import Testing

/// Times that no calendar expects do not end the program.
@Suite(.timeLimit(.minutes(2))) struct HostileTimeTests {
  private static func server(_ headers: [String] = []) throws -> LoopbackServer {
    try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond("200 OK", headers: headers, body: "ok") }
    }
  }

  /// Seconds since 1970: the year 2300, the last second that the file system holds, and long before 1970.
  @Test(arguments: [10_413_792_000, 15_032_385_535, -2_147_483_648] as [TimeInterval])
  func `a file of any age is sent, recorded, shown and resumed`(modified: TimeInterval) async throws {
    let server = try Self.server()
    let file = try TemporaryFile("hello", name: "old.txt")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: modified)], ofItemAtPath: file.path)
    let script = try TemporaryFile(
      """
      PUT \(server.url)/a
        body file("\(file.path)")
      POST \(server.url)/b
        multipart { f: file("\(file.path)") }
      """, name: "old.wb")
    let state = try TemporaryFile("", name: "state")
    let environment = ["XDG_STATE_HOME": state.path + ".d"]
    for arguments in [
      ["run", script.path, "-v"], ["show", "last"], ["show", "last", "--har", "-"],
      ["resume", "last"], ["replay", "last"], ["diff", "last", "last"],
    ] {
      let outcome = try await Workbench.run(arguments, environment: environment)
      #expect(outcome.code >= 0, "\(arguments): \(outcome.written)")
      if arguments[0] == "run" { #expect(outcome.code == 0, "\(outcome.written)") }
    }
    #expect(server.requests.count >= 2)
  }

  @Test(arguments: [
    "Date: Fri, 31 Dec 9999 23:59:59 GMT", "Date: Thu, 01 Jan 1970 00:00:00 GMT",
    "Set-Cookie: a=b12345678; Max-Age=9223372036854775807", "Set-Cookie: a=b12345678; Max-Age=-9223372036854775808",
    "Set-Cookie: a=b12345678; Expires=Fri, 31 Dec 9999 23:59:60 GMT",
    "Set-Cookie: a=b12345678; Expires=Mon, 01 Jan 1601 00:00:00 GMT", "Content-Range: bytes 0-9223372036854775806/*",
    "Retry-After: 99999999999999999999", "Age: 99999999999999999999",
  ])
  func `a header of any time and size is only a header`(header: String) async throws {
    let server = try Self.server([header])
    let outcome = try await Workbench.run(
      ["run", "-", "-v"], input: "profile p { base \(server.url)\n cookies on }\nGET p:/a\nGET p:/b\n")
    #expect(outcome.code == 0, "\(outcome.written)")
    #expect(server.requests.count == 2)
  }

  @Test(arguments: ["-9223372036854775808", "9223372036854775807", "99999999999999999999"])
  func `a presigned URL of any lifetime is sent, resumed and shown`(lifetime: String) async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond("403 Forbidden", body: "no") }
    }
    let query =
      "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20260102T030405Z&X-Amz-Expires=\(lifetime)&X-Amz-Signature=00"
    let state = try TemporaryFile("", name: "state")
    let environment = ["XDG_STATE_HOME": state.path + ".d"]
    let script = try TemporaryFile(
      "PUT \(server.url)/a?\(query)\n  text \"x\"\nPUT \(server.url)/b?Signature=x&Expires=\(lifetime)\n  text \"x\"\n",
      name: "signed.wb")
    for arguments in [["run", script.path, "--keep-going"], ["resume", "last"]] {
      let outcome = try await Workbench.run(arguments, environment: environment)
      #expect(outcome.code >= 0, "\(arguments): \(outcome.written)")
    }
    #expect(server.requests.count >= 1)
  }

  @Test func `a number of a step or a breakpoint is any number`() async throws {
    let numbers = ["-9223372036854775808", "9223372036854775807", "99999999999999999999", "0"]
    let input = numbers.map { number in
      ":body \(number)\n:headers \(number)\n:show \(number)\n:diff \(number) \(number)\n:print $\(number).body\n"
        + ":save \(number) x.wb\n"
    }.joined()
    let outcome = try await Workbench.run(["repl"], input: input)
    #expect(outcome.code >= 0, "\(outcome.written)")
    let script = try TemporaryFile("GET http://127.0.0.1:1/\n", name: "stop.wb")
    let stops = numbers.map { "d \($0)\nback \($0)\ngoto \($0)\nresponse \($0)\n" }.joined()
    let stopped = try await Workbench.run(["debug", script.path], input: stops + "q\n")
    #expect(stopped.code >= 0, "\(stopped.written)")
  }
}
