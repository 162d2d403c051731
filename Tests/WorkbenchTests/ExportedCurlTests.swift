import Foundation
import LoopbackServer
import Synchronization
import Testing

/// The lines that `export curl` writes, run by a shell with the real curl, send what the script sends.
@Suite(.timeLimit(.minutes(5))) struct ExportedCurlTests {
  /// Each is a script with one request, or a chain; `{url}` is the server's address.
  static let scripts = [
    "GET \"{url}/a?q=[1-3]&r=\\{x,y}\"",
    "GET {url}/a/../b/./c",
    "let v = \"a?b#c/d e%41\"\nGET {url}/p/{$v}/x?a={$v}&b={+$v}",
    "GET {url}/p/{$env.EXPORTED}?a={+$env.EXPORTED}",
    "made: POST {url}/json\nGET {url}/{+$made.body.reserved}",
    "GET {url}/a header Accept:",
    "POST {url}/a text \"x\" header Content-Type:",
    "GET {url}/a header { \"X-Empty\": \"\", Accept: \"a/b\" }",
    "HEAD {url}/a",
    "DELETE {url}/a",
    "POST {url}/a",
    "POST {url}/a json { a: 1, \"b c\": [true, null, -1.5], quote: \"it's \\\"me\\\" $HOME `id` \\\\ !\" }",
    "PUT {url}/a text \"@/etc/hostname\"",
    "POST {url}/a body \"a=b&c\" as \"x/y\"",
    "POST {url}/a body file(\"a;b,c.txt\")",
    "POST {url}/a form { f: \"@/etc/hostname\", \"a&b=c\": \"d e+f\", g: \"<x\" }",
    "GET {url}/a query { \"@x\": \"@/etc/hostname\", \"+y=\": \"c d&e\", z: \"[1]\" }",
    "POST {url}/a form { a: $env.EXPORTED, b: \"ü/\" }",
    "POST {url}/a query { a: \"b\" } text \"x\"",
    "POST {url}/a multipart { f: file(\"a;b,c.txt\"), g: file(\"a;b,c.txt\") as \"x/y\" named \"n\\\"m;.txt\" }",
    "POST {url}/a multipart { t: \"@/etc/hostname\", u: \"<a\", \"n=m\": \"v\", w: \"a;type=x\" as \"text/csv\" }",
    "POST {url}/a multipart { t: \"caf\u{301}e '\u{301} \\\\ \\\" ;,\" named \"o.txt\" }",
    "POST {url}/a text \"one\\ntwo '\u{301} three\\n\"",
    "GET {url}/a auth basic \"me\", \"p'w $x\"",
    "let first = \"a\"\nlet PATH = $env.EXPORTED\nPOST {url}/{$first}/{$PATH} text \"{$PATH} \\\" ` $ \\\\\" header X-V: $PATH",
    "made: POST {url}/json\nGET {url}/b/{$made.body[\"an id\"]}?q={$made.body.list[1]} header X-Id: $made.body[\"an id\"]",
    "made: POST {url}/json\nPUT $made.body.place text \"x\"",
    "profile api {\n  base \"{url}\"\n  auth bearer $env.EXPORTED\n}\nmade: POST api:/json\nPUT $made.body.place text \"x\"",
    "profile api {\n  base \"{url}\"\n  auth bearer $env.EXPORTED\n}\nGET {other}/elsewhere",
  ]

  @Test func `cookies that a profile keeps are in a jar of its own`() async throws {
    let log = Mutex<[String]>([])
    let server = try LoopbackServer { connection in
      while let (head, _) = try connection.readRequest() {
        let cookie = head.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("cookie:") }
        log.withLock { $0.append(cookie.map(String.init) ?? "none") }
        try connection.respond(headers: head.contains("/set") ? ["Set-Cookie: sid=abc; Path=/"] : [], body: "{}")
      }
    }
    let script = """
      profile web { base \(server.url) cookies on }
      profile other { base \(server.url)/b cookies on }
      profile none { base \(server.url)/c }
      GET web:/set
      GET web:/a
      GET other:/b
      GET none:/c
      GET web:/d header Cookie: "theme=dark"
      GET none:/e header Cookie: "theme=dark"
      GET web:/f header Cookie: ""
      GET web:/g header Cookie:
      GET web:/h
      """
    let exported = try await Workbench.run(["export", "curl", "-"], input: script)
    #expect(exported.code == 0, "\(exported)")
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", exported.output]
    let jars = FileManager.default.temporaryDirectory.appending(path: "jars-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: jars, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: jars) }
    shell.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": jars.path]) { $1 }
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0, "\(exported.output)")
    #expect(
      log.withLock { $0 } == [
        "none", "Cookie: sid=abc", "none", "none", "Cookie: sid=abc; theme=dark", "Cookie: theme=dark",
        "Cookie:", "none", "Cookie: sid=abc",
      ], "\(exported.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: jars.path).isEmpty, "\(exported.output)")
  }

  @Test(arguments: scripts) func `a shell sends what the script sends`(_ written: String) async throws {
    let log = Mutex<[BrowserLineTests.Received]>([])
    let other = try LoopbackServer { connection in
      while let (head, body) = try connection.readRequest() {
        log.withLock { $0.append(.init(head: head, body: body, asked: "")) }
        try connection.respond()
      }
    }
    let place = other.url
    let server = try LoopbackServer { connection in
      while let (head, body) = try connection.readRequest() {
        log.withLock { $0.append(.init(head: head, body: body, asked: "")) }
        let odd = "a/b%2f%zz c%2541?x=!'()*,;:@[]$+&y"
        let json =
          "{\"an id\": \"x y/z?\", \"list\": [1, \"two&\"], \"place\": \"\(place)/up?a=b%20c&d=[1]\", \"reserved\": \"\(odd)\"}"
        try connection.respond(headers: ["Content-Type: application/json"], body: head.contains("/json") ? json : "")
      }
    }
    func take() -> [BrowserLineTests.Received] {
      log.withLock { received in
        defer { received = [] }
        return received
      }
    }
    let directory = FileManager.default.temporaryDirectory.appending(path: "exported-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try Data("of a file\n".utf8).write(to: URL(filePath: "\(directory)/a;b,c.txt"))
    let script = written.replacing("{url}", with: server.url).replacing("{other}", with: other.url)
    let path = "\(directory)/x.wb"
    try Data((script + "\n").utf8).write(to: URL(filePath: path))
    // Its characters mean something to a shell, to curl and in a URL.
    let environment = ["EXPORTED": "it's $1 \"a\" b&c"]

    let run = try await Workbench.run(["run", "--no-record", path], environment: environment)
    #expect(run.code == 0, "\(run)")
    let ours = take()
    #expect(!ours.isEmpty)
    let exported = try await Workbench.run(["export", "curl", path], environment: environment)
    #expect(exported.code == 0 || exported.code == 3, "\(exported)")
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", exported.output]
    shell.currentDirectoryURL = URL(filePath: directory)
    shell.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0, "\(exported.output)")
    #expect(take() == ours, "\(exported.output)")
  }

  @Test func `what Hurl does in another way is said`() async throws {
    let script = "GET http://127.0.0.1:1/{$env.NAME} header Accept:\n"
    let outcome = try await Workbench.run(["export", "hurl", "-"], input: script)
    #expect(outcome.code == 3, "\(outcome)")
    #expect(outcome.errors.contains("Hurl sends Accept, which is left out here"), "\(outcome)")
    #expect(outcome.errors.contains("{{NAME}} comes into this URL as it is"), "\(outcome)")
  }

  @Test func `what a line cannot say is left out, and said`() async throws {
    let script = "POST http://127.0.0.1:1/a multipart { a: $env.HOME as \"text/plain\" }\n"
    let outcome = try await Workbench.run(["export", "curl", "-"], input: script)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("this is left out: what a variable has may mean something to curl"))
    #expect(!outcome.output.contains("curl -g"))
  }
}
