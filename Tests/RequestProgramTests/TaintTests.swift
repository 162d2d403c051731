import Canaries
import Diagnostics
import Foundation
import HTTPTypes
import JSONValue
import RequestSyntax
import Requests
import Testing

@testable import RequestProgram

/// Whatever is made from a secret knows it: every function alone and in pairs, every operator, every kind of source.
@Suite struct TaintTests {
  private let files: GivenFiles

  init() throws {
    files = try GivenFiles()
  }

  /// Where a secret comes from, as an expression.
  static let sources = [
    "$env.KEY", "$tok", "$login.request.headers.authorization", "$login.cookies.sid", "$login.body.token",
    "$login.body.echo.inner[0]", "$encoded", "$part",
  ]

  /// Values made from a file that has a secret in it, in addition to those that pipes make from `sources`.
  private static let filePipes = [
    "$f | sha256", "$f | md5", "$f | hmac-sha256(\"k\")", "\"x\" | hmac-sha256($f)", "$f | slice(2, 20) | sha256",
    "($f | chunks(10B))[1] | base64", "$f | chunks(10B) | last | sha256", "($f | slice(9, 5)).text", "$f.sha256",
    "$f.md5", "($f | chunks(7B))[0].bytes", "$f.text | upper", "$csv | parse-csv", "($csv | parse-csv)[0].a | upper",
    "$csv | parse-csv | json", "$json | parse-json", "($json | parse-json).a | upper", "$json | parse-json | json",
    "$json.json.a", "$cutting | parse-csv | last", "($cutting | parse-csv)[0].a", "$f | base64 | slice(3, 20)",
  ]

  /// The arguments of a function besides its input; the value it is tested on if that is not the secret's own text.
  private static let calls: [String: [String]] = [
    "count": ["count"], "first": ["first"], "last": ["last"], "sum": ["sum"], "sort": ["sort"], "unique": ["unique"],
    "join": ["join", "join(\"-\")"], "split": ["split(\"-\")", "split(\"\")"], "replace": ["replace(\"c4\", \"x\")"],
    "regex": ["regex('(.{10})$')"], "upper": ["upper"], "lower": ["lower"], "trim": ["trim"], "base64": ["base64"],
    "base64-decode": ["base64-decode"], "url-encode": ["url-encode"], "url-decode": ["url-decode"],
    "sha256": ["sha256"],
    "md5": ["md5"], "hmac-sha256": ["hmac-sha256(\"key\")"], "json": ["json"], "parse-json": ["parse-json"],
    "parse-csv": ["parse-csv"], "without": ["without(\"none\")"], "date": ["date", "date(\"%Y\")"],
    "to-number": ["to-number"], "to-string": ["to-string"], "slice": ["slice(2, 12)", "slice(1)"],
    "unwrap": ["unwrap"], "replace-regex": ["replace-regex('.{4}$', \"x\")"], "to-int": ["to-int"],
    "html-escape": ["html-escape"], "html-unescape": ["html-unescape"], "xpath": ["xpath(\"string(/*)\")"],
    "base64-url": ["base64-url"], "hex": ["hex"], "query-param": ["query-param(\"q\")"], "to-text": ["to-text"],
    "to-time": ["to-time"],
  ]

  /// An expression that gives each function an acceptable input made from the secret.
  private static let adapters = [
    "", "base64", "split(\"\")", "count", "replace-regex('^.*$', \"[1]\") | parse-json",
  ]

  /// These make their value from no input, or from a file.
  private static let withoutSecretInput: Set<String> = [
    "uuid", "now", "random", "range", "file", "ask", "command", "chunks", "presign",
  ]

  private static let exchange: Exchange = {
    let headers = "Bearer \(Canary.secret("taint-key"))"
    let description = RequestDescription.inMemory(
      InMemoryRequestDescription(RequestHead(.get, .url("https://api.test/login")) { $0.label = "login" }))
    let body = """
      {"token": "\(Canary.secret("taint-response"))", "echo": {"inner": ["\(Canary.secret("taint-tok"))"]}, "plain": "x"}
      """
    return Exchange(
      description: description,
      request: SentRequest(
        method: .get, url: "https://api.test/login",
        origin: Origin(scheme: .https, host: "api.test"), headers: [.authorization: headers]),
      response: Response(
        status: .ok,
        headers: [.contentType: "application/json", .setCookie: "sid=\(Canary.secret("taint-cookie")); HttpOnly"],
        body: ResponseBody(Array(body.utf8))),
      profile: "api", started: .zero)
  }()

  /// Not text.
  private static let binary = [0xFF] + Array(Canary.secret("taint-binary").utf8)

