import Canaries
import Foundation
import RealServers
import Testing

/// What is shown and recorded of a token: which flow brought it and until when it is good, never the token.
@Suite(
  .enabled(if: AuthorizationServer.isInstalled, "SKIPPED: python3 is not installed"), .timeLimit(.minutes(3)))
struct SignInRecordTests {
  private let provider: SignInProvider
  private let script: TemporaryFile
  private var flow: String { "oauth browser, workbench at \(provider.server.issuer("good"))" }

  init() throws {
    provider = try SignInProvider()
    script = try provider.script(
      "good",
      steps: """
        who: GET api:/api
          expect 200
        again: GET api:/api
          expect body.who == $env.WHO
        """ + "\n")
  }

  private func run(_ arguments: [String], input: String = "", who: String = "ann") async throws -> Workbench.Outcome {
    let outcome = try await Workbench.run(
      arguments, input: input,
      environment: [
        "XDG_STATE_HOME": provider.directory, "CLIENT_SECRET": SignInProvider.secret, "WHO": who, "PAGER": "cat",
        "HOME": provider.directory + "/home", "BROWSER": "curl -sL -o /dev/null", "NO_COLOR": "1",
      ])
    #expect(provider.leaks(outcome).isEmpty)
    return outcome
  }

  private func login() async throws {
    let login = try await provider.login(script)
    #expect(login.code == 0, "\(login)")
  }

  /// `until 2026-11-23T04:32:10.351Z`
  private static let end = "until 20[0-9-]{8}T[0-9:.]+Z"

  private func matches(_ text: String, _ pattern: String) -> Bool {
    text.range(of: pattern, options: .regularExpression) != nil
  }

  @Test func `the prompt explains it, shows it, and says it`() async throws {
    try await login()
    let profile = try script.read().components(separatedBy: "who:")[0]
    let outcome = try await run(
      ["prompt"],
      input: profile + ":explain GET api:/api\nGET api:/api\n:show\n:auth status api\n")
    // The value is cut where the line ends.
    #expect(outcome.output.contains("\(flow); signed in for "), "\(outcome)")
    #expect(matches(outcome.output, "\\(signed in: oauth browser, workbench at .*, \(Self.end)\\)"), "\(outcome)")
    #expect(outcome.output.contains("api: signed in for "), "\(outcome)")
  }

  @Test func `the debugger says it before a step, and a step can be sent again`() async throws {
    let before = try await run(["debug", "--no-record", script.path], input: "n\nq\n")
    // Nobody can sign in here: the step is still there.
    #expect(before.output.contains("\(flow); not signed in"), "\(before)")
    #expect(before.written.contains("sign in first: workbench auth login api"), "\(before)")
    try await login()
    let after = try await run(["debug", "--no-record", script.path], input: "n\nback\nr\nn\nn\nq\n")
    #expect(after.output.contains("\(flow); signed in for "), "\(after)")
    #expect(after.output.contains("200 OK"), "\(after)")
  }

  @Test func `a run over rows ends at the first that needs somebody to sign in, and none of them failed`() async throws
  {
    let rows = try TemporaryFile("n\n" + (0..<50).map { "\($0)\n" }.joined(), name: "rows.csv")
    let many = try provider.script(
      "good", steps: "sequence one(n) {\n  who: GET api:/api?n={$n}\n    expect 200\n}\n")
    let first = try await run(["bulk", many.path, "one", "--rows", rows.path, "--jobs", "2"])
    #expect(first.code == 26 && first.errors.contains("workbench auth login api"), "\(first)")
    #expect(first.errors.contains("bulk --resume") && !first.errors.contains("row 1"), "\(first)")
    try await login()
    let second = try await run(["bulk", "--resume", "last"])
    #expect(second.code == 0, "\(second)")
    let shown = try await run(["show", "last"])
    #expect(shown.output.contains("rows: 50 done"), "\(shown)")
  }

  @Test func `a resumed run gets a token of its own, and a replay needs none`() async throws {
    let first = try await run(["run", script.path])
    #expect(first.code == 26 && first.errors.contains("continue with: workbench resume"), "\(first)")
    let headless = try await run(["resume", "last"])
    #expect(headless.code == 26 && headless.errors.contains("workbench auth login api"), "\(headless)")
    try await login()
    let resumed = try await run(["resume", "last"])
    #expect(resumed.code == 0, "\(resumed)")
    let tokens = try FileManager.default.contentsOfDirectory(atPath: provider.tokens)
    for name in tokens { try FileManager.default.removeItem(atPath: "\(provider.tokens)/\(name)") }
    // Nobody could sign in here: what is recorded is all there is.
    let replayed = try await run(["replay", "-v", "last"])
    #expect(replayed.code == 0 && replayed.output.contains("recorded, not sent again"), "\(replayed)")
    let shown = [try await run(["show", "last", "who"]), try await run(["show", "last", "who", "--request"])]
    for outcome in [replayed] + shown {
      #expect(matches(outcome.output, "\\(signed in: oauth browser, workbench at .*, \(Self.end)\\)"), "\(outcome)")
    }
  }

