import Foundation
import HTTPTypes
import OfflineTransport
import RealServers
import Requests
import Testing

@testable import UploaderCore

/// Generated requests, each signed here and by botocore: in the header and in the query.
@Suite(
  .enabled(if: Python.has("botocore"), "SKIPPED: needs python3 with botocore (Scripts/prepare-servers)"))
struct BotocoreSignatureTests {
  struct Case: Codable {
    var method, url, body, service, region, key, secret: String
    var headers: [String: String]
    var now: Int
    var token: String?
    /// In seconds; nil: signed in the header.
    var expires: Int?
  }

  private struct Chance: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 31)
    }
  }

  private static let pieces = [
    "a", "b c", "\u{e4}", "\u{1F600}", "+", "(1)", "=", "~", "!", "*'", "..x", "%", "&", "?", "#", ";", ",", "@", ":",
    "$", "\"", "_-.", "e\u{301}",
  ]

  private static func make(_ index: Int, _ chance: inout Chance) -> Case {
    func text(_ most: Int) -> String {
      (0..<Int.random(in: 1...most, using: &chance)).map { _ in pieces.randomElement(using: &chance) ?? "a" }.joined()
    }
    let isPresigned = index % 2 == 1
    let service = ["s3", "execute-api", "dynamodb"][index / 2 % 3]
    let path = (0..<Int.random(in: 0...3, using: &chance)).map { _ in PercentEncoding.component.encode(text(3)) }
    // Of a repeated name botocore signs only one value into a query.
    let query = (0..<Int.random(in: 0...3, using: &chance)).map { number in
      "\(PercentEncoding.component.encode(text(2)))\(number)=\(PercentEncoding.component.encode(text(2)))"
    }
    let host = ["b.s3.amazonaws.com", "api.example.com:8443", "127.0.0.1:9000"][Int(chance.next() % 3)]
    let method = ["GET", "PUT", "DELETE", "POST"].randomElement(using: &chance) ?? "GET"
    return Case(
      method: method,
      url: "https://\(host)/\(path.joined(separator: "/"))" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")),
      body: !isPresigned && method != "GET" ? text(5) : "", service: service,
      region: ["us-east-1", "eu-west-1"].randomElement(using: &chance) ?? "us-east-1",
      key: "AKIA\(index)", secret: "s3cr3t/\(text(3))+",
      headers: isPresigned ? [:] : ["X-Note": "a   b \(index)", "Content-Type": "text/plain"],
      now: 1_700_000_000 + Int(chance.next() % 100_000_000), token: index % 3 == 0 ? "token/\(index)+=" : nil,
      expires: isPresigned ? Int.random(in: 1...604_800, using: &chance) : nil)
  }

  @Test func `200 signatures are those of botocore`() async throws {
    var chance = Chance(state: 21)
    let cases = (0..<200).map { Self.make($0, &chance) }
    let file = FileManager.default.temporaryDirectory.appending(path: "sign-\(UUID()).json")
    try JSONEncoder().encode(cases.map(Self.withNulls)).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../RealServers/Providers/sign.py").standardizedFileURL.path
    let theirs = try JSONDecoder().decode([String].self, from: try await Python.output([script, file.path]))
    #expect(theirs.count == cases.count)
    for (given, signature) in zip(cases, theirs) {
      #expect(try Self.signature(of: given) == signature, "\(given)")
    }
  }

  /// Every key is there, also of what is not given.
  private static func withNulls(_ given: Case) -> [String: Field] {
    [
      "method": .text(given.method), "url": .text(given.url), "body": .text(given.body),
      "service": .text(given.service), "region": .text(given.region), "key": .text(given.key),
      "secret": .text(given.secret), "headers": .texts(given.headers), "now": .number(given.now),
      "token": given.token.map { .text($0) } ?? .nothing, "expires": given.expires.map { .number($0) } ?? .nothing,
    ]
  }

  private enum Field: Encodable {
    case text(String)
    case texts([String: String])
    case number(Int)
    case nothing

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .texts(let texts): try container.encode(texts)
      case .number(let number): try container.encode(number)
      case .nothing: try container.encodeNil()
      }
    }
  }

  private static func signature(of given: Case) throws -> String {
    let identity = SigningIdentity.sigv4(
      accessKey: given.key, secretKey: Secret(given.secret, name: "KEY", for: []),
      sessionToken: given.token.map { Secret($0, name: "TOKEN", for: []) }, region: given.region,
      service: given.service)
    let origin = try FakeTransport(statuses: []).origin(of: given.url)
    if let expires = given.expires {
      let rest = String(given.url.dropFirst("https://".count).drop { $0 != "/" })
      let url = try identity.presign(
        method: given.method, path: rest, base: BaseURL(origin: origin), lifetime: .seconds(expires),
        now: .seconds(given.now))
      return try #require(url.components(separatedBy: "X-Amz-Signature=").last)
    }
    let request = RequestToSign(
      method: try #require(HTTPRequest.Method(rawValue: given.method)), url: given.url, origin: origin,
      headers: HTTPFields(try given.headers.map { HTTPField(name: try #require(HTTPField.Name($0)), value: $1) }),
      body: given.body.isEmpty ? [] : [.bytes(Array(given.body.utf8))], now: .seconds(given.now))
    let fields = HTTPFields(try identity.sign(request))
    return try #require(fields[.authorization])
  }
}
