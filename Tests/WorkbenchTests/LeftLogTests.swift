import Foundation
import Testing

/// `run` ends without moving SQLite's log into the database: the next process has what it left.
@Suite(.timeLimit(.minutes(2))) struct LeftLogTests {
  @Test func `a run leaves SQLite's log to the next process, and it stays short`() async throws {
    let state = try TemporaryFile("", name: "state").path + ".d"
    let environment = ["XDG_STATE_HOME": state]
    let script = try TemporaryFile("GET http://127.0.0.1:1/\n", name: "a.wb")
    let log = "\(state)/workbench/runs.sqlite-wal"
    func size() -> Int? {
      (try? FileManager.default.attributesOfItem(atPath: log))?[.size].flatMap { $0 as? Int }
    }
    var sizes: [Int?] = []
    for _ in 1...20 {
      #expect(try await Workbench.run(["run", script.path], environment: environment).code == 21)
      sizes.append(size())
    }
    #expect(sizes.contains { ($0 ?? 0) > 0 }, "it was left")
    #expect(sizes.contains(nil), "it was moved into the database when it was long")
    #expect(sizes.allSatisfy { ($0 ?? 0) <= 32 + 64 * (4_096 + 24) }, "\(sizes)")

    let listed = try await Workbench.run(["runs", "--all"], environment: environment)
    #expect(listed.output.split(separator: "\n").count == 20)
    #expect(size() == nil, "others close the store")
  }
}
