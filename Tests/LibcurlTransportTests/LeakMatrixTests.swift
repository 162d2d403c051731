import Canaries
import Foundation
import HTTPTypes
import LibcurlTransport
import LoopbackServer
import Requests
import Synchronization
import Testing
import UploaderCore

/// Every way to lead a request elsewhere, with every place where a secret can be, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LeakMatrixTests {
  /// What leads elsewhere.
  enum Lead: CaseIterable, Sendable {
    case movedPermanently, found, seeOther, temporaryRedirect, permanentRedirect
    /// A URL in the response, which the next step is sent to.
    case urlFromResponse

    var status: String {
      switch self {
      case .movedPermanently: "301 Moved Permanently"
      case .found: "302 Found"
      case .seeOther: "303 See Other"
      case .temporaryRedirect: "307 Temporary Redirect"
      case .permanentRedirect: "308 Permanent Redirect"
      case .urlFromResponse: "200 OK"
      }
    }
  }

  /// Where it leads; the API is `http://localhost:PORT` at 127.0.0.1, and another server listens at 127.0.0.2.
  enum Place: CaseIterable, Sendable {
    case otherHost, otherPort, otherScheme, addressOfTheHost, upperCase, trailingDot, userInfo, userInfoOfTheHost
    case decimal, hexadecimal, octal, short

    func url(api: Int, other: Int) -> String {
      switch self {
      case .otherHost: "http://127.0.0.2:\(api)/x"
      case .otherPort: "http://localhost:\(other)/x"
      case .otherScheme: "https://localhost:\(api)/x"
      case .addressOfTheHost: "http://127.0.0.1:\(api)/x"
      case .upperCase: "HTTP://LOCALHOST:\(api)/x"
      case .trailingDot: "http://localhost.:\(api)/x"
      case .userInfo: "http://localhost:\(api)@127.0.0.2:\(api)/x"
      case .userInfoOfTheHost: "http://user@localhost:\(api)/x"
      case .decimal: "http://2130706434:\(api)/x"
      case .hexadecimal: "http://0x7f000002:\(api)/x"
      case .octal: "http://0177.0.0.2:\(api)/x"
      case .short: "http://127.2:\(api)/x"
      }
    }

    /// Whether it is the API's own origin, only spelled differently.
    var isOwn: Bool { self == .upperCase }
  }

  /// Where the secret is.
  enum Carrier: CaseIterable, Sendable {
    case authorization, basic, apiKey, queryOfProfile, cookie, headerOfStep, queryOfStep, formBody, jsonBody, putBody

    var isBody: Bool { self == .formBody || self == .jsonBody || self == .putBody }
    /// Whether the step itself contains the secret.
    var isStep: Bool { isBody || self == .headerOfStep || self == .queryOfStep }
  }

  struct Cell: CustomTestStringConvertible, Sendable {
    let lead: Lead
    let place: Place
    let carrier: Carrier
    var testDescription: String { "\(lead), \(place), \(carrier)" }
  }

  private static let cells = Lead.allCases.flatMap { lead in
    Place.allCases.flatMap { place in Carrier.allCases.map { Cell(lead: lead, place: place, carrier: $0) } }
  }

  /// Its forms under percent-encoding, base64 and JSON are all different.
  private static let canary = Canary.secret("matrix\"=?")

  /// Every form the canary could take, written independently of the code under test.
  private static let forms: [String] = {
    let bytes = Data(canary.utf8)
    let hex = bytes.map { String(format: "%02x", $0) }.joined()
    var forms = [canary, hex, hex.uppercased()]
    forms += [
      "c4n%2Bry%2F7~f3-matrix%22%3D%3F", "c4n%2bry%2f7~f3-matrix%22%3d%3f", "c4n%2Bry%2F7%7Ef3-matrix%22%3D%3F",
    ]
    forms += ["c4n+ry/7~f3-matrix\\\"=?", "c4n+ry\\/7~f3-matrix\\\"=?"]
    // The middle does not depend on what surrounds it.
    for prefix in ["", "a", "ab"] {
      let middle = String((Data(prefix.utf8) + bytes).base64EncodedString().dropFirst(4).dropLast(4))
      forms += [middle, middle.replacing("+", with: "-").replacing("/", with: "_")]
    }
    return forms
  }()

  private static func holdsCanary(_ log: [UInt8]) -> Bool {
    let text = String(decoding: log, as: UTF8.self)
    return forms.contains { text.contains($0) }
  }

  private func profile(_ carrier: Carrier, base: BaseURL, secret: Secret) throws -> SessionProfile {
    var profile = SessionProfile(name: "api", base: base)
    switch carrier {
    case .authorization: profile.credential = .bearer(secret)
    case .basic: profile.credential = .basic(user: "me", password: secret)
    case .apiKey: profile.credential = .header(try #require(HTTPField.Name("X-Api-Key")), secret)
    case .queryOfProfile:
      profile.query = [QueryItem(name: "key", value: Self.canary)]
      profile.otherSecrets = [secret]
    case .cookie:
      profile.headers = [.cookie: "sid=\(Self.canary)"]
      profile.otherSecrets = [secret]
    case .headerOfStep, .queryOfStep, .formBody, .jsonBody, .putBody: break
    }
    return profile
  }

  private func step(_ carrier: Carrier, _ target: RequestTarget, secret: Secret) -> RequestDescription {
    var head = RequestHead(carrier == .putBody ? .put : carrier.isBody ? .post : .get, target)
    var body: InMemoryRequestDescription.Body?
    switch carrier {
    case .headerOfStep: head.headers = [.cookie: "sid=\(Self.canary)"]
    case .queryOfStep: head.query = [QueryItem(name: "key", value: Self.canary)]
    case .formBody:
      body = .init(
        Array("key=\(PercentEncoding.form.encode(Self.canary))".utf8), contentType: "application/x-www-form-urlencoded")
    case .jsonBody: body = .init(Array(#"{"key":"c4n+ry/7~f3-matrix\"=?"}"#.utf8), contentType: "application/json")
    case .putBody: body = .init(Array(Self.canary.utf8), contentType: "text/plain")
    case .authorization, .basic, .apiKey, .queryOfProfile, .cookie: break
    }
    if carrier.isStep { head.secrets = [secret] }
    return .inMemory(InMemoryRequestDescription(head, body: body))
  }

  /// Responds to everything it is asked.
  private static let obliging: LoopbackServer.Behavior = { connection in
    while try connection.readRequest() != nil { try connection.respond(body: "obliged") }
  }

  @Test(arguments: cells)
  func `no canary reaches another origin, and the API gets its own`(cell: Cell) async throws {
    let otherPort = try LoopbackServer(Self.obliging)
    let location = Location()
    let api = try LoopbackServer { connection in
      while let request = try connection.readRequest() {
        if request.head.contains(" /start") {
          let url = location.url
          try connection.respond(
            cell.lead.status, headers: cell.lead == .urlFromResponse ? [] : ["Location: \(url)"], body: url)
        } else {
          try connection.respond(body: "arrived")
        }
      }
    }
    let otherHost = try LoopbackServer(host: "127.0.0.2", port: api.port, Self.obliging)
    location.url = cell.place.url(api: api.port, other: otherPort.port)

    let base = BaseURL(origin: Origin(scheme: .http, host: "localhost", port: api.port))
    let secret = Secret(Self.canary, name: "CANARY", for: [OriginPattern(base.origin)])
    let profiles = SessionProfiles([try profile(cell.carrier, base: base, secret: secret)])
    let clock = UploadClock(now: { .zero }, sleep: { _ in })
    let uploader = Uploader(transport: CurlTransport(), profiles: profiles, clock: clock)
    let url = location.url
    var run = SequenceRun(
      ArrayRequestSequence([
        { _ in self.step(cell.carrier, .path("/start", profile: nil), secret: secret) },
        { previous in
          guard cell.lead == .urlFromResponse, previous != nil else { return nil }
          return self.step(cell.carrier, .url(url), secret: secret)
        },
      ]))
    var failure: UploadError?
    do {
      try await uploader.run(&run)
    } catch {
      failure = error
    }

    // The API's own origin is recognized by the Host it was asked for.
    let own = api.requests.filter { $0.lowercased().contains("host: localhost:\(api.port)\r\n") }
    let foreign = api.requests.filter { !own.contains($0) }
    #expect(!Self.holdsCanary(otherPort.received))
    #expect(!Self.holdsCanary(otherHost.received))
    #expect(!foreign.contains { Self.holdsCanary(Array($0.utf8)) })
    #expect(Self.holdsCanary(api.received), "\(String(describing: failure))")
    if !cell.carrier.isBody, let start = own.first { #expect(Self.holdsCanary(Array(start.utf8))) }

    if cell.place.isOwn {
      #expect(failure == nil)
      #expect(own.count == 2)
      if !cell.carrier.isStep { #expect(own.last.map { Self.holdsCanary(Array($0.utf8)) } == true) }
    } else {
      try expectWithheld(cell, in: run.exchanges, failure: failure)
    }
  }

  /// The user can see what was withheld: it is in the exchange, or the step was refused.
  private func expectWithheld(_ cell: Cell, in exchanges: [Exchange], failure: UploadError?) throws {
    switch failure?.fact {
    case .secretRefused(let secret, _):
      #expect(secret.name == "CANARY")
      #expect(cell.carrier.isStep)
    case .transport(let error, _):
      // TLS to a server without it, a host without an address, a URL with user info.
      #expect([.otherScheme, .trailingDot, .userInfo, .userInfoOfTheHost].contains(cell.place), "\(error)")
      if case .connectionLost = error.fact { Issue.record("\(error)") }
    case .expectations(_, let exchange):
      switch exchange.refusedRedirect {
      case .bodyElsewhere: #expect(cell.carrier.isBody && cell.lead != .seeOther)
      case .unusable: #expect([.userInfo, .userInfoOfTheHost].contains(cell.place))
      case .limit, .insecure, nil: Issue.record("\(String(describing: exchange.refusedRedirect))")
      }
    case nil:
      let exchange = try #require(exchanges.last)
      #expect(exchange.refusedRedirect == nil)
      let withheld = Set(exchange.withheld.map(\.label))
      switch cell.carrier {
      case .authorization, .basic: #expect(withheld == ["authorization"])
      case .apiKey: #expect(withheld == ["x-api-key"])
      case .cookie, .headerOfStep: #expect(withheld == ["cookie"])
      case .queryOfProfile, .queryOfStep: #expect(withheld == ["query \"key\""])
      case .formBody, .jsonBody, .putBody: #expect(withheld == ["body"])
      }
    case .sequence, .profile, .framing, .cancelled, .group, .journal, .unsaved, .signIn:
      Issue.record("\(String(describing: failure))")
    }
  }
}

/// Set before the first request is sent, because a server's port is known only when it runs.
private final class Location: Sendable {
  private let text = Mutex("")
  var url: String {
    get { text.withLock { $0 } }
    set { text.withLock { $0 = newValue } }
  }
}
