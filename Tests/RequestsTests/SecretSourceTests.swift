import Canaries
import Foundation
import Requests
import Testing

@Suite struct SecretSourceTests {
  private static let nobody = "NO_SUCH_VARIABLE_\(UUID().uuidString.prefix(8))"

  private func text(of source: SecretSource) throws -> String {
    try Secret(from: source, for: []).withExposedText { $0 }
  }

  private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).given")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path)
  }

  @Test func `a secret is read from its source, and named after it`() throws {
    let value = Canary.secret("source")
    try withFile(Array("\(value)\r\n\n".utf8)) { path in
      let secret = try Secret(from: .file(path), for: [])
      #expect(secret.name == path)
      #expect(secret == Secret(value, name: path, for: []))
      #expect(try text(of: .command("echo; cat '\(path)'; echo ' '")) == value)
      #expect("\(secret)" == "••••")
    }
    #expect(try text(of: .environment("PATH")) == String(cString: try #require(getenv("PATH"))))
    #expect(try Secret(from: .environment("PATH"), name: "path", for: []).name == "path")
  }

  @Test func `a token from a source is bound to the origin of its profile`() throws {
    let profile = try SessionProfile.api("https://api.example.com/v1", token: .environment("PATH"))
    let secret = try #require(profile.credential?.secrets.first)
    #expect(secret.name == "PATH")
    #expect(try secret.isAllowed(at: Origin("https://api.example.com")))
    #expect(try !secret.isAllowed(at: Origin("https://elsewhere.example")))
  }

  @Test(arguments: [
    (SecretSource.environment(nobody), SecretSourceError.noVariable(nobody)),
    (.file("/no/such"), .file(.unreadable(path: "/no/such", reason: SystemError(number: ENOENT)))),
    (.file("/tmp"), .file(.unreadable(path: "/tmp", reason: SystemError(number: EISDIR)))),
    (.command("exit 3"), .command("exit 3", .exited(3))),
    (.command("kill -9 $$"), .command("kill -9 $$", .signalled(9))),
    (.command("no-such-program-at-all 2>/dev/null"), .command("no-such-program-at-all 2>/dev/null", .unknown)),
    (.command("echo"), .empty(.command("echo"))),
    (.command("printf '\\377'"), .notText(.command("printf '\\377'"))),
    (.command("yes"), .tooLong(.command("yes"))),
    (.file("/dev/zero"), .tooLong(.file("/dev/zero"))),
  ])
  func `a missing secret is reported with its source`(source: SecretSource, error: SecretSourceError) {
    #expect(throws: error) { try Secret(from: source, for: []) }
  }

  @Test(arguments: [
    (
      SecretSourceError.noVariable("API_TOKEN"),
      "the environment variable \"API_TOKEN\" is not set; export it before the program is started"
    ),
    (
      .file(.unreadable(path: "/t", reason: SystemError(number: ENOENT))),
      "cannot read \"/t\": No such file or directory"
    ),
    (
      .command("gh auth token", .unknown),
      "the program \"gh auth token\" was not found; is it installed, and in the PATH?"
    ),
    (.command("gh", .exited(1)), "the program \"gh\" ended with exit code 1; run it in a shell to see why"),
    (
      .noTerminal(question: "password"),
      "there is no terminal to ask for \"password\" at; take it from the environment or a file"
    ),
    (.empty(.environment("T")), "the environment variable \"T\" is empty; a secret has at least 4 bytes"),
  ])
  func `an error says what to do`(error: SecretSourceError, sentence: String) {
    #expect("\(error)" == sentence)
  }
}
