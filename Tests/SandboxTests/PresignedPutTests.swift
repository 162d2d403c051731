import Foundation
import NIOHTTP1
import Testing

@testable import Sandbox

/// What botocore's `generate_presigned_url` returns for a PUT, recorded by the script beside it.
struct PresignedURLGolden: Decodable, CustomTestStringConvertible {
  var name: String
  var now: String
  var key: String
  var headers: [String: String]
  var answer: String

  var testDescription: String { name }
  var date: Date { DateText.parseExtended("\(now)Z") ?? .distantPast }
  var target: String { String(answer.dropFirst("http://127.0.0.1:9".count)) }

  static func all() throws -> [Self] {
    let file = PresignedPostGolden.folder.appending(path: "presigned-urls.json")
    return try JSONDecoder().decode([Self].self, from: Data(contentsOf: file))
  }
}

@Suite("Presigned PUT")
struct PresignedPutTests {
  static let signer = URLSigner(credentials: SigV4Tests.credentials, region: "us-east-1")

  private func head(_ golden: PresignedURLGolden) -> HTTPRequestHead {
    var head = HTTPRequestHead(version: .http1_1, method: .PUT, uri: golden.target)
    head.headers.add(name: "Host", value: "127.0.0.1:9")
    for (name, value) in golden.headers { head.headers.add(name: name, value: value) }
    return head
  }

  @Test(
    "botocore's URLs are admitted with the headers they sign, until they expire",
    arguments: try PresignedURLGolden.all())
  func admission(golden: PresignedURLGolden) throws {
    try Self.signer.admit(head(golden), now: golden.date + 3599)
    #expect(throws: S3Error.self) { try Self.signer.admit(head(golden), now: golden.date + 3600) }
    #expect(throws: S3Error.self) { try Self.signer.admit(head(golden), now: golden.date - 901) }
  }

  @Test("With anything signed changed they are not", arguments: try PresignedURLGolden.all())
  func changes(golden: PresignedURLGolden) throws {
    for name in golden.headers.keys {
      var missing = head(golden)
      missing.headers.remove(name: name)
      #expect(throws: S3Error.self, "\(name) missing") { try Self.signer.admit(missing, now: golden.date) }
      var different = head(golden)
      different.headers.replaceOrAdd(name: name, value: "!")
      #expect(throws: S3Error.self, "\(name) different") { try Self.signer.admit(different, now: golden.date) }
    }
    var method = head(golden)
    method.method = .POST
    #expect(throws: S3Error.self) { try Self.signer.admit(method, now: golden.date) }
    var path = head(golden)
    path.uri = path.uri.replacingOccurrences(of: "/sandbox/s", with: "/sandbox/t")
    #expect(throws: S3Error.self) { try Self.signer.admit(path, now: golden.date) }
    var query = head(golden)
    query.uri = query.uri.replacingOccurrences(of: "X-Amz-Expires=3600", with: "X-Amz-Expires=3601")
    #expect(throws: S3Error.self) { try Self.signer.admit(query, now: golden.date) }
    var more = head(golden)
    more.headers.add(name: "X-Amz-Acl", value: "public-read")
    #expect(throws: S3Error.headersNotSigned(["x-amz-acl"])) { try Self.signer.admit(more, now: golden.date) }
  }

  /// What the API allocates for a PUT.
  struct Allocation: Decodable {
    var uid: String
    var url: String
    var headers: [String: String]
  }

  static func allocate(_ sandbox: SandboxFixture, more: String = "") async throws -> Allocation {
    let response = try await sandbox.api(
      "POST", "/sheets/A-101/snapshots", #"{"filesize": 5, "upload": "put", "type": "image/png"\#(more)}"#)
    #expect(response.status == 201)
    let decoded = try JSONDecoder().decode([String: Allocation].self, from: Data(response.body))
    return try #require(decoded["snapshot"])
  }

  static func put(
    _ sandbox: SandboxFixture, _ allocation: Allocation, _ body: String = "hello", headers: [String: String]? = nil,
    framing: String? = nil
  ) async throws -> RawResponse {
    let target = allocation.url.dropFirst(sandbox.endpoints.storage.count)
    let host = sandbox.endpoints.storage.dropFirst("http://".count)
    let fields = (headers ?? allocation.headers).map { "\($0): \($1)\r\n" }.joined()
    return try await RawClient.connect(to: sandbox.endpoints.storage) { client in
      try await client.send(
        "PUT \(target) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\(framing ?? "Content-Length: \(body.utf8.count)\r\n")\r\n\(body)"
      )
      return try await client.response()
    }
  }

  @Test("An upload as it was allocated is stored, and can be confirmed")
  func upload() async throws {
    try await SandboxFixture.run { sandbox in
      let snapshot = try await Self.allocate(sandbox)
      let response = try await Self.put(sandbox, snapshot)
      #expect(response.status == 200)
      #expect(response["etag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
      #expect(try await sandbox.api("PUT", "/sheets/A-101/snapshots/\(snapshot.uid)").status == 200)
      #expect(try sandbox.log().contains { $0.method == "PUT" && $0.fileSHA256?.hasPrefix("2cf24dba") == true })
    }
  }

  @Test("Everything signed has to be sent, as it was signed")
  func refusals() async throws {
    try await SandboxFixture.run { sandbox in
      let snapshot = try await Self.allocate(sandbox)
      func code(_ response: RawResponse) -> String? { response.element("Code") }
      var headers = snapshot.headers
      headers["x-amz-meta-snapshot"] = nil
      #expect(try await code(Self.put(sandbox, snapshot, headers: headers)) == "SignatureDoesNotMatch")
      headers = snapshot.headers
      headers["Content-Type"] = "text/plain"
      #expect(try await code(Self.put(sandbox, snapshot, headers: headers)) == "SignatureDoesNotMatch")
      #expect(try await code(Self.put(sandbox, snapshot, "longer")) == "SignatureDoesNotMatch")
      headers = snapshot.headers
      headers["Authorization"] = "Bearer a"
      #expect(try await code(Self.put(sandbox, snapshot, headers: headers)) == "InvalidArgument")
      headers = snapshot.headers
      headers["Content-MD5"] = "XUFAKrxLKna5cZ2REBfFkg=="
      #expect(try await code(Self.put(sandbox, snapshot, "hellO", headers: headers)) == "BadDigest")
      let chunked = "Content-Length: 5\r\n"
      #expect(try await Self.put(sandbox, snapshot, framing: chunked).status == 200)
      sandbox.clock.advance(by: 15 * 60)
      let expired = try await Self.put(sandbox, snapshot)
      #expect(expired.element("Message") == "Request has expired")
      #expect(expired.element("X-Amz-Expires") == "900")
    }
  }

  @Test(
    "A query that is not a signature is reported",
    arguments: [("", "AccessDenied"), ("?X-Amz-Date=1", "AuthorizationQueryParametersError")])
  func noSignature(query: String, code: String) async throws {
    try await SandboxFixture.run { sandbox in
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        try await client.send("PUT /sandbox/a\(query) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
        #expect(try await client.response().element("Code") == code)
      }
    }
  }
}
