import Foundation
import LoopbackServer
import Testing

/// A body that is saved to a pipe.
@Suite(.timeLimit(.minutes(2))) struct PipeTests {
  /// A named pipe, in a directory that is removed with the file.
  private func pipe() throws -> (file: TemporaryFile, path: String) {
    let file = try TemporaryFile("", name: "unused")
    let path = file.url.deletingLastPathComponent().appending(path: "pipe").path
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
    return (file, path)
  }

  @Test func `nothing is sent if nobody reads it`() async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        Issue.record("it was sent")
        try connection.respond()
      }
    }
    let (file, path) = try pipe()
    defer { withExtendedLifetime(file) {} }
    let script = try TemporaryFile("POST \(server.url)/x save body to \"\(path)\"\n", name: "pipe.wb")
    for arguments in [["run", script.path], ["send", "-o", path, "POST \(server.url)/x"]] {
      let outcome = try await Workbench.run(arguments)
      #expect(outcome.code == 25, "\(outcome)")
      #expect(outcome.errors.contains("nobody reads the pipe \"\(path)\": start what reads it first"), "\(outcome)")
    }
  }

  @Test func `whoever reads it gets the body`() async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "through the pipe") }
    }
    let (file, path) = try pipe()
    defer { withExtendedLifetime(file) {} }
    for arguments in [
      ["send", "-o", path, "GET \(server.url)/x"], ["send", "GET \(server.url)/x save body to \"\(path)\""],
    ] {
      async let read = Task.detached { try FileHandle(forReadingAtPath: path)?.readToEnd() }.value
      // Until its reader is there it is refused.
      var outcome = try await Workbench.run(arguments)
      while outcome.code == 25, outcome.errors.contains("start what reads it") {
        outcome = try await Workbench.run(arguments)
      }
      #expect(outcome.code == 0, "\(outcome)")
      #expect(try await read == Data("through the pipe".utf8))
    }
  }

  @Test func `a device takes it`() async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond() }
    }
    let outcome = try await Workbench.run(["send", "-o", "/dev/null", "GET \(server.url)/x"])
    #expect(outcome.code == 0, "\(outcome)")
  }
}
