import Canaries
import Foundation
import LoopbackServer
import Testing

/// A file that says where secrets are is readable by its owner only.
@Suite(.timeLimit(.minutes(2))) struct SavedFileModeTests {
  private static func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `a saved script that names secrets is 0600, even if it replaces another`() async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond() }
    }
    let directory = try TemporaryFile("", name: "old.wb")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: directory.path)
    let place = directory.url.deletingLastPathComponent().path
    let outcome = try await Workbench.run(
      [],
      input: """
        GET \(server.url)/plain
        :save plain.wb
        GET \(server.url)/x auth bearer $env.SAVED_TOKEN
        :save new.wb
        :save old.wb!
        """, environment: ["SAVED_TOKEN": Canary.secret("saved-mode")], directory: place)
    #expect(try Self.mode("\(place)/new.wb") == 0o600, "\(outcome)")
    #expect(try Self.mode("\(place)/old.wb") == 0o600, "\(outcome)")
    #expect(try Self.mode("\(place)/plain.wb").map { $0 & 0o400 } == 0o400, "\(outcome)")
    #expect(try Self.mode("\(place)/plain.wb") != 0o600, "\(outcome)")
  }
}
