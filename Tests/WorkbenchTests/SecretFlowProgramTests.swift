import Canaries
import Foundation
import LoopbackServer
import SecretFlow
import Testing

/// What is made from a secret, through the program: a pairwise cover of sources, functions, places and ways.
@Suite(.timeLimit(.minutes(5))) struct SecretFlowProgramTests {
  /// How the statements get run, in the program.
  enum ProgramWay: CaseIterable {
    case run, verbose, json, recorded, resume, replay, queue, prompt, saved, send, debugger, debuggerSet
  }

  struct Cell: CustomStringConvertible {
    var source: Source
    var derivation: Derivation
    var place: Place
    var way: ProgramWay

    var description: String { "\(source) | \(derivation.pipe), \(place), \(way)" }
  }

  private static let cells = PairwiseCover.combinations(of: [
    Source.allCases.count, Derivation.all.count, Place.allCases.count, ProgramWay.allCases.count,
  ]).map { choice in
    Cell(
      source: Source.allCases[choice[0]], derivation: Derivation.all[choice[1]], place: Place.allCases[choice[2]],
      way: ProgramWay.allCases[choice[3]])
  }

  @Test func `the cover has every pair, and is small`() {
    #expect(Self.cells.count <= 500, "\(Self.cells.count)")
    #expect(Set(Self.cells.map { "\($0.source)\($0.place)" }).count == Source.allCases.count * Place.allCases.count)
    #expect(
      Set(Self.cells.map { "\($0.derivation.pipe)\($0.way)" }).count == Derivation.all.count * ProgramWay.allCases.count
    )
  }

  @Test(arguments: 0..<8)
  func `nothing that was made from a secret leaves the program`(share: Int) async throws {
    let (api, other) = (try Self.server(), try Self.server())
    for (index, cell) in Self.cells.enumerated() where index % 8 == share {
      let place = try TemporaryFile("", name: "flow.wb")
      let outputs = try await Self.go(cell, api: api.url, other: other.url, place)
      let leak = Leak(of: [cell.derivation.text(cell.source.text)] + Source.texts)
      let isTyped = cell.way == .prompt || cell.way == .saved
      for (name, bytes) in outputs + Self.files(beside: place) {
        for (text, around) in leak.found(in: bytes) {
          // A run that failed keeps the cookies it received, so that it can continue.
          if name.contains("runs.sqlite"), Source.sid.contains(text) { continue }
          // A user at the prompt sees a response before declaring that there is a secret in it.
          if isTyped, Source.received.contains(text) || text == "\"\(Source.received)\"" { continue }
          Issue.record("\(cell): \"\(text)\" in \(name): \(around)")
        }
      }
      for (text, around) in leak.found(in: Data(other.received)) {
        Issue.record("\(cell) sent \"\(text)\" elsewhere: \(around)")
      }
    }
    // They were sent where they belong.
    #expect(!Leak(of: [Source.key]).found(in: Data(api.received)).isEmpty)
  }

  /// Responds to the login with secrets, and to everything else with what it was sent.
  private static func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      while let (head, body) = try connection.readRequest() {
        let target = head.split(separator: " ").dropFirst().first ?? ""
        var headers = ["Content-Type: application/json"]
        var text = "{}"
        if target == "/login" {
          headers.append("Set-Cookie: sid=\(Source.sid); HttpOnly")
          text = Source.loginResponse
        } else {
          text = String(
            decoding: try JSONEncoder().encode(["sent": head + String(decoding: body, as: UTF8.self)]), as: UTF8.self)
        }
        try connection.respond(headers: headers, body: text)
      }
    }
  }

  /// The source of a secret.
  private static let given = "token.given"

  private static func files(beside script: TemporaryFile) -> [(String, Data)] {
    let directory = script.url.deletingLastPathComponent()
    var found: [(String, Data)] = []
    for case let name as String in FileManager.default.enumerator(atPath: directory.path) ?? .init() {
      found.append(("the name of \(name)", Data(name.utf8)))
      guard !["flow.wb", given].contains(name),
        let content = FileManager.default.contents(atPath: directory.appending(path: name).path)
      else { continue }
      found.append((name, content))
    }
    return found
  }

  private static func go(
    _ cell: Cell, api: String, other: String, _ script: TemporaryFile
  ) async throws -> [(String, Data)] {
    let directory = script.url.deletingLastPathComponent().path
    let store = directory + "/store"
    let expression = cell.derivation.expression(of: cell.source)
    let sequence = "sequence taking(p) { GET \(api)/parameter header X-Value: $p }\n"
    let own = cell.place.statement(expression, to: api, api: api)
    let foreign = cell.place.statement("$v", to: other, api: api).replacing("let w", with: "let x")
      .replacing("{$w}", with: "{$x}").replacing("$i", with: "$j")
    let statements = [own] + (cell.place.isSent && cell.place != .parameter ? [foreign] : [])
    let text =
      Source.declarations(for: api) + sequence + Source.login + "let v = \(expression)\n"
      + statements.joined(separator: "\n") + "\n"
    try script.write(text)
    try Data(Source.token.utf8).write(to: URL(filePath: "\(directory)/\(given)"))
    let variables = ["XDG_STATE_HOME": directory + "/state", Source.fileVariable: "\(directory)/\(given)"]
    var outputs: [(String, Data)] = []
    func run(_ arguments: [String], _ input: String = "") async throws {
      let outcome = try await Workbench.run(
        arguments, input: input, environment: Source.variables.merging(variables) { $1 },
        directory: directory)
      outputs.append((arguments.joined(separator: " "), Data((outcome.output + outcome.written).utf8)))
    }
    let script = script.path
    switch cell.way {
    case .run: try await run(["run", script, "--keep-going", "--no-record"])
    case .verbose: try await run(["run", script, "--keep-going", "-v", "--no-record"])
    case .json: try await run(["run", script, "--keep-going", "-v", "--json", "--no-record"])
    case .recorded:
      try await run(["run", script, "--keep-going", "--store", store])
      for part in [["--har"], ["--request", "--tries"], []] {
        try await run(["show", "last", "--store", store] + part)
      }
      try await run(["runs", "--json", "--store", store])
    case .resume:
      try await run(["run", script, "--store", store])
      try await run(["resume", "last", "-v", "--store", store])
    case .replay:
      try await run(["run", script, "--store", store])
      try await run(["replay", "last", "-v", "--store", store])
    case .queue:
      try await run(["queue", "add", script, "--store", store])
      try await run(["queue", "run", "--store", store])
      try await run(["queue", "list", "--json", "--store", store])
    case .prompt, .saved:
      let looks = ":show\n:show curl\n:show wire\n:vars\n:print $v\n:diff\n"
      let lines = text.split(separator: "\n").map { line in
        line.contains("//127") && !line.hasPrefix("profile") && !line.hasPrefix("sequence")
          ? "\(line)\n\(looks)" : "\(line)"
      }
      let saving = cell.way == .saved ? "\n:save --all \(directory)/saved.wb\n" : "\n"
      try await run(["prompt"], lines.joined(separator: "\n") + saving)
    case .send:
      let head = Source.declarations(for: api) + sequence + Source.login + "let v = \(expression)\n"
      for statement in statements { try await run(["send", "-v", "-o", "/dev/null", head + statement]) }
    case .debugger:
      let lines = statements.flatMap { _ in ["n", "p", "p request", "p $v", "n", "k"] }
      try await run(
        ["debug", script, "--store", store], (["n"] + lines + ["save out.wb", "q"]).joined(separator: "\n"))
    case .debuggerSet:
      try Data(
        (Source.declarations(for: api) + "let x = \"plain\"\n" + Source.login
          + "one: GET \(other)/x header X-Value: $x\ntwo: GET \(other)/{$login.body.put}\n").utf8
      ).write(to: URL(filePath: script))
      let lines = [
        "n", "set x = \(expression)", "p $x", "p request", "n", "p", "k", "set $login.body.put = \(expression)",
        "p $login.body.put", "n", "p", "back", "e one: \(own.split(separator: "\n").last ?? "")", "p request", "n", "p",
        "save out.wb", "q",
      ]
      try await run(["debug", script, "--store", store], lines.joined(separator: "\n"))
    }
    return outputs
  }
}