  /// A run after its login.
  private static func run(after login: Exchange = exchange, files: GivenFiles) throws -> ProgramRequestSequence {
    var program = Program()
    let found = program.add(
      Parser.parse(
        SourceText(
          name: "taint.wb",
          text: """
            profile api { base https://api.test auth bearer $env.KEY }
            secret tok = $env.TOK for api
            secret object = $env.OBJECT for api
            secret binary = $env.BINARY for api
            secret cut = "{$env.CUT}," for api
            login: GET api:/login
            secret at = $login.body.token for api
            let f = file("\(files.path(of: "text"))")
            let encoded = $f | base64
            let part = $f | slice(3, 30) | base64
            let csv = file("\(files.path(of: "csv"))")
            let json = file("\(files.path(of: "json"))")
            let cutting = file("\(files.path(of: "cut"))")
            last: GET api:/last
            """)))
    #expect(!found.contains { $0.severity == .error })
    var sequence = try ProgramRequestSequence(
      program,
      environment: ProgramEnvironment(variables: [
        "KEY": Canary.secret("taint-key"), "TOK": Canary.secret("taint-tok"),
        "OBJECT": "{\"a\": {\"b\": [\"\(Canary.secret("taint-member"))\"]}}",
        "BINARY": Data(binary).base64EncodedString(),
        "CUT": "\(Canary.secret("taint-cut"))\n,b",
      ]), at: .fixed)
    _ = try sequence.nextStep(after: nil, at: .fixed)
    _ = try sequence.nextStep(after: .exchange(login), at: .fixed)
    return sequence
  }

  /// nil if the expression has no value.
  private static func value(_ text: String, in run: ProgramRequestSequence) throws -> Value? {
    let source = SourceText(name: "<expression>", text: text)
    let (expression, errors) = Parser.parseExpression(source)
    let parsed = try #require(expression, "\(text): \(errors)")
    return try? run.value(of: parsed, in: source)
  }

  private static func expectTaint(_ text: String, in run: ProgramRequestSequence) throws -> Bool {
    guard let value = try value(text, in: run) else { return false }
    #expect(!value.taint.isEmpty, "\(text)")
    guard case .text(_, let secrets) = value.leaving(by: .wire) else {
      Issue.record("\(text) does not leave by the wire")
      return true
    }
    #expect(!secrets.isEmpty, "\(text)")
    if case .text = value.leaving(by: .file) { Issue.record("\(text) may name a file") }
    return true
  }

  @Test(arguments: sources)
  func `every function alone and in pairs keeps what its input was made from`(source: String) throws {
    let run = try Self.run(files: files)
    var alone: Set<String> = []
    var pairs: Set<[String]> = []
    for (function, calls) in Self.calls {
      for call in calls {
        for adapter in Self.adapters {
          let input = adapter.isEmpty ? source : "\(source) | \(adapter)"
          guard try Self.expectTaint("\(input) | \(call)", in: run) else { continue }
          alone.insert(function)
          for (other, more) in Self.calls {
            for next in more where try Self.expectTaint("\(input) | \(call) | \(next)", in: run) {
              pairs.insert([function, other])
            }
          }
        }
      }
    }
    // JSON, tables, objects and times are made from text that is only partly the secret's.
    let special = [
      "parse-json": "\"[\\\"{\(source)}\\\"]\" | parse-json", "parse-csv": "\"a,b\\n{\(source)},2\" | parse-csv",
      "without": "{ a: \(source), b: 1 } | without(\"b\")", "date": "(now() + 1s * (\(source) | count)) | date",
      "to-number": "(\(source) | count | to-string) | to-number",
      "url-decode": "(\(source) | url-encode) | url-decode",
      "query-param": "\"https://a.test/?q={\(source)}\" | query-param(\"q\")",
      "xpath": "\"<a>{\(source)}</a>\" | xpath(\"string(/a)\")",
      "to-time": "(now() + 1s * (\(source) | count)) | date | to-time",
    ]
    for (function, text) in special where try Self.expectTaint(text, in: run) { alone.insert(function) }
    let all = Set(Function.all.map(\.name)).subtracting(Self.withoutSecretInput)
    #expect(alone == all, "not tried: \(all.subtracting(alone))")
    #expect(pairs.count > 300, "\(pairs.count) pairs")
  }

