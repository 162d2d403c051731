import Foundation
import Testing

@testable import Sandbox

@Suite("Multipart upload")
struct MultipartUploadTests {
  private static let mebibyte = 1024 * 1024

  /// A client of one upload.
  private struct Upload {
    let fixture: SandboxFixture
    let key: String
    var id = ""

    init(_ fixture: SandboxFixture, key: String = "public/a%20b.bin") async throws {
      self.fixture = fixture
      self.key = key
      let created = try await request("POST", "?uploads")
      #expect(created.status == 200 && created["content-type"] == "application/xml")
      let text = String(decoding: created.body, as: UTF8.self)
      id = try #require(text.firstMatch(of: /<UploadId>([0-9a-f]+)<\/UploadId>/)).1.description
    }

    func request(
      _ method: String, _ query: String, _ body: [UInt8] = [], headers: String = "", key: String? = nil
    ) async throws -> RawResponse {
      try await RawClient.connect(to: fixture.endpoints.storage) { [key = key ?? self.key] client in
        let head =
          "\(method) /sandbox/\(key)\(query) HTTP/1.1\r\nHost: x\r\n\(headers)Content-Length: \(body.count)\r\n\r\n"
        try await client.send(Array(head.utf8) + body)
        return try await client.response()
      }
    }

    func put(_ number: Int, _ content: [UInt8], headers: String = "") async throws -> RawResponse {
      try await request("PUT", "?partNumber=\(number)&uploadId=\(id)", content, headers: headers)
    }

    func complete(_ parts: [(Int, String)]) async throws -> RawResponse {
      let list = parts.map { "<Part><PartNumber>\($0.0)</PartNumber><ETag>\($0.1)</ETag></Part>" }.joined()
      return try await request(
        "POST", "?uploadId=\(id)", Array("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8))
    }
  }

  private static func text(_ response: RawResponse) -> String { String(decoding: response.body, as: UTF8.self) }

  @Test func `parts become one object, with the ETag that S3 gives it`() async throws {
    try await SandboxFixture.run { fixture in
      let upload = try await Upload(fixture)
      let first = [UInt8](repeating: 1, count: 5 * Self.mebibyte)
      let second: [UInt8] = [2, 3]
      let two = try await upload.put(2, second)
      let old = try await upload.put(1, [9])
      let one = try await upload.put(1, first, headers: "Content-MD5: XzYza+e65oWjgRHe2AYBLg==\r\n")
      #expect(old.status == 200 && one.status == 400 && Self.text(one).contains("BadDigest"))
      let again = try await upload.put(1, first)
      let etags = try [again, two].map { try #require($0["etag"]) }

      let listed = try await upload.request("GET", "?uploadId=\(upload.id)")
      #expect(
        Self.text(listed).contains("<PartNumber>2</PartNumber>") && Self.text(listed).contains("<Size>5242880</Size>"))
      let underWay = try await upload.request("GET", "?uploads", key: "")
      #expect(Self.text(underWay).contains("<Key>public/a b.bin</Key><UploadId>\(upload.id)</UploadId>"))

      let completed = try await upload.complete([(1, etags[0]), (2, etags[1])])
      #expect(completed.status == 200)
      #expect(Self.text(completed).contains("<CompleteMultipartUploadResult>"))
      #expect(Self.text(completed).contains("-2&quot;</ETag>"))
      let object = try await upload.request("GET", "")
      #expect(object.status == 200 && object.body == first + second)
      #expect(try await upload.complete([(1, etags[0])]).status == 404)
      #expect(try fixture.files() == ["public%2Fa%20b.bin"])
    }
  }

  @Test func `a part below 5 MiB that is not the last is refused on completion`() async throws {
    try await SandboxFixture.run { fixture in
      let upload = try await Upload(fixture)
      var etags: [String] = []
      for number in 1...2 { etags.append(try #require(try await upload.put(number, [1])["etag"])) }
      let completed = try await upload.complete([(1, etags[0]), (2, etags[1])])
      #expect(completed.status == 400)
      #expect(Self.text(completed).contains("<Code>EntityTooSmall</Code>"))
      #expect(Self.text(completed).contains("<PartNumber>1</PartNumber>"))
      let alone = try await upload.complete([(2, etags[1])])
      #expect(alone.status == 200)
    }
  }

  @Test func `wrong lists of parts are refused in S3's words`() async throws {
    try await SandboxFixture.run { fixture in
      let upload = try await Upload(fixture)
      let etag = try #require(try await upload.put(3, [1])["etag"])
      for (parts, code) in [
        ([(3, "\"0\"")], "InvalidPart"), ([(4, etag)], "InvalidPart"), ([(3, etag), (3, etag)], "InvalidPartOrder"),
        ([], "MalformedXML"),
      ] {
        let response = try await upload.complete(parts)
        #expect(response.status == 400 && Self.text(response).contains("<Code>\(code)</Code>"))
      }
      let nonsense = try await upload.request("POST", "?uploadId=\(upload.id)", Array("<a>".utf8))
      #expect(Self.text(nonsense).contains("MalformedXML"))
      #expect(try await upload.complete([(3, etag)]).status == 200)
    }
  }

  @Test(arguments: ["0", "10001", "x", "-1", ""])
  func `part numbers go from 1 to 10,000`(number: String) async throws {
    try await SandboxFixture.run { fixture in
      let upload = try await Upload(fixture)
      let response = try await upload.request("PUT", "?partNumber=\(number)&uploadId=\(upload.id)", [1])
      #expect(response.status == 400 && Self.text(response).contains("between 1 and 10000"))
      #expect(try await upload.put(10_000, [1]).status == 200)
    }
  }

  @Test func `an aborted upload is gone, and leaves nothing behind`() async throws {
    try await SandboxFixture.run { fixture in
      let upload = try await Upload(fixture)
      #expect(try await upload.put(1, [1]).status == 200)
      #expect(try await upload.request("DELETE", "?uploadId=\(upload.id)").status == 204)
      for method in ["GET", "DELETE"] {
        let response = try await upload.request(method, "?uploadId=\(upload.id)")
        #expect(response.status == 404 && Self.text(response).contains("NoSuchUpload"))
      }
      #expect(try await upload.put(1, [1]).status == 404)
      #expect(try fixture.files().isEmpty)
    }
  }

  @Test func `a completion can fail with status 200`() async throws {
    try await SandboxFixture.run { fixture in
      let upload = try await Upload(fixture, key: "public/hiccup/a")
      let etag = try #require(try await upload.put(1, [1])["etag"])
      let failed = try await upload.complete([(1, etag)])
      #expect(failed.status == 200 && Self.text(failed).contains("<Error><Code>InternalError</Code>"))
      let completed = try await upload.complete([(1, etag)])
      #expect(completed.status == 200 && Self.text(completed).contains("<CompleteMultipartUploadResult>"))
    }
  }

  @Test func `keys that are not public need a signature, and a token is one mechanism too many`() async throws {
    try await SandboxFixture.run { fixture in
      let upload = try await Upload(fixture)
      #expect(try await upload.request("POST", "?uploads", key: "mine").status == 403)
      let token = try await upload.request("POST", "?uploads", headers: "Authorization: Bearer x\r\n")
      #expect(token.status == 400 && Self.text(token).contains("Only one auth mechanism allowed"))
    }
  }
}
