import Foundation
import NIOHTTP1
import Testing

@testable import Sandbox

@Suite("A POST policy")
struct PostPolicyTests {
  static let now = Date(timeIntervalSince1970: 1_700_000_000)

  static func check(_ conditions: [PostPolicy.Condition], _ fields: [(String, String)]) -> S3Error? {
    let policy = PostPolicy(expiration: now + 1, conditions: conditions)
    do throws(S3Error) {
      try policy.check(
        PostForm(fields.map { PostForm.Field(name: $0, value: $1) }), bucket: "sandbox", now: now)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "A condition holds or fails",
    arguments: [
      (.equal(field: "key", value: "a"), ["key": "a"], true),
      (.equal(field: "KEY", value: "a"), ["key": "a"], true),
      (.equal(field: "key", value: "a"), ["Key": "A"], false),
      (.equal(field: "key", value: "a"), [:], false),
      (.equal(field: "key", value: ""), [:], false),
      (.equal(field: "key", value: "e\u{301}"), ["key": "\u{E9}"], false),
      (.startsWith(field: "key", prefix: "a/"), ["key": "a/b"], true),
      (.startsWith(field: "key", prefix: "a/"), ["key": "a"], false),
      (.startsWith(field: "key", prefix: ""), ["key": ""], true),
      (.startsWith(field: "key", prefix: ""), [:], false),
      (.equal(field: "bucket", value: "sandbox"), [:], true),
      (.equal(field: "bucket", value: "other"), [:], false),
      (.contentLength(1...2), [:], true),
    ] as [(PostPolicy.Condition, [String: String], Bool)])
  func condition(condition: PostPolicy.Condition, fields: [String: String], holds: Bool) {
    #expect(Self.check([condition], fields.map { ($0, $1) }) == (holds ? nil : .conditionFailed(condition)))
  }

  @Test("Every field except its own needs a condition")
  func extraFields() {
    let own = [("policy", ""), ("X-Amz-Signature", ""), ("x-ignore-me", "")]
    #expect(Self.check([], own) == nil)
    #expect(
      Self.check([.equal(field: "a", value: "1")], own + [("A", "1"), ("b", "2"), ("c", "3")])
        == .extraFields(["b", "c"]))
  }

  @Test("It holds until its expiration, not at it", arguments: [(-0.001, true), (0, false), (1, false)])
  func expiration(offset: Double, holds: Bool) throws {
    let policy = PostPolicy(expiration: Self.now, conditions: [])
    let check = { try policy.check(PostForm(), bucket: "", now: Self.now + offset) }
    if holds { try check() } else { #expect(throws: S3Error.policyExpired, performing: check) }
  }

  @Test("Several size ranges allow only what all of them allow")
  func sizes() {
    let policy = PostPolicy(expiration: Self.now, conditions: [.contentLength(1...9), .contentLength(3...20)])
    #expect(policy.sizeLimits == SizeLimits(minimum: 3, maximum: 9))
    #expect(throws: S3Error.tooSmall(2, minimum: 3)) { try policy.sizeLimits.check(2) }
    #expect(throws: S3Error.tooLarge(10, maximum: 9)) { try policy.sizeLimits.check(10) }
    #expect(throws: Never.self) {
      try policy.sizeLimits.check(3)
      try policy.sizeLimits.check(9)
    }
  }

  @Test("Printed and read again it is the same")
  func roundTrip() throws {
    let policy = PostPolicy(
      expiration: Self.now + 0.25,
      conditions: [
        .equal(field: "key", value: "a\"\\\u{1F600}"), .startsWith(field: "Content-Type", prefix: ""),
        .contentLength(0...5_368_709_120),
      ])
    #expect(try PostPolicy(base64: policy.base64) == policy)
  }

  @Test(
    "Anything that is not a policy is refused with a reason",
    arguments: [
      ("{", "Invalid JSON."), ("[]", "Invalid JSON."),
      ("{\"conditions\": []}", "Policy missing expiration."),
      ("{\"expiration\": \"2015-12-30T12:00:00Z\"}", "Policy missing conditions."),
      ("{\"expiration\": \"2015-12-30T12:00:00Z\", \"conditions\": {}}", "Policy missing conditions."),
      ("{\"expiration\": \"yesterday\", \"conditions\": []}", "Invalid 'expiration' value"),
      ("{\"expiration\": 1, \"conditions\": []}", "Invalid 'expiration' value"),
      ("{\"expiration\": \"2015-12-30T12:00:00Z\", \"conditions\": [], \"x\": 1}", "Unexpected: 'x'"),
    ])
  func invalid(json: String, reason: String) {
    expectInvalid(json, reason)
  }

  @Test(
    "A condition that is not understood makes the policy invalid",
    arguments: [
      ("1", "Invalid Condition"), ("[]", "Invalid Condition"), ("[\"eq\", \"$key\"]", "Invalid Condition"),
      ("[\"eq\", \"key\", \"a\"]", "Invalid Condition"), ("[\"ends-with\", \"$key\", \"a\"]", "Invalid Condition"),
      ("[\"eq\", \"$key\", 1]", "Invalid Condition"), ("{\"key\": 1}", "Invalid Simple-Condition"),
      ("[\"content-length-range\", 2, 1]", "Invalid content-length-range"),
      ("[\"content-length-range\", -1, 1]", "Invalid content-length-range"),
      ("[\"content-length-range\", \"a\", 1]", "Invalid content-length-range"),
    ])
  func invalidCondition(json: String, reason: String) {
    expectInvalid("{\"expiration\": \"2015-12-30T12:00:00Z\", \"conditions\": [\(json)]}", reason)
  }

  private func expectInvalid(_ json: String, _ reason: String) {
    #expect {
      try PostPolicy(base64: Data(json.utf8).base64EncodedString())
    } throws: { error in
      guard case S3Error.invalidPolicy(let message) = error else { return false }
      return message.hasPrefix(reason)
    }
  }

  @Test(
    "success_action_status says how an upload is answered",
    arguments: [(nil, 204), ("204", 204), ("200", 200), ("201", 201), ("202", 204)] as [(String?, UInt)])
  func success(wanted: String?, status: UInt) throws {
    let form = PostForm(wanted.map { [PostForm.Field(name: "success_action_status", value: $0)] } ?? [])
    let response = form.response(location: "http://s/b/a%26b", bucket: "b", key: "a&b", etag: "\"e\"")
    #expect(response.status.code == status && response.headers.contains { $0 == ("ETag", "\"e\"") })
    guard case .bytes(let bytes) = response.content else {
      #expect(status != 201)
      return
    }
    #expect(status == 201)
    #expect(String(decoding: bytes, as: UTF8.self).contains("<Key>a&amp;b</Key><ETag>\"e\"</ETag></PostResponse>"))
  }
}
