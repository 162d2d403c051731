import Canaries
import Foundation
import GRDB
import HTTPTypes
import JSONValue
import Requests
import RunStore
import Sessions
import Testing
import UploaderCore

/// The store contains no secret's bytes, and a run continues nevertheless.
@Suite struct SecretTests {
  private let directory = TemporaryDirectory()
  private static let token = "canary-7c1d-store-token/+="

  private static func profiles(_ text: String = token) -> SessionProfiles {
    let origin = Origin(scheme: .http, host: "h")
    let secret = Secret(text, name: "API_TOKEN", for: [OriginPattern(origin)])
    return SessionProfiles([SessionProfile(name: "api", base: BaseURL(origin: origin), credential: .bearer(secret))])
  }

  private func expectNoCanary(_ canary: String) {
    let forms = [
      Data(canary.utf8), Data(Data(canary.utf8).base64EncodedString().utf8),
      Data(canary.utf8.map { String(format: "%02x", $0) }.joined().utf8),
    ]
    for file in directory.files {
      for form in forms { #expect(file.content.range(of: form) == nil, "\(file.name)") }
    }
  }

  @Test func `a secret in headers, bodies and responses is a marker in the store, and complete when it is used again`()
    async throws
  {
    let store = try RunStore(at: directory.path)
    let token = Self.token
    let echo = "{\"token\": \"\(token)\", \"encoded\": \"\(Data(token.utf8).base64EncodedString())\"}"
    let large = String(repeating: "-", count: 70_000) + token + String(repeating: "-", count: 65_530) + token
    let transport = ScriptedTransport([
      .success(
        Response(
          status: .init(code: 200, reasonPhrase: "Hello \(token)"), headers: [.server: token],
          body: ResponseBody(Array(echo.utf8)))),
      .success(Response(status: .ok, body: ResponseBody(Array(large.utf8)))),
      .success(Response(status: .ok, headers: [.server: token], body: ResponseBody(Array(echo.utf8)))),
      .success(Response(status: .ok, headers: [.server: token], body: ResponseBody(Array(echo.utf8)))),
      .success(Response(status: .forbidden)),
    ])
    let chain: [RequestDescription] = [
      .make(.post, "http://h/a", body: "token=\(token)"), .make(.get, "http://h/b?key=secret"),
      // These two are written together.
      .make(.get, "http://h/b?key=\(token)"), .make(.get, "http://h/b?key=\(token)"),
      .make(.post, "http://h/c"),
    ]
    let secrets = Set(Self.profiles().all.flatMap(\.secrets))
    let setup = RunSetup(
      kind: "test", name: "test", parameters: ["token": .string(token)],
      texts: [RunText(name: "script", text: "let token = \"\(token)\"")])
    let journal = try store.begin(setup, secrets: secrets)
    var run = SequenceRun(ArrayRequestSequence.make(chain))
    let uploader = Uploader(transport: transport, profiles: Self.profiles(), journal: journal)
    await #expect(throws: UploadError.self) { try await uploader.run(&run) }
    try journal.end(failure: "403, not \(token)")
    expectNoCanary(token)
    #expect(try store.setup(of: store.run("last")).parameters["token"]?.string?.contains("API_TOKEN") == true)

    let second = ScriptedTransport(statuses: [200])
    var again = SequenceRun(ArrayRequestSequence.make(chain))
    let resumed = try store.resume(try store.run("last"))
    try await Uploader(transport: second, profiles: Self.profiles(), journal: resumed).run(&again)
    #expect(second.requests.map(\.url) == ["http://h/c"])
    #expect(try again.exchanges[0].response.body.bytes() == Array(echo.utf8))
    #expect(again.exchanges[0].response.headers[.server] == token)
    #expect(again.exchanges[0].response.status.reasonPhrase == "Hello \(token)")
    for exchange in again.exchanges[2...3] {
      #expect(exchange.request.url == "http://h/b?key=\(token)")
      #expect(exchange.response.headers[.server] == token)
      #expect(try exchange.response.body.bytes() == Array(echo.utf8))
    }
    #expect(try again.exchanges[1].response.body.bytes() == Array(large.utf8))
    #expect(again.exchanges[0].request.headers[.authorization] == "Bearer \(token)")
    expectNoCanary(token)
  }

  @Test func `a secret with a new value is not a change`() async throws {
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    var run = SequenceRun(
      ArrayRequestSequence.make([.make(.post, "http://h/a", body: Self.token), .make(.post, "http://h/b")]))
    await #expect(throws: UploadError.self) {
      try await Uploader(
        transport: ScriptedTransport(statuses: [201, 401]), profiles: Self.profiles(), journal: journal
      ).run(&run)
    }
    try journal.end(failure: "401")
    let rotated = "canary-another-token"
    var again = SequenceRun(
      ArrayRequestSequence.make([.make(.post, "http://h/a", body: rotated), .make(.post, "http://h/b")]))
    let transport = ScriptedTransport(statuses: [201])
    let resumed = try store.resume(try store.run("last"))
    try await Uploader(transport: transport, profiles: Self.profiles(rotated), journal: resumed).run(&again)
    #expect(transport.requests.map(\.url) == ["http://h/b"])
    expectNoCanary(rotated)
  }

