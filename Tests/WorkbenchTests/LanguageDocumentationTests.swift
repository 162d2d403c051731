import Canaries
import Foundation
import Sandbox
import Testing

/// The scripts in Documentation/language.md are valid, and those of its tutorial run.
@Suite(.timeLimit(.minutes(2))) struct LanguageDocumentationTests {
  /// A fenced block whose language is `wb`.
  struct Block: Sendable, CustomTestStringConvertible {
    enum Use: String, Sendable {
      /// Has no mistakes.
      case check = "wb"
      /// Is well-formed.
      case syntax = "wb syntax"
      /// Runs against the sandbox.
      case run = "wb run"
    }

    var line: Int
    var use: Use
    var text: String

    var testDescription: String { "line \(line)" }
  }

  private static let page: String = {
    let page = URL(filePath: Workbench.examples).deletingLastPathComponent().appending(
      path: "Documentation/language.md")
    return (try? String(contentsOf: page, encoding: .utf8)) ?? ""
  }()

  private static let blocks: [Block] = {
    var blocks: [Block] = []
    var open: Block?
    for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line == "```", let block = open {
        blocks.append(block)
        open = nil
      } else if open != nil {
        open?.text += line + "\n"
      } else if line.hasPrefix("```"), let use = Block.Use(rawValue: String(line.dropFirst(3))) {
        open = Block(line: index + 1, use: use, text: "")
      }
    }
    return blocks
  }()

  private static func blocks(_ use: Block.Use) -> [Block] { blocks.filter { $0.use == use } }

  @Test func `the page has its blocks`() {
    #expect(Self.blocks(.run).count >= 8)
    #expect(Self.blocks(.check).count >= 10)
  }

  @Test func `each grammar is followed by scripts, and each of its words occurs in one`() throws {
    let sections = Self.page.components(separatedBy: "\n```ebnf\n")
    #expect(sections.count > 8)
    let scripts = Self.blocks.map(\.text).joined()
    for section in sections.dropFirst() {
      let grammar = section.components(separatedBy: "\n```\n")[0]
      let following = section.components(separatedBy: "\n## ")[0]
      #expect(following.contains("\n```wb"), "\(grammar)")
      for match in grammar.matches(of: /"([A-Za-z][A-Za-z-]*|[=!<>?.*:|&@]+)"/) {
        #expect(scripts.contains(match.output.1), "no example has \(match.output.1)")
      }
    }
  }

  @Test(arguments: blocks(.check) + blocks(.run))
  func `a script on the page has no mistakes`(block: Block) async throws {
    // The files for TLS that scripts on the page name.
    let file = try TemporaryFile("-----BEGIN CERTIFICATE-----\n", name: "ca.pem")
    let directory = file.url.deletingLastPathComponent()
    for (name, label) in [("client.pem", "CERTIFICATE"), ("client.key", "PRIVATE KEY")] {
      try Data("-----BEGIN \(label)-----\n".utf8).write(to: directory.appending(path: name))
    }
    try NamedFiles.make(in: directory, for: block.text)
    let outcome = try await Workbench.run(["check", "-"], input: block.text, directory: directory.path)
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
  }

  @Test(arguments: blocks(.syntax))
  func `a piece of a script on the page is well-formed`(block: Block) async throws {
    let outcome = try await Workbench.run(["fmt", "-"], input: block.text)
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
  }

  @Test(arguments: blocks(.run))
  func `a script of the tutorial runs`(block: Block) async throws {
    let script = try TemporaryFile(block.text, name: "try.wb")
    let folder = script.url.deletingLastPathComponent()
    try FileManager.default.copyItem(
      atPath: "\(Workbench.examples)/blueprint.png", toPath: folder.appending(path: "blueprint.png").path)
    let film = Data((0..<11_000_000).map { UInt8(truncatingIfNeeded: $0 / 255) })
    try film.write(to: folder.appending(path: "film.bin"))

    var options = SandboxOptions()
    options.token = Canary.secret("tutorial")
    options.dataDirectory = folder.appending(path: "data").path
    try await Sandbox.run(options) { endpoints in
      var arguments = ["run", script.path]
      for (name, url) in [("api-url", endpoints.api), ("storage-url", endpoints.storage)]
      where block.text.contains("let \(name) ") {
        arguments += ["--set", "\(name)=\(url)"]
      }
      try script.write(block.text.replacing("http://127.0.0.1:8080/", with: "\(endpoints.api)/"))
      let outcome = try await Workbench.run(arguments, environment: ["API_TOKEN": Canary.secret("tutorial")])
      // A busy machine may need more than one attempt.
      let errors = outcome.errors.split(separator: "\n").filter { !$0.contains(", trying again ") }
      #expect(outcome.code == 0 && errors.isEmpty, "\(outcome)")
    }
    if block.text.contains("film.bin") {
      #expect(try Data(contentsOf: folder.appending(path: "data/public%2Ffilm.bin")) == film)
    }
  }
}
