import Foundation
import Testing

/// `workbench --version` and `workbench doctor`, as their users run them.
@Suite(.timeLimit(.minutes(2))) struct VersionTests {
  @Test func `the version is a line for programs, and then what it is made of`() async throws {
    let outcome = try await Workbench.run(["--version"])
    let lines = outcome.output.split(separator: "\n")
    #expect(try #/workbench \d+\.\d+\.\d+/#.wholeMatch(in: try #require(lines.first)) != nil)
    let subjects = lines.dropFirst().map { $0.prefix { $0 != " " } }
    #expect(subjects == ["commit", "libcurl", "SQLite", "libedit", "Swift", "store"])
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") && $0.contains(" ") })
    #expect(outcome.code == 0)
  }

  @Test func `the doctor finds a store that is damaged, and says where`() async throws {
    let state = try TemporaryFile("", name: "state")
    let environment = ["XDG_STATE_HOME": state.path + ".d"]
    let before = try await Workbench.run(["doctor"], environment: environment)
    #expect(before.output.contains("store         nothing is recorded yet in \(state.path).d/workbench\n"))
    #expect(!FileManager.default.fileExists(atPath: state.path + ".d"))
    let script = try TemporaryFile("GET http://127.0.0.1:1/\n", name: "a.wb")
    #expect(try await Workbench.run(["run", script.path], environment: environment).code == 21)
    let sound = try await Workbench.run(["doctor"], environment: environment)
    #expect(sound.output.contains("format 6, 1 run, 1 to be continued, "))
    #expect(sound.output.contains("undamaged\n"))

    let database = URL(filePath: "\(state.path).d/workbench/runs.sqlite")
    try Data(repeating: 0x41, count: 8_192).write(to: database)
    let damaged = try await Workbench.run(["doctor"], environment: environment)
    #expect(damaged.output.contains("FAULT   store         "))
    #expect(damaged.code == 1)
  }
}
