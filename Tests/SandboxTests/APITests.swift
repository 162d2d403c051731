import Crypto
import Foundation
import JSONValue
import Testing

@testable import Sandbox

@Suite("The API")
struct APITests {
  @Test("Health needs no token")
  func health() async throws {
    try await SandboxFixture.run { sandbox in
      let response = try await RawClient.connect(to: sandbox.endpoints.api) { client in
        try await client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        return try await client.response()
      }
      #expect(response.status == 200)
      #expect(response["content-type"] == "application/json")
      #expect(response.text.filter { !$0.isWhitespace } == #"{"ok":true}"#)
    }
  }

  @Test("An upload chain: allocate, upload, confirm, poll until ready")
  func chain() async throws {
    try await SandboxFixture.run { sandbox in
      let snapshot = try await sandbox.allocate(5, sheet: "A%20101%2Fb")
      #expect(snapshot.url.hasPrefix("\(sandbox.endpoints.storage)/"))
      let target = "/sheets/A%20101%2Fb/snapshots/\(snapshot.uid)"

      let early = try await sandbox.api("PUT", target)
      #expect(early.status == 409)
      #expect(early.errorCode == "object_missing")

      let uploaded = try await sandbox.upload(snapshot.form("hello"))
      #expect(uploaded.status == 204)
      #expect(uploaded["etag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
      #expect(uploaded["content-length"] == nil)

      func state(_ method: String) async throws -> String {
        let response = try await sandbox.api(method, target, method == "PUT" ? #"{"state": "uploaded"}"# : "")
        #expect(response.status == 200)
        return try JSONDecoder().decode([String: String].self, from: Data(response.body))["state"] ?? ""
      }
      #expect(try await state("GET") == "allocated")
      #expect(try await state("PUT") == "processing")
      sandbox.clock.advance(by: 0.299)
      #expect(try await state("GET") == "processing")
      sandbox.clock.advance(by: 0.002)
      #expect(try await state("GET") == "ready")
      #expect(try await state("PUT") == "ready")
    }
  }

  @Test("The fields of an allocation begin with the key, and the policy holds the size")
  func allocation() async throws {
    try await SandboxFixture.run { sandbox in
      let response = try await sandbox.api("POST", "/sheets/a/snapshots", #"{"filesize": 48213, "sha256": "00"}"#)
      let names = ["key", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "policy", "x-amz-signature"]
      let places = names.map { response.text.range(of: "\"\($0)\"")?.lowerBound }
      #expect(!places.contains(nil))
      #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
      let snapshot = try #require(
        try JSONDecoder().decode([String: SandboxFixture.Allocation].self, from: Data(response.body))["snapshot"])
      let policy = try PostPolicy(base64: #require(snapshot.fields["policy"]))
      #expect(policy.sizeLimits == SizeLimits(minimum: 48213, maximum: 48213))
      #expect(policy.expiration == sandbox.clock.now + 900)
    }
  }

  @Test(
    "Without the one right token everything except health returns 401",
    arguments: [
      "", "Authorization: Bearer wrong\r\n", "Authorization: Basic TOKEN\r\n", "Authorization: Bearer  TOKEN\r\n",
      "Authorization: TOKEN\r\n", "Authorization: Bearer TOKEN\r\nAuthorization: Bearer other\r\n",
    ])
  func unauthorized(headers: String) async throws {
    let headers = headers.replacing("TOKEN", with: SandboxFixture.token)
    try await SandboxFixture.run { sandbox in
      try await RawClient.connect(to: sandbox.endpoints.api) { client in
        for (method, target) in [
          ("POST", "/sheets/a/snapshots"), ("GET", "/sheets/a/snapshots/x"), ("GET", "/nowhere"),
        ] {
          try await client.send(SandboxFixture.request(method, target, "{}", headers: headers))
          let response = try await client.response()
          #expect(response.status == 401)
          #expect(response.errorCode == "unauthorized")
          #expect(response["www-authenticate"] == "Bearer")
        }
      }
    }
  }

  @Test(
    "A request that cannot be served gets an error that says why",
    arguments: [
      ("GET", "/", "", 404, "not_found"),
      ("GET", "/sheets", "", 404, "not_found"),
      ("GET", "/health/", "", 404, "not_found"),
      ("POST", "/sheets//snapshots", "{}", 404, "not_found"),
      ("POST", "/sheets/a/snapshots/", "{}", 404, "not_found"),
      ("GET", "/sheets/a/snapshots/nobody", "", 404, "snapshot_not_found"),
      ("PUT", "/sheets/a/snapshots/nobody", "{}", 404, "snapshot_not_found"),
      ("POST", "/health", "{}", 405, "method_not_allowed"),
      ("GET", "/sheets/a/snapshots", "", 405, "method_not_allowed"),
      ("DELETE", "/sheets/a/snapshots/x", "", 405, "method_not_allowed"),
      ("POST", "/sheets/%zz/snapshots", "{}", 400, "malformed_path"),
      ("POST", "/sheets/%ff/snapshots", "{}", 400, "malformed_path"),
      ("POST", "/sheets/a/snapshots", "", 400, "invalid_json"),
      ("POST", "/sheets/a/snapshots", "{\"filesize\": 1", 400, "invalid_json"),
      ("PUT", "/sheets/a/snapshots/x", "{", 400, "invalid_json"),
      ("POST", "/sheets/a/snapshots", "[]", 400, "invalid_filesize"),
      ("POST", "/sheets/a/snapshots", "{}", 400, "invalid_filesize"),
      ("POST", "/sheets/a/snapshots", "{\"filesize\": \"1\"}", 400, "invalid_filesize"),
      ("POST", "/sheets/a/snapshots", "{\"filesize\": -1}", 400, "invalid_filesize"),
      ("POST", "/sheets/a/snapshots", "{\"filesize\": 1.5}", 400, "invalid_filesize"),
      ("POST", "/sheets/a/snapshots", "{\"filesize\": 5368709121}", 400, "invalid_filesize"),
      ("GET", "/jobs?state=lost", "", 422, "invalid_job"),
      ("GET", "/jobs?sate=open", "", 422, "invalid_job"),
      ("POST", "/jobs", "{}", 422, "invalid_job"),
      ("POST", "/jobs", #"{"title": ""}"#, 422, "invalid_job"),
      ("POST", "/jobs", #"{"title": "Roofer", "id": 9}"#, 422, "invalid_job"),
      ("PATCH", "/jobs/1", #"{"state": "lost"}"#, 422, "invalid_job"),
      ("PATCH", "/jobs/7", #"{"state": "open"}"#, 404, "job_not_found"),
      ("DELETE", "/jobs/1", "", 405, "method_not_allowed"),
      ("POST", "/sheets/a/snapshots", String(repeating: " ", count: (1 << 20) + 1), 413, "body_too_large"),
    ])
  func refusals(method: String, target: String, body: String, status: Int, code: String) async throws {
    try await SandboxFixture.run { sandbox in
      let response = try await sandbox.api(method, target, body)
      #expect(response.status == status)
      #expect(response.errorCode == code)
      #expect((response["allow"] != nil) == (status == 405))
    }
  }

  @Test("A snapshot belongs to its sheet")
  func otherSheet() async throws {
    try await SandboxFixture.run { sandbox in
      let snapshot = try await sandbox.allocate(5)
      #expect(try await sandbox.api("GET", "/sheets/A-102/snapshots/\(snapshot.uid)").status == 404)
      #expect(try await sandbox.api("GET", "/sheets/%41-101/snapshots/\(snapshot.uid)?x=1").status == 200)
    }
  }

  @Test("The log has a line per request, written before the response")
  func log() async throws {
    try await SandboxFixture.run { sandbox in
      let body = #"{"filesize": 5}"#
      let target = "/sheets/A%20101%2fb/snapshots?q=%22%5c"
      try await RawClient.connect(to: sandbox.endpoints.api) { client in
        let headers = "X-Odd: a\t\"\\é\r\nX-ODD: \u{1F600}\r\nAuthorization: Bearer \(SandboxFixture.token)\r\n"
        try await client.send(SandboxFixture.request("POST", target, body, headers: headers))
        #expect(try await client.response().status == 201)
        let line = try #require(sandbox.log().last)
        #expect(line.origin == sandbox.endpoints.api)
        #expect(line.method == "POST")
        #expect(line.target == target)
        #expect(
          line.headers == [
            ["Host", "sandbox"], ["X-Odd", "a\t\"\\é"], ["X-ODD", "\u{1F600}"],
            ["Authorization", "Bearer \(SandboxFixture.token)"], ["Content-Length", "15"],
          ])
        #expect(line.size == 15)
        #expect(line.sha256 == SHA256.hash(data: Data(body.utf8)).hex)
        #expect(line.fileSHA256 == nil)
      }
      #expect(try sandbox.log().count == 1)

      let snapshot = try await sandbox.allocate(5)
      _ = try await sandbox.upload(snapshot.form("hello"))
      let line = try #require(sandbox.log().last)
      #expect(line.origin == sandbox.endpoints.storage)
      #expect(line.sha256 == SHA256.hash(data: Data(snapshot.form("hello").body)).hex)
      #expect(line.fileSHA256 == SHA256.hash(data: Data("hello".utf8)).hex)
      #expect(try sandbox.files() == ["snapshots%2F\(snapshot.uid)"])
    }
  }
}