  @Test(arguments: sources)
  func `a secret among the arguments is kept`(source: String) throws {
    let run = try Self.run(files: files)
    let texts = [
      "\"a-b\" | replace(\"a\", \(source))", "\"x\" | hmac-sha256(\(source))", "[\"a\", \"b\"] | join(\(source))",
      "\"x\" | split(\(source))", "{ a: 1 } | without(\(source))", "\"abcdef\" | slice(\(source) | count)",
      "random(0, \(source) | count)", "range(1, \(source) | count)", "\"a-b\" | replace-regex('a', \(source))",
    ]
    for text in texts { #expect(try Self.expectTaint(text, in: run), "\(text)") }
  }

  @Test(arguments: sources)
  func `every operator and every way to put a value together keeps it`(source: String) throws {
    let run = try Self.run(files: files)
    let number = "(\(source) | count)"
    let texts = [
      "\(source) == \"x\"", "\(source) != \"x\"", "\(source) < \"x\"", "\(source) <= \"x\"", "\(source) > \"x\"",
      "\(source) >= \"x\"", "\(source) contains \"x\"", "\"x\" in \(source)", "\(source) starts-with \"x\"",
      "\(source) ends-with \"x\"", "\(source) matches \"x\"", "\(number) + 1", "\(number) - 1", "\(number) * 2",
      "\(number) / 2", "-\(number)", "not (\(source) == \"x\")", "\(source) == \"x\" and true",
      "\(source) == \"x\" or true", "true and \(source) == \"x\"", "\(source) is string", "\"a{\(source)}\"",
      "[1, \(source)]", "{ a: \(source) }", "{ \"{\(source)}\": 1 }", "{ ...{ a: \(source) } }", "[...[\(source)]]",
      "({ a: [\(source)] }).a[0]", "$none ?? \(source)", "\(source) ?? \"x\"", "if true then \(source) else 1",
      "(\(source))", "1s * \(number)", "now() + 1s * \(number)",
    ].map { $0.replacing("$none", with: "$env.NONE") }
    for text in texts { #expect(try Self.expectTaint(text, in: run), "\(text)") }
  }

  @Test func `whatever is made from a file with a secret in it, or from a piece of one, keeps it`() throws {
    let run = try Self.run(files: files)
    for text in Self.filePipes { #expect(try Self.expectTaint(text, in: run), "\(text)") }
  }

  @Test func `the text next to a secret in a file is not one`() throws {
    let run = try Self.run(files: files)
    let texts = [
      "($csv | parse-csv)[0].b", "($json | parse-json).b", "$json.json.b", "$f.size", "$f.name", "$f.type",
      "$f | slice(0, 1) | base64", "($f | slice(0, 1)).text",
    ]
    for text in texts { #expect(try #require(try Self.value(text, in: run), "\(text)").taint.isEmpty, "\(text)") }
  }

  @Test func `the text next to a secret in a response is not one`() throws {
    let run = try Self.run(files: files)
    for text in ["$login.body.plain", "$login.status", "$login.body.echo.inner | count", "$login.headers.content-type"]
    {
      let value = try #require(try Self.value(text, in: run))
      let isCounted = text.hasSuffix("count")
      #expect(value.taint.isEmpty == !isCounted, "\(text)")
    }
  }

  @Test func `what was sent is made from what the request was made from, though no secret is found in it`() throws {
    let header = try #require(HTTPField.Name("X-Part"))
    var head = RequestHead(.get, .url("https://api.test/login")) { $0.label = "login" }
    head.secrets = [Secret(Canary.secret("taint-sent"), name: "tok", for: [])]
    let request = Self.exchange.request
    let exchange = Exchange(
      description: .inMemory(InMemoryRequestDescription(head)),
      request: SentRequest(method: .get, url: request.url, origin: request.origin, headers: [header: "c4n"]),
      response: Self.exchange.response, profile: "api", started: .zero)
    let value = try #require(
      try Self.value("$login.request.headers.x-part", in: try Self.run(after: exchange, files: try GivenFiles())))
    #expect(value.taint.secrets.map(\.name).contains("tok"))
  }

  /// What is made from secrets, by expressions: an argument of a test would be printed.
  private static let made: [String: String] = [
    "$object | upper | parse-json": Canary.secret("taint-member").uppercased(),
    "[$object | upper | parse-json]": Canary.secret("taint-member").uppercased(),
    "$binary | base64-decode": binary.map { String(format: "%02x", $0) }.joined(),
    "$tok | upper": Canary.secret("taint-tok").uppercased(),
  ]

  @Test(arguments: made.keys.sorted())
  func `whatever is made from a secret is itself a secret where it appears in a request`(expression: String) throws {
    let value = try #require(try Self.value(expression, in: try Self.run(files: try GivenFiles())))
    let texts = value.exposed.secrets.filter(\.isMade).map { $0.withExposedText { $0 } }
    #expect(texts == [Self.made[expression]])
  }

  @Test func `a text that was made from two secrets goes where both may go`() throws {
    let (one, other) = (try OriginPattern("https://*.test"), try OriginPattern("https://api.test"))
    let both = [Secret("aaaaaaaa", name: "a", for: [one]), Secret("bbbbbbbb", name: "b", for: [other])]
    let made = Secret("cccccccc", madeOf: both)
    #expect(made.origins == [other])
    #expect(made.name == "a, b | …")
    let apart = Secret(
      "cccccccc", madeOf: [both[1], Secret("d", name: "d", for: [try OriginPattern("https://d.test")])])
    #expect(apart.origins.isEmpty)
  }
}

/// Files that contain a secret, for as long as the test runs.
private final class GivenFiles: Sendable {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "taint-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let token = Canary.secret("taint-tok")
    let contents = [
      "text": "x\(token)y", "csv": "a,b\n\(token),plain\n", "json": "{\"a\": \"\(token)\", \"b\": \"plain\"}",
      "cut": "a\n\(Canary.secret("taint-cut"))\n,b,\n",
    ]
    for (name, text) in contents { try Data(text.utf8).write(to: URL(filePath: path(of: name))) }
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func path(of name: String) -> String { directory.appending(path: "\(name).given").path }
}
