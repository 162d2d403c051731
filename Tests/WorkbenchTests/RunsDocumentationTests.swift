import Canaries
import Foundation
import Sandbox
import Testing

/// The commands of Documentation/runs.md, typed one after another, show what is written there.
@Suite(.timeLimit(.minutes(2))) struct RunsDocumentationTests {
  private static let token = Canary.secret("runs-documentation")

  /// A command of the page, and what it shows: … stands for anything.
  private struct Command {
    var environment: [String: String] = [:]
    var arguments: [String]
    var shown: [String] = []
    var code: Int32 = 0
  }

  private static let page = URL(filePath: Workbench.examples).deletingLastPathComponent().appending(
    path: "Documentation/runs.md")

  private static func commands(_ page: String) -> [Command] {
    var commands: [Command] = []
    for block in page.components(separatedBy: "```console\n").dropFirst() {
      for line in block.components(separatedBy: "\n```")[0].split(separator: "\n") {
        if line.hasPrefix("$ ") {
          let words = line.dropFirst(2).split(separator: " ").map(String.init)
          let settings = words.prefix { $0 != "workbench" }.map { $0.split(separator: "=").map(String.init) }
          commands.append(
            Command(
              environment: Dictionary(settings.map { ($0[0], $0[1]) }) { $1 },
              arguments: Array(words.dropFirst(settings.count + 1))))
        } else if let code = line.wholeMatch(of: /\[(\d+)\]/) {
          commands[commands.count - 1].code = Int32(code.1) ?? -1
        } else {
          commands[commands.count - 1].shown.append(String(line))
        }
      }
    }
    return commands
  }

  @Test func `the commands of the page show what is written there`() async throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let commands = Self.commands(page)
    #expect(commands.count >= 12)
    let script = try #require(page.firstMatch(of: /```wb\n([\s\S]*?)```/)).1
    let place = try TemporaryFile("", name: "chain.wb")
    var options = SandboxOptions()
    options.token = Self.token
    try await Sandbox.run(options) { endpoints in
      try place.write(String(script).replacing("http://127.0.0.1:8080", with: endpoints.api))
      let directory = place.url.deletingLastPathComponent().path
      for command in commands {
        let outcome = try await Workbench.run(
          command.arguments,
          environment: command.environment.merging(["API_TOKEN": Self.token, "XDG_STATE_HOME": directory]) { $1 },
          directory: directory)
        let line = "workbench \(command.arguments.joined(separator: " "))"
        let all = outcome.output + outcome.errors
        #expect(outcome.code == command.code, "\(line): \(all)")
        var rest = Substring(all)
        for expected in command.shown {
          let range = Self.find(expected, in: rest)
          #expect(range != nil, "\(line) does not show “\(expected)” but\n\(all)")
          if let range { rest = rest[range.upperBound...] }
        }
      }
    }
  }

  /// Where the words of the line are, one after another in one line.
  private static func find(_ expected: String, in text: Substring) -> Range<Substring.Index>? {
    let words = expected.components(separatedBy: "…").map { $0.trimmingCharacters(in: .whitespaces) }
    var start = text.startIndex
    while start < text.endIndex {
      let end = text[start...].firstIndex(of: "\n") ?? text.endIndex
      var position = start
      let isThere = words.allSatisfy { word in
        if word.isEmpty { return true }
        guard let range = text[position..<end].firstRange(of: word) else { return false }
        position = range.upperBound
        return true
      }
      if isThere { return start..<end }
      start = end < text.endIndex ? text.index(after: end) : end
    }
    return nil
  }
}
