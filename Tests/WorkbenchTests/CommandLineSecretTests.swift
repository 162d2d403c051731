import Canaries
import Foundation
import LoopbackServer
import Testing

/// What a command line names as a secret is in no error, however wrong the line is: errors are in the logs of CI.
@Suite struct CommandLineSecretTests {
  private static let secret = Canary.secret("command-line")
  /// In a file, and in a response that repeats what it was sent.
  private static let written = Canary.early("in-files")

  /// `{}` stands for the secret.
  @Test(arguments: [
    ["send", "GET", "http://127.0.0.1:1/me", "-H", "Authorization: Bearer {}"],
    ["send", "GET", "http://127.0.0.1:1/me", "-HAuthorization: Bearer {}"],
    ["send", "GET", "http://127.0.0.1:1/me", "Authorization; Bearer {}"],
    ["send", "GET", "http://127.0.0.1:1/me", "-u", "ann:{}"], ["send", "GET", "http://127.0.0.1:1/me", "-uann:{}"],
    ["send", "GET", "http://127.0.0.1:1/me", "--user=ann:{}"], ["send", "GET", "http://127.0.0.1:1/me", "-b", "s={}"],
    ["send", "GET", "http://127.0.0.1:1/me", "--auth", "bearer:{}"],
    ["send", "GET http://127.0.0.1:1/me auth basic ann:{}"], ["send", "GET http://127.0.0.1:1/me auth bearer {}"],
    ["send", "GET http://ann:{}@127.0.0.1:1/me"], ["send", "GET", "http://ann:{}@127.0.0.1:1/me"],
    ["http://ann:{}@127.0.0.1:1/"], ["Authorization: Bearer {}"], ["GET", "X-Api-Key:{}"],
    ["run", "nothing.wb", "--set", "password={}", "--sett"], ["run", "Authorization: Bearer {}"],
    ["queue", "status", "--store", "postgres://ann:{}@127.0.0.1:1/x"], ["auth", "login", "token={}"],
  ])
  func `a line that is wrong hides it`(line: [String]) async throws {
    let outcome = try await Workbench.run(line.map { $0.replacing("{}", with: Self.secret) })
    #expect(outcome.code != 0 && !outcome.errors.isEmpty)
    #expect(!"\(outcome.output)\(outcome.written)".contains(Self.secret), "\(outcome.written)")
  }

  @Test(arguments: [
    ["Authorization:Bearer {}"], ["X-Api-Key:{}"], ["password={}"], ["access_token=={}"],
    ["json", "{ token: \"{}\" }"],
  ])
  func `send shows what it sends without it`(items: [String]) async throws {
    let server = try LoopbackServer { connection in
      while let (head, body) = try connection.readRequest() {
        try connection.respond(body: head + String(decoding: body, as: UTF8.self))
      }
    }
    let words = ["send", "-v", "POST", "\(server.url)/me"] + items.map { $0.replacing("{}", with: Self.written) }
    let outcome = try await Workbench.run(words)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(!outcome.written.contains(Self.written) && outcome.written.contains("••••"), "\(outcome.written)")
    // The body is what came, byte for byte.
    #expect(server.requests.count == 1 && outcome.output.contains("POST /me"))
  }

  /// `{}` stands for the secret.
  @Test(arguments: [
    ("a.wb", ["check", "a.wb"], "GET http://127.0.0.1:1/ header Authorization: \"Bearer {}\" expekt 200\n"),
    ("a.wb", ["run", "a.wb"], "POST http://127.0.0.1:1/ json { password: \"{}\", x: } \n"),
    ("a.wb", ["run", "a.wb"], "POST http://127.0.0.1:1/ json { password: \"{}\", x: $nobody } \n"),
    ("a.wb", ["fmt", "a.wb"], "GET http://127.0.0.1:1/ auth basic \"ann\", \"{}\" expekt 200\n"),
    ("a.curl", ["import", "curl", "a.curl"], "curl http://127.0.0.1:1/ -H 'Authorization: Bearer {}' --no-such\n"),
    ("a.curl", ["import", "curl", "a.curl"], "curl http://127.0.0.1:1/ -u ann:{} 'open\n"),
    ("a.http", ["run", "a.http"], "GET http://127.0.0.1:1/{{nobody}}\nAuthorization: Bearer {}\n"),
    ("a.hurl", ["check", "a.hurl"], "GET http://127.0.0.1:1/\nAuthorization: Bearer {}\n[Nothing]\n"),
  ])
  func `an error in a file shows its line without it`(name: String, line: [String], text: String) async throws {
    let file = try TemporaryFile(text.replacing("{}", with: Self.written), name: name)
    let outcome = try await Workbench.run(line, directory: file.url.deletingLastPathComponent().path)
    #expect(!outcome.written.isEmpty)
    #expect(!"\(outcome.output)\(outcome.written)".contains(Self.written), "\(outcome.written)")
  }
}
