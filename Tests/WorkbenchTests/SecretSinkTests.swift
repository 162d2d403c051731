import Canaries
import Foundation
import JSONValue
import LoopbackServer
import Testing

/// Everything that comes out of the store, and everything in it, after runs that send secrets in every way and receive
/// them in responses.
@Suite(.timeLimit(.minutes(2))) struct SecretSinkTests {
  private static let secrets = [
    "API_TOKEN": Canary.secret("sink-bearer"), "PASSWORD": Canary.secret("sink-basic"),
    "API_KEY": Canary.secret("sink-query"), "HEADER_KEY": Canary.secret("sink-header"),
    "FORM_SECRET": Canary.secret("sink-form"), "JSON_SECRET": Canary.secret("sink-json"),
  ]
  private static let cookie = "c00kie-sink-0123456789"

  /// Responds with everything it was sent, in the header, the body, a redirect's target and a cookie.
  private static func echo(knowing token: String = secrets["API_TOKEN"] ?? "") throws -> LoopbackServer {
    try LoopbackServer { connection in
      while let (head, body) = try connection.readRequest() {
        let lines = head.split(separator: "\r\n")
        let target = lines[0].split(separator: " ")[1]
        let sent = JSON.string(head + String(decoding: body, as: UTF8.self))
        let padding = target.hasPrefix("/large") ? String(repeating: "-", count: 100_000) : ""
        let basic = Data("x:\(token)".utf8).base64EncodedString()
        var headers = [
          "Content-Type: application/json",
          "X-Echo: \(lines.first { $0.lowercased().hasPrefix("authorization") } ?? "")",
        ]
        if target.hasPrefix("/login") { headers.append("Set-Cookie: sid=\(Self.cookie); Path=/; HttpOnly") }
        if target.hasPrefix("/moved") { headers.append("Location: /items?api_key=\(Self.secrets["API_KEY"] ?? "")") }
        let answer = "{\"sent\": \(sent), \"as\": \"\(basic)\", \"padding\": \"\(padding)\"}"
        try connection.respond(target.hasPrefix("/moved") ? "302 Found" : "200 OK", headers: headers, body: answer)
      }
    }
  }

  private static func script(_ url: String) -> String {
    """
    profile login { base \(url) auth basic "ann", $env.PASSWORD cookies on }
    profile api {
      base \(url)
      auth bearer $env.API_TOKEN
      header X-Api-Key: $env.HEADER_KEY
      query { api_key: $env.API_KEY }
      cookies on
    }
    secret field = $env.FORM_SECRET for api
    secret member = $env.JSON_SECRET for api

    login: POST login:/login
    session: GET login:/session
    form: POST api:/form form { password: $field, name: "ann" }
    multipart: POST api:/form multipart { password: $field }
    json: POST api:/json json { inner: { secret: $member } }
    moved: GET api:/moved
    large: GET api:/large
    last: GET login:/last
    """
  }

  private static func expectNothing(
    of secrets: [String], in text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for secret in secrets {
      let place = Canary.place(of: secret, in: Data(text.utf8))
      #expect(place == nil, "\(name)", sourceLocation: sourceLocation)
    }
  }

  /// Everything that the commands show about the newest run.
  private static func expectNothingShown(
    of secrets: [String], in store: TemporaryFile,
    steps: [String] = ["login", "session", "form", "multipart", "json", "moved", "large", "last"]
  ) async throws {
    let directory = store.path + ".d"
    var commands = [
      ["runs", "--json"], ["runs"], ["show", "last"], ["show", "last", "--har"], ["diff", "last", "last"],
    ]
    for step in steps {
      commands += ["--request", "--response", "--body"].map { ["show", "last", step, $0] }
    }
    for command in commands {
      let outcome = try await Workbench.run(command + ["--store", directory])
      #expect(outcome.code == 0, "\(command): \(outcome.errors)")
      expectNothing(of: secrets, in: outcome.output + outcome.errors, command.joined(separator: " "))
    }
  }

  private static func expectNothing(of secrets: [String], inFilesOf store: TemporaryFile) throws -> [String] {
    let directory = store.path + ".d"
    var names: [String] = []
    for case let name as String in FileManager.default.enumerator(atPath: directory) ?? .init() {
      guard let content = FileManager.default.contents(atPath: "\(directory)/\(name)") else { continue }
      names.append(name)
      for secret in secrets { #expect(Canary.place(of: secret, in: content) == nil, "\(name)") }
    }
    return names
  }

  @Test func `no secret and no cookie of a run that is done is shown, exported or kept`() async throws {
    let server = try Self.echo()
    let store = try TemporaryFile("", name: "store")
    let script = try TemporaryFile(Self.script(server.url), name: "sinks.wb")
    let outcome = try await Workbench.run(
      ["run", script.path, "--store", store.path + ".d"], environment: Self.secrets)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let all = Self.secrets.values + [Self.cookie]
    // Each was sent, and the cookie came back.
    let received = server.received
    for secret in all { #expect(Canary.place(of: secret, in: Data(received)) != nil) }
    Self.expectNothing(of: all, in: outcome.output + outcome.errors, "run")
    // Before any other process opens the store and tidies it.
    let files = try Self.expectNothing(of: all, inFilesOf: store)
    try await Self.expectNothingShown(of: all, in: store)
    #expect(files.contains("runs.sqlite") && files.contains { $0.hasPrefix("spool/") }, "\(files)")
  }

  @Test func `the cookies of a run that failed are kept so that it can continue, and shown nowhere`() async throws {
    let server = try Self.echo()
    let store = try TemporaryFile("", name: "store")
    let failing = Self.script(server.url).replacing(
      "last: GET login:/last", with: "last: GET login:/last\n  expect text == \"x\"")
    let script = try TemporaryFile(failing, name: "sinks.wb")
    let outcome = try await Workbench.run(
      ["run", script.path, "--store", store.path + ".d"], environment: Self.secrets)
    #expect(outcome.code == 1, "\(outcome.errors)")
    let all = Self.secrets.values + [Self.cookie]
    Self.expectNothing(of: all, in: outcome.output + outcome.errors, "run")
    try await Self.expectNothingShown(of: all, in: store)
    _ = try Self.expectNothing(of: Array(Self.secrets.values), inFilesOf: store)

    let before = server.requests.count
    try script.write(Self.script(server.url))
    let resumed = try await Workbench.run(
      ["resume", "last", "--store", store.path + ".d"], environment: Self.secrets)
    #expect(resumed.code == 0, "\(resumed.errors)")
    #expect(server.requests.count == before + 1)
    #expect(server.requests.last?.contains("sid=\(Self.cookie)") == true)
    Self.expectNothing(of: all, in: resumed.output + resumed.errors, "resume")
    _ = try Self.expectNothing(of: all, inFilesOf: store)
    try await Self.expectNothingShown(of: all, in: store)
  }

  @Test func `credentials in a form that came back, and in a fragment, are not in an archive`() async throws {
    let literal = ["form", "typed", "followed"].map { "l1teral-\($0)-value" }
    let server = try LoopbackServer { connection in
      while let (head, _) = try connection.readRequest() {
        let isFirst = head.hasPrefix("GET /a")
        try connection.respond(
          isFirst ? "302 Found" : "200 OK",
          headers: [
            "Content-Type: application/x-www-form-urlencoded; charset=utf-8",
            "Location: /b#access_token=\(literal[2])&scope=x",
          ], body: "access_token=\(literal[0])&scope=repo&token_type=bearer")
      }
    }
    let store = try TemporaryFile("", name: "store")
    let script = try TemporaryFile("GET \(server.url)/a#access_token=\(literal[1])&page=2\n", name: "fragment.wb")
    let outcome = try await Workbench.run(["run", script.path, "--store", store.path + ".d"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let shown = try await Workbench.run(["show", "last", "--har", "--store", store.path + ".d"])
    Self.expectNothing(of: literal, in: shown.output, "har")
    let archive = try JSON(parsing: shown.output)
    let content = archive["log"]?["entries"]?[1]?["response"]?["content"]
    #expect(content?["text"]?.string == "access_token=redacted&scope=repo&token_type=bearer")
  }

  @Test func `what a response calls a credential beside a declared one is hidden as well, and can be sent`()
    async throws
  {
    let tokens = [Canary.secret("sink-access"), Canary.secret("sink-refresh")]
    let server = try LoopbackServer { connection in
      while let (head, _) = try connection.readRequest() {
        let body =
          head.hasPrefix("POST /login")
          ? "{\"access_token\": \"\(tokens[0])\", \"refresh_token\": \"\(tokens[1])\", \"token_type\": \"bearer\"}"
          : "{}"
        try connection.respond("200 OK", headers: ["Content-Type: application/json"], body: body)
      }
    }
    let store = try TemporaryFile("", name: "store")
    let script = try TemporaryFile(
      """
      profile api { base \(server.url) }
      login: POST api:/login effect idempotent
      secret token = $login.body.access_token for api
      GET api:/me auth bearer $token
      POST api:/refresh json { token: $login.body.refresh_token, type: $login.body.token_type } effect idempotent
      """, name: "login.wb")
    let outcome = try await Workbench.run(["run", "-v", script.path, "--store", store.path + ".d"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("bearer"))
    Self.expectNothing(of: tokens, in: outcome.output + outcome.errors, "run -v")
    _ = try Self.expectNothing(of: tokens, inFilesOf: store)
    try await Self.expectNothingShown(of: tokens, in: store, steps: ["login"])
    #expect(Canary.place(of: tokens[1], in: Data(server.received)) != nil, "it is sent wherever it is written")

    let again = try await Workbench.run(["replay", "last", "--store", store.path + ".d"])
    #expect(again.code == 0, "\(again.output) \(again.errors)")
    Self.expectNothing(of: tokens, in: again.output + again.errors, "replay")
  }

  @Test func `credentials that nobody declared are not in an archive`() async throws {
    let server = try Self.echo(knowing: "")
    let store = try TemporaryFile("", name: "store")
    let literal = ["bearer", "cookie", "query", "form", "json", "basic"].map { "l1teral-\($0)-value" }
    let basic = Data("ann:\(literal[5])".utf8).base64EncodedString()
    let script = try TemporaryFile(
      """
      a: POST \(server.url)/a?access_token=\(literal[2])&page=2
        header Authorization: "Bearer \(literal[0])"
        header Cookie: "sid=\(literal[1]); lang=en"
        form { user: "ann", password: "\(literal[3])" }
      b: POST \(server.url)/b
        header Authorization: "Basic \(basic)"
        json { user: "ann", deep: [{ client_secret: "\(literal[4])" }] }
      """, name: "literal.wb")
    let outcome = try await Workbench.run(["run", script.path, "--store", store.path + ".d"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let shown = try await Workbench.run(["show", "last", "--har", "--store", store.path + ".d"])
    Self.expectNothing(of: literal, in: shown.output, "har")

    // What is not secret is there, and it is an archive.
    let archive = try JSON(parsing: shown.output)
    let first = archive["log"]?["entries"]?[0]
    #expect(first?["request"]?["url"]?.string == "\(server.url)/a?access_token=redacted&page=2")
    #expect(first?["request"]?["postData"]?["text"]?.string == "user=ann&password=redacted")
    #expect(
      first?["request"]?["cookies"]
        == [["name": "sid", "value": "••••"], ["name": "lang", "value": "••••"]])
    #expect(
      first?["request"]?["queryString"]
        == [["name": "access_token", "value": "redacted"], ["name": "page", "value": "2"]])
    let headers = first?["request"]?["headers"]?.array ?? []
    #expect(headers.contains(["name": "Authorization", "value": "Bearer ••••"]), "\(headers)")
    #expect(headers.contains(["name": "Cookie", "value": "sid=••••; lang=••••"]), "\(headers)")
    #expect(archive["log"]?["entries"]?[1]?["request"]?["postData"]?["text"]?.string?.contains("••••") == true)
  }
}
