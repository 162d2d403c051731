import Foundation
import Sandbox
import Testing

/// The commands of a page of the documentation, typed one after another in a directory with the page's scripts.
struct DocumentedCommands {
  private let page: String

  init(page name: String) throws {
    let url = URL(filePath: Workbench.examples).deletingLastPathComponent().appending(path: "Documentation/\(name)")
    page = try String(contentsOf: url, encoding: .utf8)
  }

  /// A command of the page, and what it shows: … stands for anything.
  private struct Command {
    var environment: [String: String] = [:]
    var arguments: [String]
    var shown: [String] = []
    var code: Int32 = 0
  }

  private var commands: [Command] {
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

  /// Checks that the commands show what is written there.
  ///
  /// - Parameters:
  ///   - scripts: the names of the page's scripts, in order.
  ///   - token: what the sandbox asks for.
  func check(_ scripts: [String], token: String, atLeast count: Int) async throws {
    let commands = commands
    #expect(commands.count >= count)
    let texts = page.matches(of: /```wb\n([\s\S]*?)```/).map { String($0.1) }
    let place = try TemporaryFile("", name: "place")
    let directory = place.url.deletingLastPathComponent()
    var options = SandboxOptions()
    options.token = token
    try await Sandbox.run(options) { endpoints in
      for (name, text) in zip(scripts, texts) {
        let file = directory.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.replacing("http://127.0.0.1:8080", with: endpoints.api).utf8).write(to: file)
      }
      for command in commands {
        let outcome = try await Workbench.run(
          command.arguments,
          environment: command.environment.merging(["API_TOKEN": token, "XDG_STATE_HOME": directory.path]) { $1 },
          directory: directory.path)
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