  @Test func `an operation of the queue waits until somebody has signed in, and hangs nowhere`() async throws {
    let added = try await run(["queue", "add", script.path])
    #expect(added.code == 0, "\(added)")
    // However often: it is no attempt.
    for _ in 1...6 {
      let headless = try await run(["queue", "run"])
      #expect(headless.code == 26, "\(headless)")
      #expect(headless.written.components(separatedBy: "sign in first: workbench auth login api").count == 2)
      #expect(headless.written.contains("queue: 0 done, 1 left"), "\(headless)")
    }
    try await login()
    let done = try await run(["queue", "run"])
    #expect(done.code == 0 && done.output.contains("done"), "\(done)")
  }

  @Test func `reports and archives say which flow and until when`() async throws {
    try await login()
    let folder = script.path + ".d"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let formats = ["jsonl", "html", "har", "junit", "tap", "markdown", "github"]
    for (kind, command) in [("run", ["run", "-v", script.path]), ("store", ["report", "last"])] {
      let reports = formats.flatMap { ["--report", "\($0)=\(folder)/\(kind).\($0)"] }
      // One of the expectations fails, so that everything is written.
      let outcome = try await run(command + reports, who: "bob")
      #expect(outcome.code == 1 || kind == "store", "\(outcome)")
      for format in formats {
        let data = try #require(FileManager.default.contents(atPath: "\(folder)/\(kind).\(format)"))
        #expect(Canary.place(of: SignInProvider.mark, in: data) == nil, "\(kind).\(format)")
        guard ["jsonl", "html", "har"].contains(format) else { continue }
        let text = String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\\/", with: "/")
        let pattern = format == "html" ? "signed in: \(flow), \(Self.end)" : "\"until\":\"20[0-9-]{8}T[0-9:.]+Z\""
        #expect(text.contains(flow) && matches(text, pattern), "\(kind).\(format): \(text.prefix(3_000))")
      }
    }
    let json = try await run(["run", "--json", script.path])
    #expect(json.output.contains("\"signed-in\":{\"by\":\"oauth browser, workbench at "), "\(json)")
    let shown = try await run(["show", "last"])
    #expect(shown.code == 0, "\(shown)")
  }

  @Test func `what only the client and the server know is nowhere`() async throws {
    let key = try TemporaryFile(SignInKey.pem, name: "client.given")
    let assertion = try provider.script("page-key", flow: "client-credentials", proof: "key: file(\"\(key.path)\")")
    let store = ["--store", provider.directory + "/store"]
    var outcomes: [Workbench.Outcome] = []
    try await login()
    for path in [script.path, assertion.path] {
      for options in [["-v"], ["--json"]] { outcomes.append(try await run(["run"] + options + store + [path])) }
    }
    outcomes.append(try await run(["auth", "refresh", "api", "--script", script.path]))
    for outcome in outcomes { #expect(outcome.code == 0, "\(outcome)") }
    let learned = try await provider.server.learned()
    #expect(learned.contains { $0.hasPrefix("eyJ") } && learned.contains { !$0.hasPrefix("eyJ") })
    var texts = outcomes.map { ("a screen", Data(($0.output + $0.written).utf8)) }
    let files = FileManager.default.enumerator(atPath: provider.directory)?.compactMap { $0 as? String } ?? []
    #expect(files.contains { $0.hasSuffix(".token") })
    for file in files {
      guard let data = FileManager.default.contents(atPath: "\(provider.directory)/\(file)") else { continue }
      texts.append((file, data))
    }
    for (name, data) in texts {
      for secret in learned { #expect(Canary.place(of: secret, in: data) == nil, "\(name)") }
    }
  }
}

/// A private key of these tests alone; it opens nothing.
enum SignInKey {
  static let pem: String = {
    let path = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID()).pem")
    defer { try? FileManager.default.removeItem(at: path) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path.path,
    ]
    process.standardError = FileHandle.nullDevice
    try? process.run()
    process.waitUntilExit()
    return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
  }()
}
