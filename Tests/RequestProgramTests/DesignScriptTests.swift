import Canaries
import Crypto
import Foundation
import HTTPTypes
import RequestProgram
import Requests
import Sandbox
import Synchronization
import Testing

/// The fifteen chains that the language was designed with, each run against servers made for it.
///
/// They are `../shared/design/scripts` next to the repository, or next to a directory around it; without them nothing
/// runs.
@Suite(
  .enabled(
    if: DesignScripts.folder != nil,
    "SKIPPED: ../shared/design/scripts, which is published nowhere, is not there; Tests/RequestProgramTests/Constructs covers its language"
  ), .timeLimit(.minutes(2)))
struct DesignScriptTests {
  private static let token = Canary.secret("script 01")

  /// Runs a script; each host in it is replaced by the server that stands for it.
  private static func run(
    _ name: String, hosts: KeyValuePairs<String, String>, variables: [String: String] = [:],
    files: TemporaryDirectory? = nil, sequence: String? = nil, settings: [String: String] = [:]
  ) async throws -> RealRun.Outcome {
    let file = try #require(DesignScripts.folder).appending(path: "\(name).wb")
    var script = try String(contentsOf: file, encoding: .utf8)
    for (host, server) in hosts {
      #expect(script.contains(host))
      script = script.replacing(host, with: server)
    }
    #expect(!script.contains("example.com"), "a host is left")
    let run = RealRun(
      environment: ProgramEnvironment(variables: variables), settings: settings, sequence: sequence,
      directory: files?.path ?? "")
    return await run.run(script, name: "\(name).wb")
  }

  private static func bytes(_ count: Int) -> String {
    String(repeating: "All work and no play makes a dull file. ", count: count / 40 + 1).prefix(count).description
  }

  private static func sha256(_ text: String) -> String {
    SHA256.hash(data: Data(text.utf8)).hex
  }

  // MARK: Uploads

  @Test func `01 a presigned upload: allocate, upload, confirm, wait`() async throws {
    let files = try TemporaryDirectory(["blueprint.png": Self.bytes(70_000)])
    let time = Counter()
    var options = SandboxOptions()
    options.token = Self.token
    options.logFile = "\(files.path)/log.received"
    // A fifth of a second passes whenever the sandbox reads the clock.
    options.now = { Date(timeIntervalSince1970: 1_700_000_000 + Double(time.next()) / 5) }
    try await Sandbox.run(options) { endpoints in
      let outcome = try await Self.run(
        "01-snapshot-upload",
        hosts: ["https://api.example.com/v1": endpoints.api, "https://*.s3.example.com": endpoints.storage],
        variables: ["API_TOKEN": Self.token], files: files)
      #expect(outcome.problems == [])
      let exchanges = outcome.history.exchanges
      #expect(exchanges.prefix(3).map(\.response.status.code) == [201, 204, 200])
      #expect(exchanges.last?.label == "ready")
    }
    let log = try files.text(of: "log.received").split(separator: "\n")
    let upload = try #require(log.first { $0.contains("\"target\":\"/sandbox\"") })
    #expect(!upload.contains(Self.token) && upload.contains(Self.sha256(Self.bytes(70_000))))
    #expect(log.count { $0.contains(Self.token) } >= 3)
  }

  /// A little more than one piece.
  private static let large = (8 << 20) + 1_000
  private static let long = (5 << 20) + 1_000

