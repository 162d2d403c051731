import Foundation
import HTTPTypes
import OfflineTransport
import Requests
import Testing

@testable import UploaderCore

@Suite struct SigV4Tests {
  /// What botocore made of a request; `Golden/make-signatures.py` records it.
  struct Recorded: Decodable, CustomTestStringConvertible {
    let name, service, region, method, url, body, authorization: String
    let headers: [String: String]
    let now: Int
    let token: String?
    var testDescription: String { name }

    static let all: [Recorded] = {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden/signatures.json")
      do {
        return try JSONDecoder().decode([Recorded].self, from: Data(contentsOf: file))
      } catch {
        Issue.record(error)
        return []
      }
    }()
  }

  private func identity(_ service: String, region: String = "us-east-1", token: String? = nil) -> SigningIdentity {
    .sigv4(
      accessKey: "AKIAIOSFODNN7EXAMPLE",
      secretKey: Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", name: "KEY", for: []),
      sessionToken: token.map { Secret($0, name: "TOKEN", for: []) }, region: region, service: service)
  }

  private func sign(_ request: inout TransportRequest, _ identity: SigningIdentity, now: Duration) throws {
    let origin = try FakeTransport(statuses: []).origin(of: request.url)
    let unsigned = RequestToSign(
      method: request.method, url: request.url, origin: origin, headers: request.headers, body: request.body ?? [],
      now: now)
    for field in try identity.sign(unsigned) { request.headers[field.name] = field.value }
  }

  @Test(arguments: Recorded.all)
  func `a signature is the one that botocore makes`(recorded: Recorded) throws {
    var request = TransportRequest(
      method: try #require(HTTPRequest.Method(rawValue: recorded.method)), url: recorded.url,
      headers: HTTPFields(
        try recorded.headers.map { HTTPField(name: try #require(HTTPField.Name($0)), value: $1) }),
      body: recorded.body.isEmpty ? nil : [.bytes(Array(recorded.body.utf8))])
    let signer = identity(recorded.service, region: recorded.region, token: recorded.token)
    try sign(&request, signer, now: .seconds(recorded.now))
    #expect(request.headers[.authorization] == recorded.authorization)
  }

  @Test func `the recorded signatures exist`() {
    #expect(Recorded.all.count >= 16)
  }

  @Test(arguments: [
    ("/plan+(1)=a.png", "/plan%2B%281%29%3Da.png"), ("/a%2Fb/%c3%a9", "/a/b/%C3%A9"), ("/%FF%20x", "/%FF%20x"),
  ])
  func `an object has one signature however its URL is written`(path: String, canonical: String) throws {
    let signatures = try [path, canonical].map { path in
      let url = "https://b.s3.amazonaws.com\(path)"
      var request = TransportRequest(method: .get, url: url)
      try sign(&request, identity("s3"), now: .seconds(1_767_323_045))
      return try #require(request.headers[.authorization])
    }
    #expect(signatures[0] == signatures[1])
  }

  @Test func `a file is hashed piece by piece, and not at all where TLS protects it`() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let path = FileManager.default.temporaryDirectory.appending(path: "workbench-test-\(UUID().uuidString)").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let slice = try FileSlice(path: path).slice(offset: 10, count: 150_000)
    func signed(_ url: String, _ body: BodySegment) throws -> HTTPFields {
      var request = TransportRequest(method: .put, url: url, body: [body])
      try sign(&request, identity("s3"), now: .seconds(1))
      return request.headers
    }
    let http = "http://127.0.0.1:9/b/k"
    #expect(try signed(http, .file(slice)) == signed(http, .bytes(Array(bytes[10..<150_010]))))
    let hash = try #require(HTTPField.Name("x-amz-content-sha256"))
    #expect(try signed("https://b.s3.amazonaws.com/k", .file(slice))[hash] == "UNSIGNED-PAYLOAD")
    try Data([1]).write(to: URL(fileURLWithPath: path))
    #expect(throws: FileError.changed(path: path)) { try signed(http, .file(slice)) }
  }

  @Test func `a profile signs what goes to its own origins, and nothing else`() throws {
    let base = try BaseURL("https://b.s3.amazonaws.com")
    let key = Secret("wJalrXUtnFEMI/K7MDENG", name: "KEY", for: [OriginPattern(base.origin)])
    let profile = SessionProfile(
      name: "s3", base: base,
      credential: .signed(.sigv4(accessKey: "AKIA", secretKey: key, region: "us-east-1", service: "s3")))
    func prepare(_ target: RequestTarget) throws -> PreparedRequest {
      try PreparedRequest(
        .inMemory(InMemoryRequestDescription(RequestHead(.get, target))), profiles: SessionProfiles([profile]),
        secrets: [],
        boundary: "B", now: .seconds(1_767_323_045), origin: FakeTransport(statuses: []).origin)
    }
    let own = try prepare(.path("/k", profile: nil))
    #expect(
      own.request.headers[.authorization]?.hasPrefix(
        "AWS4-HMAC-SHA256 Credential=AKIA/20260102/us-east-1/s3/aws4_request, "
          + "SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=") == true)
    let other = try prepare(.url("https://evil.example/k"))
    #expect(other.request.headers.isEmpty)
    #expect(other.withheld.map(\.label) == ["authorization"])
  }

  @Test func `a key in the query goes to its own origins, and nowhere else`() throws {
    let base = try BaseURL("https://maps.example")
    let key = Secret("k3y value", name: "KEY", for: [OriginPattern(base.origin)])
    let profile = SessionProfile(name: "maps", base: base, credential: .query(name: "key", key))
    func prepare(_ head: RequestHead) throws -> PreparedRequest {
      try PreparedRequest(
        .inMemory(InMemoryRequestDescription(head)), profiles: SessionProfiles([profile]), secrets: [], boundary: "B",
        now: .zero,
        origin: FakeTransport(statuses: []).origin)
    }
    #expect(
      try prepare(RequestHead(.get, .path("/t?x=1", profile: nil))).request.url
        == "https://maps.example/t?x=1&key=k3y%20value")
    #expect(
      try prepare(RequestHead(.get, .path("/t", profile: nil)) { $0.query = [QueryItem(name: "key", value: "mine")] })
        .request.url == "https://maps.example/t?key=mine")
    let other = try prepare(RequestHead(.get, .url("https://evil.example/t")))
    #expect(other.request.url == "https://evil.example/t")
    #expect(other.withheld.map(\.label) == ["query \"key\""])
  }
}