  @Test func `a text that turns out to be a secret does not change earlier steps`() async throws {
    struct Learning: OperationRequestSequence {
      var count = 0
      mutating func nextRequest(previous: Exchange?) throws -> RequestDescription? {
        defer { count += 1 }
        return count < 4 ? .make(.get, "http://h/\(count)?\(count < 2 ? "id=canary-session-1" : "")") : nil
      }
      func secrets(in exchange: Exchange) -> Set<Secret> {
        exchange.request.url.contains("/2?") ? [Secret("canary-session-1", name: "SESSION", for: [])] : []
      }
    }
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    var run = SequenceRun(Learning())
    let first = ScriptedTransport(statuses: [200, 200, 200, 404])
    await #expect(throws: UploadError.self) { try await Uploader(transport: first, journal: journal).run(&run) }
    try journal.end(failure: "404")
    let second = ScriptedTransport(statuses: [200])
    let resumed = try store.resume(try store.run("last"))
    var again = SequenceRun(Learning())
    try await Uploader(transport: second, journal: resumed).run(&again)
    #expect(second.requests.map(\.url) == ["http://h/3?"])
  }

  @Test func `markers are inserted and filled in again, whatever surrounds them`() throws {
    let value = Canary.secret("marked")
    let secret = Secret(value, name: "TOKEN", for: [])
    let markers = SecretMarkers([secret])
    let texts = [
      value, "x\(value)y", Data(value.utf8).base64EncodedString(), "\u{1}{secret:", "\u{1}{secret:TOKEN:text}", "plain",
      "\(value)\(value)", "\u{1}", value.utf8.map { "\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }.joined(),
    ]
    for text in texts {
      let concealed = markers.conceal(text)
      #expect(!concealed.contains(value))
      #expect(try markers.reveal(concealed) == text)
      for size in 1...5 {
        var stream = markers.stream()
        var pieces: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          pieces += stream.conceal(Array(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
        pieces += stream.finish()
        #expect(String(decoding: pieces, as: UTF8.self) == concealed, "\(text) by \(size)")
      }
    }
    #expect(throws: UnfilledMarkers(names: ["TOKEN"])) { try SecretMarkers([]).reveal(markers.conceal(value)) }
  }

  @Test func `secrets that overlap are concealed as one, and filled in again`() throws {
    let value = Canary.secret("overlapping-mark")
    let secret = Secret(value, name: "TOKEN", for: [])
    let made = [
      Secret(String("Bearer \(value)".prefix(20)), madeOf: [secret]),
      Secret("\(value.suffix(9))-end", madeOf: [secret]),
    ].enumerated().map { $1.known(at: "\($0)") }
    let markers = SecretMarkers(Set([secret] + made))
    let texts = [
      "<Bearer \(value)>", "\(value)-end", "Bearer \(value)-end", "Bearer \(value.prefix(13))",
      "\(value.suffix(9))-end",
      "Bearer \(value)\(value)-end",
    ]
    for text in texts {
      let concealed = markers.conceal(text)
      for start in 0...value.count - 8 {
        let piece = String(value.dropFirst(start).prefix(8))
        #expect(!concealed.contains(piece), "\(concealed)")
      }
      #expect(!concealed.contains("earer") || !text.contains("Bearer \(value.prefix(13))"), "\(concealed)")
      #expect(try markers.reveal(concealed) == text)
      for size in 1...7 {
        var stream = markers.stream()
        var pieces: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          pieces += stream.conceal(Array(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
        pieces += stream.finish()
        #expect(String(decoding: pieces, as: UTF8.self) == concealed, "\(text) by \(size)")
      }
    }
    // Each begins before the previous one ends, without an end.
    let endless = SecretMarkers([Secret("aaaaaaaa", name: "A", for: [])])
    var stream = endless.stream()
    var concealed: [UInt8] = []
    for _ in 0..<10 { concealed += stream.conceal([UInt8](repeating: UInt8(ascii: "a"), count: 65_536)) }
    concealed += stream.finish()
    #expect(!String(decoding: concealed, as: UTF8.self).contains("aa"))
    #expect(try endless.reveal(concealed).count == 10 * 65_536)
  }

  @Test func `a text that was cut inside a secret is stored without the secret's beginning`() {
    let value = Canary.secret("cut-mark")
    let markers = SecretMarkers([Secret(value, name: "TOKEN", for: [])])
    #expect(markers.concealCut("got \(value.prefix(9))…") == "got ••••…")
    #expect(markers.concealCut("got \(value)…") == "got \u{1}{secret:TOKEN:text}…")
    #expect(markers.concealCut("got \(value) and \(value.prefix(5))…, …").hasSuffix(" and ••••…, …"))
  }

  @Test func `presigned URLs, policies and cookies are kept while they are needed, and dropped when the run is done`()
    async throws
  {
    let store = try RunStore(at: directory.path)
    let presigned = "http://b/object?X-Amz-Date=20200101T000000Z&X-Amz-Signature=canary-signature"
    let response = "{\"url\": \"\(presigned)\", \"fields\": {\"policy\": \"canary-policy\"}}"
    func sequence() -> ArrayRequestSequence {
      ArrayRequestSequence.make([.make(.post, "http://h/allocate"), .make(.put, presigned, body: "x")])
    }
    let journal = try store.begin(.test)
    var run = SequenceRun(sequence())
    let first = ScriptedTransport([
      .success(
        Response(
          status: .created, headers: [.contentType: "application/json", .setCookie: "sid=canary-cookie-01; HttpOnly"],
          body: ResponseBody(Array(response.utf8)))),
      .success(Response(status: .forbidden)),
    ])
    await #expect(throws: UploadError.self) { try await Uploader(transport: first, journal: journal).run(&run) }
    try journal.end(failure: "403 to canary-cookie-01")
    let kept = try store.steps(of: store.run("last"))
    #expect(kept[1].request.url == presigned)
    // What is written for people, and is not needed to continue, contains no cookie.
    let failure = try #require(try store.run("last").failure)
    #expect(failure.hasPrefix("403 to ") && !failure.contains("canary-cookie"))

    let resumed = try store.resume(try store.run("last"))
    var again = SequenceRun(sequence())
    try await Uploader(transport: ScriptedTransport(statuses: [200]), journal: resumed).run(&again)
    #expect(try again.exchanges[0].response.body.bytes() == Array(response.utf8))
    #expect(again.exchanges[0].response.headers[.setCookie]?.contains("canary-cookie-01") == true)
    try resumed.end()
    // While the store is still open: what was deleted is not in SQLite's log either.
    for canary in ["canary-signature", "canary-policy", "canary-cookie-01"] { expectNoCanary(canary) }
    let steps = try store.steps(of: store.run("last"))
    #expect(!"\(steps)".contains("canary-signature"))
    #expect(try !String(decoding: steps[0].response?.body.bytes() ?? [], as: UTF8.self).contains("canary-policy"))
  }

  /// The runs of a suite share what that costs, also if the process dies before.
  @Test(arguments: [false, true])
  func `what runs of a suite drop is removed from the files together`(dies: Bool) async throws {
    func suite() async throws {
      let store = try RunStore(at: directory.path)
      try store.beginExpungingTogether()
      for number in 1...3 {
        let journal = try store.begin(.test)
        var run = SequenceRun(ArrayRequestSequence.make([.make(.post, "http://h/login")]))
        let login = Response(status: .created, headers: [.setCookie: "sid=canary-cookie-0\(number); HttpOnly"])
        try await Uploader(transport: ScriptedTransport([.success(login)]), journal: journal).run(&run)
        try journal.end()
        #expect(try !"\(store.steps(of: store.run("last")))".contains("canary-cookie"))
      }
      if !dies { store.expungeNow() }
    }
    try await suite()
    if dies {
      #expect(directory.files.contains { $0.0.hasPrefix("expunge-") })
      _ = try RunStore(at: directory.path).begin(.test)
    }
    #expect(!directory.files.contains { $0.0.hasPrefix("expunge-") })
    for number in 1...3 { expectNoCanary("canary-cookie-0\(number)") }
  }

  /// As SQLite leaves a copy when it splits a page: in a page that was changed since the run began, whether its log still
  /// lists that page or was begun again.
  @Test(arguments: [false, true])
  func `what is left of a cookie in the database's free space is removed when the run is done`(isBegunAgain: Bool)
    async throws
  {
    let store = try RunStore(at: directory.path)
    let journal = try store.begin(.test)
    var run = SequenceRun(ArrayRequestSequence.make([.make(.post, "http://h/login")]))
    let login = Response(status: .created, headers: [.setCookie: "sid=canary-cookie-01; HttpOnly"])
    try await Uploader(transport: ScriptedTransport([.success(login)]), journal: journal).run(&run)
    let other = try DatabaseQueue(path: "\(directory.path)/runs.sqlite")
    try other.inDatabase { database in
      try database.execute(sql: "PRAGMA secure_delete = OFF")
      try database.execute(sql: "CREATE TABLE other (text TEXT)")
      try database.execute(sql: "INSERT INTO other VALUES ('sid=canary-cookie-01')")
      try database.execute(sql: "DELETE FROM other")
      if isBegunAgain { try database.execute(sql: "PRAGMA wal_checkpoint(RESTART)") }
    }
    try journal.end()
    expectNoCanary("canary-cookie-01")
  }

  /// JSON as storage allocates it, with the members around it; any other text; the field of a form, repeated by a server.
  @Test(arguments: [
    #"{"pad": "PAD", "url": "http://b/o?X-Amz-Credential=canary-credential&X-Amz-Signature=canary-signature", "pad": "PAD"}"#,
    #"{"fields": {"key": "k", "x-amz-signature": "canary-signature", "x-amz-credential": "canary-credential"}, "pad": "PAD"}"#,
    "PAD<Url>http://b/o?X-Amz-Credential=canary-credential&amp;X-Amz-Signature=canary-signature</Url>",
    #"{"pad": "PAD", "data": "name=\"x-amz-signature\"\r\n\r\ncanary-signature"}"#,
  ]) func `signatures are dropped from large bodies, too, wherever they are`(text: String) async throws {
    for length in [100_000, 65_500, 130_960, 131_072] {
      let directory = TemporaryDirectory()
      let store = try RunStore(at: directory.path)
      let body = text.replacing("PAD", with: String(repeating: "x", count: length))
      let journal = try store.begin(.test)
      let form = RequestDescription.multipart(
        MultipartRequestDescription(
          RequestHead(.post, .url("http://b/o")),
          parts: [MultipartPart(name: "x-amz-signature", content: .bytes(Array("canary-signature".utf8)))]))
      let next = text.contains("name=") ? form : .make(.put, "http://b/o", body: "x")
      var run = SequenceRun(ArrayRequestSequence.make([.make(.get, "http://h/allocate"), next]))
      let replies = ScriptedTransport([
        .success(
          Response(
            status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(Array(body.utf8)))),
        .success(Response(status: .ok)),
      ])
      try await Uploader(transport: replies, journal: journal).run(&run)
      try journal.settle()
      #expect(try store.steps(of: store.run("last"))[0].response?.body.bytes() == Array(body.utf8))
      try journal.end()
      for (name, content) in directory.files {
        for canary in ["canary-signature", "canary-credential"] {
          #expect(content.range(of: Data(canary.utf8)) == nil, "\(canary) in \(name)")
        }
      }
      let kept = try store.steps(of: store.run("last"))[0].response?.body.bytes() ?? []
      #expect(kept.count > 60_000 && kept.count < body.utf8.count + 100)
      if text.first == "{" { #expect(throws: Never.self) { try JSON(parsing: kept) } }
    }
  }

  @Test func `a value set before its secret was declared is removed from the setup when it is declared`() async throws {
    let directory = TemporaryDirectory()
    let token = Canary.secret("declared-after-it-was-set")
    let setup = RunSetup(
      kind: "script", name: "s",
      parameters: ["directory": "/work", "settings": ["k": .string("<\(token)>"), "n": "1"]])
    let journal = try RunStore(at: directory.path).begin(setup)
    journal.learn([Secret(Canary.secret("not-in-a-setting"), name: "OTHER", for: [])])
    journal.learn([Secret(token, name: "T", for: [])])
    // Nothing has to end for that.
    for (name, content) in directory.files {
      #expect(content.range(of: Data(token.utf8)) == nil, "\(name)")
    }
    let store = try RunStore(at: directory.path)
    let parameters = try store.setup(of: store.run("last")).parameters
    #expect(parameters["directory"] == "/work")
    #expect(parameters["settings"]?["n"] == "1")
    #expect(parameters["settings"]?["k"]?.string.map(SecretMarkers.display)?.contains("••••") == true)
    try journal.end()
  }

  @Test func `a setting that is a secret is not stored`() throws {
    let directory = TemporaryDirectory()
    let secret = Canary.secret("setting")
    let store = try RunStore(at: directory.path)
    var setup = ScriptSetup()
    setup.settings = ["password": secret]
    let journal = try store.begin(
      RunSetup(kind: "script", name: "a.wb", parameters: setup.parameters),
      secrets: [Secret(secret, name: "PASSWORD", for: [])])
    let kept = try store.setup(of: store.run(journal.id)).script.settings
    #expect(kept["password"]?.utf8.first == 1)
    for (name, content) in directory.files { #expect(Canary.place(of: secret, in: content) == nil, "\(name)") }
  }
}
