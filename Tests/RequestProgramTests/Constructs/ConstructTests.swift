import RequestSyntax
import Requests
import Testing

@testable import RequestProgram

/// Every construct of the language is sent over a real connection, and also used incorrectly.
@Suite(.timeLimit(.minutes(2))) struct ConstructTests {
  private static let files = [
    "a.txt": "hello file", "a.json": "{\"k\": [1]}", "data.csv": "a,b\r\n1,\"x, y\"\r\n2,\n",
    "token.given": "\(ConstructSecret.file)\n",
    "shared.wb": "sequence shared(url) { GET $url/shared/{file(\"one.txt\").text} }", "one.txt": "1",
    "test.wb.snapshots/one.shape": "number", "test.wb.snapshots/two.shape": "\"other\"",
  ]

  private static func run(_ script: String) async throws -> (server: ScriptServer, outcome: RealRun.Outcome) {
    let directory = try TemporaryDirectory(files)
    let server = try ScriptServer(Self.answer)
    let environment = ProgramEnvironment(
      variables: ["NAME": "value", "USER_NAME": "user", "WORD": ConstructSecret.environment],
      ask: { "\(ConstructSecret.asked)-\($0)" },
      runCommand: { command throws(CommandError) in
        if command == "false" { throw CommandError("the program \"false\" ended with exit code 1") }
        return "\(ConstructSecret.command)-\(command)\n"
      })
    let run = RealRun(environment: environment, directory: directory.path, isOwn: true)
    return (server, await run.run(filled(script, server)))
  }

  private static func filled(_ text: String, _ server: ScriptServer) -> String {
    text.replacing("{url}", with: server.url).replacing("{port}", with: server.url.split(separator: ":").last ?? "")
  }

  @Sendable private static func answer(_ request: ScriptServer.Request, _ before: Int) -> ScriptServer.Answer {
    let parts = request.path.split(separator: "/")
    switch parts.first {
    case "status"?: return .init(status: "\(parts.last ?? "500") Status")
    case "redirect"?: return .init(status: "302 Found", headers: ["Location: /landed"])
    case "busy"?: return .init(status: before < 2 ? "503 Busy" : "200 OK")
    case "pending"?: return .json("{\"state\":\"\(before < 2 ? "pending" : "ready")\"}")
    case "text"?: return .init(headers: ["Content-Type: text/plain"], body: "<UploadId>u-1</UploadId>")
    case "binary"?: return .init(headers: ["Content-Type: application/x"], body: "\u{1}\u{2}")
    case "page"?:
      let page = parts.last.flatMap { Int($0) } ?? 1
      return .json(page < 3 ? "{\"next\":\"/page/\(page + 1)\"}" : "{}")
    default:
      let host = request.header("Host") ?? ""
      return .json(
        """
        {"a":{"b":[1,2,3]},"s":"text","n":null,"list":[{"id":1,"k":"x"},{"id":2}],"next":"/page/2","half":1.5,"yes":true,
        "at":"2026-01-02T03:04:05Z","url":"http://\(host)/from?a=%2F&b","token":"\(ConstructSecret.answer)","path":"../up"}
        """,
        headers: ["ETag: \"e\"", "Set-Cookie: sid=1; Path=/", "Set-Cookie: b=2", "X-M: 1", "X-M: 2", "Location: made"])
    }
  }

  @Test(arguments: Construct.all)
  func `it reaches the server as written`(construct: Construct) async throws {
    let (server, outcome) = try await Self.run(construct.script)
    #expect(outcome.problems == [])
    let received = server.requests.map(\.whole).joined(separator: "\n")
    for sent in construct.sent {
      #expect(received.contains(Self.filled(sent, server)), "\(received)")
    }
    if let unsent = construct.unsent { #expect(!received.contains(unsent)) }
  }

  @Test(arguments: Construct.all.filter { $0.mistake != nil })
  func `a mistake in it is reported`(construct: Construct) async throws {
    let (server, outcome) = try await Self.run(construct.mistake ?? "")
    let problems = outcome.problems.joined(separator: "\n")
    #expect(problems.contains(Self.filled(construct.problem, server)), "\(problems)")
    #expect(!construct.problem.isEmpty)
  }

  @Test func `a request is evaluated once, its retries send the same bytes`() async throws {
    let (server, outcome) = try await Self.run(
      "POST {url}/busy json [random(1, 1000000)]\n  header Idempotency-Key: uuid()\n  retry 3 on 5xx")
    #expect(outcome.problems == [])
    #expect(server.requests.count == 3)
    #expect(Set(server.requests.map(\.whole)).count == 1)
  }

  /// What the code knows, by the kind of construct.
  private static let known: [String: [String]] = [
    "statement": Keywords.statements, "clause": Keywords.clauses,
    "setting": Keywords.settings.filter {
      !["tls", "unix-socket"].contains($0)
    },
    "function": Function.all.map(\.name), "operator": BinarySyntax.Operator.allCases.map(\.rawValue),
    "member": Keywords.members.filter { $0 != "certificate" },
    "file": FileMember.allCases.map(\.rawValue), "type": ParameterType.allCases.map(\.rawValue),
    "unit": NumberSyntax.Unit.allCases.map(\.rawValue), "shape": ShapeSyntax.Named.allCases.map(\.rawValue),
    "item": ["=", ":=", "==", ":", "@"],
  ]

  @Test(arguments: known.keys.sorted())
  func `nothing that the language knows is left out`(kind: String) {
    let names = Set(
      Construct.all.filter { $0.name.hasPrefix("\(kind) ") }.map { construct in
        String(construct.name.dropFirst(kind.count + 1).prefix { $0 != " " && $0 != "," })
      })
    for name in Self.known[kind] ?? [] { #expect(names.contains(name)) }
  }
}