  @Test func `02 a multipart upload in parallel pieces, each signed`() async throws {
    let files = try TemporaryDirectory(["film.mov": Self.bytes(Self.large)])
    let s3 = try ScriptServer { request, _ in
      switch (request.method, request.target.contains("uploads")) {
      case ("POST", true): .init(body: "<Result><UploadId>u/1+x</UploadId></Result>")
      case ("PUT", _): .init(headers: ["ETag: \"\(Insecure.MD5.hash(data: request.body).hex)\""])
      default: .init(body: "<CompleteMultipartUploadResult/>")
      }
    }
    let outcome = try await Self.run(
      "02-s3-multipart", hosts: ["https://media.s3.eu-west-1.amazonaws.com": s3.url],
      variables: ["AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret-of-02"],
      sequence: "put-large", settings: ["key": "films/one.mov", "movie": "\(files.path)/film.mov"])
    #expect(outcome.problems == [])
    let pieces = s3.requests.filter { $0.method == "PUT" }.sorted { $0.target < $1.target }
    #expect(
      [s3.lines.first ?? ""] + pieces.map(\.line) + [s3.lines.last ?? ""] == [
        "POST /films/one.mov?uploads", "PUT /films/one.mov?partNumber=1&uploadId=u%2F1%2Bx",
        "PUT /films/one.mov?partNumber=2&uploadId=u%2F1%2Bx",
        "POST /films/one.mov?uploadId=u%2F1%2Bx",
      ])
    #expect(pieces.map(\.body.count) == [8 << 20, 1_000])
    #expect(pieces.map(\.text).joined() == Self.bytes(Self.large))
    for piece in pieces {
      #expect(piece.header("Content-MD5") == Data(Insecure.MD5.hash(data: piece.body)).base64EncodedString())
      #expect(piece.header("x-amz-content-sha256") == SHA256.hash(data: piece.body).hex)
    }
    let parts = pieces.enumerated().map { index, piece in
      "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\"\(Insecure.MD5.hash(data: piece.body).hex)\"</ETag></Part>"
    }
    #expect(s3.requests.last?.text == "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>")
    let scope = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20260102/eu-west-1/s3/aws4_request, SignedHeaders="
    #expect(s3.requests.allSatisfy { $0.header("Authorization")?.hasPrefix(scope) == true })
  }

  @Test func `02 an upload that fails is aborted`() async throws {
    let files = try TemporaryDirectory(["film.mov": "a film"])
    let s3 = try ScriptServer { request, _ in
      switch (request.method, request.target.contains("uploads")) {
      case ("POST", true): .init(body: "<UploadId>u1</UploadId>")
      case ("PUT", _): .init(headers: ["ETag: \"e\""])
      case ("DELETE", _): .init(status: "204 No Content")
      default: .init(status: "400 Bad Request")
      }
    }
    let outcome = try await Self.run(
      "02-s3-multipart", hosts: ["https://media.s3.eu-west-1.amazonaws.com": s3.url],
      variables: ["AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret-of-02"],
      sequence: "put-large", settings: ["key": "one.mov", "movie": "\(files.path)/film.mov"])
    #expect(outcome.problems == ["status should be 200, and is 400"])
    #expect(s3.lines.last == "DELETE /one.mov?uploadId=u1")
  }

  @Test func `03 tus: create, and send pieces from the server's offset`() async throws {
    let files = try TemporaryDirectory(["big.png": Self.bytes(Self.long)])
    let server = try ScriptServer { request, before in
      switch request.method {
      case "POST": return .init(status: "201 Created", headers: ["Location: /files/7"])
      case "HEAD": return .init(headers: ["Upload-Offset: 0"])
      default:
        let offset = Int(request.header("Upload-Offset") ?? "") ?? 0
        return .init(status: "204 No Content", headers: ["Upload-Offset: \(offset + request.body.count)"])
      }
    }
    let outcome = try await Self.run(
      "03-tus-resume", hosts: ["https://tus.example.com": server.url], sequence: "create",
      settings: ["image": "\(files.path)/big.png"])
    #expect(outcome.problems == [])
    #expect(server.lines == ["POST /files/", "HEAD /files/7", "PATCH /files/7", "PATCH /files/7"])
    let patches = server.requests.suffix(2)
    #expect(patches.compactMap { $0.header("Upload-Offset") } == ["0", "5242880"])
    #expect(patches.map(\.text).joined() == Self.bytes(Self.long))
    #expect(server.requests[0].header("Upload-Length") == "\(Self.long)")
    #expect(server.requests[0].header("Upload-Metadata") == "filename YmlnLnBuZw==")
    #expect(server.requests.allSatisfy { $0.header("Tus-Resumable") == "1.0.0" })
  }

  @Test func `09 a file with its digests`() async throws {
    let files = try TemporaryDirectory(["a.png": "some image"])
    let server = try ScriptServer { request, _ in
      .json("{\"sha256\": \"\(Self.sha256(request.text))\"}", status: "201 Created")
    }
    let outcome = try await Self.run(
      "09-checksum-upload", hosts: ["https://store.example.com": server.url], variables: ["STORE_KEY": "key-of-09"],
      files: files)
    #expect(outcome.problems == [])
    let request = try #require(server.requests.first)
    #expect(request.line == "PUT /objects/a.png" && request.text == "some image")
    #expect(request.header("X-Api-Key") == "key-of-09" && request.header("Content-Type") == "image/png")
    #expect(
      request.header("Content-MD5") == Data(Insecure.MD5.hash(data: Data("some image".utf8))).base64EncodedString())
    #expect(
      request.header("Digest") == "sha-256=\(Data(SHA256.hash(data: Data("some image".utf8))).base64EncodedString())")
  }

  // MARK: Who is asking

  @Test func `04 client credentials become a token, which goes only to the API`() async throws {
    let login = try ScriptServer { _, _ in
      .json("{\"access_token\": \"token-of-04\", \"token_type\": \"Bearer\", \"expires_in\": 3600, \"scope\": \"x\"}")
    }
    let api = try ScriptServer { request, _ in
      .json(request.path == "/v1/sheets" ? "{\"items\": [{\"id\": \"A 1\"}]}" : "{}")
    }
    let outcome = try await Self.run(
      "04-oauth-client-credentials",
      hosts: ["https://login.example.com": login.url, "https://api.example.com": api.url],
      variables: ["CLIENT_ID": "client", "CLIENT_SECRET": "secret-of-04"])
    #expect(outcome.problems == [])
    #expect(login.lines == ["POST /oauth/token"])
    #expect(login.requests[0].text == "grant_type=client_credentials&scope=sheets.read")
    #expect(
      login.requests[0].header("Authorization") == "Basic \(Data("client:secret-of-04".utf8).base64EncodedString())")
    #expect(api.lines == ["GET /v1/sheets", "GET /v1/sheets/A%201"])
    #expect(api.requests.allSatisfy { $0.header("Authorization") == "Bearer token-of-04" })
    #expect(api.requests.allSatisfy { $0.header("Accept") == "application/json" })
  }

  @Test func `05 a form, its cookie, and its CSRF token`() async throws {
    let site = try ScriptServer { request, _ in
      switch request.line {
      case "GET /login":
        .init(
          headers: ["Content-Type: text/html", "Set-Cookie: sid=before; Path=/"],
          body: "<input name=\"csrf\" value=\"c-1\">")
      case "POST /login":
        .init(
          status: "302 Found",
          headers: ["Location: /home", "Set-Cookie: sid=after; Path=/", "Set-Cookie: csrftoken=c-2; Path=/"])
      default: .json("{}")
      }
    }
    let outcome = try await Self.run(
      "05-login-cookie-csrf", hosts: ["https://app.example.com": site.url],
      variables: ["APP_PASSWORD": Canary.secret("script 05")])
    #expect(outcome.problems == [])
    try #require(site.lines == ["GET /login", "POST /login", "POST /settings"])
    #expect(site.requests[1].text == "user=ann&password=c4n%2Bry%2F7%7Ef3-script+05&csrf=c-1")
    #expect(site.requests[1].header("Cookie") == "sid=before")
    #expect(site.requests[2].header("X-CSRF-Token") == "c-2")
    #expect(
      site.requests[2].header("Cookie").map { $0.split(separator: "; ").sorted() } == ["csrftoken=c-2", "sid=after"])
    #expect(site.requests[2].text == "{\"theme\":\"dark\"}")
  }

  @Test func `10 a webhook, signed over exactly what is sent`() async throws {
    let secret = Canary.secret("script 10")
    let hooks = try ScriptServer { _, _ in .init(status: "202 Accepted") }
    let outcome = try await Self.run(
      "10-signed-webhook", hosts: ["https://hooks.example.com": hooks.url],
      variables: ["WEBHOOK_SECRET": secret])
    #expect(outcome.problems == [])
    let request = try #require(hooks.requests.first)
    let signature = HMAC<SHA256>.authenticationCode(
      for: request.body, using: SymmetricKey(data: Array(secret.utf8)))
    #expect(request.header("X-Signature-256") == "sha256=\(signature.hex)")
    #expect(request.text.contains("\"type\":\"sheet.updated\",\"at\":\"2026-01-02T03:00:00Z\""))
  }

  @Test func `14 two users of one host, each with their own token`() async throws {
    let admin = Canary.secret("script 14 admin")
    let reader = Canary.secret("script 14 reader")
    let server = try ScriptServer { request, _ in
      switch (request.method, request.header("Authorization")) {
      case ("POST", "Bearer \(admin)"):
        .json("{\"id\": 7}", status: "201 Created", headers: ["Location: /v1/sheets/7"])
      case ("GET", "Bearer \(reader)"): .json("{}")
      default: .init(status: "403 Forbidden")
      }
    }
    let outcome = try await Self.run(
      "14-two-users-one-host", hosts: ["https://api.example.com": server.url],
      variables: ["ADMIN_TOKEN": admin, "READER_TOKEN": reader])
    #expect(outcome.problems == [])
    #expect(
      server.lines == ["POST /admin/v1/sheets", "GET /v1/sheets/7", "DELETE /v1/sheets/7", "GET /v1/sheets/7"])
  }

  // MARK: Repetition

  @Test func `06 all pages, and a cursor in the body`() async throws {
    let api = try ScriptServer { request, _ in
      switch (request.path, request.target.contains("page=2"), request.text.contains("c-1")) {
      case ("/v1/items", false, _): .json("{\"items\": [{\"id\": 1}], \"next\": \"/v1/items?page=2\"}")
      case ("/v1/items", true, _): .json("{\"items\": [{\"id\": 2}, {\"id\": 1}], \"next\": null}")
      case (_, _, false): .json("{\"more\": true, \"cursor\": \"c-1\"}")
      default: .json("{\"more\": false}")
      }
    }
    let outcome = try await Self.run("06-pagination", hosts: ["https://api.example.com": api.url])
    #expect(outcome.problems == [])
    #expect(
      api.lines == ["GET /v1/items?limit=100", "GET /v1/items?page=2", "POST /v1/search", "POST /v1/search"])
    #expect(
      api.requests.suffix(2).map(\.text) == [
        "{\"q\":\"pump\",\"limit\":100,\"after\":null}", "{\"q\":\"pump\",\"limit\":100,\"after\":\"c-1\"}",
      ])
  }

  @Test func `07 a job that is waited for, and its file`() async throws {
    let files = try TemporaryDirectory()
    let polls = Counter()
    let api = try ScriptServer { request, _ in
      switch request.line {
      case "POST /v1/exports": .json("{}", status: "202 Accepted", headers: ["Location: /v1/jobs/9"])
      case "GET /v1/jobs/9":
        .json(
          polls.next() < 3
            ? "{\"state\": \"running\"}"
            : "{\"state\": \"done\", \"result\": {\"url\": \"http://\(request.header("Host") ?? "")/files/9?sig=%2F\"}}"
        )
      default: .init(headers: ["Content-Type: application/pdf"], body: "%PDF-1.7 sheets")
      }
    }
    let outcome = try await Self.run("07-job-poll", hosts: ["https://api.example.com": api.url], files: files)
    #expect(outcome.problems == [])
    #expect(api.lines == ["POST /v1/exports"] + Array(repeating: "GET /v1/jobs/9", count: 4) + ["GET /files/9?sig=%2F"])
    #expect(try files.text(of: "sheets.pdf") == "%PDF-1.7 sheets")
  }

  @Test func `11 an order that is resent with the same key`() async throws {
    let api = try ScriptServer { _, before in
      before < 2
        ? .init(status: "429 Too Many Requests", headers: ["Retry-After: 1"]) : .json("{}", status: "201 Created")
    }
    let outcome = try await Self.run("11-retry-429", hosts: ["https://api.example.com": api.url])
    #expect(outcome.problems == [])
    #expect(api.lines == Array(repeating: "POST /v1/orders", count: 3))
    #expect(Set(api.requests.map { $0.header("Idempotency-Key") }).count == 1)
    #expect(api.requests[0].header("Idempotency-Key")?.count == 36)
  }

  // MARK: Responses

  @Test func `08 GraphQL, and one value of its response`() async throws {
    let api = try ScriptServer { request, before in
      .json(
        before == 0
          ? "{\"data\": {\"repositories\": {\"nodes\": [{\"id\": \"r1\", \"name\": \"other\"}, {\"id\": \"r2\", \"name\": \"workbench\"}]}}}"
          : "{\"data\": {}}")
    }
    let outcome = try await Self.run("08-graphql", hosts: ["https://api.example.com": api.url])
    #expect(outcome.problems == [])
    #expect(api.lines == ["POST /graphql", "POST /graphql"])
    #expect(api.requests[0].text.hasSuffix("\"variables\":{\"owner\":\"ann\",\"first\":50}}"))
    #expect(api.requests[0].text.contains("query Find($owner: String!, $first: Int!) {\\n  repositories("))
    #expect(api.requests[1].text.hasSuffix("\"variables\":{\"id\":\"r2\"}}"))
  }

  @Test(arguments: [true, false])
  func `12 only what was created is cleaned up`(makesSheet: Bool) async throws {
    let api = try ScriptServer { request, _ in
      switch request.line {
      case "POST /v1/projects": .json("{\"id\": 3}", status: "201 Created")
      case "POST /v1/projects/3/sheets":
        makesSheet ? .json("{\"id\": 4}", status: "201 Created") : .init(status: "500 Broken")
      default: .init(status: "204 No Content")
      }
    }
    let outcome = try await Self.run("12-finally-cleanup", hosts: ["https://api.example.com": api.url])
    #expect(outcome.problems == (makesSheet ? [] : ["status should be 201, and is 500"]))
    #expect(
      api.lines.dropFirst(2) == (makesSheet ? ["DELETE /v1/projects/3/sheets/4"] : []) + ["DELETE /v1/projects/3"])
  }

  @Test func `13 one check per row`() async throws {
    let files = try TemporaryDirectory([
      "roles.csv": "sheet,role,status\nA-101,reader,200\n\"A 102\",guest,403\nA-103,guest,200\n"
    ])
    let api = try ScriptServer { request, _ in
      .init(status: request.header("X-Role") == "guest" ? "403 Forbidden" : "200 OK")
    }
    let outcome = try await Self.run("13-csv-matrix", hosts: ["https://api.example.com": api.url], files: files)
    #expect(outcome.problems == ["status should be 200, and is 403"])
    #expect(
      api.requests.map { "\($0.target) \($0.header("X-Role") ?? "")" }.sorted() == [
        "/v1/sheets/A%20102 guest", "/v1/sheets/A-101 reader", "/v1/sheets/A-103 guest",
      ])
  }

  @Test(arguments: [
    ("new", []),
    ("other", ["body | without(\"updated_at\") should be {\"name\":\"new\"}, and is {\"name\":\"other\"}"]),
  ])
  func `15 two environments are compared`(name: String, problems: [String]) async throws {
    let stagingToken = Canary.secret("script 15 staging")
    let productionToken = Canary.secret("script 15 production")
    let production = try ScriptServer { _, _ in .json("{\"name\": \"new\", \"updated_at\": 1}") }
    let staging = try ScriptServer { _, _ in .json("{\"updated_at\": 2, \"name\": \"\(name)\"}") }
    let outcome = try await Self.run(
      "15-compare-environments",
      hosts: ["https://staging.example.com": staging.url, "https://api.example.com": production.url],
      variables: ["STAGING_TOKEN": stagingToken, "PRODUCTION_TOKEN": productionToken])
    #expect(outcome.problems == problems)
    let paths = ["/v1/sheets", "/v1/sheets/A-101", "/v1/projects?limit=5"]
    #expect(staging.requests.map(\.target) == Array(paths.prefix(problems.isEmpty ? 3 : 1)))
    #expect(production.requests.map(\.target) == staging.requests.map(\.target))
    #expect(staging.requests.allSatisfy { $0.header("Authorization") == "Bearer \(stagingToken)" })
    #expect(production.requests.allSatisfy { $0.header("Authorization") == "Bearer \(productionToken)" })
  }
}

/// Counts from 0.
private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}

private enum DesignScripts {
  static let folder: URL? = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      let scripts = folder.appending(path: "shared/design/scripts")
      if FileManager.default.fileExists(atPath: scripts.path) { return scripts }
      folder.deleteLastPathComponent()
    }
    print("SKIPPED: ../shared/design/scripts is not there, so none of the fifteen chains was run")
    return nil
  }()
}

extension Sequence<UInt8> {
  fileprivate var hex: String { map { String(format: "%02x", $0) }.joined() }
}
