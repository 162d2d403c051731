import Foundation
import Testing

@testable import Sandbox

@Suite("Storage")
struct StorageTests {
  /// A way to spoil a good upload of the five bytes `hello`, and S3's response to it.
  struct Spoiling: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var status: Int
    var code: String
    var detail: String
    var spoil: @Sendable (inout UploadForm, TestClock) -> Void

    init(
      _ description: String, _ status: Int, _ code: String, _ detail: String,
      spoil: @escaping @Sendable (inout UploadForm, TestClock) -> Void
    ) {
      testDescription = description
      self.status = status
      self.code = code
      self.detail = detail
      self.spoil = spoil
    }

    static let all = [
      Spoiling("the policy expired", 403, "AccessDenied", "Invalid according to Policy: Policy expired.") {
        $1.advance(by: 900)
      },
      Spoiling("a wrong signature", 403, "SignatureDoesNotMatch", "does not match the signature you provided") {
        $0["x-amz-signature"] = String(repeating: "0", count: 64)
        _ = $1
      },
      Spoiling("a changed policy", 403, "SignatureDoesNotMatch", "does not match the signature you provided") {
        $0["policy"] = ($0["policy"] ?? "") + "="
        _ = $1
      },
      Spoiling("another key", 403, "AccessDenied", #"Policy Condition failed: ["eq","$key","snapshots/"#) {
        $0["key"] = "other"
        _ = $1
      },
      Spoiling("an extra field", 403, "AccessDenied", "Extra input fields: acl, x-amz-meta-a") {
        $0["acl"] = "public-read"
        $0["x-amz-meta-a"] = ""
        _ = $1
      },
      Spoiling("a key twice", 400, "InvalidArgument", "may not be repeated") {
        $0.fields.append(("Key", $0["key"] ?? ""))
        _ = $1
      },
      Spoiling("an unknown access key", 403, "InvalidAccessKeyId", "does not exist in our records") {
        $0["x-amz-credential"] = ($0["x-amz-credential"] ?? "").replacingOccurrences(of: "AKIA", with: "AKIB")
        _ = $1
      },
      Spoiling("another region", 400, "InvalidArgument", "x-amz-credential") {
        $0["x-amz-credential"] = ($0["x-amz-credential"] ?? "").replacingOccurrences(of: "us-east-1", with: "eu-west-1")
        _ = $1
      },
      Spoiling("a date of another day", 400, "InvalidArgument", "x-amz-date") {
        $0["x-amz-date"] = "20151229T000000Z"
        _ = $1
      },
      Spoiling("another time of the day", 403, "AccessDenied", #"Policy Condition failed: ["eq","$x-amz-date""#) {
        $0["x-amz-date"] = ($0["x-amz-date"] ?? "").prefix(9) + "000000Z"
        _ = $1
      },
      Spoiling("another algorithm", 400, "InvalidArgument", "x-amz-algorithm") {
        $0["x-amz-algorithm"] = "AWS4-HMAC-SHA1"
        _ = $1
      },
      Spoiling("no file", 400, "InvalidArgument", "POST requires exactly one file upload per request.") {
        $0.file = nil
        _ = $1
      },
      Spoiling("nothing at all", 400, "InvalidArgument", "POST requires exactly one file upload per request.") {
        $0 = UploadForm(fields: [])
        _ = $1
      },
      Spoiling("a field after the file", 400, "InvalidArgument", "The file must be the last field") {
        $0.trailing = [("x-amz-meta-late", "1")]
        _ = $1
      },
      Spoiling("a second file", 400, "InvalidArgument", "POST requires exactly one file upload per request.") {
        $0.trailing = [("file", "hello")]
        _ = $1
      },
      Spoiling("a file too small", 400, "EntityTooSmall", "<ProposedSize>4</ProposedSize><MinSizeAllowed>5") {
        $0.file = Array("hell".utf8)
        _ = $1
      },
      Spoiling("a file too large", 400, "EntityTooLarge", "<ProposedSize>200000</ProposedSize><MaxSizeAllowed>5") {
        $0.file = Array(repeating: 7, count: 200_000)
        _ = $1
      },
      Spoiling("20 KB of other fields", 400, "MaxPostPreDataLengthExceeded", "preceding the upload file") {
        $0.fields.insert(("x-ignore-a", String(repeating: "a", count: 19_300)), at: 0)
        _ = $1
      },
      Spoiling("one endless field", 400, "MaxPostPreDataLengthExceeded", "preceding the upload file") {
        $0.fields.insert(("x-ignore-a", String(repeating: "a", count: 1 << 20)), at: 0)
        _ = $1
      },
    ]
  }

  @Test("An upload with something wrong is refused as S3 does, and nothing is stored", arguments: Spoiling.all)
  func refusals(spoiling: Spoiling) async throws {
    try await SandboxFixture.run { sandbox in
      let snapshot = try await sandbox.allocate(5)
      var form = snapshot.form("hello")
      spoiling.spoil(&form, sandbox.clock)
      let response = try await sandbox.upload(form)
      #expect(response.status == spoiling.status)
      #expect(response.element("Code") == spoiling.code)
      #expect(response.text.replacingOccurrences(of: "\", \"", with: "\",\"").contains(spoiling.detail))
      #expect(response["content-type"] == "application/xml")
      #expect(try sandbox.files().isEmpty)
      #expect(try await sandbox.api("PUT", "/sheets/A-101/snapshots/\(snapshot.uid)").status == 409)
      let file = form.file
      #expect(
        try (sandbox.log().first { $0.method == "POST" && $0.target == "/sandbox" }?.fileSHA256 != nil)
          == (file != nil))
    }
  }

  @Test(
    "Every field is needed",
    arguments: ["key", "policy", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-signature"])
  func missingField(name: String) async throws {
    try await SandboxFixture.run { sandbox in
      var form = try await sandbox.allocate(5).form("hello")
      form[name] = nil
      let response = try await sandbox.upload(form)
      #expect(response.status == 400)
      #expect(response.element("Code") == "InvalidArgument")
      #expect(response.element("ArgumentName") == name)
    }
  }

  @Test("Up to 20 KB of other fields, and fields that are marked to be ignored, are fine")
  func justFits() async throws {
    try await SandboxFixture.run { sandbox in
      var form = try await sandbox.allocate(5).form("hello")
      form["x-ignore-a"] = ""
      let start = try #require(String(decoding: form.body, as: UTF8.self).range(of: "hello"))
      let offset = String(decoding: form.body, as: UTF8.self)[..<start.lowerBound].utf8.count
      form["x-ignore-a"] = String(repeating: "a", count: 20 * 1024 - offset)
      #expect(try await sandbox.upload(form).status == 204)
      form["x-ignore-a"]? += "a"
      #expect(try await sandbox.upload(form).element("Code") == "MaxPostPreDataLengthExceeded")
    }
  }

  @Test("An Authorization header with the form is one auth mechanism too many, and is quoted back")
  func authorization() async throws {
    try await SandboxFixture.run { sandbox in
      let snapshot = try await sandbox.allocate(5)
      let response = try await sandbox.upload(snapshot.form("hello"), headers: "Authorization: Bearer a<b\r\n")
      #expect(response.status == 400)
      #expect(response.element("Code") == "InvalidArgument")
      #expect(response.element("Message")?.hasPrefix("Only one auth mechanism allowed") == true)
      #expect(response.element("ArgumentValue") == "Bearer a&lt;b")
      #expect(try sandbox.log().last?.fileSHA256 != nil)
      #expect(try sandbox.files().isEmpty)
    }
  }

  @Test("Whoever reads with a signature, as head_object of an SDK does, reads like everybody")
  func signedReading() async throws {
    try await SandboxFixture.run { sandbox in
      let form = try await sandbox.allocate(5).form("hello")
      #expect(try await sandbox.upload(form).status == 204)
      let key = try #require(form["key"])
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        try await client.send(
          "GET /sandbox/\(key) HTTP/1.1\r\nHost: a\r\nAuthorization: AWS4-HMAC-SHA256 Credential=x\r\n\r\n")
        #expect(try await client.response().status == 200)
      }
    }
  }

  @Test(
    "A request that is not a form upload gets S3's error",
    arguments: [
      ("POST /sandbox", "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", 412, "PreconditionFailed"),
      ("POST /sandbox", "Content-Type: multipart/form-data\r\nContent-Length: 2\r\n\r\n{}", 412, "PreconditionFailed"),
      (
        "POST /sandbox", "Content-Type: multipart/form-data; boundary=a\r\nContent-Length: 2\r\n\r\n{}", 400,
        "MalformedPOSTRequest"
      ),
      (
        "POST /sandbox",
        "Content-Type: multipart/form-data; boundary=a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n--a--\r\n0\r\n\r\n",
        501,
        "NotImplemented"
      ),
      ("POST /sandbox", "Content-Type: multipart/form-data; boundary=a\r\n\r\n", 411, "MissingContentLength"),
      ("POST /other", "Content-Length: 0\r\n\r\n", 404, "NoSuchBucket"),
      ("GET /", "\r\n", 404, "NoSuchBucket"),
      ("GET /sandbox/a", "\r\n", 404, "NoSuchKey"),
      ("GET /sandbox/%F", "\r\n", 400, "InvalidURI"),
      ("DELETE /sandbox/a", "Content-Length: 0\r\n\r\n", 405, "MethodNotAllowed"),
      ("DELETE /sandbox", "\r\n", 405, "MethodNotAllowed"),
    ])
  func otherRequests(line: String, rest: String, status: Int, code: String) async throws {
    try await SandboxFixture.run { sandbox in
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        try await client.send("\(line) HTTP/1.1\r\nHost: a\r\n\(rest)")
        let response = try await client.response()
        #expect(response.status == status)
        #expect(response.element("Code") == code)
        #expect((response["allow"] != nil) == (status == 405))
      }
    }
  }

  @Test("A client with the credentials may sign its own forms: prefixes, its own fields, any name")
  func ownPolicy() async throws {
    try await SandboxFixture.run { sandbox in
      let date = sandbox.clock.now
      var fields = BotocoreTests.signer.fields(
        key: "pictures/ä b.png",
        conditions: [
          .startsWith(field: "Content-Type", prefix: "image/"), .equal(field: "x-amz-meta-a", value: "1"),
          .contentLength(0...10),
        ], now: date, expiration: date + 60)
      fields.append(PostForm.Field(name: "content-type", value: "image/png"))
      var form = UploadForm(fields: fields.map { ($0.name, $0.value) }, file: [])
      #expect(try await sandbox.upload(form).text.contains("Policy Condition failed"))

      form["x-amz-meta-a"] = "1"
      let response = try await sandbox.upload(form)
      #expect(response.status == 204)
      let location = try #require(response["location"])
      #expect(location == "\(sandbox.endpoints.storage)/sandbox/pictures/%C3%A4%20b.png")
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        try await client.send("GET \(location) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.response()["etag"] == "\"d41d8cd98f00b204e9800998ecf8427e\"")
      }
    }
  }

  @Test("A later upload under the same key replaces the older one")
  func overwriting() async throws {
    try await SandboxFixture.run { sandbox in
      let snapshot = try await sandbox.allocate(5)
      for content in ["first", "other"] {
        #expect(try await sandbox.upload(snapshot.form(content)).status == 204)
      }
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        try await client.send("GET /sandbox/snapshots/\(snapshot.uid) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.response().text == "other")
      }
      #expect(try sandbox.files().count == 1)
    }
  }
}
