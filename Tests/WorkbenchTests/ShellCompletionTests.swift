import Foundation
import JSONValue
import Testing

@testable import workbench

/// What a Tab in a shell offers; `Scripts/press-tab` presses it in real shells.
@Suite(.timeLimit(.minutes(2))) struct ShellCompletionTests {
  /// Asks as the completion scripts do.
  ///
  /// - Parameters:
  ///   - place: the subcommands, then `--` and the argument: `["run", "--", "positional@1"]`.
  ///   - words: the command line.
  private static func offered(
    _ place: [String], _ words: [String], shell: String = "bash", _ environment: [String: String] = [:]
  ) async throws -> [String] {
    let last = words.last ?? ""
    let arguments = ["---completion"] + place + ["\(words.count - 1)", "\(last.count)"] + words
    let outcome = try await Workbench.run(
      arguments, environment: ["SAP_SHELL": shell].merging(environment) { $1 })
    // zsh gets a space at the end.
    return outcome.output.split(separator: "\n").map(String.init).filter { $0 != " " }
  }

  @Test func `sequences of a script are offered, and what can be set`() async throws {
    let script = try TemporaryFile(
      "let url = \"http://a.test\"\nprofile a { base $url }\nsequence up(file, size = 1) { GET /{$file}/{$size} }\nsequence down() { GET / }\n",
      name: "my script.wb")
    let words = ["workbench", "run", script.path.replacing(" ", with: "\\ "), ""]
    #expect(try await Self.offered(["run", "--", "positional@1"], words) == ["down", "up"])
    #expect(try await Self.offered(["run", "--", "positional@1"], words, shell: "zsh") == ["down", "up:file, size"])
    #expect(try await Self.offered(["run", "--", "positional@1"], words, shell: "fish") == ["down", "up\tfile, size"])
    let setting = Array(words.dropLast()) + ["up", "--set", ""]
    #expect(try await Self.offered(["run", "--", "--set"], setting) == ["file=", "size=", "url="])
    #expect(try await Self.offered(["run", "--", "positional@1"], ["workbench", "run", "/nonexistent.wb", ""]) == [])
  }

  @Test func `runs are offered with last first, and their steps`() async throws {
    let state = try TemporaryFile("", name: "state")
    let environment = ["XDG_STATE_HOME": state.path + ".d"]
    let words = ["workbench", "show", ""]
    #expect(try await Self.offered(["show", "--", "positional@0"], words, environment) == [])
    #expect(!FileManager.default.fileExists(atPath: state.path + ".d"))

    let script = try TemporaryFile("first: GET http://127.0.0.1:1/\n", name: "a.wb")
    #expect(try await Workbench.run(["run", script.path], environment: environment).code == 21)
    let runs = try await Self.offered(["show", "--", "positional@0"], words, environment)
    #expect(runs.count == 2 && runs.first == "last")
    let typed = ["workbench", "show", try #require(runs.last), ""]
    #expect(try await Self.offered(["show", "--", "positional@1"], typed, environment) == ["first"])
    let resumed = ["workbench", "resume", "--store", "\(state.path).d/workbench", "last", "--from", "f"]
    #expect(try await Self.offered(["resume", "--", "--from"], resumed) == ["first"])
  }

  @Test func `one's own profiles are offered`() async throws {
    let file = try TemporaryFile("profile api { base https://a.test }\nprofile other { base https://b.test }\n")
    let directory = URL(filePath: file.path + ".d/workbench")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: file.url, to: directory.appending(path: "profiles.wb"))
    let found = try await Self.offered(
      ["send", "--", "--profile"], ["workbench", "send", "-p", "a"], ["XDG_CONFIG_HOME": file.path + ".d"])
    #expect(found == ["api"])
  }

  /// What follows such an option is its value, and not the script or the run.
  @Test func `the options with a value are all known`() async throws {
    let dump = try await Workbench.run(["--experimental-dump-help"])
    var names: Set<String> = []
    func collect(_ command: JSON) {
      for argument in command["arguments"]?.array ?? [] where argument["kind"]?.string == "option" {
        for name in argument["names"]?.array ?? [] {
          let text = name["name"]?.string ?? ""
          names.insert(name["kind"]?.string == "short" ? "-\(text)" : "--\(text)")
        }
      }
      for subcommand in command["subcommands"]?.array ?? [] { collect(subcommand) }
    }
    collect(try #require(try JSON(parsing: Array(dump.output.utf8))["command"]))
    #expect(names == CommandLineWords.optionsWithValue)
  }
}
