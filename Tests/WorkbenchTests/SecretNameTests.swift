import Canaries
import Foundation
import LoopbackServer
import Testing

/// What was made from a secret cannot be the name of a header or a host: nobody on the way hides those.
@Suite(.timeLimit(.minutes(2))) struct SecretNameTests {
  @Test(arguments: [
    ("GET api:/ header { \"X-{$tok | sha256}\": \"x\" }", "the name of a header"),
    ("GET api:/ header { \"X-{$tok | sha256}\": \" x\" }", "the name of a header"),
    ("GET api:/ header { ...{ \"X-{$tok | sha256}\": \"x\" } }", "the name of a header"),
    ("GET (\"http://{$tok | sha256 | upper}.localhost:9/\")", "the host of a URL"),
    ("GET (\"http://127.0.0.1:{$tok | sha256}/\")", "the host of a URL"),
    ("GET (\"http://user:{$tok | sha256}@127.0.0.1:9/\")", "the user name and password of a URL"),
    ("GET (\"http://user:{$tok | sha256}@{$tok | sha256}:9/\")", "the host of a URL"),
  ])
  func `it is refused, and neither shown nor recorded`(step: String, place: String) async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "fine") }
    }
    let beside = try TemporaryFile("", name: "beside")
    defer { withExtendedLifetime(beside) {} }
    let folder = beside.url.deletingLastPathComponent()
    let secret = Canary.secret("name")
    let environment = ["TOK": secret, "XDG_STATE_HOME": folder.path]
    let script = try TemporaryFile(
      "profile api { base \(server.url)\n  auth bearer $env.TOK }\nsecret tok = $env.TOK for api\n\(step)\n",
      name: "name.wb")
    let outcome = try await Workbench.run(["run", script.path], environment: environment)
    #expect(outcome.code != 0 && outcome.errors.contains("cannot be a part of \(place)"), "\(outcome.written)")
    #expect(server.requests.isEmpty)
    let listed = try await Workbench.run(["runs"], environment: environment)
    #expect(!(outcome.written + listed.written).lowercased().contains(Digest.sha256(Data(secret.utf8))))
  }

  @Test func `why a step could not be prepared is recorded without anything made from a secret`() async throws {
    let secret = Canary.secret("unprepared")
    let beside = try TemporaryFile("", name: "beside")
    defer { withExtendedLifetime(beside) {} }
    let folder = beside.url.deletingLastPathComponent()
    let environment = ["TOK": secret, "XDG_STATE_HOME": folder.path]
    // libcurl's parser refuses the port, and the error has the whole URL in it.
    let script = try TemporaryFile(
      "profile api { base http://127.0.0.1:9\n  auth bearer $env.TOK }\nsecret tok = $env.TOK for api\nGET (\"http://127.0.0.1:x/{$tok | upper}\")\n",
      name: "unprepared.wb")
    let outcome = try await Workbench.run(["run", script.path], environment: environment)
    #expect(outcome.code != 0, "\(outcome.written)")
    let store = folder.appending(path: "workbench")
    var found = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: store.path) {
      guard let bytes = try? Data(contentsOf: store.appending(path: name)) else { continue }
      found += bytes.count
      #expect(bytes.firstRange(of: Data(secret.uppercased().utf8)) == nil, "\(name)")
    }
    #expect(found > 0)
  }
}
