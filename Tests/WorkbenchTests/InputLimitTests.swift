import Foundation
import LoopbackServer
import Testing

/// Input that has no end, or never begins, is not read as a script or a document.
@Suite(.timeLimit(.minutes(2))) struct InputLimitTests {
  @Test(arguments: [
    ["check", "/dev/zero"], ["run", "/dev/zero"], ["fmt", "/dev/zero"], ["debug", "/dev/zero"],
    ["eval", "$ | count", "/dev/zero"], ["select", "$", "/dev/zero"], ["eval", "--text", "$ | count", "/dev/zero"],
  ])
  func `a device is neither a script nor a document`(arguments: [String]) async throws {
    let outcome = try await Workbench.run(arguments)
    #expect(outcome.code == 25, "\(outcome.written)")
    #expect(
      outcome.written
        == "error: \"/dev/zero\" is not a regular file; besides regular files only standard input is read, written as -\n"
    )
  }

  @Test func `a pipe that nobody writes to is not waited for`() async throws {
    let pipe = try TemporaryFile("", name: "beside").path + ".pipe"
    let directory = (pipe as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    #expect(mkfifo(pipe, 0o600) == 0)
    for command in [["check"], ["run"], ["fmt"], ["queue", "add"]] {
      let outcome = try await Workbench.run(command + [pipe])
      #expect(outcome.code == 25, "\(outcome.written)")
      #expect(outcome.written.contains("is not a regular file"))
    }
    let user = try TemporaryFile("use \"\(pipe)\"\nGET http://127.0.0.1:1/\n", name: "user.wb")
    let outcome = try await Workbench.run(["check", user.path])
    #expect(outcome.code == 2 && outcome.written.contains("is not a regular file"), "\(outcome.written)")
  }

  @Test func `input that is too long is not read to its end`() async throws {
    let sparse = try TemporaryFile("", name: "long.wb")
    #expect(truncate(sparse.path, 100 << 20) == 0)
    let outcome = try await Workbench.run(["check", sparse.path])
    #expect(outcome.code == 25)
    #expect(outcome.written == "error: \"\(sparse.path)\" is longer than 64 MiB, the most that can be read\n")
    let input = try await Workbench.run(["check", "-"], input: String(repeating: "#\n", count: 33 << 20))
    #expect(input.code == 25)
    #expect(input.written == "error: standard input is longer than 64 MiB, the most that can be read\n")
    let sent = try await Workbench.run(["send", "-"], input: String(repeating: "#\n", count: 33 << 20))
    #expect(sent.code == 25)
    let error = "error: standard input is longer than 64 MiB, the most that can be read\n = nothing was sent\n"
    #expect(sent.written == error)
  }

  @Test func `a directory says what it is, and standard input is read`() async throws {
    let directory = try await Workbench.run(["run", "/tmp"])
    #expect(directory.code == 25 && directory.written.contains("Is a directory"), "\(directory.written)")
    #expect(try await Workbench.run(["check", "-"], input: "GET http://127.0.0.1:1/\n").code == 0)
    #expect(try await Workbench.run(["eval", "$.a", "-"], input: "{\"a\": 1}").output == "1\n")
  }

  /// 3 MB, which are kept in a file, with the right length announced.
  private static func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond("200 OK", body: String(repeating: "x", count: 3_000_000))
      }
    }
  }

  @Test func `a response larger than is kept says how to keep more`() async throws {
    let server = try Self.server()
    let outcome = try await Workbench.run(["run", "-"], input: "GET \(server.url)/ limit 2MB\n")
    #expect(outcome.code == 21)
    #expect(outcome.errors.contains("sent too much: a body of more than 2 MB"), "\(outcome.errors)")
    #expect(outcome.errors.contains("to keep more: limit 64GiB, in the step or the profile"))
    let profile = try await Workbench.run(
      ["run", "-"], input: "profile p { base \(server.url) limit 2MB }\nGET p:/ limit 1GiB\nGET p:/\n")
    #expect(profile.output.contains("200 OK") && profile.errors.contains("more than 2 MB"), "\(profile.errors)")
  }

  @Test func `a response written to a pipe has the limit that the request sets, and no other`() async throws {
    let server = try Self.server()
    let home = try TemporaryFile("", name: "beside")
    let directory = (home.path as NSString).deletingLastPathComponent + "/workbench"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try "profile p { base \(server.url) limit 2MB }\n".write(
      toFile: directory + "/profiles.wb", atomically: true, encoding: .utf8)
    let environment = ["XDG_CONFIG_HOME": (directory as NSString).deletingLastPathComponent]
    let whole = try await Workbench.run(["send", "GET p:/"], environment: environment)
    #expect(whole.code == 0 && whole.output.utf8.count == 3_000_000, "\(whole.written)")
    let limited = try await Workbench.run(["send", "GET p:/ limit 1MB"], environment: environment)
    #expect(limited.code == 21, "\(limited.written)")
  }
}
